// Passes: Graph -> Graph, one function each. run_passes() takes them from one table: their order, and the reason for
// it.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "requant/memo.h"
#include "support/result.h"
#include "tensor/weight_type.h"

namespace tarn::passes {

using graph::Graph;

// Sees the graph after each pass; for tests and dumps.
using Hook = std::function<void(const std::string& pass, const Graph&)>;

struct PassOptions {
  bool nhwc_inputs = false, nhwc_outputs = false;  // hand over images channels last, without a transpose
  bool line_inputs = false, line_outputs = false;  // the same for those alone for which it saves transposes
  bool columns = false;                            // images are walked column by column
  bool quantized_io = false;  // inputs and outputs that are only quantised or dequantised are handed over as codes
  std::set<std::string> left_out = {};  // names of optional_passes(); what is computed is the same, by other kernels
  requant::Memo* fits = nullptr;        // of integer layers, in other runs too

  bool runs(const std::string& pass) const { return !left_out.contains(pass); }
};

// Names of the passes, and of the parts of passes, that every network can be compiled without. Tests leave them out,
// one by one and in pairs, and compare outputs.
std::vector<std::string> optional_passes();

// Bodies of control flow are passed through likewise.
Graph run_passes(Graph graph, const PassOptions& options, const Hook& hook = {});

Graph remove_identities(Graph graph);  // what passes its input on unchanged
// Quantised networks: fused integer layers.
Graph use_integers(Graph graph, bool quantized_io, const std::set<std::string>& left_out = {},
                   requant::Memo* fits = nullptr);
std::vector<std::string> integer_rules();  // the parts of use_integers() that may be left out
Graph fold_dequantize(Graph graph);        // DequantizeLinear and MatMulNBits of constants
Graph convert_attention(Graph graph);      // the standard's Attention into the node of its kernel
Graph fuse_attention(Graph graph);         // matrix products around a softmax into the same node: no matrix of scores
Graph read_views(Graph graph);        // attention reads and writes what Transpose, Reshape and Expand would rearrange
Graph fuse_rotary(Graph graph);       // rotary embeddings from their parts
Graph fuse_norms(Graph graph);        // Softmax, LayerNormalization, RMSNormalization from their parts
Graph fuse_activations(Graph graph);  // Gelu, Swish, HardSwish, Mish from their parts
Graph fold_affine(Graph graph);       // BatchNormalization, and per-channel arithmetic, into the layer before
// A Pad of zeros around an image becomes padding of the convolutions that read it.
Graph fold_pad(Graph graph);
// Whether an input or output of this rank that is not handed over as the model has it is so column by column: N, W, H,
// C.
bool columns_handed_over(const PassOptions& options, int rank, bool input);
Graph choose_layout(Graph graph, const PassOptions& options);  // spatial operators channels last, transposes cancelled
std::vector<std::string> layout_parts();                       // the parts of choose_layout() that may be left out
// Products of two activations in integers read and write what Transpose and Reshape would rearrange.
Graph read_products(Graph graph);
Graph nest_concats(Graph graph);   // a Concat that begins as an earlier one does reads that one's result
Graph fuse_residual(Graph graph);  // the addition of a skip connection into the layer before
Graph fuse_clamp(Graph graph);     // Relu and Clip into the layer before
// Forms in which the model itself has weights that kernels take as floats: without a rule their layers keep them so.
struct ModelForms {
  bool codes = false;            // codes of fewer bits, from which DequantizeLinear or MatMulNBits makes the floats
  std::set<std::string> halves;  // names of constants that are cast from float16
};
// After all others: layers whose weights are stored in fewer bits are marked so, by a rule or because the model has
// them so; `widen`: in floats of the same values. Faults: a rule that fits no layer.
Result<Graph> compress_weights(Graph graph, const std::vector<WeightRule>& rules, const ModelForms& forms, bool widen,
                               const std::string& file);
Graph unpack_elements(Graph graph);  // elements smaller than a byte are moved as bytes

// True for layers with weights known while generating that fusing passes may extend: Conv, ConvTranspose, Gemm, MatMul.
bool is_layer(const Graph& graph, const graph::Node& node);

}  // namespace tarn::passes
