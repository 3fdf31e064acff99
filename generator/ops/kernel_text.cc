#include "ops/kernel_text.h"

#include "support/template.h"
#include "support/text.h"

namespace tarn::ops {

std::optional<CType> c_type_of(const std::string& suffix) {
  for (int t = 1; t <= static_cast<int>(DType::boolean); ++t) {
    const DType dtype = static_cast<DType>(t);
    if (kernel_suffix(dtype) != suffix) continue;
    CType c{dtype,          c_type(dtype),   c_type(dtype),          bits_of(dtype) <= 32 ? "uint32_t" : "uint64_t",
            bits_of(dtype), is_float(dtype), dtype == DType::float64};
    if (is_float(dtype)) c.compute = c.twice ? "double" : "float";
    return c;
  }
  return {};
}

namespace {

// The least or the greatest number of a type, infinities included.
std::string limit(const CType& type, bool lowest) {
  if (type.real) return std::string(lowest ? "-" : "") + (type.twice ? "TARN_INF_D" : "TARN_INF_F");
  if (type.dtype == DType::boolean) return lowest ? "0" : "1";
  if (lowest) return is_signed(type.dtype) ? cat("INT", type.bits, "_MIN") : "0";
  return cat(is_signed(type.dtype) ? "INT" : "UINT", type.bits, "_MAX");
}

}  // namespace

std::string write_expression(const std::string& text, const CType& type, std::set<std::string>& includes) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    const size_t end = text.find('}', i);
    const std::string name = text.substr(i + 1, end - i - 1);
    i = end;
    if (name == "T") {
      out += type.storage;
    } else if (name == "C") {
      out += type.compute;
    } else if (name == "W") {
      out += is_signed(type.dtype) ? "int64_t" : "uint64_t";
    } else if (name == "U") {
      out += type.unsigned_compute;
    } else if (name == "BITS") {
      out += std::to_string(type.bits);
    } else if (name.starts_with("p.")) {
      out += "p->" + name.substr(2);
    } else if (name[0] == '-' || (name[0] >= '0' && name[0] <= '9')) {
      out += name + (type.twice ? "" : "f");
    } else if (name == "LOWEST" || name == "HIGHEST") {
      out += limit(type, name == "LOWEST");
    } else {
      const std::string function = "tarn_" + name + (type.twice || !type.real ? "" : "f");
      const bool inlined = name == "fabs" || name == "copysign";
      includes.insert(inlined ? "tarn_math_bits.h" : "tarn_math_" + function.substr(5) + ".h");
      out += function;
    }
  }
  return out;
}

std::string load(const CType& type, const std::string& element) {
  if (type.dtype == DType::float16) return "tarn_f16_to_f32(" + element + ")";
  if (type.dtype == DType::bfloat16) return "tarn_bf16_to_f32(" + element + ")";
  return element;
}

std::string store(std::string expression, const CType& type, const CType& out, std::set<std::string>& includes) {
  std::string prefix;
  if (expression.starts_with("let t = ")) {
    const size_t end = expression.find("; ");
    prefix = "const " + type.compute + " t = " + write_expression(expression.substr(8, end - 8), type, includes) +
             ";\n            ";
    expression = expression.substr(end + 2);
  }
  const std::string value = write_expression(expression, type, includes);
  if (out.dtype == DType::float16) return prefix + "y[i] = tarn_f32_to_f16(" + value + ");";
  if (out.dtype == DType::bfloat16) return prefix + "y[i] = tarn_f32_to_bf16(" + value + ");";
  if (out.real) return prefix + "y[i] = " + value + ";";
  return prefix + "y[i] = (" + out.storage + ")(" + value + ");";
}

std::string include_lines(const CType& type, std::set<std::string> includes) {
  if (type.dtype == DType::float16) includes.insert("tarn_math_half.h");
  if (type.dtype == DType::bfloat16) includes.insert("tarn_math_bfloat16.h");
  std::string lines;
  for (const std::string& header : includes) lines += "#include \"" + header + "\"\n";
  return lines;
}

std::string describe(std::string expression) {
  std::erase_if(expression, [](char c) { return c == '{' || c == '}'; });
  return expression;
}

KernelText fill_kernel(const std::string& stem, const std::map<std::string, std::string>& holes) {
  return {fill_template("templates/kernels/" + stem + ".h", holes),
          fill_template("templates/kernels/" + stem + ".c", holes)};
}

std::map<std::string, std::string> common_holes(const std::string& name) {
  return {{"NAME", name}, {"GUARD", upper(name) + "_H"}};
}

}  // namespace tarn::ops
