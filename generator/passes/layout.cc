// Spatial operators work channels last. Each gets a Transpose before and after it; then transposes sink through the
// operators that do not mind, meet their inverses and disappear. What is left stands where the graph's own inputs,
// outputs or reshapes force it; where only axes of one element move it costs nothing (see ops/transpose.cc).
#include <algorithm>
#include <map>

#include "ops/op.h"
#include "passes/passes.h"
#include "support/check.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::Value;
using graph::ValueId;
using Perm = std::vector<int>;  // of a Transpose: axis i of its output is axis perm[i] of its input

Perm channels_last(int rank) {  // N, C, spatial... -> N, spatial..., C
  Perm perm{0};
  for (int i = 2; i < rank; ++i) perm.push_back(i);
  perm.push_back(1);
  return perm;
}

Perm inverse(const Perm& perm) {
  Perm result(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) result[static_cast<size_t>(perm[i])] = static_cast<int>(i);
  return result;
}

// First `a`, then `b`.
Perm compose(const Perm& a, const Perm& b) {
  Perm result;
  for (int axis : b) result.push_back(a[static_cast<size_t>(axis)]);
  return result;
}

bool is_identity(const Perm& perm) {
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<int>(i)) return false;
  }
  return true;
}

Shape permuted(const Shape& shape, const Perm& perm) {
  Shape result;
  for (int axis : perm) result.dims.push_back(shape[axis]);
  return result;
}

