#include "lifetimes/overlap.h"

#include <algorithm>
#include <limits>

#include "support/check.h"

namespace tarn::lifetimes {

namespace {

using program::Argument;
using program::Operation;
using program::Span;
using program::Tensor;
using program::Walk;

constexpr int64_t kNoMore = std::numeric_limits<int64_t>::max() / 4;  // the operand is not needed any more

// Positions of output pixels, of which there are some, and what they need of one operand, in bytes.
class Moments {
 public:
  Moments(const Program& program, const Storage& storage, const Operation& operation, size_t argument)
      : walk_(*operation.arguments[argument].walk), read_before_write_(walk_.read_before_write) {
    const TensorId x = operation.arguments[argument].tensor;
    const TensorId y = operation.arguments[static_cast<size_t>(first_output(operation))].tensor;
    const Tensor &tx = program[x], &ty = program[y];
    x_pixel_ = storage[x].pixel_pitch * tx.element_bytes();
    y_pixel_ = storage[y].pixel_pitch * ty.element_bytes();
    x_bytes_per_pixel_ = tx.geometry.channels * tx.element_bytes();
    y_bytes_per_pixel_ = ty.geometry.channels * ty.element_bytes();
    x_channels_ = tx.geometry.channels;
    y_channels_ = ty.geometry.channels;
    lines_ = ty.geometry.lines;
    pixels_ = ty.geometry.pixels;
    x_line_ = tx.geometry.pixels * x_pixel_;
    x_lines_ = tx.geometry.lines;
    x_pixels_ = tx.geometry.pixels;
    if (walk_.identity) {
      // Elements one by one: only the pitches matter, so a tensor is one long line.
      pixels_ *= lines_;
      x_pixels_ *= x_lines_;
      lines_ = x_lines_ = 1;
      // Dense on both sides: an element is a pixel, which matters when their sizes differ.
      if (walk_.read_before_write && tx.geometry.channels == ty.geometry.channels && x_pixel_ == x_bytes_per_pixel_ &&
          y_pixel_ == y_bytes_per_pixel_) {
        pixels_ *= ty.geometry.channels;
        x_pixels_ *= tx.geometry.channels;
        per_pixel_ = x_channels_;
        x_channels_ = y_channels_ = 1;
        x_pixel_ = x_bytes_per_pixel_ = tx.element_bytes();
        y_pixel_ = y_bytes_per_pixel_ = ty.element_bytes();
      } else if (tx.element_bytes() != ty.element_bytes()) {
        // Element by element within a pixel of another size: the pixel is read until its last element is written.
        read_before_write_ = false;
      }
      x_line_ = x_pixels_ * x_pixel_;
    }
    x_size_ = (x_lines_ - 1) * x_line_ + (x_pixels_ - 1) * x_pixel_ + x_bytes_per_pixel_;
    find_needs();
  }

  int64_t lines() const { return lines_; }
  int64_t pixels() const { return pixels_; }
  int64_t x_size() const { return x_size_; }

  // Y: bytes from the output's first to the end of pixel p of line r.
  int64_t made(int64_t r, int64_t p) const { return (r * pixels_ + p) * y_pixel_ + y_bytes_per_pixel_; }

  // X: the least byte of the operand needed from the moment pixel (r, p) is begun on.
  int64_t needed_from(int64_t r, int64_t p) const {
    if (p >= pixels_) return needed_after_[static_cast<size_t>(r)];
    const Span line = line_span(r);
    int64_t need = needed_after_[static_cast<size_t>(r)];
    if (line.first < line.end && column(p) < x_pixels_)
      need = std::min(need, line.first * x_line_ + column(p) * x_pixel_);
    return need;
  }

  // X at the moment pixel (r, p) is written, as the kernel reads it.
  int64_t needed_at_write(int64_t r, int64_t p) const {
    return read_before_write_ ? needed_from(r, p + 1) : needed_from(r, p);
  }

