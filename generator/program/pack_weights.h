// --weights packed: weights as prefix codes, unpacked in the arena by the operation that reads them.
#pragma once
#include "program/program.h"

namespace tarn::program {

// Replaces each weight that takes fewer bytes so by its codes, and stages it; none where what is saved in all is less
// than the decoder's code, fewer where tables of codes would take longer than twelve instructions a byte. What few
// elements are read of (Gather) stays as it is. `spreads`: constants that can be spread out (spread_constants.h) count
// as what they take then, and stay where codes take more.
void pack_weights(Program&, bool spreads = true);

}  // namespace tarn::program
