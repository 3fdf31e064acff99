// What lowerings of LSTM, GRU and RNN share: sizes, activations, weights and params of a cell.
#pragma once
#include <functional>
#include <vector>

#include "ops/coded_weights.h"
#include "ops/lowering.h"

namespace tarn::ops::recurrent {

constexpr size_t kSequence = 0, kW = 1, kR = 2, kB = 3, kSequenceLengths = 4, kH0 = 5, kC0 = 6, kPeep = 7;

struct CellSizes {
  int64_t steps = 0, batch = 0, inputs = 0, units = 0, directions = 1, gates = 1;
  bool batch_first = false;  // layout 1
};
Answer<CellSizes> sizes_of(const Node& node, const Shape& x, const Shape& w, const Shape& r);

struct Activation {
  int64_t kind = 0;
  double alpha = 0, beta = 0;
};
// The functions of all directions. activation_alpha and activation_beta hold either a number for each function, or one
// for each that uses it.
Answer<std::vector<Activation>> activations_of(const Node& node, const CellSizes& s);
// The usual functions have kernels that link nothing else.
bool are_usual(const Node& node, const std::vector<Activation>& activations);

// GRU: the reset gate is applied to what the recurrent weights give, not to the state before them.
bool applies_reset_last(const Node& node);
bool runs_backwards(const Node& node);

using IsKnown = std::function<bool(ValueId)>;
// Whether weights are packed for kernels, and what W, R and B such a cell has.
bool is_packed(const Node& node, const IsKnown& known);
struct CellOperands {
  bool packed = false;
  std::vector<Argument> weights;  // W and R, each one operand, or three when they are coded
  std::string form, note;         // as of LayerWeights
  std::optional<program::Params> w_codes, r_codes;
  Argument b;
};
CellOperands weights_of(const Node& node, Lowering& low, const CellSizes& s, DType dtype);
int64_t count_parameters(const Node& node, const Lowering& low);

// What the kernel of a cell is told, `all` being what is told to all of them.
program::Params cell_params(const Node& node, const CellOperands& weights, program::Params all,
                            const std::vector<Activation>& activations, DType dtype);
// The bound of what gates are applied to.
FieldValue clip_field(const Node& node, DType dtype);

}  // namespace tarn::ops::recurrent
