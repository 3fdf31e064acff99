// ScatterElements (and Scatter, its old name), ScatterND, TensorScatter: a copy of the data in which some elements are
// replaced. The copy lies where the data lay when those are not needed any more.
#include <cstring>

#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/movement.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

// The numbers that the kernels know the reductions by.
std::optional<int64_t> scatter_mode(const Node& node) {
  const std::string reduction = node.text("reduction", "none");
  if (reduction == "none") return 0;
  if (reduction == "add") return 1;
  if (reduction == "mul") return 2;
  if (reduction == "min") return 3;
  if (reduction == "max") return 4;
  return {};
}

bool is_numeric(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::float64:
    case DType::float16:
    case DType::bfloat16:
    case DType::int8:
    case DType::int16:
    case DType::int32:
    case DType::int64:
    case DType::uint8:
    case DType::uint16:
    case DType::uint32:
    case DType::uint64: return true;
    default: return false;
  }
}

Answer<Types> infer_scatter_elements(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Fault{"needs data, indices and updates"};
  const Shape &x = facts.shape(0), &indices = facts.shape(1);
  const auto axis = normalise_axis(facts.node.integer("axis", 0), x.rank());
  bool fits =
      axis && indices.rank() == x.rank() && facts.shape(2) == indices && facts.types[2].dtype == facts.types[0].dtype;
  for (int i = 0; fits && i < x.rank(); ++i) fits = i == *axis || indices[i] <= x[i];
  if (!fits) {
    return Fault{cat("indices of ", to_string(indices), " and updates of ", to_string(facts.types[2]),
                     " do not fit data of ", to_string(facts.types[0]))};
  }
  if (!scatter_mode(facts.node)) return Fault{"unknown reduction '" + facts.node.text("reduction", "") + "'"};
  return Types{facts.types[0]};
}

Answer<Types> infer_scatter_nd(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Fault{"needs data, indices and updates"};
  const Shape &x = facts.shape(0), &indices = facts.shape(1);
  const int rank = indices.rank();
  bool fits = rank >= 1 && x.rank() >= 1 && indices[rank - 1] >= 1 && indices[rank - 1] <= x.rank() &&
              facts.types[2].dtype == facts.types[0].dtype;
  if (fits) {
    Shape updates(std::vector<int64_t>(indices.dims.begin(), indices.dims.end() - 1));
    updates.dims.insert(updates.dims.end(), x.dims.begin() + indices[rank - 1], x.dims.end());
    fits = updates == facts.shape(2);
  }
  if (!fits) {
    return Fault{cat("indices of ", to_string(indices), " and updates of ", to_string(facts.types[2]),
                     " do not fit data of ", to_string(facts.types[0]))};
  }
  if (!scatter_mode(facts.node)) return Fault{"unknown reduction '" + facts.node.text("reduction", "") + "'"};
  return Types{facts.types[0]};
}

// Joins one element of `updates` into `bytes`; only replacing is folded.
std::optional<Constants> replaced(const Facts& facts, const Types& outputs, const std::vector<int64_t>& to) {
  const DType dtype = outputs[0].dtype;
  std::vector<uint8_t> bytes = facts.value(0)->bytes();
  const std::vector<uint8_t> updates = facts.value(2)->bytes();
  const auto size = static_cast<size_t>(bytes_for(dtype, 1));
  for (size_t i = 0; i < to.size(); ++i) {
    std::memcpy(bytes.data() + static_cast<size_t>(to[i]) * size, updates.data() + i * size, size);
  }
  return Constants{Constant::of(outputs[0], std::move(bytes))};
}

bool can_fold(const Facts& facts, const Types& outputs) {
  return all_known(facts) && !any_absent(facts) && scatter_mode(facts.node) == 0 &&
         outputs[0].shape.count() <= kMaxFoldedElements && !refuse_odd_bytes(outputs[0].dtype);
}

std::optional<Constants> fold_scatter_elements(const Facts& facts, const Types& outputs) {
  if (!can_fold(facts, outputs)) return {};
  const Shape &x = facts.shape(0), &dims = facts.shape(1);
  const int axis = *normalise_axis(facts.node.integer("axis", 0), x.rank());
  const auto index = known_indices(*facts.value(1), {x[axis]});
  if (!index) return {};
  const std::vector<int64_t> strides = strides_of(x);
  std::vector<int64_t> at(strides.size(), 0), to;
  for (int64_t i : *index) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) offset += strides[d] * (static_cast<int>(d) == axis ? i : at[d]);
    to.push_back(offset);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < dims.dims[d]) break;
      at[d] = 0;
    }
  }
  return replaced(facts, outputs, to);
}

