// One kernel call in C: its parameter struct with every open field filled in, and its arguments.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "emit/fields.h"
#include "emit/names.h"

namespace tarn::emit {

// The initialiser of a parameter struct of an operation, "{1, 2, {3, 4}}".
std::string params_initialiser(const Analysis& analysis, const program::Operation& operation,
                               const program::Params& params, const Extent& extent);

// "tarn_dense_f32(&kws_params_3, KWS_PTR_X(arena), ...)"; `indent` is that of continued lines.
// `params`: a local variable that takes the place of the constant parameters; empty: the constant.
std::string call_text(const Analysis& analysis, const CNames& names, size_t step, int indent,
                      const std::string& params = "");

std::string call_text(const std::string& kernel, const std::vector<std::string>& arguments, int indent);

// For parameters that depend on run-time sizes: the statements that set them in `variable`, a copy of the constant
// ones.
std::vector<std::string> runtime_settings(const Analysis& analysis, const CNames& names, size_t step,
                                          const std::string& variable);
// A size known only at run time, as a C expression of type int64_t; `value`: what reads a tensor of one number.
std::string linear_text(const Analysis& analysis, const program::Linear& linear,
                        const std::function<std::string(program::TensorId)>& value);
std::string linear_text(const Analysis& analysis, const CNames& names, const program::Linear& linear);

// The tensor lies in memory of the caller's (--io caller); and the parameter that hands it over.
bool is_outside(const Analysis& analysis, program::TensorId id);
std::string outside_buffer(const Analysis& analysis, const CNames& names, program::TensorId id);

// One argument: a typed pointer into the arena, to weights or to the caller's memory.
std::string argument_text(const Analysis& analysis, const CNames& names, const program::Argument& argument);

// Where weights of an operation stand in the arena while it runs: `at` bytes into the tensor for them, as uint8_t *.
std::string staged_place(const CNames& names, const program::Staging& staging, int64_t at);

// How many line pointers the call needs, and of which type; 0: none.
struct LinePointers {
  int64_t count = 0;
  std::string c_type;
};
LinePointers line_pointers(const program::Operation& operation);

}  // namespace tarn::emit
