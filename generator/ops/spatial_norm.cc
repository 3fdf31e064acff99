// Normalisation over space: groups of channels of an image, or neighbouring channels of a pixel. Channels last where
// the axes allow it.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "ops/spatial.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Pitch;

bool norm_computes(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 || dtype == DType::bfloat16;
}

std::optional<Fault> refuse(const Node& node, const Lowering& low) {
  if (norm_computes(low.dtype(node.inputs[0]))) return {};
  return Fault{"not for element type " + to_string(low.dtype(node.inputs[0])), "", "E204"};
}

DType norm_type(DType dtype) { return dtype == DType::float64 ? DType::float64 : DType::float32; }

// A list of one number per channel (or group), of the element type of the images.
std::optional<Fault> list_fault(const Node& node, const Lowering& low, size_t index, int64_t count) {
  if (!node.has_input(index)) return Fault{cat("needs input ", index)};
  const ValueId id = node.inputs[index];
  if (low.shape(id).count() == count && low.dtype(id) == low.dtype(node.inputs[0])) return {};
  return Fault{cat("input ", index, " is ", to_string(TensorType{low.dtype(id), low.shape(id)}), ", not ", count,
                   " numbers of type ", to_string(low.dtype(node.inputs[0])))};
}

// How a tensor with the channels last falls into images, pixels and groups.
struct NormGroups {
  int64_t images = 1, pixels = 1, channels = 1, group = 1, scales = 1;
  bool outside = false;
  double epsilon = 1e-5;
};

void lower_groups(const Node& node, Lowering& low, const NormGroups& g, Argument scale, Argument bias) {
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_group_normalization_" + kernel_suffix(dtype);
  Argument x = low.read(node.inputs[0], elementwise_walk(), true);
  const FieldValue x_pitch = pitch_of(x, 0, Pitch::Of::pixel, g.channels);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"images", g.images},
                 {"pixels", g.pixels},
                 {"channels", g.channels},
                 {"group", g.group},
                 {"scales", g.scales},
                 {"outside", int64_t{g.outside}},
                 {"x_pitch", x_pitch},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 4}},
                 {"epsilon", real_field(g.epsilon, dtype)}}},
               {std::move(x), std::move(scale), std::move(bias),
                low.scratch(norm_type(dtype), 2 * g.channels, "factors"), low.write(node.outputs[0], true)});
  operation.macs = low.shape(node.inputs[0]).count();
}

Answer<Types> infer_norm(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  return Types{facts.types[0]};
}

Answer<Types> infer_images(const Facts& facts) {
  if (!facts.has(0) || facts.shape(0).rank() < 3) return Fault{"needs images"};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_instance(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low)) return fault;
  const Shape& x = low.shape(node.inputs[0]);
  NormGroups g;
  g.images = x[0];
  g.channels = x[x.rank() - 1];
  g.pixels = x.count(1, x.rank() - 1);
  g.epsilon = node.real("epsilon", 1e-5);
  for (size_t i : {size_t{1}, size_t{2}}) {
    if (auto fault = list_fault(node, low, i, g.channels)) return fault;
  }
  lower_groups(node, low, g, low.read(node.inputs[1]), low.read(node.inputs[2]));
  return {};
}

// Until opset 21 every group had one scale, since then every channel has.
std::optional<Fault> lower_group(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low)) return fault;
  const Shape& x = low.shape(node.inputs[0]);
  const int64_t groups = node.integer("num_groups", 0);
  NormGroups g;
  g.images = x[0];
  g.channels = x[x.rank() - 1];
  g.pixels = x.count(1, x.rank() - 1);
  g.epsilon = node.real("epsilon", 1e-5);
  if (groups < 1 || g.channels % groups != 0)
    return Fault{cat(g.channels, " channels do not fall into ", groups, " groups")};
  g.group = g.channels / groups;
  g.scales = node.version >= 21 ? 1 : g.group;
  for (size_t i : {size_t{1}, size_t{2}}) {
    if (auto fault = list_fault(node, low, i, g.channels / g.scales)) return fault;
  }
  lower_groups(node, low, g, low.read(node.inputs[1]), low.read(node.inputs[2]));
  return {};
}

// The standard's own definition adds this to the deviation.
constexpr double kMvnEpsilon = 1e-9;

