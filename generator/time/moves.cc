// Terms of kernels that move elements: copies, strided ones, padding, gathering, repeated pixels.
#include <algorithm>

#include "time/word_runs.h"

namespace tarn::timing {

namespace {

Terms gather(CallTerms call) {
  const int64_t slices = call["outer"] * call["count"];
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add(call["wide"] != 0 ? "wide_slices" : "slices", slices);
  call.add("elements", slices * call["inner"]);
  return call.take();
}

Terms copy(CallTerms call) {
  const int64_t outer = call["outer"], inner = call["inner"];
  int64_t numbers = inner | call["x_offset"] | call["y_offset"];
  if (outer > 1) numbers |= call["x_pitch"] | call["y_pitch"];
  call.add("call", 1);
  call.add("pitched", outer > 1);
  if (words_fit(call, numbers, inner)) {
    call.add("by_words", 1);
    add_word_runs(call, outer, inner);
  } else {
    call.add("runs", outer);
    call.add("elements", outer * inner);
  }
  return call.take();
}

// tarn_strided_b4.c: runs along the last axis; behind each, axes are counted on from the last but one.
Terms strided(CallTerms call, int64_t element) {
  const int64_t last = call["rank"] - 1, runs = call.product("dims", last), inner = call.at("dims", last);
  int64_t numbers = call["offset"] | inner;
  for (int64_t axis = 0; axis < last; ++axis) numbers |= call.at("strides", axis);
  call.add("call", 1);
  call.add("walks", last > 0);
  call.add("axes", last);
  call.add("counted", call.counted("dims", last));
  if (call.at("strides", last) == 1 && words_fit(call, element * numbers, element * inner)) {
    add_word_runs(call, runs, element * inner);
  } else {
    call.add("runs", runs);
    call.add("elements", runs * inner);
  }
  return call.take();
}

// tarn_pad_b4.c: what lies outside is filled, or looked for at another place; what lies within is one run where words
// fit.
Terms pad(CallTerms call, int64_t element) {
  constexpr int64_t kConstant = 0, kEdge = 1;  // tarn_pad.h
  if (call["null.0"] != 0) call.refuse();
  const int64_t last = call["rank"] - 1, inner = call["inner"], mode = call["mode"], runs = call.product("out", last);
  const auto inside = [&](int64_t axis) {
    const int64_t begin = call.at("begin", axis), n = call.at("out", axis);
    return std::clamp<int64_t>(call.at("in", axis) + begin, 0, n) - std::clamp<int64_t>(begin, 0, n);
  };
  int64_t rows = 1, outside_axes = 0, numbers = call["offset"] | inner;
  for (int64_t axis = 0; axis < last; ++axis) {
    rows *= inside(axis);
    outside_axes += runs / std::max<int64_t>(1, call.at("out", axis)) * (call.at("out", axis) - inside(axis));
    numbers |= call.at("stride", axis);
  }
  const int64_t width = call.at("out", last), looked = mode == kConstant ? rows : runs;
  const int64_t beside = looked * (width - inside(last)), run = element * inner * inside(last);
  const int64_t within = std::clamp<int64_t>(call.at("begin", last), 0, width);
  const int64_t sides = (within > 0) + (within + inside(last) < width);
  const bool words = call.at("stride", last) == inner && words_fit(call, element * numbers, run, "word.2");
  const std::string way = mode == kConstant ? "filled" : mode == kEdge ? "edge" : "folded";
  call.add("call", 1);
  call.add("runs", runs);
  call.add("counted", call.counted("out", last));
  call.add("axes", runs * last);
  call.add(way + "_axes", outside_axes);
  if (words) {
    add_word_runs(call, looked, run);
  } else {
    call.add("inside", looked * inside(last));
  }
  call.add("pixel_runs", runs - looked + looked * (words ? sides : 1));
  call.add(way + "_beside", beside);
  call.add("outside", (runs - looked) * width);
  call.add("elements", (beside + (words ? 0 : looked * inside(last))) * inner);
  call.add("outside_elements", (runs - looked) * width * inner);
  return call.take();
}

Terms repeat(CallTerms call) {
  const int64_t planes = call["planes"] * call["times_planes"], lines = planes * call["lines"] * call["times_lines"];
  call.add("call", 1);
  call.add("planes", planes);
  call.add("lines", lines);
  call.add("pixels", lines * call["pixels"]);
  call.add("copies", lines * call["pixels"] * call["times_pixels"]);
  call.add("elements", lines * call["pixels"] * call["times_pixels"] * call["channels"]);
  return call.take();
}

Terms affine(CallTerms call) {
  call.add("call", 1);
  call.add("pixels", call["outer"]);
  call.add("elements", call["outer"] * call["channels"]);
  call.add_nonzero(call["outer"] * call["channels"], 0);
  call.add("bounded", call["bounded"] * call["outer"] * call["channels"]);
  return call.take();
}

}  // namespace

std::optional<Terms> move_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_gather_b4" || kernel == "tarn_gather_b1") return gather(call);
  if (kernel == "tarn_copy") return copy(call);
  for (const int64_t bytes : {1, 2, 4, 8}) {
    if (kernel == "tarn_strided_b" + std::to_string(bytes)) return strided(call, bytes);
    if (kernel == "tarn_pad_b" + std::to_string(bytes)) return pad(call, bytes);
  }
  if (kernel == "tarn_resize_repeat_b4" || kernel == "tarn_resize_repeat_b1") return repeat(call);
  if (kernel == "tarn_affine_f32") return affine(call);
  return {};
}

}  // namespace tarn::timing
