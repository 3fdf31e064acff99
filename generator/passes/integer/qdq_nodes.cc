// Operators that only move elements work on codes as well as on numbers: DequantizeLinear moves behind them,
// QuantizeLinear before them, until both meet.
#include <algorithm>
#include <cmath>
#include <set>

#include "ops/op.h"
#include "passes/integer/chain.h"
#include "passes/integer/layer.h"
#include "passes/integer/tables.h"
#include "tensor/numeric.h"

namespace tarn::passes::integer {

namespace {

// Output 0 holds elements of input 0 only. Maxima move elements as well: codes rise with numbers.
bool moves(const Node& node) {
  static const std::set<std::string> ops = {"Reshape",      "Transpose",    "Flatten", "Squeeze", "Unsqueeze",
                                            "Slice",        "Gather",       "Expand",  "Tile",    "Identity",
                                            "DepthToSpace", "SpaceToDepth", "MaxPool", "Pad",     "ReduceMax",
                                            "ReduceMin",    "GlobalMaxPool"};
  // Of neighbours only one is taken.
  const bool nearest = (node.op == "Resize" || node.op == "Upsample") && node.text("mode", "nearest") == "nearest" &&
                       node.text("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize";
  if (!node.domain.empty() || (!ops.contains(node.op) && !nearest) || node.outputs.size() != 1 || node.inputs.empty())
    return false;
  const ops::OperatorEntry* entry = ops::find_entry("", node.op);
  return entry && entry->lower;
}

bool is_qdq(const Node& node, const char* op) { return node.op == op && node.has_input(0) && node.inputs.size() >= 2; }

// Zeros that Pad adds become codes. False: it adds something else, or in another way.
bool pad_codes(Work& work, Node& pad, const Node& qdq) {
  if (pad.text("mode", "constant") != "constant") return true;
  if (!qdq.is("DequantizeLinear") || pad.has_input(3)) return false;
  if (pad.version < 11) {
    const std::optional<Codes> padded = work.dequantised(qdq.outputs[0], 0);
    return padded && padded->zero == 0 && pad.real("value", 0) == 0;
  }
  if (pad.has_input(2)) {
    const std::optional<float> value = work.number(pad.inputs[2]);
    if (!value || *value != 0) return false;
  }
  const std::optional<Codes> codes = work.dequantised(qdq.outputs[0], 0);
  if (!codes) return false;
  pad.inputs.resize(3);
  pad.inputs[2] = work.graph.add_constant("zero", Constant::ints(codes->dtype, Shape{}, {codes->zero}));
  return true;
}

// The QDQ node with the shape it has at the other end of the operator.
ValueId like(Work& work, ValueId shape, ValueId dtype) {
  const graph::Value value = work.graph[shape];
  const ValueId id = work.graph.add_value(value.name, {work.graph.dtype(dtype), value.type.shape});
  work.graph[id].runtime_dims = value.runtime_dims;
  return id;
}

// Nothing but functions of one number lie between a value and where it becomes codes: tables take them in.
bool becomes_codes(const Work& work, ValueId id) {
  static const std::set<std::string> functions = {"Relu",    "Clip",        "Mul",       "Add",       "Sub", "Div",
                                                  "Sigmoid", "HardSigmoid", "HardSwish", "LeakyRelu", "Tanh"};
  for (;;) {
    const std::span<const size_t> readers = work.readers(id);
    if (work.is_output(id) || readers.empty()) return false;
    const auto quantises = [&](size_t reader) { return work.quantises(work.graph.nodes[reader], 0).has_value(); };
    if (std::all_of(readers.begin(), readers.end(), quantises)) return true;
    const Node& reader = work.graph.nodes[readers[0]];
    if (readers.size() > 1 || !reader.domain.empty() || !functions.contains(reader.op) || reader.outputs.size() != 1)
      return false;
    const auto constant = [&](ValueId input) { return !input || input == id || work.graph.constant(input) != nullptr; };
    if (!std::all_of(reader.inputs.begin(), reader.inputs.end(), constant)) return false;
    id = reader.outputs[0];
  }
}

// Relu and bounds of numbers that stay those of codes: the codes are bounded.
bool bound_codes(Work& work, size_t at) {
  const Node node = work.graph.nodes[at];
  if (!node.domain.empty() || (node.op != "Relu" && node.op != "Clip") || !node.has_input(0)) return false;
  const std::optional<Codes> x = work.dequantised(node.inputs[0]);
  if (!x || becomes_codes(work, node.outputs[0])) return false;
  const Chain chain = last_step(work, node.outputs[0]);
  if (chain.from != node.inputs[0] || chain.steps.empty()) return false;
  for (int32_t code = -128; code < 128; ++code) {
    const float bounded = chain.apply(static_cast<float>(code - x->signed_zero()) * x->scale, 0);
    if (static_cast<float>(quantise(bounded, *x) - x->signed_zero()) * x->scale != bounded) return false;
  }
  const Node qdq = *work.producer(node.inputs[0]);
  Node bound = table_node(work, {&node}, *x, [&](float v) { return quantise(chain.apply(v, 0), *x); }), after = qdq;
  const ValueId made = like(work, node.outputs[0], qdq.inputs[0]);
  work.produce(bound, made);
  after.inputs[0] = made;
  after.outputs = node.outputs;
  work.graph.nodes[at] = std::move(bound);
  work.add(std::move(after));
  work.graph = work.finish();
  work.refresh();
  return true;
}

}  // namespace

bool move_qdq_nodes(Work& work) {
  bool changed = false;
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    if (bound_codes(work, i)) {
      changed = true;
      continue;
    }
    const Node node = work.graph.nodes[i];
    if (!moves(node)) continue;
    const Node* before = work.producer(node.inputs[0]);
    if (before && (work.dequantised(node.inputs[0], 0) ||
                   (before->is("IntFlip", "tarn") && !is_signed(work.graph.dtype(node.inputs[0]))))) {
      // op(QDQ(x)) -> QDQ(op(x))
      const Node qdq = *before;
      Node moved = node, after = qdq;
      if (node.op == "Pad" && !pad_codes(work, moved, qdq)) continue;
      const ValueId made = like(work, node.outputs[0], qdq.inputs[0]);
      moved.inputs[0] = qdq.inputs[0];
      moved.outputs = {made};
      after.inputs[0] = made;
      after.outputs = {node.outputs[0]};
      work.graph.nodes[i] = std::move(moved);
      work.add(std::move(after));
      work.graph = work.finish();
      work.refresh();
      changed = true;
      continue;
    }
    if (node.op == "Pad") continue;
    // QDQ(op(x)) -> op(QDQ(x)), where no other node reads the numbers.
    if (!work.only_link(node.outputs[0])) continue;
    const size_t reader = work.readers(node.outputs[0])[0];
    const Node qdq = work.graph.nodes[reader];
    if (!is_qdq(qdq, "QuantizeLinear") || qdq.inputs[0] != node.outputs[0] || !work.quantises(qdq, 0)) continue;
    if (work.graph.constant(node.inputs[0])) continue;
    // Fewer elements are quantised first.
    if (work.graph.shape(node.inputs[0]).count() > work.graph.shape(node.outputs[0]).count()) continue;
    Node first = qdq, moved = node;
    const ValueId made = like(work, node.inputs[0], qdq.outputs[0]);
    first.inputs[0] = node.inputs[0];
    first.outputs = {made};
    moved.inputs[0] = made;
    moved.outputs = qdq.outputs;
    work.graph.nodes[i] = std::move(first);
    work.graph.nodes[reader] = std::move(moved);
    work.graph = work.finish();
    work.refresh();
    changed = true;
  }
  return changed;
}

namespace {

// Functions of numbers lead from a product with weights that are whole numbers to the node.
bool ends_product(const Work& work, const Node& node) {
  for (int axis : {1, work.graph.shape(node.outputs[0]).rank() - 1}) {
    const Node* core = work.producer(trace(work, node.inputs[0], axis).from);
    if (core && product_of(work, *core)) return true;
  }
  return false;
}

}  // namespace

// Values that are whole numbers within 8 bits, as spelled: Clip of something rounded.
bool mark_whole_numbers(Work& work) {
  bool marked = false;
  const size_t count = work.graph.nodes.size();
  for (size_t i = 0; i < count; ++i) {
    Node& clip = work.graph.nodes[i];
    if (!clip.is("Clip") || !clip.has_input(0) || work.graph.dtype(clip.outputs[0]) != DType::float32) continue;
    if (work.is_output(clip.outputs[0]) && !ends_product(work, clip)) continue;
    const Node* before = work.producer(clip.inputs[0]);
    const bool cast = before && before->is("Cast") && is_integer(work.graph.dtype(before->inputs[0]));
    if (!before || (!cast && !before->is("Floor") && !before->is("Round") && !before->is("Ceil"))) continue;
    std::optional<float> lo, hi;
    if (clip.has("min")) lo = static_cast<float>(clip.real("min", 0));
    if (clip.has("max")) hi = static_cast<float>(clip.real("max", 0));
    if (clip.has_input(1)) lo = work.number(clip.inputs[1]);
    if (clip.has_input(2)) hi = work.number(clip.inputs[2]);
    if (!lo || !hi || *lo != std::nearbyint(*lo) || *hi != std::nearbyint(*hi)) continue;
    const bool positive = *lo >= 0 && *hi <= 255, fits = positive || (*lo >= -128 && *hi <= 127);
    if (!fits) continue;
    const DType type = positive ? DType::uint8 : DType::int8;
    const ValueId y = clip.outputs[0];
    const graph::Value value = work.graph[y];
    const ValueId number = work.graph.add_value(value.name, value.type);
    const ValueId codes = work.graph.add_value(value.name, {type, value.type.shape});
    for (ValueId id : {number, codes}) work.graph[id].runtime_dims = value.runtime_dims;
    const ValueId one = work.graph.add_constant("one", Constant::floats(DType::float32, Shape{}, {1.0}));
    const ValueId zero = work.graph.add_constant("zero", Constant::ints(type, Shape{}, {0}));
    Node to = fused("QuantizeLinear", {&clip}), from = fused("DequantizeLinear", {&clip});
    to.domain.clear();
    from.domain.clear();
    to.version = from.version = 13;
    to.inputs = {number, one, zero};
    to.outputs = {codes};
    from.inputs = {codes, one, zero};
    from.outputs = {y};
    work.graph.nodes[i].outputs = {number};
    work.add(std::move(to));
    work.add(std::move(from));
    marked = true;
  }
  if (marked) {
    work.graph = work.finish();
    work.refresh();
  }
  return marked;
}

void fold_constants(Work& work) {
  for (Node& node : work.graph.nodes) {
    const bool to_codes = is_qdq(node, "QuantizeLinear");
    if (!to_codes || node.outputs.size() != 1 || work.is_output(node.outputs[0])) continue;
    const Constant *x = work.graph.constant(node.inputs[0]), *scale = work.graph.constant(node.inputs[1]);
    const Constant* zero = node.has_input(2) ? work.graph.constant(node.inputs[2]) : nullptr;
    if (!x || !scale || x->is_absent() || scale->is_absent() || (node.has_input(2) && !zero)) continue;
    const TensorType type = work.graph[node.outputs[0]].type;
    if (!is_integer(type.dtype) || bits_of(type.dtype) > 16 || x->dtype() != DType::float32 ||
        scale->dtype() != DType::float32)
      continue;
    const auto axis = normalise_axis(node.integer("axis", 1), type.shape.rank());
    if (scale->count() != 1 && (!axis || scale->shape() != Shape{type.shape[*axis]})) continue;
    const int64_t inner = scale->count() == 1 ? 1 : type.shape.count(*axis + 1, type.shape.rank());
    const int64_t range = int64_t{1} << bits_of(type.dtype), lo = is_signed(type.dtype) ? -range / 2 : 0;
    std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
    for (int64_t i = 0; i < x->count(); ++i) {
      const int64_t c = scale->count() == 1 ? 0 : i / inner % scale->count();
      const int64_t z = zero ? zero->integer(zero->count() == 1 ? 0 : c) : 0;
      const float v = static_cast<float>(x->real(i)) / static_cast<float>(scale->real(c));
      const double clamped =
          std::clamp(static_cast<double>(v), static_cast<double>(lo - z), static_cast<double>(lo + range - 1 - z));
      write_int(type.dtype, bytes.data(), i, static_cast<int64_t>(std::nearbyint(clamped)) + z);
    }
    work.graph[node.outputs[0]].constant = std::make_shared<Constant>(Constant::of(type, std::move(bytes)));
    node.op = "Gone";
    node.inputs.clear();
    node.outputs.clear();
  }
  std::erase_if(work.graph.nodes, [](const Node& node) { return node.op == "Gone"; });
  work.refresh();
}

// IntFlip next to its inverse, or next to a QDQ node that can make the other codes itself.
void tidy_flips(Work& work) {
  for (Node& node : work.graph.nodes) {
    if (!node.is("IntFlip", "tarn") || work.is_output(node.outputs[0])) continue;
    const Node* before = work.producer(node.inputs[0]);
    if (before && before->is("IntFlip", "tarn")) {
      graph::replace_uses(work.graph, node.outputs[0], before->inputs[0]);
    }
  }
  work.graph = work.finish();
  work.refresh();
  auto moved_zero = [&](Node& qdq, DType from, int64_t by) {
    const Constant* zero = qdq.has_input(2) ? work.graph.constant(qdq.inputs[2]) : nullptr;
    const int64_t value = (zero ? zero->integer(0) : 0) + by;
    qdq.inputs.resize(3);
    qdq.inputs[2] = work.graph.add_constant("zero", Constant::ints(from, Shape{}, {value}));
  };
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    Node& node = work.graph.nodes[i];
    if (node.is("IntFlip", "tarn") && !work.is_output(node.inputs[0])) {
      const Node* before = work.producer(node.inputs[0]);
      if (before && work.quantises(*before, 0) && work.only_link(node.inputs[0])) {
        Node qdq = *before;
        const Codes codes = *work.quantises(*before, 0);
        moved_zero(qdq, codes.signed_type(), -codes.half());
        qdq.attributes.erase("output_dtype");
        qdq.outputs = node.outputs;
        node = std::move(qdq);
      }
      continue;
    }
    if (node.op != "DequantizeLinear" || !node.has_output(0) || !work.dequantised(node.outputs[0], 0)) continue;
    const Node* before = work.producer(node.inputs[0]);
    if (before && before->is("IntFlip", "tarn") && !is_signed(work.graph.dtype(node.inputs[0]))) {
      const Codes codes = *work.dequantised(node.outputs[0], 0);
      moved_zero(node, codes.signed_type(), -codes.half());
      node.inputs[0] = before->inputs[0];
    }
  }
  work.graph = work.finish();
  work.refresh();
}

