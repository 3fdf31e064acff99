// Gather, GatherElements, GatherND. Indices known while generating make slices, which may cost nothing, or strided
// copies where they advance evenly.
#include "ops/coded_weights.h"
#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/lines.h"
#include "ops/movement.h"
#include "ops/walks.h"
#include "program/operands.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// Results larger than the constant they are picked from are not stored, but for small ones.
bool worth_folding(const Constant& data, const TensorType& out) {
  const int64_t count = out.shape.count();
  return count <= kMaxFoldedElements && (count <= (1 << 12) || count <= data.count());
}

Answer<Types> infer_gather(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs data and indices"};
  const Shape &x = facts.shape(0), &indices = facts.shape(1);
  const auto axis = normalise_axis(facts.node.integer("axis", 0), x.rank());
  if (!axis) return Fault{"axis is outside " + to_string(x)};
  Shape y;
  for (int i = 0; i < *axis; ++i) y.dims.push_back(x[i]);
  y.dims.insert(y.dims.end(), indices.dims.begin(), indices.dims.end());
  for (int i = *axis + 1; i < x.rank(); ++i) y.dims.push_back(x[i]);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Constants> fold_gather(const Facts& facts, const Types& outputs) {
  const Constant *x = facts.value(0), *indices = facts.value(1);
  if (!x || !indices || indices->is_absent() || !worth_folding(*x, outputs[0])) return {};
  const int axis = *normalise_axis(facts.node.integer("axis", 0), x->shape().rank());
  const auto at = known_indices(*indices, {x->shape()[axis]});
  if (!at) return {};
  const int64_t inner = x->shape().count(axis + 1, x->shape().rank()), size = x->shape()[axis];
  std::vector<int64_t> from;
  for (int64_t o = 0; o < x->shape().count(0, axis); ++o) {
    for (int64_t i : *at) {
      for (int64_t k = 0; k < inner; ++k) from.push_back((o * size + i) * inner + k);
    }
  }
  auto result = pick(*x, outputs[0], from);
  if (!result) return {};
  return Constants{std::move(*result)};
}

// Evenly advancing indices: the first of them and the step.
std::optional<std::pair<int64_t, int64_t>> progression(const std::vector<int64_t>& indices) {
  if (indices.empty()) return {};
  const int64_t step = indices.size() > 1 ? indices[1] - indices[0] : 1;
  for (size_t i = 1; i < indices.size(); ++i) {
    if (indices[i] - indices[i - 1] != step) return {};
  }
  return std::pair{indices[0], step};
}

// y is a run of x from `offset` on, under another shape: whole pixels, or (`within`) channels of one. Pixel by pixel,
// so that either side may have a pitch of its own; nothing at all when y can lie in x.
void lower_run(const Node& node, Lowering& low, int64_t offset, bool within) {
  using program::Pitch;
  using program::Run;
  const int64_t element = bytes_for(low.dtype(node.inputs[0]), 1);
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const int64_t channels = x[x.rank() - 1];
  FieldValue outer = Run{true, 1, 1}, inner = Run{false, 1, element};
  if (within) {
    outer = int64_t{1};
    inner = y.count() * element;
  }
  Argument from = low.read(node.inputs[0]), to = low.write(node.outputs[0]);
  from.pitched = true;
  to.pitched = !within;
  Operation& operation =
      low.call(node, "tarn_copy",
               {"tarn_copy_params",
                {{"outer", outer},
                 {"inner", inner},
                 {"x_pitch", within ? FieldValue{int64_t{0}} : FieldValue{Pitch{Pitch::Of::pixel, 0, element}}},
                 {"y_pitch", within ? FieldValue{int64_t{0}} : FieldValue{Pitch{Pitch::Of::pixel, 1, element}}},
                 {"x_offset", Pitch{Pitch::Of::pixel, 0, offset / channels * element, offset % channels * element}},
                 {"y_offset", int64_t{0}}}},
               {std::move(from), std::move(to)});
  operation.view = program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), offset};
}