  // D of note [overlap]: max over all pixels of made() - needed_at_write(). Along a line both terms depend on the pixel
  // alone, so one pass over the pixels and one over the lines are enough. -kNoMore: nothing is needed. With blocks of
  // more than one pixel: max over all pixels of made() by the block that begins there - needed_from() its beginning.
  int64_t distance(int64_t block_pixels) const {
    const int64_t block = block_pixels > 1 ? block_pixels * per_pixel_ : 1;
    int64_t distance = -kNoMore;
    if (walk_.identity && block > 1) {
      for (int64_t p : {int64_t{0}, std::max<int64_t>(0, pixels_ - block)}) {
        distance = std::max(distance, made(0, std::min(pixels_, p + block) - 1) - needed_from(0, p));
      }
      return distance;
    }
    if (walk_.identity) {
      // Linear in the pixel: the largest value stands at one end.
      for (int64_t p : {int64_t{0}, pixels_ - 2, pixels_ - 1}) {
        if (p < 0) continue;
        const int64_t needed = needed_at_write(0, p);
        if (needed < kNoMore) distance = std::max(distance, made(0, p) - needed);
      }
      if (read_before_write_ && y_channels_ > 1) distance = std::max(distance, within_pixels());
      return distance;
    }
    const int64_t ahead = read_before_write_ && block == 1 ? 1 : 0;
    int64_t within = -kNoMore;  // max over pixels of what one line needs of itself
    for (int64_t p = 0; p + ahead < pixels_; ++p) {
      const int64_t last = std::min(pixels_, p + block) - 1;
      if (column(p + ahead) < x_pixels_) within = std::max(within, made(0, last) - column(p + ahead) * x_pixel_);
    }
    for (int64_t r = 0; r < lines_; ++r) {
      const int64_t begun = r * pixels_ * y_pixel_;
      const Span line = line_span(r);
      if (line.first < line.end && within > -kNoMore)
        distance = std::max(distance, begun + within - line.first * x_line_);
      const int64_t after = needed_after_[static_cast<size_t>(r)];
      if (after < kNoMore) distance = std::max(distance, made(r, pixels_ - 1) - after);
    }
    return distance;
  }

  // A channel of the output lies over the same channel of the operand wherever they meet: where single pixels are safe,
  // blocks are too.
  bool channels_meet(int64_t distance) const {
    return walk_.by_channel && x_pixel_ == y_pixel_ && distance % y_pixel_ == 0;
  }
  bool same_pitch() const { return x_pixel_ == y_pixel_ && x_bytes_per_pixel_ == y_bytes_per_pixel_; }
  bool read_before_write() const { return read_before_write_; }
  bool is_identity() const { return walk_.identity; }

 private:
  Span line_span(int64_t r) const { return walk_.identity ? Span{0, 1} : walk_.lines[static_cast<size_t>(r)]; }

  // The least distance for what happens inside the pixels of an identity. With as many channels on both sides, elements
  // are read and written one by one; else the whole pixel may be read again until its last element is written.
  int64_t within_pixels() const {
    int64_t distance = -kNoMore;
    for (int64_t p : {int64_t{0}, pixels_ - 1}) {
      if (x_channels_ != y_channels_) {
        distance = std::max(distance, made(0, p) - p * x_pixel_);
        continue;
      }
      // Elements are of one size here, so all of a pixel are at one distance.
      distance = std::max(distance, p * (y_pixel_ - x_pixel_));
    }
    return distance;
  }

  // The first column that pixel p or one after it needs.
  int64_t column(int64_t p) const { return walk_.identity ? p : column_[static_cast<size_t>(p)]; }

  void find_needs() {
    needed_after_.assign(static_cast<size_t>(lines_), kNoMore);
    if (walk_.identity) return;
    // Windows of padding only need no column.
    column_.assign(static_cast<size_t>(pixels_), x_pixels_);
    int64_t least = x_pixels_;
    for (int64_t p = pixels_; p-- > 0;) {
      const Span span = walk_.columns[static_cast<size_t>(p)];
      if (span.first < span.end) least = std::min(least, span.first);
      column_[static_cast<size_t>(p)] = least;
    }
    const int64_t first_column = column_[0];
    int64_t need = kNoMore;
    for (int64_t r = lines_; r-- > 0;) {
      needed_after_[static_cast<size_t>(r)] = need;
      const Span line = line_span(r);
      if (line.first < line.end && first_column < x_pixels_) {
        need = std::min(need, line.first * x_line_ + first_column * x_pixel_);
      }
    }
  }

