// Operators that take samples of images at places which other tensors give: GridSample, AffineGrid, RoiAlign,
// MaxRoiPool and DeformConv. Images stand channels last.
#include <algorithm>

#include "ops/packing.h"
#include "ops/run_time_shapes.h"
#include "ops/spatial.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

bool computes(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 || dtype == DType::bfloat16;
}

DType sampling_type(DType dtype) { return dtype == DType::float64 ? DType::float64 : DType::float32; }

// All the given inputs have the element type of the first, which is a type the kernels compute with.
std::optional<Fault> refuse(const Node& node, const Lowering& low, std::initializer_list<size_t> inputs) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!computes(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  for (size_t i : inputs) {
    if (node.has_input(i) && low.dtype(node.inputs[i]) != dtype) {
      return Fault{cat("input ", i, " is of type ", to_string(low.dtype(node.inputs[i])), ", not ", to_string(dtype)),
                   "", "E204"};
    }
  }
  return {};
}

Answer<Types> infer_grid_sample(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs images and a grid"};
  const Shape &x = facts.shape(0), &grid = facts.shape(1);
  if (x.rank() < 3 || grid.rank() != x.rank() || grid[0] != x[0] || grid[grid.rank() - 1] != x.rank() - 2) {
    return Fault{"images " + to_string(x) + " and grid " + to_string(grid) + " do not fit"};
  }
  Shape y{x[0], x[1]};
  for (int i = 1; i + 1 < grid.rank(); ++i) y.dims.push_back(grid[i]);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Fault> lower_grid_sample(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &grid = low.shape(node.inputs[1]);
  const DType dtype = low.dtype(node.inputs[0]);
  const int dims = x.rank() - 2;
  const std::string mode = node.text("mode", "linear"), padding = node.text("padding_mode", "zeros");
  const int64_t taps = mode == "nearest"                        ? 1
                       : mode == "linear" || mode == "bilinear" ? 2
                       : mode == "cubic" || mode == "bicubic"   ? 4
                                                                : 0;
  const int64_t outside = padding == "zeros" ? 0 : padding == "border" ? 1 : padding == "reflection" ? 2 : -1;
  if (taps == 0 || outside < 0) return Fault{"mode '" + mode + "' with padding_mode '" + padding + "' is unknown"};
  if (taps > 1 && !computes(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  if (is_packed(dtype) || !(computes(dtype) || is_integer(dtype) || dtype == DType::boolean)) {
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  }
  if (low.dtype(node.inputs[1]) != DType::float32)
    return Fault{"a grid of type " + to_string(low.dtype(node.inputs[1])), "", "E204"};
  if (dims > 3) return Fault{"more than three spatial axes"};
  if (x.count(1, x.rank() - 1) == 0) return Fault{"there is nothing to sample in " + to_string(x)};
  std::vector<int64_t> in(3, 1);
  const auto first = static_cast<size_t>(3 - dims);
  for (int i = 0; i < dims; ++i) in[first + static_cast<size_t>(i)] = x[1 + i];
  // The grid is read sample by sample, as the output is made.
  Walk walk;
  walk.identity = true;
  const std::string kernel = "tarn_gridsample_" + kernel_suffix(dtype);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"images", x[0]},
                 {"samples", grid.count(1, grid.rank() - 1)},
                 {"dims", dims},
                 {"in", in},
                 {"channels", x[x.rank() - 1]},
                 {"taps", taps},
                 {"padding", outside},
                 {"align_corners", int64_t{node.integer("align_corners", 0) != 0}}}},
               {low.read(node.inputs[0]), low.read(node.inputs[1], std::move(walk)), low.write(node.outputs[0])});
  operation.macs = low.shape(node.outputs[0]).count();
  for (int i = 0; i < dims; ++i) operation.macs *= taps;
  return {};
}

std::optional<Fault> lower_affine_grid(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low, {})) return fault;
  const Shape &theta = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const int dims = y.rank() - 2;
  if ((dims != 2 && dims != 3) || y[y.rank() - 1] != dims || theta != Shape{y[0], dims, dims + 1}) {
    return Fault{"theta " + to_string(theta) + " does not fit the grid " + to_string(y)};
  }
  std::vector<int64_t> sizes(y.dims.begin(), y.dims.end() - 1);
  sizes.insert(sizes.begin() + 1, -1);
  if (low.shape(node.inputs[1]).count() != static_cast<int64_t>(sizes.size()))
    return Fault{"the size does not fit " + to_string(y)};
  check_numbers(node, low, 1, sizes);
  const std::string kernel = "tarn_affinegrid_" + kernel_suffix(low.dtype(node.inputs[0]));
  low.call(node, kernel,
           {kernel + "_params",
            {{"images", y[0]},
             {"dims", dims},
             {"out", std::vector<int64_t>{dims == 3 ? y[1] : 1, y[dims - 1], y[dims]}},
             {"align_corners", int64_t{node.integer("align_corners", 0) != 0}}}},
           {low.read(node.inputs[0]), low.write(node.outputs[0])});
  return {};
}

