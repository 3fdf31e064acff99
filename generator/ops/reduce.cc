// Entries of the reductions. The axes are an attribute in older opsets and an input in newer ones; axes known only at
// run time are recovered from the shapes where these leave one choice.
#include "ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/folding.h"
#include "ops/indexing.h"
#include "ops/lines.h"
#include "ops/movement.h"
#include "ops/run_time_shapes.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using Mask = std::vector<bool>;  // by axis: is it reduced?

bool keeps_dims(const Node& node) { return node.integer("keepdims", 1) != 0; }

bool has_axes(const Node& node) { return node.has("axes") || node.has_input(1); }

Answer<Mask> mask_of(const Node& node, const std::vector<int64_t>& axes, int rank) {
  // No axes: all of them, unless the node asks for none.
  Mask mask(static_cast<size_t>(rank), axes.empty() && node.integer("noop_with_empty_axes", 0) == 0);
  for (int64_t axis : axes) {
    const auto at = normalise_axis(axis, rank);
    if (!at) return Fault{cat("axis ", axis, " is outside an input of rank ", rank)};
    mask[static_cast<size_t>(*at)] = true;
  }
  return mask;
}

// The axes that must have been reduced for x to become y; empty when that leaves a choice. Axes of one element may
// count either way: the result is the same.
std::optional<Mask> mask_from_shapes(const Shape& x, const Shape& y, bool keep) {
  Mask mask(x.dims.size(), false);
  if (keep) {
    if (x.rank() != y.rank()) return {};
    for (int i = 0; i < x.rank(); ++i) {
      if (x[i] != y[i] && y[i] != 1) return {};
      mask[static_cast<size_t>(i)] = x[i] != y[i];
    }
    return mask;
  }
  std::vector<size_t> axes, first, last;
  std::vector<int64_t> wanted;
  for (size_t i = 0; i < x.dims.size(); ++i) {
    if (x.dims[i] != 1) axes.push_back(i);
  }
  for (int64_t d : y.dims) {
    if (d != 1) wanted.push_back(d);
  }
  // The kept axes are found from the left and from the right; only one choice when both agree.
  for (size_t i = 0; i < axes.size() && first.size() < wanted.size(); ++i) {
    if (x.dims[axes[i]] == wanted[first.size()]) first.push_back(axes[i]);
  }
  for (size_t i = axes.size(); i-- > 0 && last.size() < wanted.size();) {
    if (x.dims[axes[i]] == wanted[wanted.size() - 1 - last.size()]) last.push_back(axes[i]);
  }
  std::reverse(last.begin(), last.end());
  if (first.size() != wanted.size() || first != last) return {};
  for (size_t axis : axes) mask[axis] = std::find(first.begin(), first.end(), axis) == first.end();
  return mask;
}

Shape reduced_shape(const Shape& x, const Mask& mask, bool keep) {
  Shape y;
  for (int i = 0; i < x.rank(); ++i) {
    if (!mask[static_cast<size_t>(i)]) y.dims.push_back(x[i]);
    else if (keep) y.dims.push_back(1);
  }
  return y;
}

Answer<Types> infer_reduce(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no input"};
  const auto axes = has_axes(facts.node) ? integers_of(facts, 1, "axes") : std::vector<int64_t>{};
  if (!axes) {
    const TensorType& declared = facts.declared[0];
    if (declared.dtype != DType::undefined) return Types{{facts.types[0].dtype, declared.shape}};
    // Of as many elements as what is made of it; the run checks that the axes give just that.
    if (facts.hint()) return Types{{facts.types[0].dtype, *facts.hint()}};
    return Types{TensorType{}};
  }
  const Answer<Mask> mask = mask_of(facts.node, *axes, facts.shape(0).rank());
  if (const Fault* fault = std::get_if<Fault>(&mask)) return *fault;
  return Types{{facts.types[0].dtype, reduced_shape(facts.shape(0), std::get<Mask>(mask), keeps_dims(facts.node))}};
}

