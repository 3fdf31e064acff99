#include "stream/network/overlap_distance.h"

#include <algorithm>
#include <vector>

#include "stream/network/grid.h"

namespace tarn::stream {

namespace {

using program::Tensor;
using program::Walk;

// Elementwise: element e of a pixel is read before element e is written.
int64_t elementwise_distance(int64_t pixels, int64_t channels, int64_t x_pixel, int64_t y_pixel, int64_t x_element,
                             int64_t y_element) {
  int64_t distance = 0;
  // What is written up to an element and what is needed after it are linear in pixel and channel: the ends are enough.
  // A pixel's last element of several is no worse than the one before it there or in the next pixel.
  for (int64_t p : {int64_t{0}, int64_t{1}, pixels - 2, pixels - 1}) {
    for (int64_t c : {int64_t{0}, channels - 2}) {
      if (p < 0 || p >= pixels || c < 0 || c >= channels || (p == pixels - 1 && c == channels - 1)) continue;
      const int64_t written = p * y_pixel + (c + 1) * y_element;
      const int64_t needed = c + 1 < channels ? p * x_pixel + (c + 1) * x_element : (p + 1) * x_pixel;
      distance = std::max(distance, written - needed);
    }
  }
  return distance;
}

}  // namespace

std::optional<int64_t> overlap_distance_of(const program::Program& program, const program::Operation& operation,
                                           size_t argument, TensorId result, const LineView& read, const LineView& made,
                                           bool flat, int64_t elements) {
  const program::Argument& a = operation.arguments[argument];
  if (!walks_lines(a)) return {};
  const Walk& walk = *a.walk;
  const Tensor &x = program[a.tensor], &y = program[result];
  const int64_t x_element = x.element_bytes(), y_element = y.element_bytes();
  if (flat) return elementwise_distance(1, elements, 0, 0, x_element, y_element);
  const int64_t x_pixel = read.pixel_pitch * x_element, y_pixel = made.pixel_pitch * y_element;
  const int64_t pixels = y.geometry.pixels, shift = made.offset - read.offset;
  if (walk.identity && x.geometry.pixels != pixels) return {};
  if (!walk.identity && static_cast<int64_t>(walk.columns.size()) != pixels) return {};
  if (walk.identity && walk.read_before_write && x.geometry.channels == y.geometry.channels) {
    const int64_t distance = elementwise_distance(pixels, y.geometry.channels, x_pixel, y_pixel, x_element, y_element);
    return std::max<int64_t>(0, shift + distance);
  }
  // Pixel by pixel. A pixel's inputs may be read again until its last channel is written, unless the walk says
  // otherwise and the pixel has one channel, or a size that keeps pace. What is written only grows, so the last pixel
  // before the one that needs a column is the worst for it.
  const bool ahead = walk.read_before_write && x_element == y_element && (!walk.identity || y.geometry.channels == 1);
  int64_t distance = 0;
  for (int64_t next = ahead ? 1 : 0; next < pixels; ++next) {
    const program::Span span = walk.identity ? program::Span{next, next + 1} : walk.columns[static_cast<size_t>(next)];
    if (span.first >= span.end || span.first >= x.geometry.pixels) continue;
    const int64_t written = (ahead ? next - 1 : next) * y_pixel + y.geometry.channels * y_element;
    distance = std::max(distance, shift + written - span.first * x_pixel);
  }
  return distance;
}

}  // namespace tarn::stream
