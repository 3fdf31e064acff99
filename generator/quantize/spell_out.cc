#include "quantize/spell_out.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ops/einsum.h"
#include "ops/folding.h"
#include "quantize/kinds.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

bool has(const ops::Names& names, int name) { return std::find(names.begin(), names.end(), name) != names.end(); }

int64_t length(const Shape& shape, const ops::Names& names, int name) {
  return shape[static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin())];
}

int64_t product_of(const Shape& shape, const ops::Names& names, const ops::Names& some) {
  int64_t product = 1;
  for (const int name : some) product *= length(shape, names, name);
  return product;
}

// The axes of a product of two operands: those of both and the result, those of one, and those summed over.
struct ProductAxes {
  ops::Names batch, rows, columns, summed;
};

// None for what is no one product of matrices.
std::optional<ProductAxes> product_axes(const ops::Equation& equation, const Shape& sa, const Shape& sb) {
  const ops::Names &na = equation.inputs[0], &nb = equation.inputs[1], &ny = equation.output;
  const auto once = [](ops::Names names) {
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
  };
  if (!once(na) || !once(nb)) return {};
  ProductAxes axes;
  for (const int name : na) {
    if (has(nb, name) && length(sa, na, name) != length(sb, nb, name)) return {};  // an axis of 1 is repeated
    if (!has(nb, name) && !has(ny, name)) return {};
    (!has(nb, name) ? axes.rows : has(ny, name) ? axes.batch : axes.summed).push_back(name);
  }
  for (const int name : nb) {
    if (has(na, name)) continue;
    if (!has(ny, name)) return {};
    axes.columns.push_back(name);
  }
  if (axes.summed.empty()) return {};
  return axes;
}

class Speller {
 public:
  explicit Speller(Graph graph) : g_(std::move(graph)) {}

