// Requantisation: a step function from an integer accumulator to an 8-bit code, as the arithmetic that a kernel
// performs.
//
// note [corrected line]: t = c + hi32((acc << pre) * m); the code is clamp(t >> post). A line cannot follow every
// rounding of the float arithmetic it stands for, so the places where it is wrong are found here, all of them: t is
// monotone, and so is the function, hence both are known from where each code begins. A kernel looks closer only when t
// lies in a narrow zone around a step: there the tie rule lowers odd codes, and a list of exceptions names what is
// still left. Where a list would be long, the zone's accumulators go through the float arithmetic itself, see Floats.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tarn::requant {

// One channel's function. `value` is monotone (rising or falling) on the reachable accumulators [first, last].
struct Steps {
  std::function<int32_t(int64_t)> value;
  int64_t first = 0, last = 0;
  // Only for speed, where the codes lie near a line: about code_at_0 + rise * accumulator, and the codes of many at
  // once.
  double rise = 0, code_at_0 = 0;
  std::function<void(std::span<const int32_t> accumulators, int32_t* codes)> values;
};

// What the functions are where they are no more than this: accumulator times scale, over the unit, both rounded to
// float32, to the nearest whole number, ties to even, plus zero; clamped.
struct Floats {
  std::vector<float> scales;  // of the channels
  float unit = 1;
  int32_t zero = 0;
};

// The accumulators [first, first + count) have this code, whatever the line says.
struct Exception {
  int64_t first = 0, count = 0;
  int32_t code = 0;
};

struct Channel {
  int32_t m = 0, c = 0;  // c includes the zone's half width
  std::vector<Exception> exceptions;
};

struct Form {
  int32_t pre = 0, post = 0;
  int32_t half_zone = 0;   // t - half_zone is the value of the line; 0: the line is exact
  int32_t mask = -1;       // (t & mask) == 0: look closer
  int32_t tie = 0;         // odd codes begin this much later; 0: no tie rule
  int32_t parity = 0;      // added to a code before its parity is taken
  int32_t lo = 0, hi = 0;  // the clamp
  // Of Floats::unit the 24 bits of its mantissa; 0: a closer look is at ties and lists. m tells each channel's scale:
  // the scale is the float32 nearest to m * unit.
  int32_t unit = 0;
  int32_t zero = 0;
  int32_t multiplier = 0;  // of the layer, which channels' m are short factors of (factors.h); 0: there is none
  std::vector<Channel> channels;

  size_t exceptions() const;
  size_t exact_channels() const;  // whose line needs no exception
};

// The cheapest form that equals the functions on all reachable accumulators, proved by comparing where every code
// begins. `parity`: of the code that ties to even prefer, see Form. Nothing when no form is reasonably small.
// `floats`: the same functions once more, which take the place of lists of more than `most_listed` bytes.
std::optional<Form> fit(const std::vector<Steps>& channels, int32_t parity, const Floats* floats = nullptr,
                        size_t most_listed = 0);

// What a kernel computes; the model of runtime/quantise/tarn_requant.h.
int32_t evaluate(const Form& form, size_t channel, int64_t accumulator);

// Exceptions as kernels read them: where each channel's begin (channels + 1 numbers), then two numbers for each:
// the first accumulator, and (count << 8) | (code & 255). Empty when there are none.
std::vector<int32_t> pack_exceptions(const Form& form);

}  // namespace tarn::requant
