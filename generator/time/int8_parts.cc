// Terms of convolutions by parts: tarn_int_conv2d_dsp_parts_line_s8.c, tarn_int_dsp_part.c.
#include "time/int8_parts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tarn::timing {

namespace {

struct PartPixel {
  int64_t line = 0, column = 0;
};

// What the gathering of patches, a part after the other, takes: counted as it goes.
struct PartCounts {
  int64_t blocks = 0, threes = 0, three_words = 0, gathers = 0, pieces = 0, piece_pixels = 0, nexts = 0,
          next_pixels = 0, widened = 0, widened_words = 0, gaps = 0, gap_words = 0, odd_pieces = 0, few = 0;
  std::array<int64_t, 4> held{};  // blocks by how many pixels they have
};

class PartWalk {
 public:
  PartWalk(const Int8Call& call, PartCounts& counts) : call_(call), counts_(counts) {}

  // All parts of the patches of a block, for one run of outputs; `times` of those.
  void gather(const std::vector<PartPixel>& held, int64_t times) {
    bool joined = call_["x_pitch"] == call_["inputs"] && call_["dilation.1"] == 1;
    for (const PartPixel& p : held) joined = joined && p.column >= 0 && p.column + call_["taps"] <= call_["in_pixels"];
    runs_ = joined ? 1 : call_["taps"];
    run_ = joined ? call_["taps"] * call_["inputs"] : call_["inputs"];
    row_ = 0;
    tap_ = -1;
    left_ = 0;
    inside_ = false;
    for (int64_t k = 0; k < call_["length"]; k += call_["part"]) {
      const int64_t n = std::min(call_["length"] - k, call_["part"]);
      if (inside_ && left_ >= n && left_ % 4 == 0) {
        counts_.threes += times;
        counts_.three_words += times * n / 4;
        left_ -= n;
      } else {
        gather_part(held, n, times);
      }
    }
  }

 private:
  bool within(const PartPixel& p) const {
    const int64_t line = p.line + row_ * call_["dilation.0"], at = p.column + tap_ * call_["dilation.1"];
    return row_ < call_["rows"] && line >= 0 && line < call_["in_lines"] && at >= 0 && at < call_["in_pixels"];
  }

  void next(const std::vector<PartPixel>& held, int64_t times) {
    if (++tap_ == runs_) {
      tap_ = 0;
      ++row_;
    }
    left_ = run_;
    inside_ = held.size() == 3 && std::all_of(held.begin(), held.end(), [&](const PartPixel& p) { return within(p); });
    counts_.nexts += times;
    counts_.next_pixels += times * static_cast<int64_t>(held.size());
  }

  void gather_part(const std::vector<PartPixel>& held, int64_t n, int64_t times) {
    counts_.gathers += times;
    for (int64_t k = 0, end = 0; k < n; k = end) {
      if (left_ == 0) next(held, times);
      end = std::min(n, k + left_);
      left_ -= end - k;
      counts_.pieces += times;
      const bool fours = k % 4 == 0 && end % 4 == 0;
      if (inside_ && fours) {
        counts_.threes += times;
        counts_.three_words += times * (end - k) / 4;
        continue;
      }
      for (const PartPixel& p : held) put(k, end, fours, within(p), times);
    }
  }

  void put(int64_t k, int64_t end, bool fours, bool inside, int64_t times) {
    const int64_t first = std::min(end, (k + 3) / 4 * 4), after = std::max(first, end / 4 * 4);
    counts_.piece_pixels += times;
    counts_.odd_pieces += fours ? 0 : times;
    counts_.few += times * (first - k + end - after);
    if (after == first) return;
    (inside ? counts_.widened : counts_.gaps) += times;
    (inside ? counts_.widened_words : counts_.gap_words) += times * (after - first) / 4;
  }

  const Int8Call& call_;
  PartCounts& counts_;
  int64_t run_ = 0, runs_ = 0, row_ = 0, tap_ = 0, left_ = 0;
  bool inside_ = false;
};

PartCounts count_parts(const Int8Call& call) {
  PartCounts counts;
  PartWalk walk(call, counts);
  const int64_t outputs = (call["outputs"] + call["together"] - 1) / call["together"], out = call["out_pixels"];
  std::vector<PartPixel> held;
  const auto end = [&] {
    if (held.empty()) return;
    ++counts.blocks;
    ++counts.held[held.size()];
    walk.gather(held, outputs);
    held.clear();
  };
  for (int64_t image = 0; image < call["images"]; ++image) {
    for (int64_t line = 0; line < call["out_lines"]; ++line) {
      if (out == 1 && held.size() == 2) end();
      for (int64_t pixel = 0; pixel < out; ++pixel) {
        held.push_back({line * call["stride.0"] - call["pad.0"], pixel * call["stride.1"] - call["pad.1"]});
        if (held.size() == 3) end();
      }
    }
  }
  end();
  return counts;
}

}  // namespace

Terms conv2d_dsp_parts(Int8Call call) {
  const PartCounts c = count_parts(call);
  const int64_t length = call["length"], part = call["part"], together = call["together"], outputs = call["outputs"];
  const int64_t lines = call["images"] * call["out_lines"], pixels = lines * call["out_pixels"];
  const int64_t runs = (outputs + together - 1) / together, pairs = (outputs + 1) / 2, early = (runs - 1) * together;
  const int64_t whole = length / part, rest = length % part, parts = whole + (rest != 0);
  call.add("call", 1);
  call.add("lines", lines);
  call.add("line_rows", lines * call["rows"]);
  call.add("pixels", pixels);
  call.add("blocks", c.blocks);
  call.add("runs", c.blocks * runs);
  call.add("pairs", c.blocks * pairs);
  call.add("parts", c.blocks * runs * parts);
  call.add("threes", c.threes);
  call.add("three_words", c.three_words);
  call.add("gathers", c.gathers);
  call.add("pieces", c.pieces);
  call.add("piece_pixels", c.piece_pixels);
  call.add("nexts", c.nexts);
  call.add("next_pixels", c.next_pixels);
  call.add("widened", c.widened);
  call.add("widened_words", c.widened_words);
  call.add("gaps", c.gaps);
  call.add("gap_words", c.gap_words);
  call.add("odd_pieces", c.odd_pieces);
  call.add("few", c.few);
  // Of the steps of a pair in a part, those of three pixels take 32 elements where that leaves none.
  const auto steps_of = [&](int64_t n, bool by_32) { return (n % 32 == 0) == by_32 ? n / (by_32 ? 32 : 8) : 0; };
  const int64_t long_steps = whole * steps_of(part, true) + steps_of(rest, true),
                steps = whole * steps_of(part, false) + steps_of(rest, false);
  call.add("pairs3", c.held[3] * pairs * parts);
  call.add("pairs2", c.held[2] * pairs * parts);
  call.add("pairs1", c.held[1] * pairs * parts);
  call.add("long_steps3", c.held[3] * pairs * long_steps);
  call.add("steps3", c.held[3] * pairs * steps);
  call.add("steps2", c.held[2] * pairs * (length / 8));
  call.add("steps1", c.held[1] * pairs * (length / 8));
  call.add("run_pixels", pixels * runs);
  call.add("outputs", call.zones() || call.clamps() ? 0 : pixels * outputs);
  call.add("zoned_outputs", call.zones() ? pixels * outputs : 0);
  call.add("clamped_outputs", !call.zones() && call.clamps() ? pixels * outputs : 0);
  call.add("zoned_clamped_outputs", call.zones() && call.clamps() ? pixels * outputs : 0);
  call.add("early", pixels * early);
  return call.take();
}

}  // namespace tarn::timing