  Graph run() {
    const std::map<size_t, size_t> sums = sums_of_layers();
    std::set<size_t> joined;
    for (const auto& [sum, layer] : sums) joined.insert(layer);
    const std::map<size_t, Scaled> scaled = scaled_products(joined);
    std::vector<Node> nodes = std::move(g_.nodes);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (joined.contains(i)) continue;
      from_ = &nodes[i];
      made_ = 0;
      if (const auto found = sums.find(i); found != sums.end()) layer_with_bias(nodes[found->second], nodes[i]);
      else if (const auto product = scaled.find(i); product != scaled.end()) scale_behind(nodes[i], product->second);
      else if (!spell(nodes[i])) out_.push_back(std::move(nodes[i]));
    }
    g_.nodes = std::move(out_);
    return std::move(g_);
  }

 private:
  // Of sums of a layer and its bias, which MatMul has no operand for, the layer's position. Not where a kernel applies
  // more to them: that must stand just behind.
  std::map<size_t, size_t> sums_of_layers() const {
    std::map<size_t, size_t> sums;
    const graph::Uses uses = graph::find_uses(g_);
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& node = g_.nodes[i];
      if (!node.is("MatMul") || kind_of(g_, node) != Kind::layer) continue;
      const std::optional<size_t> add = bias_behind(g_, uses, i);
      if (!add) continue;
      const ValueId y = g_.nodes[*add].outputs[0];
      const std::span<const size_t> readers = uses.readers[y.pos()];
      const int rank = g_.shape(y).rank();
      const bool more = rank > 2 && readers.size() == 1 && is_step(g_, g_.nodes[readers[0]], y, rank - 1);
      if (!more) sums[*add] = i;
    }
    return sums;
  }

  // A product of two tensors, each of which may have been multiplied by one number.
  struct Scaled {
    std::vector<ValueId> operands;
    double factor = 1;
  };

  // Of products, with the positions of the multiplications that nothing else reads.
  std::map<size_t, Scaled> scaled_products(std::set<size_t>& joined) const {
    std::map<size_t, Scaled> scaled;
    const graph::Uses uses = graph::find_uses(g_);
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      if (kind_of(g_, g_.nodes[i]) != Kind::product) continue;
      Scaled found;
      for (const ValueId id : g_.nodes[i].inputs) {
        found.operands.push_back(id);
        const std::optional<size_t> at = uses.producer[id.pos()];
        if (!at || uses.is_output[id.pos()] || uses.readers[id.pos()].size() != 1) continue;
        if (g_.nodes[i].inputs[0] == g_.nodes[i].inputs[1]) continue;
        const Node& mul = g_.nodes[*at];
        if (!mul.is("Mul") || kind_of(g_, mul) != Kind::function) continue;
        const ValueId x = operand_of(g_, mul);
        found.operands.back() = x;
        found.factor *= floats_of(mul.inputs[mul.inputs[0] == x ? 1 : 0])->real(0);
        joined.insert(*at);
        scaled[i] = found;
      }
      if (scaled.contains(i)) scaled[i] = found;
    }
    return scaled;
  }

  // The kernel multiplies sums by a number anyway; codes in front would take a table and be rounded once more.
  void scale_behind(const Node& product, const Scaled& scaled) {
    const ValueId y = product.outputs[0];
    const Shape shape = g_.shape(y);
    const ValueId sums = add("MatMul", scaled.operands, shape);
    add("Mul", {sums, known("factor", Constant::scalar(DType::float32, scaled.factor))}, shape, y);
  }

  // A matrix product has room for the bias, in whole numbers where operands are codes.
  void layer_with_bias(const Node& layer, const Node& sum) {
    from_ = &layer;
    const ValueId product = layer.outputs[0], weights = layer.inputs[1];
    const ValueId bias = sum.inputs[sum.inputs[0] == product ? 1 : 0];
    const Shape shape = g_.shape(product), w = g_.shape(weights);
    const Shape rows{shape.count() / w[1], w[1]};
    const ValueId x = reshaped(layer.inputs[0], Shape{rows[0], w[0]}), c = reshaped(bias, Shape{w[1]});
    const ValueId y = add("Gemm", {x, weights, c}, rows, shape == rows ? sum.outputs[0] : ValueId());
    if (shape != rows) reshaped(y, shape, sum.outputs[0]);
  }

  bool spell(const Node& node) {
    const bool floats =
        !node.inputs.empty() && node.bodies.empty() && node.domain.empty() && !node.outputs.empty() &&
        std::all_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) { return is_activation(g_, id); });
    if (!floats) return false;
    if (node.op == "Split") return split(node);
    if (node.op == "Sum" || node.op == "Mean" || node.op == "Max" || node.op == "Min") return of_several(node);
    if (node.op == "Gemm") return gemm(node);
    if (node.op == "MatMul") return matmul(node);
    return node.op == "Einsum" && einsum(node);
  }

  // A node for a part of the one that is spelt out; the result is `to`, where that is given.
  ValueId add(const char* op, std::vector<ValueId> inputs, const Shape& shape, ValueId to = {},
              graph::Attributes attributes = {}) {
    Node node;
    node.op = op;
    node.name = made_ == 0 || from_->name.empty() ? from_->name : cat(from_->name, "_", made_);
    node.origins = from_->origins;
    node.origin_names = from_->origin_names;
    node.inputs = std::move(inputs);
    node.attributes = std::move(attributes);
    const std::string base = g_[from_->outputs[0]].name;
    node.outputs = {to ? to : g_.add_value(cat(base, "_part"), {DType::float32, shape})};
    ++made_;
    out_.push_back(std::move(node));
    return out_.back().outputs[0];
  }
  ValueId known(const std::string& name, Constant c) { return g_.add_constant(name, std::move(c)); }
  ValueId places(const std::vector<int64_t>& values) {
    return known("places", Constant::ints(DType::int64, Shape{static_cast<int64_t>(values.size())}, values));
  }

  const Constant* floats_of(ValueId id) const {
    const Constant* c = id ? g_.constant(id) : nullptr;
    return c && !c->is_absent() && c->dtype() == DType::float32 ? c : nullptr;
  }

  ValueId transposed(ValueId id, const std::vector<int64_t>& axes) {
    const Shape from = g_.shape(id);
    Shape to;
    for (const int64_t axis : axes) to.dims.push_back(from[static_cast<int>(axis)]);
    if (std::is_sorted(axes.begin(), axes.end())) return id;
    const Constant* c = floats_of(id);
    if (!c) return add("Transpose", {id}, to, {}, {{"perm", axes}});
    std::vector<int64_t> strides;
    for (const int64_t axis : axes) strides.push_back(from.count(static_cast<int>(axis) + 1, from.rank()));
    return known(g_[id].name, *ops::pick_strided(*c, {DType::float32, to}, strides));
  }
  ValueId swapped(ValueId id) {  // the last two axes
    std::vector<int64_t> axes(static_cast<size_t>(g_.shape(id).rank()));
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return transposed(id, axes);
  }
  ValueId reshaped(ValueId id, const Shape& shape, ValueId to = {}) {
    if (const Constant* c = floats_of(id)) return known(g_[id].name, c->reshaped(shape));
    if (g_.shape(id) == shape && !to) return id;
    return add("Reshape", {id, places(shape.dims)}, shape, to);
  }
  ValueId times(ValueId id, double factor) {
    const Constant* c = floats_of(id);
    if (factor == 1) return id;
    if (!c) return add("Mul", {id, known("factor", Constant::scalar(DType::float32, factor))}, g_.shape(id));
    std::vector<double> values = c->reals();
    for (double& v : values) v *= factor;
    return known(g_[id].name, Constant::floats(DType::float32, c->shape(), values));
  }

  bool split(const Node& node) {
    const ValueId x = node.inputs[0];
    if (!is_activation(g_, x)) return false;
    const int rank = g_.shape(x).rank();
    int64_t axis = node.integer("axis", 0), first = 0;
    if (axis < 0) axis += rank;
    for (const ValueId id : node.outputs) {
      const int64_t end = first + g_.shape(id)[static_cast<int>(axis)];
      add("Slice", {x, places({first}), places({end}), places({axis})}, g_.shape(id), id);
      first = end;
    }
    return true;
  }

  bool of_several(const Node& node) {
    const ValueId y = node.outputs[0];
    const Shape shape = g_.shape(y);
    const bool sums = node.op == "Sum" || node.op == "Mean";
    if (node.inputs.size() < 2 || (!sums && node.inputs.size() == 2) || g_.shape(node.inputs[0]) != shape) return false;
    const char* op = node.op == "Max" ? "Max" : node.op == "Min" ? "Min" : "Add";
    const bool mean = node.op == "Mean";
    ValueId so_far = node.inputs[0];
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      const bool last = i + 1 == node.inputs.size() && !mean;
      so_far = add(op, {so_far, node.inputs[i]}, shape, last ? y : ValueId());
    }
    if (mean) {
      const double part = 1.0 / static_cast<double>(node.inputs.size());
      add("Mul", {so_far, known("factor", Constant::scalar(DType::float32, part))}, shape, y);
    }
    return true;
  }

  // [..., M, K] by [..., K, N]; weights of a layer stand on the right and are a matrix.
  ValueId product(ValueId a, ValueId b, const Shape& shape, ValueId to = {}) {
    if (!floats_of(a)) return add("MatMul", {a, b}, shape, to);
    Shape turned = shape;
    std::swap(turned.dims[turned.dims.size() - 1], turned.dims[turned.dims.size() - 2]);
    const ValueId y = add("MatMul", {swapped(b), swapped(a)}, turned);
    std::vector<int64_t> axes(turned.dims.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return add("Transpose", {y}, shape, to, {{"perm", axes}});
  }

  // Without the axes of length 1 in front of a matrix.
  ValueId as_matrix(ValueId id) {
    const Shape& shape = g_.shape(id);
    const int rank = shape.rank();
    if (!floats_of(id) || rank < 3 || shape.count(0, rank - 2) != 1) return id;
    return reshaped(id, Shape{shape[rank - 2], shape[rank - 1]});
  }

  bool matmul(const Node& node) {
    if (node.inputs.size() != 2 || kind_of(g_, node) != Kind::other) return false;
    ValueId a = node.inputs[0], b = node.inputs[1];
    if (is_activation(g_, a) == is_activation(g_, b) || (!floats_of(a) && !floats_of(b))) return false;
    Shape inner = g_.shape(node.outputs[0]);
    const Shape outer = inner;
    const bool row = g_.shape(a).rank() == 1, column = g_.shape(b).rank() == 1;
    if (row) inner.dims.insert(inner.dims.end() - (column ? 0 : 1), 1);
    if (column) inner.dims.push_back(1);
    const ValueId weights = floats_of(a) ? a : b;
    const Shape& w = g_.shape(weights);
    if (w.rank() > 2 && w.count(0, w.rank() - 2) != 1) return false;
    if (inner.rank() > 2 && w.rank() > g_.shape(floats_of(a) ? b : a).rank()) return false;
    if (row) a = reshaped(a, Shape{1, g_.shape(a)[0]});
    if (column) b = reshaped(b, Shape{g_.shape(b)[0], 1});
    a = as_matrix(a), b = as_matrix(b);
    const ValueId y = product(a, b, inner, row || column ? ValueId() : node.outputs[0]);
    if (row || column) reshaped(y, outer, node.outputs[0]);
    return true;
  }

  // The same number for each row of the result.
  bool is_row(ValueId id, int64_t columns) const {
    const Constant* c = floats_of(id);
    return c && (c->count() == 1 || (c->count() == columns && c->shape()[c->shape().rank() - 1] == columns));
  }

  bool gemm(const Node& node) {
    if (kind_of(g_, node) == Kind::layer) return false;
    ValueId a = node.inputs[0], b = node.inputs[1], c = node.has_input(2) ? node.inputs[2] : ValueId();
    const auto usable = [&](ValueId id) { return is_activation(g_, id) || floats_of(id); };
    if (!usable(a) || !usable(b) || (floats_of(a) && floats_of(b)) || (c && !usable(c))) return false;
    const ValueId y = node.outputs[0];
    const Shape shape = g_.shape(y);
    if (node.integer("transA", 0) != 0) a = swapped(a);
    if (node.integer("transB", 0) != 0) b = swapped(b);
    const double alpha = node.real("alpha", 1);
    if (floats_of(a)) a = times(a, alpha);
    else if (floats_of(b)) b = times(b, alpha);
    const bool open = !floats_of(a) && !floats_of(b) && alpha != 1;
    if (c) c = times(c, node.real("beta", 1));
    if (floats_of(b) && c && is_row(c, shape[1])) {
      const Constant& bias = *floats_of(c);
      const Shape wide{shape[1]};
      if (bias.count() == shape[1]) c = reshaped(c, wide);
      else
        c = known(g_[c].name, Constant::floats(DType::float32, wide,
                                               std::vector<double>(static_cast<size_t>(shape[1]), bias.real(0))));
      add("Gemm", {a, b, c}, shape, y);
      return true;
    }
    ValueId sums = product(a, b, shape, c || open ? ValueId() : y);
    if (open)
      sums = add("Mul", {sums, known("factor", Constant::scalar(DType::float32, alpha))}, shape, c ? ValueId() : y);
    if (c) add("Add", {sums, c}, shape, y);
    return true;
  }

  // One product of matrices.
  bool einsum(const Node& node) {
    if (node.inputs.size() != 2) return false;
    const ValueId a = node.inputs[0], b = node.inputs[1];
    if (!(is_activation(g_, a) || floats_of(a)) || !(is_activation(g_, b) || floats_of(b))) return false;
    const Shape sa = g_.shape(a), sb = g_.shape(b), sy = g_.shape(node.outputs[0]);
    const auto equation = ops::read_equation(node.text("equation", ""), {sa, sb});
    if (!equation) return false;
    const ops::Names &na = equation->inputs[0], &nb = equation->inputs[1], &ny = equation->output;
    const std::optional<ProductAxes> axes = product_axes(*equation, sa, sb);
    if (!axes || (!axes->batch.empty() && (floats_of(a) || floats_of(b)))) return false;
    const int64_t rows = product_of(sa, na, axes->rows), summed = product_of(sa, na, axes->summed),
                  columns = product_of(sb, nb, axes->columns);
    Shape batches;
    for (const int name : axes->batch) batches.dims.push_back(length(sa, na, name));
    const ValueId left = matrices(a, na, {axes->batch, axes->rows, axes->summed}, matrix(batches, rows, summed)),
                  right = matrices(b, nb, {axes->batch, axes->summed, axes->columns}, matrix(batches, summed, columns));
    const Shape made = matrix(batches, rows, columns);
    Shape apart;
    ops::Names order = axes->batch;
    order.insert(order.end(), axes->rows.begin(), axes->rows.end());
    order.insert(order.end(), axes->columns.begin(), axes->columns.end());
    for (const int name : order) apart.dims.push_back(length(sy, ny, name));
    std::vector<int64_t> back;
    for (const int name : ny) back.push_back(std::find(order.begin(), order.end(), name) - order.begin());
    const bool turned = !std::is_sorted(back.begin(), back.end());
    const ValueId sums = product(left, right, made, made == apart && !turned ? node.outputs[0] : ValueId());
    if (sums == node.outputs[0]) return true;
    const ValueId parts = reshaped(sums, apart, turned ? ValueId() : node.outputs[0]);
    if (turned) add("Transpose", {parts}, sy, node.outputs[0], {{"perm", back}});
    return true;
  }

  static Shape matrix(Shape batches, int64_t rows, int64_t columns) {
    batches.dims.push_back(rows);
    batches.dims.push_back(columns);
    return batches;
  }

  // The operand with its axes in the order of `groups`, as matrices.
  ValueId matrices(ValueId id, const ops::Names& names, const std::vector<ops::Names>& groups, const Shape& shape) {
    std::vector<int64_t> axes;
    for (const ops::Names& group : groups) {
      for (const int name : group) axes.push_back(std::find(names.begin(), names.end(), name) - names.begin());
    }
    return reshaped(transposed(id, axes), shape);
  }

  Graph g_;
  std::vector<Node> out_;
  const Node* from_ = nullptr;
  int made_ = 0;  // nodes for it
};

}  // namespace

Graph spell_out(Graph graph) { return Speller(std::move(graph)).run(); }

}  // namespace tarn::quantize
