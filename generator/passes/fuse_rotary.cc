// A rotary embedding as exporters spell it, x * cosines + concat(-x[half:], x[:half]) * sines, becomes one operator
// that can work in place.
#include "ops/movement.h"
#include "passes/passes.h"
#include "passes/spelled.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

class Rotary {
 public:
  Rotary(const Graph& graph, const graph::Uses& uses) : graph_(graph), spelled_(graph, uses) {}

  std::optional<Node> find(size_t root) {
    const Node& sum = graph_.nodes[root];
    if (!sum.is("Add") || sum.inputs.size() != 2 || !is_float(graph_.dtype(sum.outputs[0]))) return {};
    for (size_t i = 0; i < 2; ++i) {
      spelled_.begin(root);
      const Node* straight = spelled_.made_by(sum.inputs[i], "Mul");
      const Node* crossed = spelled_.made_by(sum.inputs[1 - i], "Mul");
      if (!straight || !crossed) continue;
      const std::set<size_t> before = spelled_.inside();
      for (size_t s = 0; s < 2; ++s) {
        for (size_t c = 0; c < 2; ++c) {
          spelled_.reset(before);
          const ValueId x = straight->inputs[s], cosines = straight->inputs[1 - s], sines = crossed->inputs[1 - c];
          if (!swaps_halves(crossed->inputs[c], x) || graph_[x].type != graph_[sum.outputs[0]].type) continue;
          std::optional<Node> node = rotary(x, cosines, sines);
          if (node && spelled_.closed(sum.outputs[0])) return node;
        }
      }
    }
    return {};
  }
  const std::set<size_t>& inside() const { return spelled_.inside(); }

 private:
  // Is it concat(-x[half:], x[:half]) along the last axis?
  bool swaps_halves(ValueId id, ValueId x) {
    const Node* joined = spelled_.made_by(id, "Concat");
    const int rank = graph_.shape(x).rank();
    if (!joined || joined->inputs.size() != 2 || rank < 1 ||
        normalise_axis(joined->integer("axis", 1), rank) != rank - 1)
      return false;
    const Node* negated = spelled_.made_by(joined->inputs[0], "Neg");
    const int64_t size = graph_.shape(x)[rank - 1];
    return negated && size % 2 == 0 && is_part(negated->inputs[0], x, size / 2) && is_part(joined->inputs[1], x, 0);
  }

  // Is it the half of x along the last axis that begins at `first`?
  bool is_part(ValueId id, ValueId x, int64_t first) {
    const Shape& shape = graph_.shape(x);
    Shape half = shape;
    half[shape.rank() - 1] /= 2;
    if (graph_.shape(id) != half) return false;
    const std::set<size_t> before = spelled_.inside();
    if (const Node* slice = spelled_.made_by(id, "Slice")) {
      if (slice->inputs[0] != x) return false;
      const auto list = [&](size_t i, const char* name) -> std::optional<std::vector<int64_t>> {
        if (slice->has(name)) return slice->integers(name);
        const Constant* c = slice->has_input(i) ? graph_.constant(slice->inputs[i]) : nullptr;
        if (!c || c->is_absent()) return {};
        return c->integers();
      };
      const auto starts = list(1, "starts"), ends = list(2, "ends"), axes = list(3, "axes");
      if (!starts || !ends || starts->size() != 1 || !axes) return false;
      const auto steps = slice->has_input(4) || slice->has("steps") ? list(4, "steps") : std::vector<int64_t>{1};
      if (!steps || axes->size() != 1 || normalise_axis((*axes)[0], shape.rank()) != shape.rank() - 1) return false;
      const auto geometry = ops::slice_geometry(shape, *starts, *ends, *axes, *steps);
      return geometry && geometry->offset == first && geometry->steps.back() == 1;
    }
    spelled_.reset(before);
    const Node* split = spelled_.made_by(id, "Split");
    return split && split->inputs[0] == x && split->outputs.size() == 2 && split->outputs[first == 0 ? 0 : 1] == id &&
           normalise_axis(split->integer("axis", 0), shape.rank()) == shape.rank() - 1;
  }

  // Tables as wide as x, which broadcast along the axes before the last.
  std::optional<Node> rotary(ValueId x, ValueId cosines, ValueId sines) const {
    const Shape &shape = graph_.shape(x), &table = graph_.shape(cosines);
    const int rank = shape.rank();
    if (rank > 4 || graph_.shape(sines) != table || graph_.dtype(cosines) != graph_.dtype(x) ||
        graph_.dtype(sines) != graph_.dtype(x))
      return {};
    if (table.rank() < 1 || table.rank() > rank || table[table.rank() - 1] != shape[rank - 1]) return {};
    for (ValueId id : {x, cosines, sines}) {
      if (!graph_[id].runtime_dims.empty()) return {};
    }
    const std::vector<int64_t> strides = strides_of(table);
    std::vector<int64_t> dims(3, 1), step(3, 0);
    for (int axis = 0; axis + 1 < rank; ++axis) {
      const auto to = static_cast<size_t>(axis + 4 - rank);
      const int from = axis - (rank - table.rank());
      dims[to] = shape[axis];
      if (from >= 0 && table[from] != 1) step[to] = strides[static_cast<size_t>(from)];
    }
    Node node;
    node.op = "Rotary";
    node.domain = "tarn";
    node.version = 1;
    node.inputs = {x, cosines, sines};
    const int64_t half = shape[rank - 1] / 2;
    node.attributes = {
        {"dims", dims},  {"step", step}, {"size", shape[rank - 1]}, {"half", half}, {"interleaved", int64_t{0}},
        {"second", half}};
    return node;
  }

  const Graph& graph_;
  Spelled spelled_;
};

}  // namespace

Graph fuse_rotary(Graph graph) {
  bool changed = false;
  graph::Uses uses = graph::find_uses(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Rotary rotary(graph, uses);
    std::optional<Node> node = rotary.find(i);
    if (!node) continue;
    replace_pattern(graph, rotary.inside(), i, std::move(*node), graph.nodes[i].outputs[0]);
    graph.nodes[i].domain = "tarn";
    uses = graph::find_uses(graph);
    changed = true;
  }
  if (changed) graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
