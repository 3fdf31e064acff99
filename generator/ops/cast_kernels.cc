// The C of conversions. Floats to integers truncate and saturate, NaN is 0; types of 4 and 2 bits keep the low bits, as
// everywhere in tarn (tensor/numeric.h).
#include "ops/cast.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

std::optional<DType> type_of(const std::string& suffix) {
  for (int t = 1; t <= static_cast<int>(DType::float4e2m1); ++t) {
    if (kernel_suffix(static_cast<DType>(t)) == suffix) return static_cast<DType>(t);
  }
  return {};
}

// float8e4m3fn is f8e4m3fn in the names of functions and their headers.
std::string short_name(DType type) {
  if (type == DType::float16) return "f16";
  if (type == DType::bfloat16) return "bf16";
  return "f" + to_string(type).substr(5);
}

bool is_small_float(DType type) { return is_float(type) && bits_of(type) <= 8; }

std::string header_of(DType type) {
  if (type == DType::float16) return "tarn_math_half.h";
  if (type == DType::bfloat16) return "tarn_math_bfloat16.h";
  return "tarn_math_" + short_name(type) + ".h";
}

// Is the type's value reached through float?
bool through_float(DType type) { return is_float(type) && type != DType::float32 && type != DType::float64; }

std::string compute_type(DType type) {
  if (type == DType::float64) return "double";
  if (is_float(type)) return "float";
  if (is_packed(type)) return is_signed(type) ? "int32_t" : "uint32_t";
  return c_type(type);
}

// Element i, in the bits of a byte or as it is.
std::string stored(DType type) {
  switch (bits_of(type)) {
    case 4: return "((uint32_t)x[i >> 1] >> (i & 1) * 4 & 15u)";
    case 2: return "((uint32_t)x[i >> 2] >> (i & 3) * 2 & 3u)";
    default: return "x[i]";
  }
}

std::string load_from(DType type, std::set<std::string>& includes) {
  std::string element = stored(type);
  if (through_float(type)) {
    includes.insert(header_of(type));
    const std::string cast = is_packed(type) ? "(uint8_t)" : "";
    return cat("tarn_", short_name(type), "_to_f32(", cast, element, ")");
  }
  if (!is_packed(type) || !is_signed(type)) return element;
  const std::string sign = bits_of(type) == 4 ? "8" : "2";
  return cat("(int32_t)(", element, " ^ ", sign, "u) - ", sign);
}

// The bits of a packed element join those before it in the byte.
std::string store_packed(int bits, const std::string& code) {
  if (bits == 4) return cat("y[i >> 1] = (uint8_t)((i & 1) == 0 ? ", code, " : y[i >> 1] | ", code, " << 4);");
  return cat("y[i >> 2] = (uint8_t)((i & 3) == 0 ? ", code, " : y[i >> 2] | ", code, " << (i & 3) * 2);");
}

std::string store_float(DType from, DType to, std::set<std::string>& includes) {
  // Through float there are two roundings; the first one to odd leaves the second one right (Boldo and Melquiond 2008).
  std::string value = from == DType::float64 ? "tarn_f64_to_f32_odd(a)" : is_float(from) ? "a" : "(float)a";
  if (from == DType::float64) includes.insert("tarn_math_f64_to_f32_odd.h");
  includes.insert(header_of(to));
  std::string code = cat("tarn_f32_to_", short_name(to), "(", value);
  if (is_small_float(to) && to != DType::float4e2m1) code += ", p->saturate";
  if (to == DType::float8e8m0) code += ", p->round";
  code += ")";
  return is_packed(to) ? store_packed(bits_of(to), cat("(uint32_t)", code)) : cat("y[i] = ", code, ";");
}

std::string store_integer(DType from, DType to, std::set<std::string>& includes) {
  const int bits = bits_of(to);
  if (!is_float(from)) {
    return is_packed(to) ? store_packed(bits, cat("((uint32_t)a & ", (1 << bits) - 1, "u)"))
                         : cat("y[i] = (", c_type(to), ")a;");
  }
  includes.insert("tarn_math_to_int.h");
  const std::string source = from == DType::float64 ? "tarn_f64_to_" : "tarn_f32_to_";
  if (is_packed(to)) return store_packed(bits, cat("((uint32_t)", source, "i32(a) & ", (1 << bits) - 1, "u)"));
  if (bits >= 32) return cat("y[i] = ", source, is_signed(to) ? "i" : "u", bits, "(a);");
  const std::string least = is_signed(to) ? cat("INT", bits, "_MIN") : "0",
                    most = cat(is_signed(to) ? "INT" : "UINT", bits, "_MAX");
  return cat("const int32_t t = ", source, "i32(a);\n            y[i] = (", c_type(to), ")(t < ", least, " ? ", least,
             " : t > ", most, " ? ", most, " : t);");
}

std::string store_to(DType from, DType to, std::set<std::string>& includes) {
  if (to == DType::boolean) return "y[i] = (uint8_t)(a != 0);";
  if (to == DType::float32) return from == DType::float64 || !is_float(from) ? "y[i] = (float)a;" : "y[i] = a;";
  if (to == DType::float64) return is_float(from) && from == DType::float64 ? "y[i] = a;" : "y[i] = (double)a;";
  if (through_float(to)) return store_float(from, to, includes);
  return store_integer(from, to, includes);
}

}  // namespace

std::optional<KernelText> cast_kernel(const std::string& name) {
  const std::string prefix = "tarn_cast_";
  const size_t middle = name.find('_', prefix.size());
  if (!name.starts_with(prefix) || middle == std::string::npos) return {};
  const auto from = type_of(name.substr(prefix.size(), middle - prefix.size())), to = type_of(name.substr(middle + 1));
  if (!from || !to) return {};
  std::set<std::string> includes;
  std::map<std::string, std::string> holes = common_holes(name);
  holes["IN"] = c_type(*from);
  holes["OUT"] = c_type(*to);
  holes["COMPUTE"] = compute_type(*from);
  holes["LOAD"] = load_from(*from, includes);
  holes["STORE"] = store_to(*from, *to, includes);
  std::string lines;
  for (const std::string& header : includes) lines += "#include \"" + header + "\"\n";
  holes["INCLUDES"] = lines;
  return fill_kernel("cast", holes);
}

}  // namespace tarn::ops
