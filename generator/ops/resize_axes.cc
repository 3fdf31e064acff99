#include "ops/resize_axes.h"

#include <algorithm>

#include "ops/spatial.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// The filter of a resize by this much takes from more positions than any image has.
constexpr int64_t kMaxResized = int64_t{1} << 30;

}  // namespace

ListPlaces list_places(const Node& node) {
  if (node.op == "Resize" && node.version >= 11) return {1, 2, 3};
  return {};
}

std::optional<tarn_resize_rule> rule_of(const Node& node) {
  auto index = [&](const char* attribute, const char* otherwise, std::initializer_list<const char*> names) -> int32_t {
    const std::string wanted = node.text(attribute, otherwise);
    const auto it = std::find(names.begin(), names.end(), wanted);
    return it == names.end() ? -1 : static_cast<int32_t>(it - names.begin());
  };
  const bool old = node.op == "Upsample" || node.version < 11;
  tarn_resize_rule rule{};
  rule.mode = index("mode", "nearest", {"nearest", "linear", "cubic"});
  if (old && node.text("mode", "nearest") == "bilinear") rule.mode = TARN_RESIZE_LINEAR;
  rule.transform = index("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel",
                         {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                          "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  rule.nearest = index("nearest_mode", old ? "floor" : "round_prefer_floor",
                       {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  if (node.op == "Resize" && old) rule.nearest = TARN_RESIZE_OPSET_10;
  rule.antialias = rule.mode != TARN_RESIZE_NEAREST && node.integer("antialias", 0) != 0;
  rule.exclude_outside = rule.mode != TARN_RESIZE_NEAREST && node.integer("exclude_outside", 0) != 0;
  rule.cubic_a = static_cast<float>(node.real("cubic_coeff_a", -0.75));
  if (rule.mode < 0 || rule.transform < 0 || rule.nearest < 0) return {};
  return rule;
}

int keep_ratio(const Node& node) {
  const std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
  return policy == "not_larger" ? 1 : policy == "not_smaller" ? 2 : 0;
}

int model_axis(int position, int rank, bool channels_last) {
  if (!channels_last || position == 0) return position;
  return position == rank - 1 ? 1 : position + 1;
}

Answer<std::vector<int>> entries_of(const Node& node, int rank) {
  std::vector<int> entries(static_cast<size_t>(rank), -1);
  std::vector<int64_t> axes = node.integers("axes");
  if (!node.has("axes")) {
    for (int i = 0; i < rank; ++i) axes.push_back(i);
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = normalise_axis(axes[i], rank);
    if (!axis || entries[static_cast<size_t>(*axis)] >= 0)
      return Fault{cat("axis ", axes[i], " is outside the input, or given twice")};
    entries[static_cast<size_t>(*axis)] = static_cast<int>(i);
  }
  return entries;
}

ResizeLists known_of(const Node& node, const std::function<bool(size_t)>& given,
                     const std::function<const Constant*(size_t)>& value, bool crop) {
  const ListPlaces places = list_places(node);
  ResizeLists known;
  auto floats = [&](int index, std::vector<float>& out) {
    if (index < 0 || !given(static_cast<size_t>(index))) return false;
    const Constant* c = value(static_cast<size_t>(index));
    if (!c || c->is_absent()) {
      known.unknown = true;
    } else {
      for (double v : c->reals()) out.push_back(static_cast<float>(v));
    }
    return true;
  };
  if (crop) floats(places.roi, known.roi);
  if (node.has("scales")) {
    for (double v : node.reals("scales")) known.scales.push_back(static_cast<float>(v));
    return known;
  }
  if (places.sizes >= 0 && given(static_cast<size_t>(places.sizes))) {
    const Constant* c = value(static_cast<size_t>(places.sizes));
    if (c && !c->is_absent()) known.sizes = c->integers();
    else known.unknown = true;
    return known;
  }
  if (!floats(places.scales, known.scales)) known.unknown = true;
  return known;
}

namespace {

// One scale for all axes that have a size: the least or the greatest of theirs (keep_aspect_ratio_policy). Nothing:
// each has its own.
std::optional<float> common_scale(const Shape& x, const std::vector<int>& entries, const std::vector<int64_t>& sizes,
                                  int ratio) {
  if (ratio == 0) return std::nullopt;
  float common = 0;
  for (int i = 0; i < x.rank(); ++i) {
    const int entry = entries[static_cast<size_t>(i)];
    if (entry < 0 || x[i] <= 0) continue;
    const float scale = static_cast<float>(sizes[static_cast<size_t>(entry)]) / static_cast<float>(x[i]);
    if (common == 0 || (ratio == 1 ? scale < common : scale > common)) common = scale;
  }
  return common;
}

// Number `at` of the scales or sizes on axis `axis` of x; `common` is the scale of all, if they have one.
std::optional<Fault> size_axis(ResizeAxis& made, const ResizeLists& known, size_t at, std::optional<float> common,
                               int axis, int64_t length) {
  const auto before = static_cast<float>(length);
  float out = 0;
  if (!known.scales.empty()) {
    made.scale = known.scales[at];
    made.length = made.scale * before;
    out = made.length;  // of a region too, as the standard's own inference has it
  } else if (common) {
    made.scale = *common;
    made.length = *common * before;
    out = made.length + 0.5f;
  } else {
    if (known.sizes[at] < 0 || known.sizes[at] > kMaxResized)
      return Fault{cat("size ", known.sizes[at], " is impossible"), "", "E207"};
    made.out = static_cast<int32_t>(known.sizes[at]);
    made.by_size = true;
    made.length = static_cast<float>(made.out);
    made.scale = length > 0 ? made.length / before : 1;
    return std::nullopt;
  }
  if (!(made.scale > 0)) return Fault{cat("scale ", made.scale, "; it must be above 0"), "", "E211"};
  if (!(out >= 0 && out < static_cast<float>(kMaxResized)))
    return Fault{cat("axis ", axis, " would have ", out, " elements"), "", "E207"};
  made.out = static_cast<int32_t>(out);
  return std::nullopt;
}

}  // namespace

Answer<std::vector<ResizeAxis>> axes_of(const Node& node, const Shape& x, const ResizeLists& known) {
  auto entries = entries_of(node, x.rank());
  if (const Fault* fault = std::get_if<Fault>(&entries)) return *fault;
  size_t count = 0;
  for (int entry : std::get<0>(entries)) count += entry >= 0;
  if ((known.scales.empty() ? known.sizes.size() : known.scales.size()) != count) {
    return Fault{cat("has ", known.scales.empty() ? known.sizes.size() : known.scales.size(), " scales or sizes for ",
                     count, " axes")};
  }
  if (!known.roi.empty() && known.roi.size() != 2 * count)
    return Fault{cat("roi has ", known.roi.size(), " numbers for ", count, " axes")};
  const int ratio = known.scales.empty() ? keep_ratio(node) : 0;
  const std::optional<float> common = common_scale(x, std::get<0>(entries), known.sizes, ratio);
  std::vector<ResizeAxis> axes;
  for (int i = 0; i < x.rank(); ++i) {
    const int entry = std::get<0>(entries)[static_cast<size_t>(i)];
    if (x[i] < 0 || x[i] > kMaxResized) return Fault{"axis of " + to_string(x) + " is too long", "", "E207"};
    ResizeAxis axis{{static_cast<int32_t>(x[i]), static_cast<int32_t>(x[i]), 1, static_cast<float>(x[i]), 0, 1}};
    if (entry < 0) {
      axes.push_back(axis);
      continue;
    }
    const auto at = static_cast<size_t>(entry);
    if (!known.roi.empty()) {
      axis.roi_start = known.roi[at];
      axis.roi_end = known.roi[count + at];
    }
    if (auto fault = size_axis(axis, known, at, common, i, x[i])) return *fault;
    if (axis.in == 0 && axis.out > 0) return Fault{"there is nothing to resize in " + to_string(x)};
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace tarn::ops