// Gather by indices that are known: a part of x, or a strided copy. False: neither.
Answer<bool> lower_known(const Node& node, Lowering& low, const Constant& indices, int axis) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const auto at = known_indices(indices, {x[axis]});
  if (!at) return Fault{"an index lies outside the axis of " + cat(x[axis]), "", "E211"};
  const auto even = progression(*at);
  if (!even) return false;
  const auto [first, step] = *even;
  const auto count = static_cast<int64_t>(at->size());
  const int64_t inner = x.count(axis + 1, x.rank()), outer = x.count(0, axis);
  const bool dense = !low.constant(node.inputs[0]) && step == 1;
  if (dense && x.rank() == y.rank()) {
    if (auto fault = lower_part(node, low, node.outputs[0], node.inputs[0], axis, first, false)) return *fault;
    return true;
  }
  if (dense && outer == 1) {
    lower_run(node, low, first * inner, axis + 1 == x.rank());
    return true;
  }
  if (auto fault =
          lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]),
                        {outer, count, inner}, {x[axis] * inner, step * inner, 1}, first * inner)) {
    return *fault;
  }
  return true;
}

// Known places among the channels of a pixel, or among the pixels of a line, are picked line by line.
void set_picked_lines(const Node& node, Lowering& low, Operation& operation, int axis) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  Argument& from = source_operand(operation);
  if (from.role != Argument::Role::read || x.rank() != y.rank() || axis + 2 < x.rank()) return;
  const bool channels = axis + 1 == x.rank();
  program::Params line = operation.params;
  line["outer"] = channels ? low.geometry(x).pixels : int64_t{1};
  if (channels) {
    from.walk = Walk{.identity = true};
    set_line_by_line(low, operation, std::move(line));
    return;
  }
  if (low.geometry(x) != default_geometry(x)) return;
  const auto places = known_indices(*low.constant(node.inputs[1]), {x[axis]});
  if (!places) return;
  std::vector<std::vector<program::Span>> spans(y.dims.size());
  for (int64_t at : *places) spans[static_cast<size_t>(axis)].push_back({at, at + 1});
  from.walk = axes_walk(x, y, spans);
  set_lines(low, operation, operation.kernel, operation.kernel, std::move(line),
            {line_argument(0), same_argument(1), line_argument(2)});
}

// A table that is stored in fewer bits. As a product with the transposed table packs it: tied embeddings are stored
// once.
QuadPacking table_packing(const Shape& x) {
  QuadPacking packing{x[0], x[0], x.count(1, x.rank()), {}, nullptr};
  for (int64_t k = 0; k < packing.row_stride; ++k) packing.order.push_back(k);
  return packing;
}

Operation& call_coded(const Node& node, Lowering& low, LayerWeights table, const IndexOperand& indices) {
  const Shape& x = low.shape(node.inputs[0]);
  std::vector<Argument> arguments = std::move(table.operands);
  arguments.push_back(indices.argument);
  arguments.push_back(low.write(node.outputs[0]));
  Operation& operation = low.call(
      node, cat("tarn_gather_", table.form, "f32"),
      {"tarn_gather_coded_f32_params",
       {{"size", x[0]}, {"count", low.shape(node.inputs[1]).count()}, {"wide", indices.wide}, {"w", *table.codes}}},
      std::move(arguments));
  operation.note = table.note;
  return operation;
}

std::optional<Fault> lower_gather(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  const int axis = *normalise_axis(node.integer("axis", 0), x.rank());
  if (const Constant* indices = low.constant(node.inputs[1]); indices && !indices->is_absent()) {
    const auto answer = lower_known(node, low, *indices, axis);
    if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
    if (std::get<bool>(answer)) return {};
  }
  auto answer = read_indices(low, node.inputs[1], {x[axis]});
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const IndexOperand& indices = std::get<IndexOperand>(answer);
  if (!is_widened(node)) {
    if (auto table =
            coded_layer_weights(node, low, low.key(node.inputs[0], "/dense_t"), node.inputs[0], table_packing(x))) {
      call_coded(node, low, std::move(*table), indices).returns_status = !indices.trusted;
      return {};
    }
  }
  Operation& operation = low.call(
      node, "tarn_gather_" + bytes_suffix(dtype),
      {"tarn_gather_params",
       {{"outer", x.count(0, axis)},
        {"size", x[axis]},
        {"inner", x.count(axis + 1, x.rank())},
        {"count", low.shape(node.inputs[1]).count()},
        {"wide", indices.wide}}},
      {weight_type_of(node) ? widened_table(node, low, node.inputs[0], table_packing(x)) : low.read(node.inputs[0]),
       indices.argument, low.write(node.outputs[0])});
  operation.returns_status = !indices.trusted;
  if (indices.trusted) set_picked_lines(node, low, operation, axis);
  return {};
}