// One result of a folded reduction, fed element by element.
class Fold64 {
 public:
  Fold64(const std::string& op, bool whole) : op_(op), whole_(whole) {
    if (op == "ReduceProd") real_ = 1, integer_ = 1;
    if (op == "ReduceMax" || op == "ReduceLogSumExp")
      real_ = -kInfinity, integer_ = std::numeric_limits<int64_t>::min();
    if (op == "ReduceMin") real_ = kInfinity, integer_ = std::numeric_limits<int64_t>::max();
  }
  void add(double v) {
    ++count_;
    if (op_ == "ReduceMax") real_ = v > real_ || std::isnan(v) ? v : real_;
    else if (op_ == "ReduceMin") real_ = v < real_ || std::isnan(v) ? v : real_;
    else if (op_ == "ReduceProd") real_ *= v;
    else if (op_ == "ReduceL1") real_ += std::fabs(v);
    else if (op_ == "ReduceL2" || op_ == "ReduceSumSquare") real_ += v * v;
    else if (op_ == "ReduceLogSumExp") add_exponential(v);
    else real_ += v;
  }
  void add(int64_t v) {
    ++count_;
    const auto u = static_cast<uint64_t>(v), s = static_cast<uint64_t>(integer_);
    if (op_ == "ReduceMax") integer_ = std::max(integer_, v);
    else if (op_ == "ReduceMin") integer_ = std::min(integer_, v);
    else if (op_ == "ReduceProd") integer_ = static_cast<int64_t>(s * u);
    else if (op_ == "ReduceL1") integer_ = static_cast<int64_t>(s + (v < 0 ? 0 - u : u));
    else if (op_ == "ReduceSumSquare") integer_ = static_cast<int64_t>(s + u * u);
    else integer_ = static_cast<int64_t>(s + u);
  }
  double real() const {
    if (op_ == "ReduceMean") return real_ / static_cast<double>(count_);
    if (op_ == "ReduceL2") return std::sqrt(real_);
    if (op_ == "ReduceLogSum") return std::log(real_);
    if (op_ == "ReduceLogSumExp") return std::log(sum_) + real_;
    return real_;
  }
  int64_t integer() const {
    if (op_ == "ReduceMean") return count_ == 0 || (integer_ == INT64_MIN && count_ == -1) ? 0 : integer_ / count_;
    return integer_;
  }
  bool whole() const { return whole_; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  void add_exponential(double v) {
    if (v > real_) {
      sum_ = sum_ * std::exp(real_ - v) + 1;
      real_ = v;
    } else {
      sum_ += v == real_ ? 1 : std::exp(v - real_);
    }
  }
  std::string op_;
  bool whole_;
  double real_ = 0, sum_ = 0;
  int64_t integer_ = 0, count_ = 0;
};

std::optional<Constants> fold_reduce(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  const auto axes = has_axes(facts.node) ? integers_of(facts, 1, "axes") : std::vector<int64_t>{};
  if (!x || !axes || x->is_strings()) return {};
  if (x->is_absent()) return absent_like(facts, outputs);
  const Answer<Mask> answer = mask_of(facts.node, *axes, x->shape().rank());
  const std::string& op = facts.node.op;
  const bool whole = !is_float(x->dtype());
  // Integers whose result goes through floats, and those that do not fit int64, are left to the kernel.
  const bool through_float = op == "ReduceL2" || op == "ReduceLogSum" || op == "ReduceLogSumExp";
  if (!std::holds_alternative<Mask>(answer) || x->count() > kMaxFoldedElements) return {};
  if (whole && (through_float || x->dtype() == DType::uint64)) return {};
  const Mask& mask = std::get<Mask>(answer);
  // Where each element goes: the strides of the result, 0 along reduced axes.
  const Shape kept = reduced_shape(x->shape(), mask, true);
  std::vector<int64_t> strides = strides_of(kept);
  for (size_t i = 0; i < strides.size(); ++i) {
    if (mask[i]) strides[i] = 0;
  }
  const TensorType& type = outputs[0];
  std::vector<Fold64> results(static_cast<size_t>(type.shape.count()), Fold64(op, whole));
  if (whole && (op == "ReduceMax" || op == "ReduceMin") && x->count() == 0) return {};
  const std::vector<int64_t> places = strided_indices(x->shape().dims, strides);
  for (size_t i = 0; i < places.size(); ++i) {
    Fold64& result = results[static_cast<size_t>(places[i])];
    if (whole) result.add(x->integer(static_cast<int64_t>(i)));
    else result.add(x->real(static_cast<int64_t>(i)));
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  for (size_t i = 0; i < results.size(); ++i) {
    if (whole) write_int(type.dtype, bytes.data(), static_cast<int64_t>(i), results[i].integer());
    else write_double(type.dtype, bytes.data(), static_cast<int64_t>(i), results[i].real());
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

// A run of axes, all kept or all reduced; `step` between neighbours along it.
struct Group {
  int64_t count = 1, step = 0;
};

struct Groups {
  std::vector<Group> kept, reduced;
  int64_t columns = 1;
};

Groups groups_of(const Shape& x, const Mask& mask) {
  Groups groups;
  const std::vector<int64_t> strides = strides_of(x);
  int last = -1;  // what the group before holds
  for (size_t i = 0; i < mask.size(); ++i) {
    const int64_t d = x.dims[i];
    if (d == 1) continue;
    std::vector<Group>& list = mask[i] ? groups.reduced : groups.kept;
    if (last == static_cast<int>(mask[i])) list.back() = {list.back().count * d, strides[i]};
    else list.push_back({d, strides[i]});
    last = mask[i];
  }
  // Kept neighbours in memory are done side by side.
  if (last == 0) {
    groups.columns = groups.kept.back().count;
    groups.kept.pop_back();
  }
  return groups;
}

program::Params reduce_params(const Shape& x, const Mask& mask, int64_t results) {
  const Groups groups = groups_of(x, mask);
  auto list = [](const std::vector<Group>& of, int64_t Group::*member, int64_t otherwise) {
    std::vector<int64_t> numbers(4 - of.size(), otherwise);
    for (const Group& g : of) numbers.push_back(g.*member);
    return numbers;
  };
  return {"tarn_reduce_params",
          {{"kept", list(groups.kept, &Group::count, 1)},
           {"kept_step", list(groups.kept, &Group::step, 0)},
           {"reduced", list(groups.reduced, &Group::count, 1)},
           {"reduced_step", list(groups.reduced, &Group::step, 0)},
           {"columns", groups.columns},
           {"count", results ? x.count() / results : 0}}};
}

std::string kernel_of(const Node& node, DType dtype, const std::string& kind) {
  std::string kernel = "tarn_" + node.op + kind + "_" + kernel_suffix(dtype);
  std::transform(kernel.begin(), kernel.end(), kernel.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kernel;
}

// Neither the generator nor the shapes tell the axes: the kernel reads them, and checks that they give the planned
// size.
std::optional<Fault> lower_run_time_axes(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const std::string kernel = kernel_of(node, low.dtype(node.inputs[0]), "_axes");
  if (!reduce_kernel(kernel))
    return Fault{"not for element type " + to_string(low.dtype(node.inputs[0])), "insert a Cast", "E204"};
  std::vector<int64_t> dims = x.dims;
  dims.resize(kMaxRank, 1);
  program::Operation& operation =
      low.call(node, kernel,
               {"tarn_reduce_axes_params",
                {{"rank", int64_t{x.rank()}},
                 {"dims", dims},
                 {"axes", low.shape(node.inputs[1]).count()},
                 {"noop", node.integer("noop_with_empty_axes", 0)},
                 {"results", y.count()}}},
               {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

std::optional<Fault> lower_reduce(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const auto axes = has_axes(node) ? integers_of(node, low, 1, "axes") : std::vector<int64_t>{};
  std::optional<Mask> mask;
  if (axes) mask = std::get<Mask>(mask_of(node, *axes, x.rank()));
  else mask = mask_from_shapes(x, y, keeps_dims(node));
  if (!mask) return lower_run_time_axes(node, low);
  if (!axes) check_axes(node, low, x, y, {keeps_dims(node), false, node.integer("noop_with_empty_axes", 0) == 0});
  const std::string kernel = kernel_of(node, dtype, "");
  if (!reduce_kernel(kernel)) return Fault{"not for element type " + to_string(dtype), "insert a Cast", "E204"};
  Operation& operation = low.call(node, kernel, reduce_params(x, *mask, y.count()),
                                  {low.read(node.inputs[0]), low.write(node.outputs[0])});
  // A mean over the pixels of an image or the steps of a signal.
  const int last = x.rank() - 1;
  const auto reduced = [&](int axis) -> bool { return (*mask)[static_cast<size_t>(axis)]; };
  const bool pixels = (last == 2 || last == 3) && x[0] == 1 && reduced(1) && reduced(last - 1) && !reduced(last);
  if (node.op == "ReduceMean" && dtype == DType::float32 && pixels)
    set_global_sums(low, operation, x[last], x.count(1, last), x[last]);
  if (last < 2) return {};
  // Within lines: each is reduced by itself.
  const Geometry of = low.geometry(x);
  const Shape line{of.pixels, of.channels};
  const Mask of_line{reduced(last - 1), reduced(last)};
  if (std::count(mask->begin(), mask->end(), true) == std::count(of_line.begin(), of_line.end(), true)) {
    set_reduced_lines(low, operation, node, x, of_line[0], of_line[1],
                      reduce_params(line, of_line, reduced_shape(line, of_line, true).count()));
  }
  return {};
}

std::optional<std::vector<int>> permute_reduce(Graph& graph, Node& node, const std::vector<int>& to) {
  std::vector<int64_t> axes = node.integers("axes");
  if (node.has_input(1)) {
    const Constant* c = graph.constant(node.inputs[1]);
    if (!c || c->is_absent()) return {};
    axes = c->integers();
  }
  const Answer<Mask> mask = mask_of(node, axes, static_cast<int>(to.size()));
  if (!std::holds_alternative<Mask>(mask)) return {};
  const Mask& reduced = std::get<Mask>(mask);
  Mask moved(to.size());
  axes.clear();
  for (size_t i = 0; i < to.size(); ++i) {
    if (!reduced[i]) continue;
    axes.push_back(to[i]);
    moved[static_cast<size_t>(to[i])] = true;
  }
  // Reducing nothing cannot be told apart from reducing everything once the axes are spelled out.
  if (axes.empty()) return {};
  node.inputs.resize(1);
  node.attributes["axes"] = axes;
  if (keeps_dims(node)) return to;
  std::vector<int> rest;
  for (size_t i = 0; i < to.size(); ++i) {
    if (reduced[i]) continue;
    const int before = static_cast<int>(std::count(moved.begin(), moved.begin() + to[i], true));
    rest.push_back(to[i] - before);
  }
  return rest;
}

}  // namespace

std::vector<OperatorEntry> reduce_entries() {
  std::vector<OperatorEntry> entries;
  for (const ReduceOp& op : reduce_ops()) {
    entries.push_back({"", op.op, op.for_bool ? "floats, integers, bool" : "floats, integers", lower_reduce,
                       infer_reduce, fold_reduce, Layout::axes, permute_reduce,
                       "axes known while generating, or told by the shapes"});
  }
  return entries;
}

}  // namespace tarn::ops
