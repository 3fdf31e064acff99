// A closer look by the float arithmetic itself, in integers: no list is needed, and none is searched.
#pragma once
#include <optional>
#include <vector>

#include "requant/thresholds.h"

namespace tarn::requant {

// note [floats in integers]: is a float32 quotient q = v / unit above, at or below b = (2 * (step - zero) - 1) / 2? It
// is rounded to b where the exact one is no farther from b than half of what one in the last of 24 places of b is, both
// ends included, as b's mantissa is even. 0.5 alone begins a binade here: below it that is half as much. Returns step,
// or the code before it; a tie goes to the even number. m: the channel's, which tells its scale.
int64_t code_beside(const Form& form, int64_t step, int64_t accumulator, int64_t m);

// The line of the scales themselves, for accumulators that float32 holds, proved at every one where a closer look is
// taken. `form`: with its shifts and its clamp. Nothing: a scale's 24 bits are not told by a multiplier of 31, or the
// zone is no narrow one.
std::optional<Form> fit_floats(Form form, const std::vector<Thresholds>& all, const Floats& floats);

// The same with one constant for all channels, whose multipliers are short factors of one of the layer: it takes less
// room, and looks closer at more. Nothing: the scales have no such factors.
std::optional<Form> fit_factors(Form form, const std::vector<Thresholds>& all, const Floats& floats);

}  // namespace tarn::requant