// A list of indices leaves all axes where they are.
std::optional<std::vector<int>> permute_gather(Graph& graph, Node& node, const std::vector<int>& to) {
  const auto axis = normalise_axis(node.integer("axis", 0), static_cast<int>(to.size()));
  if (!axis || graph.shape(node.inputs[1]).rank() != 1) return {};
  node.attributes["axis"] = static_cast<int64_t>(to[static_cast<size_t>(*axis)]);
  return to;
}

Answer<Types> infer_gather_elements(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs data and indices"};
  const Shape &x = facts.shape(0), &indices = facts.shape(1);
  const auto axis = normalise_axis(facts.node.integer("axis", 0), x.rank());
  bool fits = axis && indices.rank() == x.rank();
  for (int i = 0; fits && i < x.rank(); ++i) fits = i == *axis || indices[i] <= x[i];
  if (!fits) return Fault{cat("indices of ", to_string(indices), " do not fit data of ", to_string(x))};
  return Types{{facts.types[0].dtype, indices}};
}

std::optional<Constants> fold_gather_elements(const Facts& facts, const Types& outputs) {
  const Constant *x = facts.value(0), *indices = facts.value(1);
  if (!x || !indices || indices->is_absent() || outputs[0].shape.count() > kMaxFoldedElements) return {};
  const int axis = *normalise_axis(facts.node.integer("axis", 0), x->shape().rank());
  const auto index = known_indices(*indices, {x->shape()[axis]});
  if (!index) return {};
  const std::vector<int64_t> strides = strides_of(x->shape());
  std::vector<int64_t> at(strides.size(), 0), from;
  for (int64_t i : *index) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) offset += strides[d] * (static_cast<int>(d) == axis ? i : at[d]);
    from.push_back(offset);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < indices->shape().dims[d]) break;
      at[d] = 0;
    }
  }
  auto result = pick(*x, outputs[0], from);
  if (!result) return {};
  return Constants{std::move(*result)};
}

std::optional<Fault> lower_gather_elements(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  const int axis = *normalise_axis(node.integer("axis", 0), x.rank());
  auto answer = read_indices(low, node.inputs[1], {x[axis]});
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const IndexOperand& indices = std::get<IndexOperand>(answer);
  Operation& operation = low.call(node, "tarn_gather_elements_" + bytes_suffix(dtype),
                                  elements_params(x, low.shape(node.inputs[1]), axis, indices, 0),
                                  {low.read(node.inputs[0]), indices.argument, low.write(node.outputs[0])});
  operation.returns_status = !indices.trusted;
  return {};
}