std::optional<Constants> fold_scatter_nd(const Facts& facts, const Types& outputs) {
  if (!can_fold(facts, outputs)) return {};
  const TupleGeometry g = tuple_geometry(facts.shape(0), facts.shape(1), 0);
  const auto index = known_indices(*facts.value(1), g.sizes);
  if (!index) return {};
  std::vector<int64_t> to;
  for (int64_t i = 0; i < g.count; ++i) {
    int64_t offset = 0;
    for (size_t d = 0; d < g.sizes.size(); ++d)
      offset += (*index)[static_cast<size_t>(i) * g.sizes.size() + d] * g.strides[d];
    for (int64_t k = 0; k < g.inner; ++k) to.push_back(offset + k);
  }
  return replaced(facts, outputs, to);
}

// Nothing is replaced: the data under another name.
std::optional<Fault> lower_unchanged(const Node& node, Lowering& low) {
  std::optional<program::View> view;
  if (!low.constant(node.inputs[0])) view = program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0};
  lower_copy(node, low, node.inputs[0], node.outputs[0], view);
  return {};
}

std::string kernel_of(const std::string& stem, int64_t mode, DType dtype) {
  return mode == 0 ? stem + "_" + bytes_suffix(dtype) : stem + "_join_" + kernel_suffix(dtype);
}

std::optional<Fault> lower_scatter(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &dims = low.shape(node.inputs[1]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  const int64_t mode = *scatter_mode(node);
  if (mode != 0 && !is_numeric(dtype)) return Fault{"a reduction of " + to_string(dtype), "", "E204"};
  if (low.shape(node.inputs[2]).count() == 0) return lower_unchanged(node, low);
  const bool tuples = node.op == "ScatterND";
  const int axis = tuples ? 0 : *normalise_axis(node.integer("axis", 0), x.rank());
  TupleGeometry g;
  if (tuples) g = tuple_geometry(x, dims, 0);
  auto answer = read_indices(low, node.inputs[1], tuples ? g.sizes : std::vector<int64_t>{x[axis]});
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const IndexOperand& indices = std::get<IndexOperand>(answer);
  // The kernel copies all of x before it changes anything: y may be x.
  Operation& operation =
      low.call(node, kernel_of(tuples ? "tarn_scatter_nd" : "tarn_scatter_elements", mode, dtype),
               tuples ? tuple_params(g, x, indices, mode) : elements_params(x, dims, axis, indices, mode),
               {low.read(node.inputs[0], elementwise_walk()), indices.argument, low.read(node.inputs[2]),
                low.write(node.outputs[0])});
  operation.returns_status = !indices.trusted;
  return {};
}

Answer<Types> infer_tensor_scatter(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs a cache and an update"};
  const Shape &x = facts.shape(0), &update = facts.shape(1);
  const auto axis = normalise_axis(facts.node.integer("axis", -2), x.rank());
  const std::string mode = facts.node.text("mode", "linear");
  bool fits = axis && *axis > 0 && update.rank() == x.rank() && facts.types[1].dtype == facts.types[0].dtype;
  for (int i = 0; fits && i < x.rank(); ++i) fits = i == *axis ? update[i] <= x[i] : update[i] == x[i];
  if (fits && facts.has(2)) fits = facts.shape(2) == Shape{x[0]};
  if (!fits)
    return Fault{
        cat("an update of ", to_string(facts.types[1]), " does not fit a cache of ", to_string(facts.types[0]))};
  if (mode != "linear" && mode != "circular") return Fault{"unknown mode '" + mode + "'"};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_tensor_scatter(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &update = low.shape(node.inputs[1]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  if (node.has_input(2) && low.dtype(node.inputs[2]) != DType::int64)
    return Fault{"write indices are no int64", "", "E204"};
  if (update.count() == 0) return lower_unchanged(node, low);
  const int axis = *normalise_axis(node.integer("axis", -2), x.rank());
  Operation& operation =
      low.call(node, "tarn_tensor_scatter_" + bytes_suffix(dtype),
               {"tarn_tensor_scatter_params",
                {{"batch", x[0]},
                 {"outer", x.count(1, axis)},
                 {"size", x[axis]},
                 {"count", update[axis]},
                 {"inner", x.count(axis + 1, x.rank())},
                 {"circular", int64_t{node.text("mode", "linear") == "circular"}}}},
               {low.read(node.inputs[0], elementwise_walk()), low.read(node.inputs[1]),
                node.has_input(2) ? low.read(node.inputs[2]) : low.none(), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> scatter_entries() {
  return {{"", "Scatter", "any", lower_scatter, infer_scatter_elements, fold_scatter_elements},
          {"", "ScatterElements", "any", lower_scatter, infer_scatter_elements, fold_scatter_elements},
          {"", "ScatterND", "any", lower_scatter, infer_scatter_nd, fold_scatter_nd},
          {"", "TensorScatter", "any", lower_tensor_scatter, infer_tensor_scatter}};
}

}  // namespace tarn::ops