  const Walk& walk_;
  bool read_before_write_;
  int64_t per_pixel_ = 1;  // moments in a pixel of the output
  int64_t x_channels_, y_channels_, x_pixel_, y_pixel_, x_bytes_per_pixel_, y_bytes_per_pixel_, lines_, pixels_,
      x_line_, x_lines_, x_pixels_, x_size_;
  std::vector<int64_t> column_;        // by output pixel; empty for identities
  std::vector<int64_t> needed_after_;  // by output line: what lines after it need
};

bool walks(const Program& program, const Operation& operation, size_t argument) {
  const Argument& a = operation.arguments[argument];
  const int y = first_output(operation);
  if (!a.walk || y < 0) return false;
  const program::Geometry& g = program[operation.arguments[static_cast<size_t>(y)].tensor].geometry;
  const Walk& walk = *a.walk;
  if (walk.same_place || walk.apart) return false;
  if (g.count() == 0 || program[a.tensor].geometry.count() == 0) return false;
  if (walk.identity) return program[a.tensor].geometry.lines * program[a.tensor].geometry.pixels == g.lines * g.pixels;
  return static_cast<int64_t>(walk.lines.size()) == g.lines && static_cast<int64_t>(walk.columns.size()) == g.pixels;
}

}  // namespace

int first_output(const Operation& operation) {
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    if (operation.arguments[i].role == Argument::Role::write) return static_cast<int>(i);
  }
  return -1;
}

namespace {

// Pixels that the kernel works on at a time: a residual operand is read in the same blocks as the input.
int64_t block_of(const Operation& operation) {
  int64_t block = 1;
  for (const Argument& a : operation.arguments) {
    if (a.walk) block = std::max(block, a.walk->block_pixels);
  }
  return block;
}

// Dense tensors of as many bytes, one of which may become the other.
std::optional<Reach> same_place(const Program& program, const Storage& storage, const Operation& operation,
                                size_t argument) {
  const Argument& a = operation.arguments[argument];
  const int y = first_output(operation);
  if (!a.walk || !a.walk->same_place || y < 0) return {};
  const TensorId out = operation.arguments[static_cast<size_t>(y)].tensor;
  for (TensorId id : {a.tensor, out}) {
    if (storage[id].pixel_pitch != program[id].geometry.channels) return {};
  }
  if (program[a.tensor].bytes() != program[out].bytes() || program[out].bytes() == 0) return {};
  return Reach{argument, 0, program[out].bytes(), true};
}

}  // namespace

std::optional<Reach> reach_of(const Program& program, const Storage& storage, const Operation& operation,
                              size_t argument, bool blocks) {
  if (auto reach = same_place(program, storage, operation, argument)) return reach;
  if (!walks(program, operation, argument)) return {};
  const Moments m(program, storage, operation, argument);
  const int64_t block = blocks ? block_of(operation) : 1;
  Reach reach{argument, m.distance(block), m.x_size()};
  reach.or_same_place = block > 1 && m.read_before_write() && m.same_pitch();
  // Nothing is needed once writing begins: anywhere will do.
  if (reach.below == -kNoMore) reach.below = -m.x_size();
  return reach;
}

std::vector<planner::Forbidden> forbidden_for(const Storage& storage, const Operation& operation, const Reach& reach,
                                              const ShareOptions& share) {
  const TensorId x = operation.arguments[reach.argument].tensor;
  const TensorId y = operation.arguments[static_cast<size_t>(first_output(operation))].tensor;
  // From distances of the tensors to differences of the buffers' bases.
  const int64_t shift = storage[x].offset - storage[y].offset;
  const int64_t x_bytes = storage[storage[x].buffer].bytes, y_bytes = storage[storage[y].buffer].bytes;
  if (share.overlap && !reach.same_place) {
    if (-reach.below >= reach.above) return {};
    if (reach.or_same_place && reach.below > 0) return {{-reach.below + shift, shift}, {shift, reach.above + shift}};
    return {{-reach.below + shift, reach.above + shift}};
  }
  // In place only: the very same address, or no byte in common.
  if (share.in_place && reach.below <= 0 && shift == 0) return {{-y_bytes, 0}, {0, x_bytes}};
  return {{-y_bytes, x_bytes}};
}

