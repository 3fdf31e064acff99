// Writes the C of elementwise kernels from the tables and the files in templates/kernels.
#include <algorithm>
#include <map>
#include <set>

#include "ops/cast.h"
#include "ops/einsum.h"
#include "ops/elementwise.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

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

// Is the letter there by itself?
bool has_word(const std::string& text, char letter) {
  const auto is_part = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == letter && !is_part(i + 1) && (i == 0 || !is_part(i - 1))) return true;
  return false;
}

// Where a processor computes one of a few functions for many floats at a time (tarn_math_avx2.h), a loop of its own for
// an expression that calls it once: MANY and MANY_END stand around the loop over single elements.
void add_many(std::string expression, const CType& type, std::set<std::string>& includes,
              std::map<std::string, std::string>& holes) {
  holes["MANY"] = holes["MANY_END"] = "";
  if (type.dtype != DType::float32 || expression.starts_with("let ")) return;
  for (const std::string function : {"exp", "sigmoid", "tanh", "erf"}) {
    const std::string call = "{" + function + "}(";
    const size_t at = expression.find(call);
    if (at == std::string::npos) continue;
    size_t end = at + call.size();
    for (int open = 1; open > 0; ++end) open += expression[end] == '(' ? 1 : expression[end] == ')' ? -1 : 0;
    const std::string argument = expression.substr(at + call.size(), end - at - call.size() - 1);
    if (argument.find("}(") != std::string::npos) return;  // a function of another one
    expression.replace(at, end - at, "many[k]");
    const bool reads_element = has_word(expression, 'a');
    holes["MANY"] = fill_template("templates/kernels/unary_many.c",
                                  {{"FUNCTION", function},
                                   {"ARGUMENT", write_expression(argument, type, includes)},
                                   {"ELEMENT", reads_element ? "const float a = from[k];\n                " : ""},
                                   {"VALUE", write_expression(expression, type, includes)}});
    holes["MANY_END"] = "#endif\n";
    includes.insert("tarn_math_" + function + "_avx2.h");
    return;
  }
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
  add_many(expression, type, includes, holes);
  holes["INCLUDES"] = include_lines(type, includes);
  std::string fields;
  for (const ElementwiseParameter& parameter : op.parameters) {
    fields += "\n    " + std::string(type.twice ? "double " : "float ") + parameter.name + ";";
  }
  holes["FIELDS"] = fields;
  return fill_kernel("unary", holes);
}

// The same for codes of 16 bits, whose numbers are float32.
KernelText codes_text(const UnaryOp& op, const std::string& name) {
  const CType type = *c_type_of("f32");
  std::set<std::string> includes;
  std::map<std::string, std::string> holes = common_holes(name);
  holes["TEXT"] = describe(op.float_expression);
  holes["IN"] = holes["OUT"] = "int16_t";
  holes["INNER"] = name.substr(5);
  holes["STORE"] = store(op.float_expression, type, type, includes);
  holes["INCLUDES"] = include_lines(type, includes);
  std::string fields;
  for (const ElementwiseParameter& parameter : op.parameters)
    fields += "\n    float " + std::string(parameter.name) + ";";
  holes["FIELDS"] = fields;
  return fill_kernel("unary_codes", holes);
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
  holes["FIELDS"] = holes["MORE"] = holes["PASSED"] = "";
  holes["INNER"] = name.substr(0, name.size() - (many_axes ? 3 : 0));
  return fill_kernel(many_axes ? "binary_nd" : "binary", holes);
}

// Sums and products of codes are runtime files for two axes; they broadcast along more as every other operator does.
std::optional<KernelText> broadcast_kernel(const std::string& name) {
  struct Run {
    const char *kernel, *text, *type;
    const char *more, *passed;  // operands behind y
  };
  constexpr const char* kExceptions = ", const int32_t *exceptions";
  static const Run runs[] = {{"tarn_int_add_s8", "a + b", "int8_t", kExceptions, ", exceptions"},
                             {"tarn_int_mul_s8", "a * b", "int8_t", kExceptions, ", exceptions"},
                             {"tarn_int_pair_s8", "a op b", "int8_t", "", ""},
                             {"tarn_int_product_s8", "a op b", "int8_t", ", const int32_t *factors", ", factors"},
                             {"tarn_int_choose_s8", "the larger or smaller of a and b", "int8_t",
                              ", const int8_t *a_codes, const int8_t *b_codes", ", a_codes, b_codes"},
                             {"tarn_wide_add_s16", "a + b", "int16_t", "", ""},
                             {"tarn_wide_mul_s16", "a * b", "int16_t", "", ""}};
  for (const Run& run : runs) {
    if (name != run.kernel + std::string("_nd")) continue;
    std::map<std::string, std::string> holes = common_holes(name);
    holes["TEXT"] = run.text + std::string(", requantised,");
    holes["IN"] = holes["IN_B"] = holes["OUT"] = run.type;
    holes["MORE"] = run.more;
    holes["PASSED"] = run.passed;
    holes["INNER"] = run.kernel;
    return fill_kernel("binary_nd", holes);
  }
  return {};
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
  constexpr std::string_view kCodes = "tarn_codes_";
  for (const UnaryOp& op : unary_ops()) {
    if (name.starts_with(kCodes) && stem.ends_with("_s16") && op.float_expression && !op.to_bool &&
        base_name(op.op, op.variant) == "tarn_" + base.substr(kCodes.size())) {
      return codes_text(op, name);
    }
    if (!many_axes && base_name(op.op, op.variant) == base && expression_for(op, *type))
      return unary_text(op, name, *type);
  }
  for (const BinaryOp& op : binary_ops()) {
    if (base_name(op.op, op.variant) == base && expression_for(op, *type))
      return binary_text(op, name, *type, many_axes);
  }
  return {};
}

std::optional<KernelText> written_kernel(const std::string& name) {
  for (auto family : {elementwise_kernel, broadcast_kernel, reduce_kernel, cast_kernel, scan_kernel, einsum_kernel}) {
    if (auto text = family(name)) return text;
  }
  return {};
}

}  // namespace tarn::ops
