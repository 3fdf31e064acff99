// What the steps of a plan by lines do, counted: the kernels that they call for which lines and columns, and the work
// of the driver and of joined layers around these. The same as stream_call.cc and stream_chain.cc write.
#pragma once
#include <compare>
#include <map>
#include <string>
#include <vector>

#include "emit/fields.h"

namespace tarn::emit {

// The call that makes several lines (LineForm::together).
inline constexpr int kTogether = -2;

// A call of an operation's kernel for some pixels of a line, or for all of its lines.
struct LineKernelCall {
  program::OperationId operation;
  int call = -1;  // of the line form, or kTogether; -1: the layer's own, for all lines
  int64_t line = 0,
          lines = 1;  // of the output, made by the call; of those whose windows lie inside the image one stands for all
  int64_t first = 0, end = 0;  // pixels of it
  bool apart = true;           // blocks of pixels are safe
  bool counted = false;        // the pixels are told in the parameters, as runs
  int64_t joined = 1;          // the call's one line is so many of the output, side by side (LineForm::joins)
  int64_t flat_elements = 0;   // the line is one of the memory, with so many elements

  auto operator<=>(const LineKernelCall&) const = default;
};

struct LineStep {
  int actor = 0;
  std::vector<LineKernelCall> calls;
  std::map<std::string, int64_t> terms;  // of the work around them
};

// The step in which an actor of the plan makes line `line`.
LineStep line_step(const Analysis& analysis, int actor, int64_t line);

// The steps of a run in their order. Of a plan without end: until as many lines have come in as the model's inputs
// have.
std::vector<LineStep> line_steps(const Analysis& analysis);

// Where the first and the end of the columns of a call stand side by side among its arguments; as many as there are
// arguments: nowhere.
size_t range_of(const program::LineCall& call, int64_t pixels);

// The function that a call goes to, such as "tarn_conv_line_f32".
std::string function_of(const Analysis& analysis, const LineKernelCall& call);

// The kernel that counts the call's loops: the layer's, of which it makes a line, or the function itself where that
// takes a struct of its own, as one that moves a line does for a transpose.
std::string kernel_of(const Analysis& analysis, const LineKernelCall& call);

// Its numbers, by the names that the parameters of the whole layer have.
std::map<std::string, int64_t> line_parameters(const Analysis& analysis, const LineKernelCall& call);

}  // namespace tarn::emit