int64_t live_bytes(const Program& program, const Storage& storage, const Operation& operation,
                   const std::vector<size_t>& dying, bool blocks) {
  const int y = first_output(operation);
  TARN_CHECK(y >= 0);
  const TensorId out = operation.arguments[static_cast<size_t>(y)].tensor;
  // The moments of all operands are those of the output's pixels; an operand seen as one long line has as many.
  int64_t worst = storage[storage[out].buffer].bytes, before = 0;
  std::vector<Moments> all;
  for (size_t argument : dying) {
    all.emplace_back(program, storage, operation, argument);
    before += storage[storage[operation.arguments[argument].tensor].buffer].bytes;
  }
  worst = std::max(worst, before);
  // One operand: the bound is its size and the distance. Several: the moments at the ends of each line, where the
  // distances are largest, are enough for a bound; where elements meet one by one, those at the ends of the tensor.
  if (all.size() == 1) {
    const bool in_place = all[0].read_before_write() && all[0].same_pitch();
    const int64_t distance = all[0].distance(blocks && !in_place ? block_of(operation) : 1);
    // Apart they take no more than both, although the distance of packed elements counts whole bytes.
    const int64_t both = before + storage[storage[out].buffer].bytes;
    return std::max(worst, std::min(before + distance, both));
  }
  const program::Geometry& g = program[out].geometry;
  const int64_t pixel_bytes = storage[out].pixel_pitch * program[out].element_bytes();
  const int64_t last_bytes = g.channels * program[out].element_bytes();
  const bool one_by_one = std::all_of(all.begin(), all.end(), [](const Moments& m) { return m.is_identity(); });
  const int64_t step = one_by_one ? std::max<int64_t>(1, g.lines - 3) : 1;  // from line 1 to the last but one
  for (int64_t r = 0; r < g.lines; r += r == 1 ? step : 1) {
    for (int64_t p : {int64_t{0}, int64_t{1}, g.pixels - 2, g.pixels - 1}) {
      if (p < 0 || p >= g.pixels) continue;
      const int64_t i = r * g.pixels + p;
      int64_t live = std::min(i * pixel_bytes + last_bytes, storage[storage[out].buffer].bytes);
      for (const Moments& m : all) {
        // Element-wise moments are finer than pixels: take the pixel's last element.
        const int64_t per_pixel = m.lines() * m.pixels() / (g.lines * g.pixels);
        const int64_t at = (i + 1) * per_pixel - 1;
        const int64_t needed = m.needed_at_write(at / m.pixels(), at % m.pixels());
        if (needed < kNoMore) live += m.x_size() - needed;
      }
      worst = std::max(worst, live);
    }
  }
  return worst;
}

BlockRange block_range(const Program& program, const Storage& storage, const Operation& operation, size_t argument,
                       int64_t distance, bool in_pixels) {
  const program::Geometry& g =
      program[operation.arguments[static_cast<size_t>(first_output(operation))].tensor].geometry;
  if (g.count() == 0) return {};
  const Moments m(program, storage, operation, argument);
  const int64_t block = block_of(operation);
  // Which units (lines or pixels) are safe: every block that begins in them may be written before its first pixel's
  // inputs have been read for the last time.
  const int64_t units = in_pixels ? g.lines * g.pixels : g.lines;
  const bool everywhere = (distance == 0 && m.read_before_write() && m.same_pitch()) || m.channels_meet(distance);
  std::vector<bool> safe(static_cast<size_t>(units), true);
  const int64_t scale = m.lines() * m.pixels() / (g.lines * g.pixels);  // moments per pixel
  for (int64_t i = 0; i < g.lines * g.pixels && !everywhere; ++i) {
    const int64_t last = std::min((i / g.pixels + 1) * g.pixels, i + block) - 1;
    const int64_t end = in_pixels ? std::min(g.lines * g.pixels, i + block) - 1 : last;
    const int64_t begun = i * scale, done = (end + 1) * scale - 1;
    const int64_t needed = m.needed_from(begun / m.pixels(), begun % m.pixels());
    if (needed < kNoMore && m.made(done / m.pixels(), done % m.pixels()) + distance > needed) {
      safe[static_cast<size_t>(in_pixels ? i : i / g.pixels)] = false;
    }
  }
  BlockRange best, current;
  for (int64_t u = 0; u < units; ++u) {
    if (!safe[static_cast<size_t>(u)]) {
      current.first = u + 1;
      continue;
    }
    current.end = u + 1;
    if (current.end - current.first > best.end - best.first) best = current;
  }
  return best;
}

}  // namespace tarn::lifetimes