bool moves_nothing(const Shape& shape, const Perm& perm) {
  int last = -1;
  for (int axis : perm) {
    if (shape[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

std::optional<Perm> transpose_of(const Node& node) {
  if (!node.is("Transpose")) return {};
  Perm perm;
  for (int64_t axis : node.integers("perm")) perm.push_back(static_cast<int>(axis));
  return perm;
}

class LayoutPass {
 public:
  explicit LayoutPass(Graph graph) : graph_(std::move(graph)) {}

  Graph run(const PassOptions& options) {
    spell_out_permutations();
    slice_for_gather();
    wrap_spatial();
    for (bool changed = true; changed;) {
      changed = false;
      tidy();
      for (size_t i = 0; i < graph_.nodes.size(); ++i) changed |= sink(i);
    }
    tidy();
    graph_edges(options);
    fold_into_dense();
    tidy();
    return std::move(graph_);
  }

 private:
  // A Transpose without perm reverses the axes; say so.
  void spell_out_permutations() {
    for (Node& node : graph_.nodes) {
      if (!node.is("Transpose")) continue;
      std::vector<int64_t> perm = node.integers("perm");
      const int rank = graph_.shape(node.inputs[0]).rank();
      if (perm.empty()) {
        for (int i = rank; i-- > 0;) perm.push_back(i);
      }
      for (int64_t& axis : perm) axis = axis < 0 ? axis + rank : axis;
      node.attributes["perm"] = perm;
    }
  }

  // Gathering one known position is a Slice, which may change its axis, and need no copy.
  void slice_for_gather() {
    std::vector<Node> nodes;
    for (Node& node : graph_.nodes) {
      const Constant* index = node.is("Gather") && node.has_input(1) ? graph_.constant(node.inputs[1]) : nullptr;
      if (!index || index->is_absent() || index->count() != 1 || index->shape().rank() > 1 || !graph_[node.inputs[0]].runtime_dims.empty()) {
        nodes.push_back(std::move(node));
        continue;
      }
      const TensorType type = graph_[node.inputs[0]].type;
      const auto axis = normalise_axis(node.integer("axis", 0), type.shape.rank());
      if (!axis) {
        nodes.push_back(std::move(node));
        continue;
      }
      const int64_t size = type.shape[*axis], given = index->integer(0), at = given < 0 ? given + size : given;
      if (at < 0 || at >= size) {
        nodes.push_back(std::move(node));
        continue;
      }
      TensorType part = type;
      part.shape[*axis] = 1;
      Node slice = node;
      slice.op = "Slice";
      slice.version = 1;
      slice.inputs.resize(1);
      slice.outputs = {graph_.add_value(graph_[node.outputs[0]].name, part)};
      slice.attributes.clear();
      slice.attributes["starts"] = std::vector<int64_t>{at};
      slice.attributes["ends"] = std::vector<int64_t>{at + 1};
      slice.attributes["axes"] = std::vector<int64_t>{*axis};
      Node reshape = std::move(node);
      reshape.op = "Reshape";
      reshape.version = 1;
      reshape.inputs = slice.outputs;
      reshape.attributes.clear();
      reshape.attributes["shape"] = graph_.shape(reshape.outputs[0]).dims;
      nodes.push_back(std::move(slice));
      nodes.push_back(std::move(reshape));
    }
    graph_.nodes = std::move(nodes);
  }

  Node transpose(ValueId from, ValueId to, const Perm& perm) {
    Node node;
    node.op = "Transpose";
    node.version = 1;
    node.inputs = {from};
    node.outputs = {to};
    node.attributes["perm"] = std::vector<int64_t>(perm.begin(), perm.end());
    return node;
  }

  // A new value that is `of` with its axes permuted.
  ValueId permuted_value(ValueId of, const Perm& perm) {
    const Value value = graph_[of];
    const ValueId id = graph_.add_value(value.name, {value.type.dtype, permuted(value.type.shape, perm)});
    for (graph::RuntimeDim dim : value.runtime_dims) {
      dim.axis = static_cast<int>(std::find(perm.begin(), perm.end(), dim.axis) - perm.begin());
      graph_[id].runtime_dims.push_back(dim);
    }
    return id;
  }

  void wrap_spatial() {
    std::vector<Node> nodes;
    for (Node& node : graph_.nodes) {
      const ops::Room* room = ops::find_room(node.domain, node.op);
      const bool spatial = room && room->layout == ops::Layout::spatial && node.has_input(0) && !node.channels_last;
      const int rank = spatial ? graph_.shape(node.inputs[0]).rank() : 0;
      if (rank < 3) {
        nodes.push_back(std::move(node));
        continue;
      }
      const Perm last = channels_last(rank), first = inverse(last);
      node.channels_last = true;
      const ValueId x = permuted_value(node.inputs[0], last);
      Node before = transpose(node.inputs[0], x, last);
      before.origins = node.origins;
      before.origin_names = node.origin_names;
      nodes.push_back(std::move(before));
      node.inputs[0] = x;
      std::vector<Node> after;
      for (ValueId& output : node.outputs) {
        if (!output || graph_.shape(output).rank() != rank) continue;
        const ValueId y = permuted_value(output, last);
        after.push_back(transpose(y, output, first));
        after.back().origins = node.origins;
        after.back().origin_names = node.origin_names;
        output = y;
      }
      nodes.push_back(std::move(node));
      for (Node& n : after) nodes.push_back(std::move(n));
    }
    graph_.nodes = std::move(nodes);
  }

  // Joins transposes that follow each other, drops those that do nothing, shares equal ones, folds them into constants.
  void tidy() {
    graph::Uses uses = graph::find_uses(graph_);
    std::map<std::pair<ValueId, Perm>, ValueId> known;
    for (Node& node : graph_.nodes) {
      std::optional<Perm> perm = transpose_of(node);
      if (!perm) continue;
      if (const auto& maker = uses.producer[node.inputs[0].pos()]) {
        if (const auto first = transpose_of(graph_.nodes[*maker])) {
          *perm = compose(*first, *perm);
          node.inputs[0] = graph_.nodes[*maker].inputs[0];
          node.attributes["perm"] = std::vector<int64_t>(perm->begin(), perm->end());
        }
      }
      const ValueId x = node.inputs[0], y = node.outputs[0];
      if (is_identity(*perm)) {
        if (!uses.is_output[y.pos()]) {
          graph::replace_uses(graph_, y, x);
        } else if (!uses.is_output[x.pos()] && uses.producer[x.pos()]) {
          graph_[x].name = graph_[y].name;
          uses.is_output[x.pos()] = true;
          graph::replace_uses(graph_, y, x);
        }
        continue;
      }
      auto [it, added] = known.try_emplace({x, *perm}, y);
      if (!added && !uses.is_output[y.pos()]) graph::replace_uses(graph_, y, it->second);
    }
    graph::remove_dead(graph_);
  }

  // The Transpose that makes a value, if one does.
  const Node* transpose_before(ValueId id, const graph::Uses& uses) const {
    if (!id || !uses.producer[id.pos()]) return nullptr;
    const Node& node = graph_.nodes[*uses.producer[id.pos()]];
    return node.is("Transpose") ? &node : nullptr;
  }

  // Moves a Transpose from the operands of node `i` to its results.
  bool sink(size_t i) {
    if (is_reshape(graph_.nodes[i])) return sink_through_reshape(i);
    const ops::Room* room = ops::find_room(graph_.nodes[i].domain, graph_.nodes[i].op);
    if (!room || (room->layout != ops::Layout::elementwise && room->layout != ops::Layout::axes)) return false;
    const graph::Uses uses = graph::find_uses(graph_);
    const bool elementwise = room->layout == ops::Layout::elementwise;
    Node node = graph_.nodes[i];
    const size_t operands = elementwise || node.is("Concat") ? node.inputs.size() : 1;
    int rank = 0;
    for (ValueId id : node.outputs) {
      if (id) rank = std::max(rank, graph_.shape(id).rank());
    }
    std::optional<Perm> perm;
    bool free = true;  // the transpose chosen moves nothing
    for (size_t k = 0; k < operands; ++k) {
      const Node* before = transpose_before(node.inputs[k], uses);
      if (!before) continue;
      const Perm p = *transpose_of(*before);
      if (elementwise && static_cast<int>(p.size()) != rank) continue;
      if (perm && !free) break;
      perm = p;
      free = moves_nothing(graph_.shape(before->inputs[0]), p);
    }
    if (!perm) return false;
    const Perm back = inverse(*perm);

    std::vector<ValueId> inputs = node.inputs;
    std::vector<Node> added;
    for (size_t k = 0; k < operands; ++k) {
      const ValueId id = node.inputs[k];
      if (!id) continue;
      const Node* before = transpose_before(id, uses);
      if (before && *transpose_of(*before) == *perm) {
        inputs[k] = before->inputs[0];
      } else if (!adapt(id, back, rank, elementwise, inputs[k], added)) {
        return false;
      }
    }
    // Free transposes may sink past an operator, but must not swap places with others for ever.
    if (free && !added.empty()) return false;
    Perm result = *perm;
    if (!elementwise) {
      // Old axis j of the operand stands at perm[j] in the untransposed one.
      node.inputs = inputs;
      const auto to = room->permute ? room->permute(graph_, node, *perm) : std::nullopt;
      if (!to) return false;
      result = *to;
    } else {
      node.inputs = inputs;
    }
    std::vector<Node> after;
    for (ValueId& output : node.outputs) {
      if (!output) continue;
      if (static_cast<int>(result.size()) != graph_.shape(output).rank()) return false;
      if (is_identity(result)) continue;
      const ValueId made = permuted_value(output, inverse(result));
      after.push_back(transpose(made, output, result));
      after.back().origins = node.origins;
      after.back().origin_names = node.origin_names;
      output = made;
    }
    std::vector<Node> nodes;
    for (size_t k = 0; k < graph_.nodes.size(); ++k) {
      if (k != i) {
        nodes.push_back(std::move(graph_.nodes[k]));
        continue;
      }
      for (Node& n : added) nodes.push_back(std::move(n));
      nodes.push_back(std::move(node));
      for (Node& n : after) nodes.push_back(std::move(n));
    }
    graph_.nodes = std::move(nodes);
    return true;
  }

  static bool is_reshape(const Node& node) {
    return node.is("Reshape") || node.is("Flatten") || node.is("Squeeze") || node.is("Unsqueeze");
  }

  // Transpose, then Reshape, becomes Reshape, then Transpose, where the axes that the reshape joins still lie side by side
  // before the transpose. Where they do not (channels are shuffled), they are first brought together by a Transpose of
  // their own, if the one that comes out at the end will meet a spatial operator.
  bool sink_through_reshape(size_t i) {
    const graph::Uses uses = graph::find_uses(graph_);
    const Node* before = transpose_before(graph_.nodes[i].inputs[0], uses);
    if (!before) return false;
    const ValueId source = before->inputs[0], result = graph_.nodes[i].outputs[0];
    if (!graph_[source].runtime_dims.empty() || !graph_[result].runtime_dims.empty() || graph_.shape(result).count() == 0) return false;
    const Perm perm = *transpose_of(*before);
    const std::optional<ReshapeOrder> order = reshape_order(graph_.shape(source), perm, graph_.shape(result));
    if (!order) return false;
    const bool gathers = !moves_nothing(graph_.shape(source), order->gather);
    if (is_identity(order->after)) {
      if (gathers) return false;
    } else if (gathers && (order->after != inverse(channels_last(graph_.shape(result).rank())) || !meets_spatial(result, uses))) {
      return false;
    }
    std::vector<Node> nodes;
    for (size_t k = 0; k < graph_.nodes.size(); ++k) {
      if (k != i) {
        nodes.push_back(std::move(graph_.nodes[k]));
        continue;
      }
      Node node = std::move(graph_.nodes[k]);
      auto add_transpose = [&](ValueId from, ValueId to, const Perm& p) {
        nodes.push_back(transpose(from, to, p));
        nodes.back().origins = node.origins;
        nodes.back().origin_names = node.origin_names;
      };
      ValueId from = source;
      if (gathers) {
        from = permuted_value(source, order->gather);
        add_transpose(source, from, order->gather);
      }
      const ValueId made = permuted_value(result, inverse(order->after));
      const std::vector<int64_t> dims = graph_.shape(made).dims;
      Node reshape = node;
      reshape.op = "Reshape";
      reshape.version = 1;
      reshape.inputs = {from};
      reshape.outputs = {made};
      reshape.attributes.clear();
      reshape.attributes["shape"] = dims;
      nodes.push_back(std::move(reshape));
      add_transpose(made, result, order->after);
    }
    graph_.nodes = std::move(nodes);
    return true;
  }

  struct ReshapeOrder {
    Perm gather;  // of the source: brings the axes together that the reshape joins
    Perm after;   // of what the reshape then makes
  };

  // How a reshape to `result` of a `source` transposed by `perm` works on the source itself.
  static std::optional<ReshapeOrder> reshape_order(const Shape& source, const Perm& perm, const Shape& result) {
    // Runs of axes on either side with equal products: {axes of the source, axes of the result}.
    struct Run {
      std::vector<int> from, to;
    };
    std::vector<Run> runs;
    int b = 0;
    for (size_t a = 0; a < perm.size();) {
      Run run{{perm[a]}, {}};
      int64_t from = source[perm[a++]], to = 1;
      while (from != to) {
        if (from < to && a < perm.size()) {
          run.from.push_back(perm[a]);
          from *= source[perm[a++]];
        } else if (to < from && b < result.rank()) {
          run.to.push_back(b);
          to *= result[b++];
        } else {
          return {};
        }
      }
      if (run.to.empty() && b < result.rank() && result[b] == 1) run.to.push_back(b++);
      runs.push_back(std::move(run));
    }
    if (runs.empty()) return {};
    // Axes of one element at the end of the result belong to the last run.
    for (; b < result.rank(); ++b) runs.back().to.push_back(b);
    // Runs follow each other as their first axes of more than one element do in the source.
    auto place = [&](const Run& run) {
      int first = -1;
      for (int axis : run.from) {
        if (source[axis] != 1 && (first < 0 || axis < first)) first = axis;
      }
      return first;
    };
    std::vector<size_t> order;
    for (size_t r = 0; r < runs.size(); ++r) order.push_back(r);
    for (size_t r = 0; r < runs.size(); ++r) {
      // A run of ones stays behind the run before it.
      if (place(runs[r]) >= 0 || r == 0) continue;
      runs[r - 1].from.insert(runs[r - 1].from.end(), runs[r].from.begin(), runs[r].from.end());
      runs[r - 1].to.insert(runs[r - 1].to.end(), runs[r].to.begin(), runs[r].to.end());
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(r--));
      order.pop_back();
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return place(runs[x]) < place(runs[y]); });
    ReshapeOrder answer;
    Perm made;
    for (size_t r : order) {
      answer.gather.insert(answer.gather.end(), runs[r].from.begin(), runs[r].from.end());
      made.insert(made.end(), runs[r].to.begin(), runs[r].to.end());
    }
    answer.after = inverse(made);
    return answer;
  }

  // A spatial operator stands further down, with nothing on the way that a transpose could not pass.
  bool meets_spatial(ValueId from, const graph::Uses& uses) const {
    std::vector<ValueId> open{from};
    std::vector<bool> seen(graph_.values.size(), false);
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      if (seen[id.pos()]) continue;
      seen[id.pos()] = true;
      for (size_t reader : uses.readers[id.pos()]) {
        const Node& node = graph_.nodes[reader];
        if (const auto perm = transpose_of(node)) {
          if (*perm == channels_last(static_cast<int>(perm->size()))) return true;
          continue;
        }
        const ops::Room* room = ops::find_room(node.domain, node.op);
        if (!room || (room->layout != ops::Layout::elementwise && room->layout != ops::Layout::axes)) continue;
        for (ValueId output : node.outputs) {
          if (output) open.push_back(output);
        }
      }
    }
    return false;
  }

  // An operand that no transpose makes: constants are permuted, numbers stay, what moves nothing gets a free transpose.
  bool adapt(ValueId id, const Perm& back, int rank, bool elementwise, ValueId& out, std::vector<Node>& added) {
    const Shape shape = graph_.shape(id);
    if (elementwise && shape.count() == 1 && shape.rank() <= 1) {
      out = id;
      return true;
    }
    Shape full = shape;
    while (elementwise && full.rank() < rank) full.dims.insert(full.dims.begin(), 1);
    if (full.rank() != rank) return false;
    if (const Constant* c = graph_.constant(id)) {
      ops::Facts facts{transpose_node_, {{c->dtype(), full}}, {}, {TensorType{}}};
      const Constant reshaped = c->reshaped(full);
      facts.values = {&reshaped};
      transpose_node_.attributes["perm"] = std::vector<int64_t>(back.begin(), back.end());
      transpose_node_.inputs = {id};
      const TensorType type{c->dtype(), permuted(full, back)};
      auto folded = ops::find_room("", "Transpose")->fold(facts, {type});
      if (!folded) return false;
      out = graph_.add_constant(graph_[id].name, std::move((*folded)[0]));
      return true;
    }
    if (full != shape || !moves_nothing(full, back)) return false;
    out = permuted_value(id, back);
    added.push_back(transpose(id, out, back));
    return true;
  }

  // --input-layout nhwc, --output-layout nhwc: the firmware hands images over as the first layer wants them.
  void graph_edges(const PassOptions& options) {
    graph::Uses uses = graph::find_uses(graph_);
    if (options.nhwc_inputs) {
      for (ValueId& input : graph_.inputs) {
        const int rank = graph_.shape(input).rank();
        if (rank < 3) continue;
        const Perm last = channels_last(rank);
        const ValueId handed = graph_.add_value(graph_[input].name, {graph_.dtype(input), permuted(graph_.shape(input), last)});
        graph_[handed].codes = graph_[input].codes;
        // Everything that reads the input as the model has it reads it through a transpose; most of them cancel.
        graph_.nodes.insert(graph_.nodes.begin(), transpose(handed, input, inverse(last)));
        input = handed;
      }
      tidy();
    }
    if (options.nhwc_outputs) {
      for (ValueId& output : graph_.outputs) {
        const int rank = graph_.shape(output).rank();
        if (rank < 3) continue;
        const Perm last = channels_last(rank);
        const ValueId handed = graph_.add_value(graph_[output].name, {graph_.dtype(output), permuted(graph_.shape(output), last)});
        graph_[handed].codes = graph_[output].codes;
        graph_.nodes.push_back(transpose(output, handed, last));
        output = handed;
      }
      tidy();
    }
  }

  // Transpose, then flattening to rows, then a product with known weights: the weights' rows are permuted instead.
  void fold_into_dense() {
    const graph::Uses uses = graph::find_uses(graph_);
    for (Node& dense : graph_.nodes) {
      if (!dense.is("Gemm") && !dense.is("MatMul")) continue;
      if (dense.is("Gemm") && dense.integer("transA", 0) != 0) continue;
      const Constant* weights = dense.has_input(1) ? graph_.constant(dense.inputs[1]) : nullptr;
      if (!weights || weights->shape().rank() != 2) continue;
      // Backwards over elementwise operators of one operand to the reshape.
      ValueId at = dense.inputs[0];
      Node* reshape = nullptr;
      while (at && uses.producer[at.pos()] && uses.readers[at.pos()].size() == 1 && !uses.is_output[at.pos()]) {
        Node& maker = graph_.nodes[*uses.producer[at.pos()]];
        if (maker.is("Reshape") || maker.is("Flatten") || maker.is("Squeeze")) {
          reshape = &maker;
          break;
        }
        const ops::Room* room = ops::find_room(maker.domain, maker.op);
        if (!room || room->layout != ops::Layout::elementwise) break;
        size_t tensors = 0;
        for (ValueId id : maker.inputs) tensors += id && graph_.shape(id).count() != 1;
        if (tensors != 1 || !maker.inputs[0]) break;
        at = maker.inputs[0];
      }
      if (!reshape || !uses.producer[reshape->inputs[0].pos()]) continue;
      Node& moved = graph_.nodes[*uses.producer[reshape->inputs[0].pos()]];
      const auto perm = transpose_of(moved);
      const Shape& rows = graph_.shape(reshape->outputs[0]);
      if (!perm || (*perm)[0] != 0 || rows.rank() < 2) continue;
      const Shape source = graph_.shape(moved.inputs[0]);
      const int64_t features = rows[rows.rank() - 1];
      if (features != source.count(1, source.rank()) || moves_nothing(source, *perm)) continue;
      permute_rows(dense, *weights, source, *perm);
      reshape->inputs[0] = moved.inputs[0];
      reshape->inputs.resize(1);
      const std::vector<int64_t> dims = rows.dims;
      reshape->op = "Reshape";
      reshape->version = 1;
      reshape->attributes.clear();
      reshape->attributes["shape"] = dims;
    }
  }

  // Row k of the weights belongs to feature k of the transposed order; puts it where the untransposed order has it.
  void permute_rows(Node& dense, const Constant& weights, const Shape& source, const Perm& perm) {
    const bool transposed = dense.is("Gemm") && dense.integer("transB", 0) != 0;
    const Shape target = permuted(source, perm);
    const std::vector<int64_t> strides = strides_of(target);
    // View the feature axis of the weights as the transposed axes, permute them back, and flatten again.
    Shape view, order_shape;
    for (int i = 1; i < target.rank(); ++i) view.dims.push_back(target[i]);
    const Perm back = inverse(perm);
    Perm feature_perm;
    for (size_t i = 1; i < back.size(); ++i) feature_perm.push_back(back[i] - 1);
    Perm full;
    const int shift = transposed ? 1 : 0;
    if (transposed) {
      full.push_back(0);
      view.dims.insert(view.dims.begin(), weights.shape()[0]);
    } else {
      view.dims.push_back(weights.shape()[1]);
    }
    for (int axis : feature_perm) full.push_back(axis + shift);
    if (!transposed) full.push_back(view.rank() - 1);
    const Constant reshaped = weights.reshaped(view);
    transpose_node_.attributes["perm"] = std::vector<int64_t>(full.begin(), full.end());
    transpose_node_.inputs = {dense.inputs[1]};
    ops::Facts facts{transpose_node_, {{weights.dtype(), view}}, {&reshaped}, {TensorType{}}};
    auto folded = ops::find_room("", "Transpose")->fold(facts, {{weights.dtype(), permuted(view, full)}});
    TARN_CHECK(folded.has_value());
    const Shape shape = weights.shape();
    dense.inputs[1] = graph_.add_constant(graph_[dense.inputs[1]].name, (*folded)[0].reshaped(shape));
  }

  Graph graph_;
  Node transpose_node_ = [] {
    Node node;
    node.op = "Transpose";
    return node;
  }();
};

}  // namespace

Graph choose_layout(Graph graph, const PassOptions& options) { return LayoutPass(std::move(graph)).run(options); }

}  // namespace tarn::passes
