// The numbers of whole plans that a bench sets: tests/bench/arena (networks of TARN_SHARED_DIR by layers) and
// tests/bench/stream/run.py (by lines). tests/bench/tuning/move.py --area plan tells what each does.
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn {

// Plans by layers.
// A layer whose output follows too closely on its input works on one pixel at a time and takes about a third longer.
// A few pixels' distance more make whole blocks: an arena may grow by one part in so many for them.
TARN_TUNED(int64_t, kBlockPart, 128);
TARN_TUNED(int64_t, kTriflePart, 4096);  // less than one part in so many of an arena is not worth another search
TARN_TUNED(int, kMostSharingTries, 8);   // sharings of memory that are given up in turn, for a faster kernel
// Orders of the least peak that are packed before a larger arena is accepted, by effort.
TARN_TUNED_LIST(int, 4, kOrdersTried, 1, 8, 32, 128);
TARN_TUNED(size_t, kMostStagedSteps, 400);  // networks of more steps are planned once, without staged states
TARN_TUNED(size_t, kMostStaged, 8);         // the same, of more states

// Stripes of a leading part, planned beside the network as it is.
TARN_TUNED(int64_t, kMostStripes, 16);
TARN_TUNED(size_t, kMostLooks, 600);      // candidates whose segments are looked at
TARN_TUNED(uint64_t, kLookWork, 40'000);  // steps looked at for each
TARN_TUNED(size_t, kMostPlans, 2);    // candidates planned of those within less work, at effort 0; one more for each
TARN_TUNED(int64_t, kBelowBound, 8);  // plans are taken to be at most one part in so many below the bound of a look
TARN_TUNED(uint64_t, kPlanPart, 3);   // planning one may take one part in so many of the work of the plan without
TARN_TUNED(uint64_t, kPlacements, 1500);  // orders of items that are packed greedily before a search of cuts begins

// Sizes that are not fixed (tests/bench/symbolic): plans of one firmware, each with code of its own.
TARN_TUNED(size_t, kMostSpans, 4);           // of one dimension
TARN_TUNED(size_t, kMostSpansOfSeveral, 9);  // of several

}  // namespace tarn