// N, C, H, W of sizes; the grid has a place for each pixel.
Answer<Types> infer_affine_grid(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs theta and a size"};
  const Constant* size = facts.value(1);
  if (!size || size->is_absent()) {
    if (!facts.declared.empty() && facts.declared[0].dtype != DType::undefined)
      return Types{{facts.types[0].dtype, facts.declared[0].shape}};
    return Types{TensorType{}};
  }
  const std::vector<int64_t> sizes = size->integers();
  if (sizes.size() != 4 && sizes.size() != 5) return Fault{cat(sizes.size(), " sizes")};
  Shape y{sizes[0]};
  y.dims.insert(y.dims.end(), sizes.begin() + 2, sizes.end());
  y.dims.push_back(static_cast<int64_t>(sizes.size()) - 2);
  if (!checked_count(y)) return Fault{"sizes [" + join(sizes) + "] are impossible", "", "E207"};
  return Types{{facts.types[0].dtype, std::move(y)}};
}

// The parameters of kernels that make one small image, `y`, of each region of images `x`; both channels last.
std::vector<program::Field> region_fields(const Shape& x, const Shape& y) {
  return {{"images", x[0]},  {"lines", x[1]},     {"pixels", x[2]},    {"channels", x[3]},
          {"regions", y[0]}, {"out_lines", y[1]}, {"out_pixels", y[2]}};
}

std::optional<Fault> lower_roi_align(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low, {1})) return fault;
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]), &regions = low.shape(node.inputs[1]);
  const std::string mode = node.text("mode", "avg");
  const std::string transform =
      node.text("coordinate_transformation_mode", node.version >= 16 ? "half_pixel" : "output_half_pixel");
  if (mode != "avg" && mode != "max") return Fault{"mode '" + mode + "' is unknown"};
  if (regions != Shape{y[0], 4} || low.shape(node.inputs[2]).count() != y[0] ||
      low.dtype(node.inputs[2]) != DType::int64) {
    return Fault{"regions " + to_string(regions) + " do not fit " + to_string(y)};
  }
  const int64_t samples = node.integer("sampling_ratio", 0);
  if (samples < 0 || samples > 4096 || x.count() == 0)
    return Fault{cat("sampling_ratio ", samples, " for ", to_string(x))};
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_roialign_" + kernel_suffix(dtype);
  program::Params params{kernel + "_params", region_fields(x, y)};
  params.append({{"samples", samples},
                 {"largest", int64_t{mode == "max"}},
                 {"half_pixel", int64_t{transform == "half_pixel"}},
                 {"scale", real_field(node.real("spatial_scale", 1), dtype)}});
  Operation& operation = low.call(
      node, kernel, std::move(params),
      {low.read(node.inputs[0]), low.read(node.inputs[1]), low.read(node.inputs[2]), low.write(node.outputs[0])});
  operation.returns_status = true;
  operation.macs = y.count() * 4 * std::max<int64_t>(1, samples * samples);
  return {};
}

Answer<Types> infer_roi_align(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || facts.shape(0).rank() != 4 || facts.shape(1).rank() != 2)
    return Fault{"needs images and regions"};
  const int64_t h = facts.node.integer("output_height", 1), w = facts.node.integer("output_width", 1);
  if (h < 1 || w < 1 || h > INT32_MAX || w > INT32_MAX)
    return Fault{cat("an output of ", h, " x ", w, " is impossible")};
  return Types{{facts.types[0].dtype, Shape{facts.shape(1)[0], facts.shape(0)[1], h, w}}};
}