std::optional<Fault> lower_mvn(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low)) return fault;
  const Shape& x = low.shape(node.inputs[0]);
  const int rank = x.rank();
  std::vector<int64_t> axes = node.integers("axes");
  if (!node.has("axes")) axes = {0, 2, 3};
  std::vector<bool> reduced(static_cast<size_t>(rank), false);  // by axis of the tensor as it lies
  for (int64_t axis : axes) {
    const auto at = normalise_axis(axis, rank);
    if (!at) return Fault{cat("axis ", axis, " is outside ", to_string(x))};
    const int lies = !node.channels_last || *at == 0 ? *at : *at == 1 ? rank - 1 : *at - 1;
    reduced[static_cast<size_t>(lies)] = true;
  }
  // Axes that are kept, then axes that are reduced, and the channels: the kernel for groups does it.
  int first = 0;
  while (first < rank - 1 && !reduced[static_cast<size_t>(first)]) ++first;
  if (rank >= 2 && std::all_of(reduced.begin() + first, reduced.end() - 1, [](bool r) { return r; })) {
    NormGroups g;
    g.images = x.count(0, first);
    g.pixels = x.count(first, rank - 1);
    g.channels = x[rank - 1];
    g.group = reduced.back() ? g.channels : 1;
    g.outside = true;
    g.epsilon = kMvnEpsilon;
    lower_groups(node, low, g, low.none(), low.none());
    return {};
  }
  std::vector<int64_t> sizes[2], strides[2];
  const std::vector<int64_t> own = strides_of(x);
  for (int i = 0; i < rank; ++i) {
    const auto at = static_cast<size_t>(i);
    sizes[reduced[at]].push_back(x[i]);
    strides[reduced[at]].push_back(own[at]);
  }
  const auto kept = static_cast<int64_t>(sizes[0].size()), over = static_cast<int64_t>(sizes[1].size());
  for (int i = 0; i < 2; ++i) {
    sizes[i].resize(kMaxRank, 1);
    strides[i].resize(kMaxRank, 0);
  }
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_mvn_" + kernel_suffix(dtype);
  low.call(node, kernel,
           {kernel + "_params",
            {{"kept", kept},
             {"reduced", over},
             {"kept_size", sizes[0]},
             {"kept_stride", strides[0]},
             {"reduced_size", sizes[1]},
             {"reduced_stride", strides[1]},
             {"epsilon", real_field(kMvnEpsilon, dtype)}}},
           {low.read(node.inputs[0]), low.write(node.outputs[0])});
  return {};
}

std::optional<Fault> lower_lrn(const Node& node, Lowering& low) {
  if (auto fault = refuse(node, low)) return fault;
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const int64_t channels = x[x.rank() - 1], size = node.integer("size", 0);
  if (size < 1 || size > INT32_MAX) return Fault{cat("size ", size, " is impossible")};
  const std::string kernel = "tarn_lrn_" + kernel_suffix(dtype);
  Walk walk;
  walk.identity = true;
  Argument from = low.read(node.inputs[0], std::move(walk), true);
  const FieldValue x_pitch = pitch_of(from, 0, Pitch::Of::pixel, channels);
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"pixels", x.count(0, x.rank() - 1)},
                                    {"channels", channels},
                                    {"before", (size - 1) / 2},
                                    {"after", size / 2},
                                    {"x_pitch", x_pitch},
                                    {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
                                    {"alpha", real_field(node.real("alpha", 1e-4) / static_cast<double>(size), dtype)},
                                    {"beta", real_field(node.real("beta", 0.75), dtype)},
                                    {"bias", real_field(node.real("bias", 1), dtype)}}},
                                  {std::move(from), low.write(node.outputs[0], true)});
  operation.macs = x.count() * std::min(size, channels);
  set_pixels_of_line(low, operation, x, "pixels");
  return {};
}

}  // namespace

std::vector<OperatorEntry> spatial_norm_entries() {
  return {
      {"", "InstanceNormalization", "floats", lower_instance, infer_images, nullptr, Layout::spatial},
      {"", "GroupNormalization", "floats", lower_group, infer_images, nullptr, Layout::spatial},
      {"", "MeanVarianceNormalization", "floats", lower_mvn, infer_norm, nullptr, Layout::spatial},
      {"", "LRN", "floats", lower_lrn, infer_images, nullptr, Layout::spatial},
  };
}

}  // namespace tarn::ops
