// What the rewriting of quantised graphs into integer layers shares: quantised values, and the graph under rewriting.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "requant/memo.h"
#include "requant/requant.h"
#include "tensor/byte_rows.h"

namespace tarn::passes::integer {

using graph::Graph;
using graph::Node;
using graph::ValueId;

// A tensor of codes of 8 or 16 bits with one scale.
struct Codes {
  ValueId value;
  float scale = 1;
  int32_t zero = 0;
  DType dtype = DType::int8;
  bool operator==(const Codes&) const = default;

  // All fused layers work on signed codes: uint8 codes are seen 128 lower, uint16 codes 32768.
  int32_t half() const { return bits_of(dtype) == 16 ? 32768 : 128; }
  int32_t shift() const { return is_signed(dtype) ? 0 : half(); }
  int32_t signed_zero() const { return zero - shift(); }
  DType signed_type() const { return bits_of(dtype) == 16 ? DType::int16 : DType::int8; }
};

// Known weights by output channel: [channels][length] of int8, as they are stored.
struct Weights {
  Constant codes;
  int64_t channels = 0, length = 0;
  std::vector<float> scale;   // by channel
  std::vector<int32_t> zero;  // by channel, for those that do not fit int8 without them; else none, and taken away
};

// The weights of one channel at a time, zero points taken away.
class WeightRows {
 public:
  explicit WeightRows(const Weights& w) : w_(w), codes_(w.codes, w.length), row_(static_cast<size_t>(w.length)) {}
  // Until the next is asked for.
  const std::vector<int32_t>& row(int64_t channel);

 private:
  const Weights& w_;
  ByteRows codes_;
  std::vector<int32_t> row_;
};

// The graph while nodes are replaced; nodes that are added meanwhile are merged in by finish().
class Work {
 public:
  explicit Work(Graph graph) : graph(std::move(graph)) { refresh(); }

  Graph graph;
  requant::Memo* fits = nullptr;  // of layers that were fitted before

  void refresh() { uses_ = graph::find_uses(graph); }
  // The node that makes a value; null for inputs, constants and values added since the last refresh().
  const Node* producer(ValueId id) const;
  // Read by one node, and no graph output.
  bool only_link(ValueId id) const;
  bool is_output(ValueId id) const { return id.pos() < uses_.is_output.size() && uses_.is_output[id.pos()]; }
  std::span<const size_t> readers(ValueId id) const;

  std::optional<float> number(ValueId id) const;                                      // a constant of one element
  std::optional<Codes> parameters(ValueId codes, ValueId scale, ValueId zero) const;  // one scale, known
  // What DequantizeLinear makes `id` from, and what QuantizeLinear makes: codes of so many bits, of any number of them
  // for 0.
  std::optional<Codes> dequantised(ValueId id, int bits = 8) const;
  std::optional<Codes> quantises(const Node& node, int bits = 8) const;
  // Constant codes in any integer type of at most 8 bits; scales along `axis` or one for all.
  std::optional<Weights> weights(const Constant& codes, const Constant& scale, const Constant* zero, int axis) const;

  // The signed view of codes, a value of its own when they are not.
  ValueId as_signed(const Codes& codes);
  // Makes `node` produce signed codes for `y`, whatever its type.
  void produce(Node& node, ValueId y);
  void add(Node node) { added_.push_back(std::move(node)); }

  Graph finish();

 private:
  graph::Uses uses_;
  std::vector<Node> added_;
  std::map<ValueId, ValueId> signed_;
};

// Known numbers of float32, quantised or not: one, or `count` of them. Nothing where they are not known.
ValueId known_numbers(Work& work, ValueId id, int64_t count);

// A node of the fused kind in the place of others, whose origins it takes over.
Node fused(const std::string& op, const std::vector<const Node*>& from);
void add_origins(Node& node, const std::vector<const Node*>& from);

// "3 exceptions in 64 channels", "line", ...: what the report says of a form.
std::string describe(const requant::Form& form);

// One rule per family: replaces node `at` by a fused one if it can.
bool fuse_layer(Work& work, size_t at);     // QuantizeLinear after Conv, Gemm, MatMul
bool fuse_channels(Work& work, size_t at);  // ... after functions of one quantised operand that differ between channels
bool fuse_pool(Work& work, size_t at);      // ... after AveragePool, GlobalAveragePool, ReduceMean
bool fuse_pair(Work& work, size_t at);      // ... after Add, Sub, Mul of two quantised operands
bool fuse_own_pair(Work& work, size_t at);  // ... after any operator of two quantised operands, in its own arithmetic
bool fuse_table(Work& work, size_t at);     // ... after unary operators on one quantised operand
bool fuse_matrices(Work& work, size_t at);  // ... after MatMul of two quantised operands
bool fuse_transposed(Work& work, size_t at);  // ... after ConvTranspose
bool fuse_softmax(Work& work, size_t at);     // ... after Softmax of a quantised operand
bool fuse_recurrent(Work& work, size_t at);   // ... after GRU, LSTM, RNN of a quantised sequence, and those without Y
bool fuse_layer_norm(Work& work, size_t at);  // ... after LayerNormalization of a quantised operand
bool fuse_group_norm(Work& work, size_t at);  // ... after Instance- and GroupNormalization of a quantised operand
bool fuse_prelu(Work& work, size_t at);       // ... after PRelu of a quantised operand
bool fuse_concat(Work& work, size_t at);      // ... after Concat
bool fuse_resize(Work& work, size_t at);      // ... after Resize with weights
bool fuse_operator(Work& work, size_t at);    // QLinearConv, QLinearMatMul, QGemm and their kin
bool fuse_wide_layer(Work& work, size_t at);  // QuantizeLinear to 16 bits after Conv, Gemm, MatMul
bool fuse_wide_pair(Work& work, size_t at);   // ... after Add, Sub, Mul of two quantised operands
bool fuse_wide_scale(Work& work, size_t at);  // ... after bounds and scalars on one quantised operand
bool fuse_wide_function(Work& work, size_t at);  // ... after another function of one quantised operand
bool fuse_wide_concat(Work& work, size_t at);    // ... after Concat
bool fuse_dynamic(Work& work, size_t at);  // ConvInteger, MatMulInteger and their kin, with scales made at run time
// Conv, Gemm and MatMul of codes by known codes whose result stays in floats, once the rules above are through.
bool fuse_open_layer(Work& work, size_t at);
// Means of whole images of codes whose result stays in floats, likewise.
bool fuse_open_pool(Work& work, size_t at);
// Puts QuantizeLinear and DequantizeLinear with scale 1 behind values that are whole numbers of 8 bits though they are
// spelled as floats. True when there were any.
bool mark_whole_numbers(Work& work);
// Means and sums over any axes become pools of [1, channels, elements].
void spell_reductions(Work& work);
// Relu and Clip between codes of one scale and zero point come before the first of them.
void bound_before_codes(Work& work);
// Moves operators that only move elements to the quantised side. True when something changed.
bool move_qdq_nodes(Work& work);
// QuantizeLinear of constants: weights may be stored as floats.
void fold_constants(Work& work);
void tidy_flips(Work& work);
// DynamicQuantizeLinear whose codes are only read 128 lower makes them so.
void make_signed_codes(Work& work);
// The QDQ nodes that are left, where they have one known scale, become nodes of ours that any layout suits.
void own_qdq_nodes(Work& work);
// Graph inputs that are only quantised, and outputs that are only dequantised, become the codes.
void open_qdq_nodes(Work& work);

}  // namespace tarn::passes::integer
