// Resize and Upsample by a slow kernel that works out places and weights as it runs.
#include "ops/resize_any.h"

#include <algorithm>

#include "ops/indexed.h"
#include "ops/run_time_shapes.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;

// Where the lists of scales, sizes and region come from, and which axes their entries stand for.
struct RunTimeLists {
  std::vector<int> by_model;  // entry of each axis of the model, -1: none
  int64_t entries = 0;
  bool by_size = false;
  Argument scales, sizes, roi;

  int entry(const Node& node, int axis) const {
    const auto rank = static_cast<int>(by_model.size());
    return by_model[static_cast<size_t>(model_axis(axis, rank, node.channels_last))];
  }
  // A shape's sizes in the order of the lists' entries.
  std::vector<int64_t> by_entry(const Node& node, const Shape& shape) const {
    std::vector<int64_t> list(static_cast<size_t>(entries), 1);
    for (int i = 0; i < shape.rank(); ++i)
      if (const int at = entry(node, i); at >= 0) list[static_cast<size_t>(at)] = shape[i];
    return list;
  }
};

bool is_list(const Node& node, const Lowering& low, int index, DType dtype, int64_t count) {
  const ValueId name = node.inputs[static_cast<size_t>(index)];
  return low.shape(name).count() == count && low.dtype(name) == dtype;
}

// The lists as arguments of the kernel; sizes that the plan relies on are checked at run time.
Answer<RunTimeLists> lists_of(const Node& node, Lowering& low, const tarn_resize_rule& rule, const ResizeLists& known) {
  const Shape& y = low.shape(node.outputs[0]);
  auto answer = entries_of(node, low.shape(node.inputs[0]).rank());
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  RunTimeLists lists{std::get<0>(answer), 0, false, low.none(), low.none(), low.none()};
  lists.entries = std::count_if(lists.by_model.begin(), lists.by_model.end(), [](int e) { return e >= 0; });
  const ListPlaces places = list_places(node);
  lists.by_size = places.sizes >= 0 && node.has_input(static_cast<size_t>(places.sizes)) &&
                  low.shape(node.inputs[static_cast<size_t>(places.sizes)]).count() > 0;
  if (!known.scales.empty()) {
    lists.scales = low.weight(cat("scales/", join(known.scales, ","), ":resize_scales"), known.scales);
  } else if (lists.by_size) {
    if (!is_list(node, low, places.sizes, DType::int64, lists.entries)) return Fault{"sizes do not fit the axes"};
    const auto sizes = static_cast<size_t>(places.sizes);
    if (keep_ratio(node) != 0) lists.sizes = low.read(node.inputs[sizes]);
    else check_numbers(node, low, sizes, lists.by_entry(node, y));
  } else {
    if (!is_list(node, low, places.scales, DType::float32, lists.entries)) return Fault{"scales do not fit the axes"};
    lists.scales = low.read(node.inputs[static_cast<size_t>(places.scales)]);
  }
  if (!known.roi.empty()) {
    lists.roi = low.weight(cat("roi/", join(known.roi, ","), ":resize_roi"), known.roi);
  } else if (rule.transform == TARN_RESIZE_CROP && node.has_input(1) && low.shape(node.inputs[1]).count() > 0) {
    if (!is_list(node, low, places.roi, DType::float32, 2 * lists.entries))
      return Fault{"roi is no float32 list that fits the axes", "fix it with --const"};
    lists.roi = low.read(node.inputs[1]);
  }
  return lists;
}

// A status where lists that are known at run time alone say another shape than the plan has.
void expect_scales(const Node& node, Lowering& low, const RunTimeLists& lists) {
  const ListPlaces places = list_places(node);
  const ValueId list = node.inputs[static_cast<size_t>(lists.by_size ? places.sizes : places.scales)];
  const auto eight = [&](ValueId name) { return padded_to(lists.by_entry(node, low.shape(name)), 8, 1); };
  Operation& operation =
      low.call(node, "tarn_expect_scales",
               {"tarn_expect_scales_params",
                {{"count", lists.entries},
                 {"x", eight(node.inputs[0])},
                 {"y", eight(node.outputs[0])},
                 {"keep_ratio", int64_t{keep_ratio(node)}}}},
               {lists.by_size ? low.none() : low.read(list), lists.by_size ? low.read(list) : low.none()});
  operation.returns_status = true;
}

Params rule_params(const tarn_resize_rule& rule) {
  return {"tarn_resize_rule",
          {{"mode", rule.mode},
           {"transform", rule.transform},
           {"nearest", rule.nearest},
           {"antialias", rule.antialias},
           {"exclude_outside", rule.exclude_outside},
           {"cubic_a", Float32{rule.cubic_a}}}};
}

}  // namespace

std::optional<Fault> lower_any_resize(const Node& node, Lowering& low, const tarn_resize_rule& rule,
                                      const ResizeLists& known) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!(is_float(dtype) && bits_of(dtype) >= 16) && !is_integer(dtype) && dtype != DType::boolean) {
    return Fault{"not for element type " + to_string(dtype) +
                     " along these axes, or with scales that are known only at run time",
                 "", "E204"};
  }
  Answer<RunTimeLists> answer = lists_of(node, low, rule, known);
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  auto& lists = std::get<RunTimeLists>(answer);
  const ListPlaces places = list_places(node);
  if (known.scales.empty() && (!lists.by_size || keep_ratio(node) != 0) &&
      decides_at_run_time(node, low, static_cast<size_t>(lists.by_size ? places.sizes : places.scales))) {
    expect_scales(node, low, lists);
  }
  std::vector<int64_t> in, out, entry;
  for (int i = 0; i < x.rank(); ++i) {
    entry.push_back(lists.entry(node, i));
    in.push_back(x[i]);
    out.push_back(y[i]);
    if (x[i] == 0 || (entry.back() < 0 && x[i] != y[i])) return Fault{to_string(x) + " cannot become " + to_string(y)};
  }
  for (std::vector<int64_t>* list : {&in, &out, &entry}) list->resize(kMaxRank, 0);
  const std::string kernel = "tarn_resize_any_" + kernel_suffix(dtype);
  low.call(node, kernel,
           {kernel + "_params",
            {{"rule", rule_params(rule)},
             {"rank", x.rank()},
             {"in", in},
             {"out", out},
             {"entry", entry},
             {"entries", lists.entries},
             {"keep_ratio", int64_t{lists.by_size ? keep_ratio(node) : 0}},
             {"outside", Float32{node.real("extrapolation_value", 0)}}}},
           {low.read(node.inputs[0]), std::move(lists.scales), std::move(lists.sizes), std::move(lists.roi),
            low.write(node.outputs[0])});
  return {};
}

}  // namespace tarn::ops
