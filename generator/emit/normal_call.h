// Calls of kernels by lines that do the same work, as one: those whose windows lie inside of the image are all alike.
#pragma once
#include <cstdint>

#include "emit/line_work.h"
#include "program/program.h"

namespace tarn::emit {

// The line that row j of a window reads for line `line` of the output; -1: none.
int64_t row_of(const program::LineMap& map, int64_t line, int64_t j);

// A call of `operation` for lines whose windows lie inside, as that for the first such lines.
LineKernelCall normal_lines(const program::Program& program, const program::Operation& operation,
                            const program::LineCall& call, LineKernelCall made);

// The same of columns, where the line form says which ones a pixel needs.
LineKernelCall normal_columns(const program::Program& program, const program::Operation& operation,
                              LineKernelCall made);

}  // namespace tarn::emit
