// Cycles of straight-line code and of jumps on a core whose memories answer at once.
//
// Cortex-M0, M3 and M4 by the instruction timings of their technical reference manuals (Arm DDI 0432C, 3.3; DDI 0337I,
// 3.3; 100166, 3.3 and 7.2.3). Arm publishes none of the Cortex-M33, M7 and M55: those are models, stated in
// generator/doc/time_model.md with what they were compared with.
#pragma once
#include <optional>
#include <vector>

#include "verify/boards.h"
#include "verify/decode.h"

namespace tarn::verify {

bool has_timing(Target core);

// Of instructions that run one after the other, the last one's jump left out. Dependencies on what ran before are not
// seen.
double straight_cycles(Target core, const std::vector<Decoded>& block);

// What a jump adds at the end of a block. `split`: it goes to an instruction of 32 bits that lies in two words.
double jump_cycles(Target core, const Decoded& last, bool split);

}  // namespace tarn::verify
