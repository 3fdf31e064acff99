// Layers of 16-bit codes. 65,536 steps are too many to be proved one by one: a code is the nearest to the exact value
// of the graph's own scales, ties to even, from an exact sum. A float evaluation rounds at every step and may be a step
// off where a value lies within its error of a tie.
#pragma once
#include "passes/integer/chain.h"

namespace tarn::passes::integer {

// The operators of a chain as one line within bounds, in numbers.
struct Line {
  double slope = 1, offset = 0;
  double lo, hi;
};
// Nothing when the chain is no line.
std::optional<Line> line_of(const Chain& chain, size_t channel);

// The codes that may be written.
struct CodeBounds {
  int32_t lo = 0, hi = 0;
  bool operator==(const CodeBounds&) const = default;
};
CodeBounds bounds_of(const Line& line, const Codes& y);

// What turns a sum into a code: see runtime/int16/tarn_wide.h.
struct WideForm {
  int64_t m = 0, c = 0;
  int shift = 0;
};
// The form of nearest(slope * (sum + begin) + offset) + zero, in codes, for sums of at most `most`. Nothing when it
// does not fit or would be a hundredth of a step off.
std::optional<WideForm> wide_form(double slope, double offset, int64_t begin, int64_t most, int32_t zero);

// The attributes of a fused node: "codes" (lo, hi, parity, near), "forms" (int32 [forms][4]), "form" (for the report).
// `near`: what a form may be off, in its own units, where a value halfway between two codes has to be known as such.
void set_wide(Node& node, const CodeBounds& bounds, int32_t zero, const std::vector<WideForm>& forms, int64_t near = 0);

}  // namespace tarn::passes::integer
