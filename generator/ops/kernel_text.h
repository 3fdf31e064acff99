// The C of kernels that are written while generating: from a table of expressions and the files in templates/kernels.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ops/lowering.h"

namespace tarn::ops {

// The two files of a kernel.
struct KernelText {
  std::string header, source;
};

// How an element type is stored, computed with, and spelled in an expression.
struct CType {
  DType dtype;
  std::string storage, compute, unsigned_compute;
  int bits;
  bool real, twice;  // floating point; in double
};

// The type of a kernel's suffix: those that kernels compute with.
std::optional<CType> c_type_of(const std::string& suffix);

// Fills the braces of an expression; `includes` receives the headers of the functions it calls. {exp} is tarn_expf or
// tarn_exp (tarn_exp too for integers), {0.5} the literal, {T} the type, {C} the type that it
// is computed with, {W} its 64-bit counterpart, {U} its unsigned counterpart of at least 32 bits,
// {BITS} its size, {LOWEST} and {HIGHEST} its least and greatest number, {p.alpha} a parameter of the call.
std::string write_expression(const std::string& text, const CType& type, std::set<std::string>& includes);

// An element as a number of the compute type.
std::string load(const CType& type, const std::string& element);
// The statements that compute and store one result in y[i]. "let t = E; F" names an intermediate value.
std::string store(std::string expression, const CType& type, const CType& out, std::set<std::string>& includes);
// #include lines, with those that loading and storing the type need.
std::string include_lines(const CType& type, std::set<std::string> includes);
// The formula for the header's comment.
std::string describe(std::string expression);

// templates/kernels/<stem>.h and .c, filled in.
KernelText fill_kernel(const std::string& stem, const std::map<std::string, std::string>& holes);
std::map<std::string, std::string> common_holes(const std::string& name);

// The text of any kernel that is written while generating; empty when the name is none of them.
std::optional<KernelText> written_kernel(const std::string& name);

}  // namespace tarn::ops
