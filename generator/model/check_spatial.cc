// Convolutions and pooling: channels, groups and kernels must fit.
#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

// Where an operator has its weights, [M, C/group, k...] (transposed: [C, M/group, k...]).
struct Weights {
  const char* op;
  int input;
  bool transposed;
};
constexpr Weights kWeights[] = {{"Conv", 1, false},
                                {"ConvInteger", 1, false},
                                {"QLinearConv", 3, false},
                                {"DeformConv", 1, false},
                                {"ConvTranspose", 1, true}};

std::optional<Diagnostic> check_weights(const NodeFacts& facts, const Weights& w) {
  const int rank = facts.rank(0), weight_rank = facts.rank(w.input);
  if (rank < 0 || weight_rank < 0) return {};
  const std::string types = to_string(facts.type(0)) + " and weights " + to_string(facts.type(w.input));
  if (rank < 3 || weight_rank != rank) return facts.fault("E205", "input " + types + " do not go together");
  const int64_t group = facts.attribute("group", int64_t{1});
  const auto channels = facts.dim(0, 1), first = facts.dim(w.input, 0), second = facts.dim(w.input, 1);
  const auto in_of_weights = w.transposed ? first : second;
  if (channels && in_of_weights && *channels != *in_of_weights * (w.transposed ? 1 : group)) {
    return facts.fault("E205", cat("input ", types, " do not fit in ", group, group == 1 ? " group" : " groups"));
  }
  if (first && *first % group != 0)
    return facts.fault("E205", cat(*first, " channels of the weights cannot be split into ", group, " groups"));
  const auto kernel = facts.attribute_list("kernel_shape");
  for (int axis = 2; kernel && axis < rank && axis - 2 < static_cast<int>(kernel->size()); ++axis) {
    const auto k = facts.dim(w.input, axis);
    if (k && *k != (*kernel)[static_cast<size_t>(axis - 2)]) {
      return facts.fault(
          "E205", cat("kernel_shape is [", join(*kernel, ","), "], the weights are ", to_string(facts.type(w.input))));
    }
  }
  return {};
}

std::optional<Diagnostic> check_positive(const NodeFacts& facts) {
  if (facts.node().attributes.empty()) return {};
  for (const char* name : {"strides", "dilations", "kernel_shape", "pooled_shape"}) {
    for (const int64_t value : facts.attribute_list(name).value_or(std::vector<int64_t>{})) {
      if (value <= 0) return facts.fault("E211", cat("attribute '", name, "' holds ", value, "; it must be above 0"));
    }
  }
  for (const char* name : {"group", "blocksize", "hidden_size", "output_height", "output_width", "size", "num_heads",
                           "q_num_heads", "kv_num_heads"}) {
    const bool may_be_zero = name == std::string_view("num_heads");
    const int64_t value = facts.attribute(name, int64_t{1});
    if (value < (may_be_zero ? 0 : 1))
      return facts.fault("E211", cat("attribute '", name, "' is ", value, "; it must be above 0"));
  }
  return {};
}

// Blocks of channels or pixels must come out even; the library rounds down.
std::optional<Diagnostic> check_blocks(const NodeFacts& facts) {
  const int64_t block = facts.attribute("blocksize", int64_t{1});
  const bool to_space = facts.node().op == "DepthToSpace";
  for (int axis = to_space ? 1 : 2; axis < (to_space ? 2 : 4); ++axis) {
    const auto dim = facts.dim(0, axis);
    const int64_t unit = to_space ? block * block : block;
    if (dim && *dim % unit != 0)
      return facts.fault("E205", cat("axis ", axis, " has ", *dim, " elements, which ", unit, " does not divide"));
  }
  return {};
}

}  // namespace

std::optional<Diagnostic> check_spatial(const NodeFacts& facts) {
  if (!facts.node().domain.empty()) return {};
  if (auto fault = check_positive(facts)) return fault;
  const std::string& op = facts.node().op;
  for (const Weights& w : kWeights) {
    if (op == w.op) return check_weights(facts, w);
  }
  if (op == "DepthToSpace" || op == "SpaceToDepth") return check_blocks(facts);
  return {};
}

std::optional<Diagnostic> check_kernel_fits(const NodeFacts& facts, const std::vector<Type>& outputs) {
  constexpr const char* kSliding[] = {"Conv", "ConvInteger", "QLinearConv", "MaxPool", "AveragePool", "LpPool"};
  bool sliding = false;
  for (const char* op : kSliding) sliding |= facts.node().domain.empty() && facts.node().op == op;
  if (!sliding || outputs.empty() || !outputs[0].dims) return {};
  for (int axis = 2; axis < facts.rank(0); ++axis) {
    const auto in = facts.dim(0, axis);
    if (static_cast<size_t>(axis) >= outputs[0].dims->size() || !in || *in == 0) continue;
    const auto out = (*outputs[0].dims)[static_cast<size_t>(axis)].value;
    if (out && *out <= 0)
      return facts.fault("E205", cat("the kernel is larger than the padded input ", to_string(facts.type(0))));
  }
  return {};
}

}  // namespace tarn::model
