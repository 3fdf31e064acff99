// Values that become dimensions: they must be plausible before the library computes with them.
#include <algorithm>
#include <cmath>

#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

// An input that lists dimensions, or amounts per dimension: one number each, at most kMaxRank of them or twice that.
struct ListInput {
  const char* op;
  int input;
  int64_t least;  // each value
  int per_axis;
};

// An opset that takes the same as an attribute is bounded by check_attributes.
constexpr ListInput kLists[] = {
    {"Reshape", 1, -1, 1},
    {"Expand", 1, 0, 1},
    {"ConstantOfShape", 0, 0, 1},
    {"Tile", 1, 0, 1},
    {"Pad", 1, -kMaxTensorBytes, 2},
    {"Resize", 3, 0, 1},
    {"CenterCropPad", 1, 0, 1},
    {"AffineGrid", 1, 0, 1},
    {"Col2Im", 1, 1, 1},
    {"Col2Im", 2, 1, 1},
    {"MaxUnpool", 2, 0, 1},
    {"Squeeze", 1, -kMaxRank, 1},
    {"Unsqueeze", 1, -kMaxRank, 1},
    {"Split", 1, 0, 0},
    {"SplitToSequence", 1, 0, 0},
};

// Lengths of chunks, or as a scalar the one length of all.
std::optional<Diagnostic> check_split_to_sequence(const NodeFacts& facts) {
  const auto lengths = facts.integers(1);
  if (!lengths || facts.rank(1) != 0 || lengths->front() > 0) return {};
  return facts.fault("E211", cat("chunks of ", lengths->front(), " elements"));
}

std::optional<Diagnostic> check_integer(const NodeFacts& facts, int input) {
  const Constant* value = facts.value(input);
  if (value == nullptr || is_integer(value->dtype())) return {};
  return facts.fault("E205", cat("input ", input, " is ", to_string(value->type()), "; it must hold integers"));
}

std::optional<Diagnostic> check_list(const NodeFacts& facts, const ListInput& list) {
  const std::optional<int64_t> length = facts.rank(list.input) == 1 ? facts.dim(list.input, 0) : std::nullopt;
  if (list.per_axis > 0 && length && *length > int64_t{kMaxRank} * list.per_axis) {
    return facts.fault("E207", cat("input ", list.input, " holds ", *length, " numbers; at most ", kMaxRank,
                                   " dimensions are supported"));
  }
  if (auto fault = check_integer(facts, list.input)) return fault;
  const auto values = facts.integers(list.input);
  if (!values) return {};
  for (const int64_t value : *values) {
    if (value < list.least)
      return facts.fault("E211", cat("input ", list.input, " is [", join(*values, ","), "]: ", value, " is too small"));
    if (value > kMaxTensorBytes)
      return facts.fault("E207", cat("input ", list.input, " is [", join(*values, ","), "]: ", value, " is absurd"));
  }
  return {};
}

// An input that is one number: scalar, or a vector of length one where older opsets allow it.
struct NumberInput {
  const char* op;
  int input;
  bool integer;  // its value is a count or a size: bounds apply
  int64_t least;
};

constexpr NumberInput kNumbers[] = {
    {"OneHot", 1, false, 1},
    {"TopK", 1, true, 0},
    {"HannWindow", 0, true, 0},
    {"HammingWindow", 0, true, 0},
    {"BlackmanWindow", 0, true, 0},
    {"MelWeightMatrix", 0, true, 0},
    {"MelWeightMatrix", 1, true, 0},
    {"MelWeightMatrix", 2, true, 0},
    {"DFT", 1, true, 1},
    {"DFT", 2, true, -kMaxRank},
    {"STFT", 1, true, 1},
    {"STFT", 3, true, 1},
    {"CumSum", 1, true, -kMaxRank},
    {"CumProd", 1, true, -kMaxRank},
    {"Range", 0, false, 0},
    {"Range", 1, false, 0},
    {"Range", 2, false, 0},
};

std::optional<Diagnostic> check_number(const NodeFacts& facts, const NumberInput& number) {
  const auto shape = facts.shape(number.input);
  if (shape && shape->count() != 1) {
    return facts.fault("E205",
                       cat("input ", number.input, " has shape ", to_string(*shape), "; it must be one number"));
  }
  if (!number.integer) return {};
  if (auto fault = check_integer(facts, number.input)) return fault;
  const auto values = facts.integers(number.input);
  if (!values) return {};
  const int64_t value = values->front();
  if (value < number.least)
    return facts.fault("E211", cat("input ", number.input, " is ", value, "; at least ", number.least, " is needed"));
  if (value > kMaxTensorBytes)
    return facts.fault("E207", cat("input ", number.input, " is ", value, ", which is absurd"));
  return {};
}

