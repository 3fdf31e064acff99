// Next states that are copied together of parts of the old one and of what is new.
#pragma once
#include "program/program.h"

namespace tarn::program {

// note [shift]: the next state `out` is a concatenation: several steps write it, and some of them read the old state.
// The steps become one that moves what stays within the state's own bytes and copies what is new beside it
// (tarn_shift_b4); of further new parts each has a step of its own, from one whole value to the next:
//
//   out = Concat(state[1:], a, b)    ->    t = tarn_shift_b4(state, a), out = tarn_shift_b4(t, b)
//
// So every tensor still has one writer, and order search, lives and overlap see nothing but steps whose result may take
// the place of their first operand. Copies of copies are looked through; those that nobody reads then are gone. Other
// parts of the old state than the one that stays are copied aside before.
//
// Rewrites the program where that can be; false: it is as it was.
bool shift_window(Program& program, TensorId out, TensorId state);

}  // namespace tarn::program
