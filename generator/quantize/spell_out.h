// Operators that have no form on codes, by those that have one.
#pragma once
#include "graph/graph.h"

namespace tarn::quantize {

// Split becomes Slices; Sum, Mean, Max and Min of several become such of two; Gemm with factors, a transposed operand
// or a matrix that is added, MatMul with known numbers on the left or in more than two dimensions, and Einsum of two
// that is one product of matrices, and MatMul whose bias is added behind it become layers and products with a
// Transpose, Reshape, Mul or Add where needed; factors of the operands of a product stand behind it. The numbers are
// the same but for the order of sums. Nodes come in an order in which they can run.
graph::Graph spell_out(graph::Graph graph);

}  // namespace tarn::quantize
