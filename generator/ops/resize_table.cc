#include "ops/resize_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tarn::ops {

bool ResizeTable::unchanged() const {
  if (in != out) return false;
  for (int64_t o = 0; o < out; ++o) {
    const Span& s = spans[static_cast<size_t>(o)];
    if (s != Span{o, o + 1} ||
        weights[static_cast<size_t>(o * taps + s.first - starts[static_cast<size_t>(o)])] != 1.0f)
      return false;
  }
  return true;
}

namespace {

// See note [places]. One division of two numbers that doubles hold: a scale has 24 bits, so that the quotient, if it is
// no whole or half number, is further from one than it is rounded.
std::optional<double> exact_place(const tarn_resize_rule& rule, const ResizeAxis& axis, int32_t o) {
  const double in = axis.in, out = axis.out, at = o, scale = static_cast<double>(axis.scale);
  if (rule.transform == TARN_RESIZE_ASYMMETRIC && axis.by_size) return at * in / out;
  if (rule.transform != TARN_RESIZE_HALF_PIXEL_SYMMETRIC) return {};
  if (axis.by_size) return ((2 * at + 1) * in - out) / (2 * out);
  return ((in - 1) * scale + (2 * at + 1 - out)) / (2 * scale);
}

int32_t nearest_of(const tarn_resize_rule& rule, const ResizeAxis& axis, double at) {
  const double below = std::floor(at), rest = at - below;
  bool up = false;
  switch (rule.nearest) {
    case TARN_RESIZE_FLOOR: break;
    case TARN_RESIZE_OPSET_10: up = rest > 0 && axis.scale < 1; break;
    case TARN_RESIZE_CEIL: up = rest > 0; break;
    case TARN_RESIZE_PREFER_CEIL: up = rest >= 0.5; break;
    default: up = rest > 0.5; break;
  }
  return static_cast<int32_t>(std::clamp(below, -1e9, 1e9)) + (up ? 1 : 0);
}

tarn_resize_taps taps_of(const tarn_resize_rule& rule, const ResizeAxis& axis, int32_t o) {
  const std::optional<double> at = exact_place(rule, axis, o);
  if (!at) return tarn_resize_taps_of(&rule, &axis, o);
  tarn_resize_taps taps = tarn_resize_taps_at(&rule, &axis, static_cast<float>(*at));
  if (rule.mode == TARN_RESIZE_NEAREST) taps.first = nearest_of(rule, axis, *at);
  return taps;
}

}  // namespace

ResizeTable table_of(const tarn_resize_rule& rule, const ResizeAxis& axis) {
  ResizeTable table{axis.in, axis.out, 1, {}, {}, {}};
  std::vector<tarn_resize_taps> all;
  for (int32_t o = 0; o < axis.out; ++o) {
    all.push_back(taps_of(rule, axis, o));
    table.taps = std::max<int64_t>(table.taps, std::min(all.back().count, axis.in));
  }
  for (const tarn_resize_taps& t : all) {
    const int64_t start = std::clamp<int64_t>(t.first, 0, axis.in - table.taps);
    std::vector<float> weights(static_cast<size_t>(table.taps), 0.0f);
    for (int32_t i = 0; i < t.count && !t.outside; ++i) {
      // What lies outside stands for the nearest inside.
      const int64_t at = std::clamp<int64_t>(t.first + i, 0, axis.in - 1);
      weights[static_cast<size_t>(std::clamp<int64_t>(at - start, 0, table.taps - 1))] +=
          tarn_resize_tap(&rule, &axis, &t, i);
    }
    Span span{0, 0};
    for (int64_t i = 0; i < table.taps; ++i) {
      if (weights[static_cast<size_t>(i)] == 0.0f) continue;
      if (span.first == span.end) span.first = start + i;
      span.end = start + i + 1;
    }
    table.starts.push_back(t.outside ? -1 : static_cast<int32_t>(start));
    table.spans.push_back(span);
    table.weights.insert(table.weights.end(), weights.begin(), weights.end());
  }
  return table;
}

std::optional<ResizeView> view_of(const std::vector<ResizeTable>& tables) {
  const size_t rank = tables.size();
  if (rank < 2 || !tables[rank - 1].unchanged()) return {};
  ResizeView view;
  view.pixels = tables[rank - 2];
  if (rank >= 3) view.lines = tables[rank - 3];
  size_t outer = rank >= 3 ? rank - 3 : 0;
  if (outer > 0 && !tables[outer - 1].unchanged()) view.planes = tables[--outer];
  for (size_t i = 0; i < outer; ++i) {
    if (!tables[i].unchanged()) return {};
    view.images *= tables[i].out;
  }
  return view;
}

namespace {

// The largest sum of the weights' magnitudes of one output position.
double largest_sum(const ResizeTable& table) {
  double most = 0;
  for (size_t at = 0; at < table.weights.size(); at += static_cast<size_t>(table.taps)) {
    double sum = 0;
    for (size_t i = 0; i < static_cast<size_t>(table.taps); ++i)
      sum += std::abs(static_cast<double>(table.weights[at + i]));
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

ResizeCodes resize_codes(const ResizeView& view, double ratio) {
  constexpr int kBits = 26, kPixelBits = 27, kProductBits = kBits + kPixelBits - 32;
  ResizeCodes of;
  const double most = largest_sum(view.planes) * largest_sum(view.lines) * largest_sum(view.pixels) * 256;
  int fewer = 0;  // bits of pixels' weights
  while (std::ldexp(most, kProductBits - fewer) >= std::ldexp(1.0, 31)) ++fewer;
  for (const ResizeTable* t : {&view.planes, &view.lines, &view.pixels}) {
    const int bits = t == &view.pixels ? kPixelBits - fewer : kBits;
    for (float w : t->weights)
      of.weights.push_back(static_cast<int32_t>(std::llround(std::ldexp(static_cast<double>(w), bits))));
  }
  // hi32(sum * factor) has `post` fractional bits.
  const int most_post = 30, post = kProductBits - 2 - std::ilogb(ratio) - fewer;
  of.post = std::clamp(post, 1, most_post);
  of.factor = std::llround(std::ldexp(ratio, static_cast<int>(of.post) + 32 - kProductBits + fewer));
  of.factor = std::min<int64_t>(of.factor, INT32_MAX);
  return of;
}

}  // namespace tarn::ops
