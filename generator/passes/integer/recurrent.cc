// GRU, LSTM and RNN of a quantised sequence whose own sequence is quantised, or is none: it computes in floats a step
// at a time, so that neither sequence ever lies in memory as floats.
#include "ops/recurrent.h"

#include <algorithm>

#include "passes/integer/work.h"

namespace tarn::passes::integer {

namespace {

// A constant, or one that DequantizeLinear makes of constants.
bool is_known(const Work& work, ValueId id) {
  if (work.graph.constant(id)) return true;
  const Node* node = work.producer(id);
  return node && node->is("DequantizeLinear") && std::all_of(node->inputs.begin(), node->inputs.end(), [&](ValueId in) {
           return !in || work.graph.constant(in) != nullptr;
         });
}

// Somebody reads the sequence that the layer makes.
bool gives_sequence(const Work& work, const Node& core) {
  return core.has_output(0) && (work.is_output(core.outputs[0]) || !work.readers(core.outputs[0]).empty());
}

Node on_codes(Work& work, const Node& core, const Codes& x) {
  Node node = fused("Int" + core.op, {&core});
  node.version = core.version;
  node.attributes = core.attributes;
  node.attributes["x_scale"] = x.scale;
  node.attributes["x_zero"] = static_cast<int64_t>(x.signed_zero());
  node.inputs = core.inputs;
  node.inputs[0] = work.as_signed(x);
  return node;
}

}  // namespace

bool fuse_recurrent(Work& work, size_t at) {
  const Node here = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(here);
  const Node* found = y ? work.producer(here.inputs[0]) : &here;
  if (!found || !found->has_input(0)) return false;
  const Node core = *found;
  const std::optional<Codes> x = work.dequantised(core.inputs[0]);
  const auto known = [&](ValueId id) { return is_known(work, id); };
  if (!x || !ops::takes_codes(work.graph, core, known)) return false;
  // A final state may be quantised behind a layer that has been fused already.
  const bool fits = y ? core.has_output(0) && core.outputs[0] == here.inputs[0] && work.only_link(here.inputs[0])
                      : core.outputs.size() > 1 && !gives_sequence(work, core);
  if (!fits) return false;
  Node node = on_codes(work, core, *x);
  if (y) {
    node.attributes["y_scale"] = y->scale;
    node.attributes["y_zero"] = static_cast<int64_t>(y->signed_zero());
    work.produce(node, here.outputs[0]);
    // Its final states are this node's.
    const auto place = std::find_if(work.graph.nodes.begin(), work.graph.nodes.end(),
                                    [&](const Node& n) { return n.has_output(0) && n.outputs[0] == core.outputs[0]; });
    place->outputs.clear();
  } else {
    node.outputs = {ValueId()};
  }
  node.outputs.insert(node.outputs.end(), core.outputs.begin() + 1, core.outputs.end());
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
