#include "ops/run_time_shapes.h"

#include <algorithm>

#include "ops/indexed.h"

namespace tarn::ops {

bool decides_at_run_time(const Node& node, const Lowering& low, size_t index) {
  if (!node.has_input(index) || low.constant(node.inputs[index])) return false;
  const auto has_sizes = [&](ValueId id) { return id.valid() && !low.graph()[id].runtime_dims.empty(); };
  return std::none_of(node.inputs.begin(), node.inputs.end(), has_sizes) &&
         std::none_of(node.outputs.begin(), node.outputs.end(), has_sizes);
}

void check_shape(const Node& node, Lowering& low, bool expand, bool zero_copies) {
  if (!decides_at_run_time(node, low, 1)) return;
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  Operation& operation = low.call(node, "tarn_expect_shape",
                                  {"tarn_expect_shape_params",
                                   {{"count", low.shape(node.inputs[1]).count()},
                                    {"expand", int64_t{expand}},
                                    {"copy", int64_t{zero_copies}},
                                    {"rank", int64_t{x.rank()}},
                                    {"x", padded_to(x.dims, 8, 1)},
                                    {"y_rank", int64_t{y.rank()}},
                                    {"y", padded_to(y.dims, 8, 1)}}},
                                  {low.read(node.inputs[1])});
  operation.returns_status = true;
}

void check_axes(const Node& node, Lowering& low, const Shape& x, const Shape& y, const AxesRule& rule) {
  if (!decides_at_run_time(node, low, 1)) return;
  Operation& operation = low.call(node, "tarn_expect_axes",
                                  {"tarn_expect_axes_params",
                                   {{"count", low.shape(node.inputs[1]).count()},
                                    {"rank", int64_t{x.rank()}},
                                    {"x", padded_to(x.dims, 8, 1)},
                                    {"y_rank", int64_t{y.rank()}},
                                    {"y", padded_to(y.dims, 8, 1)},
                                    {"keep", int64_t{rule.keep}},
                                    {"ones", int64_t{rule.ones}},
                                    {"all", int64_t{rule.none_means_all}}}},
                                  {low.read(node.inputs[1])});
  operation.returns_status = true;
}

void check_numbers(const Node& node, Lowering& low, size_t index, const std::vector<int64_t>& values) {
  if (decides_at_run_time(node, low, index)) lower_expected(node, low, node.inputs[index], values);
}

}  // namespace tarn::ops
