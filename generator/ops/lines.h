// Line forms: how entries say which kernel makes one line of an operation's output, and from which lines.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/lowering.h"
#include "ops/window.h"

namespace tarn::ops {

program::LineArgument same_argument(size_t argument);
program::LineArgument line_argument(size_t argument, program::LineMap map = {});
program::LineArgument rows_argument(size_t argument, program::LineMap map);
program::LineArgument lines_argument();
program::LineArgument number_argument(int64_t number);
program::LineArgument pixels_argument(size_t argument);
program::LineArgument apart_argument();
program::LineArgument part_argument(size_t argument, int64_t first, int64_t scale);
program::LineArgument sums_argument(DType dtype);

// The lines under a window that moves over this axis.
program::LineMap window_map(const WindowAxis& axis);

// The lines that reach a line of a transposed convolution, by kernel line.
program::LineMap reaching_map(const WindowAxis& axis);

// Gives the operation a line form of one call, unless its output has a single line or an operand has no geometry for
// it.
void set_lines(Lowering& low, Operation& operation, const std::string& file, const std::string& kernel,
               program::Params params, std::vector<program::LineArgument> arguments);

// To an operation with a line form: a kernel that makes several lines at once, with the same params.
void set_together(Operation& operation, const std::string& kernel, std::vector<program::LineArgument> arguments);

// Line forms of kernels that take a line as they take a whole tensor: operands of an identity walk, and outputs, line
// by line, the others as they are.
void set_line_by_line(Lowering& low, Operation& operation, program::Params params);

// The same where the parameter `counted` is how many pixels there are: those of a line of `x`.
void set_pixels_of_line(Lowering& low, Operation& operation, const Shape& x, std::string_view counted = "outer");

// What an operand that is broadcast gives for a line of the result: which of it, and its shape there, [pixels,
// channels]. Operands that are read get the walk that goes with it. Nothing when lines of the two do not match.
struct OperandLine {
  program::LineArgument argument;
  Shape shape;
};
std::optional<OperandLine> operand_line(Lowering& low, Argument& operand, size_t argument, const Shape& shape,
                                        const Shape& y);

// Of every pixel of x (operand 0), or of all pixels of a line together, is made one in operand 1; or of its channels.
void set_reduced_lines(Lowering& low, Operation& operation, const Node& node, const Shape& x, bool pixels,
                       bool channels, program::Params params);

// Sums over the lines of the first operand. The kernels are <kernel>_begin(p, sums), _add(p, x, pixels, sums) and
// _finish(p, `finish` ..., y): the arguments of the last are given.
void set_sums(Lowering& low, Operation& operation, const std::string& kernel, program::Params params, DType sums,
              int64_t count, std::vector<program::LineArgument> finish);

// The sums of a mean over all pixels of one image, argument 0, into argument 1.
void set_global_sums(Lowering& low, Operation& operation, int64_t channels, int64_t pixels, FieldValue x_pitch);

// Every operation without a line form whose operands and result have one line each makes that line: what a network
// does with one step of a signal goes on step by step.
void set_single_lines(program::Program& program);

}  // namespace tarn::ops
