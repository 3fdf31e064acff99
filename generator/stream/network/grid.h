// Divides the memory of each buffer into lines, and says where each tensor lies in it.
#pragma once
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

// By buffer. Each tensor's own lines where its readers and producers work by lines. Elementwise operations between
// dense tensors take any lines, so that they hand on those of their neighbours: the input [1,1,49,10] of a network that
// goes on with [1,49,10,1] is one line of 49 pixels, but can be handed over in 49.
std::vector<int64_t> cut_into_lines(const Program& program, const lifetimes::Storage& storage,
                                    const std::vector<OperationId>& order);

LineView view_of(const Program& program, const lifetimes::Storage& storage, const Memory& memory, TensorId tensor);

// The lines of the memory that hold lines [first, end) of a tensor.
Span cover(const Program& program, const LineView& view, const Memory& memory, TensorId tensor, Span lines);

// The tensor's elements stand one after the other.
bool is_dense(const Program& program, const lifetimes::Storage& storage, TensorId tensor);

// An operation whose element i needs element i of each operand that it walks; all of them dense, each in a buffer of
// its own.
bool is_flat(const Program& program, const lifetimes::Storage& storage, const program::Operation& operation);

// A result, or an operand that is read as its walk says.
bool goes_by_lines(const program::Argument& argument);

// Does the operand's walk say which lines and pixels are needed?
bool walks_lines(const program::Argument& argument);

// The tensor that an operation writes, when it is the only one.
TensorId only_result(const program::Operation& operation);

}  // namespace tarn::stream
