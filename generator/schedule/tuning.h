// The numbers of order search that a bench sets: tests/bench/order, networks of TARN_SHARED_DIR among its graphs.
// tests/bench/tuning/move.py tells what each does.
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn::schedule {

// By effort: words of state that are gone through while orders are looked for, and while bounds are raised.
TARN_TUNED_LIST(int64_t, 4, kSearchWords, 40'000'000, 800'000'000, 8'000'000'000, 80'000'000'000);
TARN_TUNED_LIST(int64_t, 4, kBoundWords, 40'000'000, 300'000'000, 3'000'000'000, 30'000'000'000);

TARN_TUNED(size_t, kLongestWay, 64);              // operators run by the greedy order to free one tensor
inline constexpr size_t kMostPartOperators = 64;  // of a region that is ordered for itself: what a mask holds
TARN_TUNED(int, kMostPartStates, 4000);           // looked at in one region
TARN_TUNED(int, kMostCanonicalStates, 4000);      // of a section's canonical order
TARN_TUNED(int, kMostImplied, 512);         // operators of a section of which pairs are tested for an implied order
TARN_TUNED(int, kWidestBeam, 64);           // states kept after each move; narrower ones come first
TARN_TUNED(size_t, kMostInterfering, 256);  // tensors and operators of the bound by interference; the largest are kept
TARN_TUNED_LIST(int, 4, kWindowWidths, 48, 128, 320, 800);  // steps of a window that is solved for itself
TARN_TUNED(int64_t, kWindowWork, 100);                      // words of a window, times its width squared
TARN_TUNED(int64_t, kWordsPerSection, 4'000'000);           // of one attempt at another order of least peak
TARN_TUNED(int, kFarthestShift, 64);                        // steps by which one operator moves in such an order

}  // namespace tarn::schedule