Answer<Types> infer_gather_nd(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs data and indices"};
  const Shape &x = facts.shape(0), &indices = facts.shape(1);
  const int64_t batch = facts.node.integer("batch_dims", 0);
  const int rank = indices.rank();
  bool fits = rank >= 1 && x.rank() >= 1 && batch >= 0 && batch < rank && batch < x.rank() && indices[rank - 1] >= 1 &&
              indices[rank - 1] <= x.rank() - batch;
  for (int i = 0; fits && i < batch; ++i) fits = x[i] == indices[i];
  if (!fits)
    return Fault{
        cat("indices of ", to_string(indices), " do not fit data of ", to_string(x), " with ", batch, " batch axes")};
  Shape y;
  for (int i = 0; i + 1 < rank; ++i) y.dims.push_back(indices[i]);
  for (int i = static_cast<int>(batch + indices[rank - 1]); i < x.rank(); ++i) y.dims.push_back(x[i]);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Constants> fold_gather_nd(const Facts& facts, const Types& outputs) {
  const Constant *x = facts.value(0), *indices = facts.value(1);
  if (!x || !indices || indices->is_absent() || !worth_folding(*x, outputs[0])) return {};
  const TupleGeometry g =
      tuple_geometry(x->shape(), indices->shape(), static_cast<int>(facts.node.integer("batch_dims", 0)));
  const auto index = known_indices(*indices, g.sizes);
  if (!index) return {};
  std::vector<int64_t> from;
  for (int64_t i = 0; i < g.batch * g.count; ++i) {
    int64_t offset = i / g.count * g.pitch;
    for (size_t d = 0; d < g.sizes.size(); ++d)
      offset += (*index)[static_cast<size_t>(i) * g.sizes.size() + d] * g.strides[d];
    for (int64_t k = 0; k < g.inner; ++k) from.push_back(offset + k);
  }
  auto result = pick(*x, outputs[0], from);
  if (!result) return {};
  return Constants{std::move(*result)};
}

std::optional<Fault> lower_gather_nd(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  const TupleGeometry g = tuple_geometry(x, low.shape(node.inputs[1]), static_cast<int>(node.integer("batch_dims", 0)));
  auto answer = read_indices(low, node.inputs[1], g.sizes);
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const IndexOperand& indices = std::get<IndexOperand>(answer);
  Operation& operation = low.call(node, "tarn_gather_nd_" + bytes_suffix(dtype), tuple_params(g, x, indices, 0),
                                  {low.read(node.inputs[0]), indices.argument, low.write(node.outputs[0])});
  operation.returns_status = !indices.trusted;
  return {};
}

}  // namespace

TupleGeometry tuple_geometry(const Shape& x, const Shape& indices, int batch_axes) {
  const auto depth = static_cast<int>(indices[indices.rank() - 1]);
  const std::vector<int64_t> strides = strides_of(x);
  TupleGeometry g;
  g.batch = x.count(0, batch_axes);
  g.count = indices.count(batch_axes, indices.rank() - 1);
  g.inner = x.count(batch_axes + depth, x.rank());
  g.pitch = x.count(batch_axes, x.rank());
  for (int d = batch_axes; d < batch_axes + depth; ++d) {
    g.sizes.push_back(x[d]);
    g.strides.push_back(strides[static_cast<size_t>(d)]);
  }
  return g;
}

program::Params tuple_params(const TupleGeometry& g, const Shape& x, const IndexOperand& indices, int64_t mode) {
  return {"tarn_gather_nd_params",
          {{"batch", g.batch},
           {"count", g.count},
           {"depth", static_cast<int64_t>(g.sizes.size())},
           {"inner", g.inner},
           {"pitch", g.pitch},
           {"sizes", padded_to(g.sizes, 8, 0)},
           {"strides", padded_to(g.strides, 8, 0)},
           {"wide", indices.wide},
           {"mode", mode},
           {"total", x.count()}}};
}

program::Params elements_params(const Shape& x, const Shape& indices, int axis, const IndexOperand& operand,
                                int64_t mode) {
  std::vector<int64_t> strides = strides_of(x);
  const int64_t step = strides[static_cast<size_t>(axis)];
  strides[static_cast<size_t>(axis)] = 0;
  return {"tarn_gather_elements_params",
          {{"rank", static_cast<int64_t>(x.rank())},
           {"dims", padded_to(indices.dims, 8, 1)},
           {"strides", padded_to(strides, 8, 0)},
           {"step", step},
           {"size", x[axis]},
           {"wide", operand.wide},
           {"mode", mode},
           {"total", x.count()}}};
}

std::vector<OperatorEntry> gather_entries() {
  return {{"", "Gather", "any", lower_gather, infer_gather, fold_gather, Layout::axes, permute_gather},
          {"", "GatherElements", "any", lower_gather_elements, infer_gather_elements, fold_gather_elements},
          {"", "GatherND", "any", lower_gather_nd, infer_gather_nd, fold_gather_nd}};
}

}  // namespace tarn::ops