void own_qdq_nodes(Work& work) {
  for (Node& node : work.graph.nodes) {
    std::optional<Codes> codes = work.quantises(node, 0);
    const bool to_codes = codes.has_value();
    if (!codes && node.op == "DequantizeLinear" && node.has_output(0)) codes = work.dequantised(node.outputs[0], 0);
    if (!codes) continue;
    node.op = to_codes ? "IntQuantize" : "IntDequantize";
    node.domain = "tarn";
    node.inputs.resize(1);
    node.attributes.clear();
    node.attributes["scale"] = codes->scale;
    node.attributes["zero"] = static_cast<int64_t>(codes->zero);
  }
  graph::remove_dead(work.graph);
  work.refresh();
}

void open_qdq_nodes(Work& work) {
  for (size_t i = 0; i < work.graph.nodes.size(); ++i) {
    const Node node = work.graph.nodes[i];
    const bool in = node.is("IntQuantize", "tarn"), out = node.is("IntDequantize", "tarn");
    if (!in && !out) continue;
    const graph::Codes codes{node.real("scale", 1), node.integer("zero", 0)};
    const ValueId x = node.inputs[0], y = node.outputs[0];
    std::vector<ValueId>& list = in ? work.graph.inputs : work.graph.outputs;
    const ValueId old = in ? x : y, handed = in ? y : x;
    const auto place = std::find(list.begin(), list.end(), old);
    if (place == list.end() || std::count(list.begin(), list.end(), old) != 1 || work.is_output(handed)) continue;
    if (in ? work.readers(x).size() != 1 || work.is_output(x) : !work.producer(x) || !work.readers(y).empty()) continue;
    work.graph[handed].name = work.graph[old].name;
    work.graph[handed].codes = codes;
    *place = handed;
    work.graph.nodes[i].op = "Gone";
    work.graph.nodes[i].inputs.clear();
    work.graph.nodes[i].outputs.clear();
    std::erase_if(work.graph.nodes, [](const Node& n) { return n.op == "Gone"; });
    work.refresh();
    i = static_cast<size_t>(-1);
  }
}

}  // namespace tarn::passes::integer