std::optional<Fault> lower_max_roi_pool(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low, {1})) return fault;
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  if (low.shape(node.inputs[1]) != Shape{y[0], 5})
    return Fault{"regions " + to_string(low.shape(node.inputs[1])) + " do not fit"};
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_maxroipool_" + kernel_suffix(dtype);
  program::Params params{kernel + "_params", region_fields(x, y)};
  params.append({{"scale", real_field(node.real("spatial_scale", 1), dtype)}});
  Operation& operation = low.call(node, kernel, std::move(params),
                                  {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

Answer<Types> infer_max_roi_pool(const Facts& facts) {
  const std::vector<int64_t> size = facts.node.integers("pooled_shape");
  if (!facts.has(0) || !facts.has(1) || facts.shape(0).rank() != 4 || facts.shape(1).rank() != 2 || size.size() != 2) {
    return Fault{"needs images, regions and a pooled_shape"};
  }
  if (size[0] < 1 || size[1] < 1 || size[0] > INT32_MAX || size[1] > INT32_MAX)
    return Fault{"pooled_shape [" + join(size) + "] is impossible"};
  return Types{{facts.types[0].dtype, Shape{facts.shape(1)[0], facts.shape(0)[1], size[0], size[1]}}};
}

Answer<Types> infer_deform(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Fault{"needs images, weights and offsets"};
  const Shape &x = facts.shape(0), &w = facts.shape(1), &offset = facts.shape(2);
  const int64_t groups = facts.node.integer("group", 1), offset_groups = facts.node.integer("offset_group", 1);
  if (x.rank() != 4 || w.rank() != 4 || offset.rank() != 4)
    return Fault{"only images with two spatial axes", "", "E208"};
  if (groups < 1 || offset_groups < 1 || w[1] != x[1] / groups || x[1] % groups != 0 || w[0] % groups != 0 ||
      x[1] % offset_groups != 0) {
    return Fault{cat("input ", to_string(x), " and weights ", to_string(w), " do not fit in ", groups, " and ",
                     offset_groups, " groups")};
  }
  auto axes = window_axes(facts.node, spatial_dims(x, false), spatial_dims(w, false));
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  const int64_t h = std::get<0>(axes)[0].out, wide = std::get<0>(axes)[1].out, taps = offset_groups * w[2] * w[3];
  if (offset != Shape{x[0], 2 * taps, h, wide} || (facts.has(4) && facts.shape(4) != Shape{x[0], taps, h, wide}) ||
      (facts.has(3) && facts.shape(3) != Shape{w[0]})) {
    return Fault{"offsets " + to_string(offset) + ", mask or bias do not fit an output of " +
                 to_string(Shape{x[0], w[0], h, wide})};
  }
  return Types{{facts.types[0].dtype, Shape{x[0], w[0], h, wide}}};
}

std::optional<Fault> lower_deform(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low, {1, 2, 3, 4})) return fault;
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  const DType dtype = low.dtype(node.inputs[0]);
  const std::vector<WindowAxis> axes = std::get<0>(window_axes(node, spatial_dims(x, true), spatial_dims(w, false)));
  const std::string kernel = "tarn_deformconv_" + kernel_suffix(dtype);
  program::Params params{kernel + "_params",
                         {{"images", x[0]},
                          {"groups", node.integer("group", 1)},
                          {"offset_groups", node.integer("offset_group", 1)},
                          {"inputs", x[3]},
                          {"outputs", w[0]}}};
  params.append(axis_fields({axes[0], axes[1]}));
  auto optional = [&](size_t i) { return node.has_input(i) ? low.read(node.inputs[i]) : low.none(); };
  Argument taps = low.scratch(sampling_type(dtype), x[3] * w[2] * w[3], "taps");
  Operation& operation = low.call(node, kernel, std::move(params),
                                  {low.read(node.inputs[0]), low.read(node.inputs[1]), low.read(node.inputs[2]),
                                   optional(3), optional(4), std::move(taps), low.write(node.outputs[0])});
  operation.macs = low.shape(node.outputs[0]).count() * w.count(1, 4);
  operation.parameters = w.count() + (node.has_input(3) ? w[0] : 0);
  return {};
}

}  // namespace

std::vector<OperatorEntry> sampling_entries() {
  return {
      {"", "GridSample", "floats; nearest: integers and bool too", lower_grid_sample, infer_grid_sample, nullptr,
       Layout::spatial, nullptr, "at most 3 spatial axes; a grid of float32"},
      {"", "AffineGrid", "floats", lower_affine_grid, infer_affine_grid},
      {"", "RoiAlign", "floats", lower_roi_align, infer_roi_align, nullptr, Layout::spatial},
      {"", "MaxRoiPool", "floats", lower_max_roi_pool, infer_max_roi_pool, nullptr, Layout::spatial},
      {"", "DeformConv", "floats", lower_deform, infer_deform, nullptr, Layout::spatial, nullptr, "two spatial axes"},
  };
}

}  // namespace tarn::ops
