// Writes the C of elementwise kernels from the tables and the files in templates/kernels.
#include <algorithm>
#include <map>
#include <set>

#include "ops/elementwise.h"
#include "support/check.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// How an element type is stored, computed with, and spelled in an expression.
struct CType {
  DType dtype;
  std::string storage, compute, unsigned_compute;
  int bits;
  bool real, twice;  // floating point; in double
};

std::optional<CType> c_type_of(const std::string& suffix) {
  for (int t = 1; t <= static_cast<int>(DType::boolean); ++t) {
    const DType dtype = static_cast<DType>(t);
    if (kernel_suffix(dtype) != suffix) continue;
    CType c{dtype, c_type(dtype), c_type(dtype), bits_of(dtype) <= 32 ? "uint32_t" : "uint64_t", bits_of(dtype),
            is_float(dtype), dtype == DType::float64};
    if (is_float(dtype)) c.compute = c.twice ? "double" : "float";
    return c;
  }
  return {};
}

// Fills the braces of an expression; `includes` receives the headers of the functions it calls.
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
    } else if (name == "U") {
      out += type.unsigned_compute;
    } else if (name == "BITS") {
      out += std::to_string(type.bits);
    } else if (name.starts_with("p.")) {
      out += "p->" + name.substr(2);
    } else if (name[0] == '-' || (name[0] >= '0' && name[0] <= '9')) {
      out += name + (type.twice ? "" : "f");
    } else {
      const std::string function = "tarn_" + name + (type.twice ? "" : "f");
      includes.insert("tarn_math_" + function.substr(5) + ".h");
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

// The statements that compute and store one result.
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

std::string base_name(const char* op, const char* variant) {
  std::string name = "tarn_";
  for (const char* c = op; *c; ++c) name += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  if (variant) {
    name += '_';
    for (const char* c = variant; *c; ++c) name += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  }
  return name;
}

const char* expression_for(const UnaryOp& op, const CType& type) {
  if (type.real) return op.float_expression;
  if ((type.dtype == DType::boolean) != op.for_bool) return nullptr;
  return !is_signed(type.dtype) && op.unsigned_expression ? op.unsigned_expression : op.integer_expression;
}

const char* expression_for(const BinaryOp& op, const CType& type) {
  if (type.real) return op.float_expression;
  if (type.dtype == DType::boolean) return op.for_bool ? op.unsigned_expression : nullptr;
  return is_signed(type.dtype) ? op.signed_expression : op.unsigned_expression;
}

// A short form of the formula for the header's comment.
std::string describe(std::string expression) {
  std::erase_if(expression, [](char c) { return c == '{' || c == '}'; });
  return expression;
}

KernelText fill(const std::string& stem, std::map<std::string, std::string> holes) {
  return {fill_template("templates/kernels/" + stem + ".h", holes), fill_template("templates/kernels/" + stem + ".c", holes)};
}

std::map<std::string, std::string> common_holes(const std::string& name) {
  return {{"NAME", name}, {"GUARD", upper(name) + "_H"}};
}

KernelText unary_text(const UnaryOp& op, const std::string& name, const CType& type) {
  const CType out = op.to_bool ? *c_type_of("bool") : type;
  std::set<std::string> includes;
  std::map<std::string, std::string> holes = common_holes(name);
  const std::string expression = expression_for(op, type);
  holes["TEXT"] = describe(expression);
  holes["IN"] = type.storage;
  holes["OUT"] = out.storage;
  holes["COMPUTE"] = type.compute;
  holes["LOAD_A"] = load(type, "x[i]");
  holes["STORE"] = store(expression, type, out, includes);
  holes["INCLUDES"] = include_lines(type, includes);
  std::string fields;
  for (const ElementwiseParameter& parameter : op.parameters) {
    fields += "\n    " + std::string(type.twice ? "double " : "float ") + parameter.name + ";";
  }
  holes["FIELDS"] = fields;
  return fill("unary", holes);
}

KernelText binary_text(const BinaryOp& op, const std::string& name, const CType& type, bool many_axes) {
  const CType out = op.to_bool ? *c_type_of("bool") : type;
  std::set<std::string> includes;
  std::map<std::string, std::string> holes = common_holes(name);
  const std::string expression = expression_for(op, type);
  holes["TEXT"] = describe(expression);
  holes["IN"] = holes["IN_B"] = type.storage;
  holes["OUT"] = out.storage;
  holes["COMPUTE"] = holes["COMPUTE_B"] = type.compute;
  holes["LOAD_A"] = load(type, "*pa");
  holes["LOAD_B"] = load(type, "*pb");
  holes["STORE"] = store(expression, type, out, includes);
  holes["INCLUDES"] = include_lines(type, includes);
  holes["FIELDS"] = "";
  holes["INNER"] = name.substr(0, name.size() - (many_axes ? 3 : 0));
  return fill(many_axes ? "binary_nd" : "binary", holes);
}

}  // namespace

std::optional<KernelText> elementwise_kernel(const std::string& name) {
  std::string stem = name;
  const bool many_axes = stem.ends_with("_nd");
  if (many_axes) stem.resize(stem.size() - 3);
  const size_t at = stem.rfind('_');
  if (at == std::string::npos) return {};
  const std::optional<CType> type = c_type_of(stem.substr(at + 1));
  if (!type) return {};
  const std::string base = stem.substr(0, at);
  for (const UnaryOp& op : unary_ops()) {
    if (!many_axes && base_name(op.op, op.variant) == base && expression_for(op, *type)) return unary_text(op, name, *type);
  }
  for (const BinaryOp& op : binary_ops()) {
    if (base_name(op.op, op.variant) == base && expression_for(op, *type)) return binary_text(op, name, *type, many_axes);
  }
  return {};
}

}  // namespace tarn::ops