// The depth may be of any numeric type.
std::optional<Diagnostic> check_one_hot(const NodeFacts& facts) {
  const auto depth = facts.reals(1);
  if (!depth || depth->size() != 1) return {};
  if (!(depth->front() >= 1))
    return facts.fault("E211", cat("the depth is ", depth->front(), "; at least 1 is needed"));
  if (depth->front() > static_cast<double>(kMaxTensorBytes))
    return facts.fault("E207", cat("the depth is ", depth->front(), ", which is absurd"));
  return {};
}

std::optional<Diagnostic> check_top_k(const NodeFacts& facts) {
  const auto k = facts.integers(1);
  const std::optional<int> axis = normalise_axis(facts.attribute("axis", int64_t{-1}), std::max(facts.rank(0), 0));
  if (!k || !axis || k->size() != 1) return {};
  const auto dim = facts.dim(0, *axis);
  if (dim && k->front() > *dim)
    return facts.fault("E211", cat("k is ", k->front(), ", the axis has ", *dim, " elements"));
  return {};
}

// Dimensions times repeats: the library multiplies them unchecked.
std::optional<Diagnostic> check_tile(const NodeFacts& facts) {
  const auto repeats = facts.integers(1);
  if (!repeats) return {};
  for (size_t i = 0; i < repeats->size(); ++i) {
    const auto dim = facts.dim(0, static_cast<int>(i));
    if (dim && !checked_bytes({DType::uint8, {*dim, (*repeats)[i]}})) {
      return facts.fault("E207", cat("repeating ", *dim, " elements ", (*repeats)[i], " times is absurd"));
    }
  }
  return {};
}

std::optional<Diagnostic> check_split(const NodeFacts& facts) {
  if (!facts.has_attribute("num_outputs")) return {};
  const int64_t wanted = facts.attribute("num_outputs", int64_t{0});
  if (wanted == facts.outputs()) return {};
  return facts.fault("E205", cat("num_outputs is ", wanted, ", the node has ", facts.outputs(), " outputs"));
}

// Scales, as values or (Upsample before opset 9) as an attribute.
std::optional<Diagnostic> check_scales(const NodeFacts& facts) {
  const bool resize = facts.node().op == "Resize";
  std::vector<double> scales;
  const auto attribute = facts.node().attributes.find("scales");
  if (attribute != facts.node().attributes.end()) {
    if (const auto* list = std::get_if<std::vector<float>>(&attribute->second))
      scales.assign(list->begin(), list->end());
  } else {
    // Resize has had its scales second only in opset 10.
    const bool second = !resize || facts.inputs() == 2;
    if (const auto values = facts.reals(second ? 1 : 2)) scales = *values;
  }
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!(scales[i] > 0) || std::isinf(scales[i]))
      return facts.fault("E211", cat("scale ", i, " is ", scales[i], "; it must be above 0"));
    // Which axis it belongs to does not matter for being absurd.
    for (int axis = 0; axis < facts.rank(0); ++axis) {
      const auto dim = facts.dim(0, axis);
      if (dim && *dim > 0 && scales[i] > static_cast<double>(kMaxTensorBytes))
        return facts.fault("E207", cat("scale ", i, " is ", scales[i]));
    }
  }
  return {};
}

}  // namespace

std::optional<Diagnostic> check_sizes(const NodeFacts& facts) {
  if (!facts.node().domain.empty()) return {};
  const std::string& op = facts.node().op;
  for (const ListInput& list : kLists) {
    if (op != list.op) continue;
    if (auto fault = check_list(facts, list)) return fault;
  }
  for (const NumberInput& number : kNumbers) {
    if (op != number.op) continue;
    if (auto fault = check_number(facts, number)) return fault;
  }
  if (op == "SplitToSequence") return check_split_to_sequence(facts);
  if (op == "OneHot") return check_one_hot(facts);
  if (op == "TopK") return check_top_k(facts);
  if (op == "Tile") return check_tile(facts);
  if (op == "Split") return check_split(facts);
  if (op == "Resize" || op == "Upsample") return check_scales(facts);
  return {};
}

}  // namespace tarn::model
