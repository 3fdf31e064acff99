// Elementwise operators: one table row each, with the C expression of its kernel and the same function for folding.
// The kernels themselves are written from templates/kernels: one small C file per operator and element type.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/kernel_text.h"
#include "ops/lowering.h"
#include "ops/op.h"

namespace tarn::ops {

// In a C expression, `a` (unary) or `u`, `v` (binary) are the operands in the compute type, and braces stand for what
// depends on it: {exp} is tarn_expf or tarn_exp, {0.5} the literal, {T} the type, {U} its unsigned counterpart of at
// least 32 bits, {p.alpha} a parameter of the call. "let t = E; F" names an intermediate value.
struct ElementwiseParameter {
  const char* name;  // of the attribute, and of the field
  double otherwise;  // its default
};

struct UnaryOp {
  const char* op;
  const char* domain;
  const char* float_expression;                             // null: not for floats
  const char* integer_expression;                           // null: not for integers
  double (*real)(double a, const double* parameters);       // null: not folded for floats
  int64_t (*integer)(int64_t a, const double* parameters);  // null: not folded for integers
  bool to_bool = false;
  std::vector<ElementwiseParameter> parameters = {};
  const char* variant_attribute = nullptr;  // a text attribute that picks the row ("approximate")
  const char* variant = nullptr;
  bool for_bool = false;                      // the integer forms are for bool, not for integers
  const char* unsigned_expression = nullptr;  // where the signed one would compare an unsigned number with 0
};

struct BinaryOp {
  const char* op;
  const char* float_expression;
  const char* signed_expression;
  const char* unsigned_expression;
  double (*real)(double u, double v);
  int64_t (*integer)(int64_t u, int64_t v);
  bool to_bool = false;
  const char* variant_attribute = nullptr;  // an integer or text attribute that picks the row (fmod, direction)
  const char* variant = nullptr;
  bool for_bool = false;  // bool operands allowed
};

const std::vector<UnaryOp>& unary_ops();
const std::vector<BinaryOp>& binary_ops();

// The function of a unary operator on floats, its attributes filled in; nothing for other operators.
std::optional<std::function<double(double)>> unary_function(const Node& node);

// The two files of an elementwise kernel, named "tarn_<op>_<suffix>"; empty when the name is none of them.
std::optional<KernelText> elementwise_kernel(const std::string& name);

// Whether a row of a table is the one that a node's attribute picks.
bool is_variant(const Node& node, const char* attribute, const char* variant);

// What kernels of other families say of an operand that they read as they write: same line, same pixel.
Walk elementwise_walk();

// The fields of a kernel that walks through x (operand 0) and y (operand `y` of the call, of this shape) side by side.
// A constant lies dense, pixel after pixel as y counts them.
std::vector<Field> run_fields(const Lowering& low, ValueId x, const Shape& shape, size_t y);

// What a kernel takes beyond the operands: fields at the end of the params of its run, and arguments after y.
struct Extra {
  std::vector<Field> fields;
  std::vector<Argument> arguments;
  std::string note = {};
};

// Writes y = op(a, b) with whatever broadcasting their shapes ask for.
std::optional<Fault> lower_binary(const Node& node, Lowering& low, const std::string& kernel, Argument a,
                                  const Shape& a_shape, Argument b, const Shape& b_shape, Argument y,
                                  const Shape& y_shape, Extra extra = {});

// What the kernel of a row is called; it may not exist for the element type (elementwise_kernel tells).
std::string elementwise_kernel_name(const std::string& op, const char* variant, DType type);
// The same of a row without variants; empty when it is not for the element type.
std::string elementwise_kernel_name(const std::string& op, DType type);
// The binary row of an operator.
const BinaryOp& binary_op(const std::string& op);

std::vector<OperatorEntry> unary_entries();
std::vector<OperatorEntry> binary_entries();
std::vector<OperatorEntry> variadic_entries();  // Sum, Mean, Max, Min
std::vector<OperatorEntry> pow_entries();
std::vector<OperatorEntry> clip_entries();
std::vector<OperatorEntry> where_entries();

}  // namespace tarn::ops
