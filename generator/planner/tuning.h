// The numbers of packing that a bench sets: tests/bench/packing (minimalloc's problems and made ones) and
// tests/bench/arena. Efforts multiply work by 8 each; what is given here is for effort 0. tests/bench/tuning/move.py
// tells what each does.
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn::planner {

// Work, in nodes of the exact searches.
TARN_TUNED(uint64_t, kSearchWork, 100'000);       // of a problem with pairs
TARN_TUNED(int, kMostOpenTries, 4);               // to leave an item out of a core, one after the other
TARN_TUNED(uint64_t, kPlainSearchWork, 400'000);  // without pairs: their nodes are cheaper
TARN_TUNED(uint64_t, kGlanceWork, 4'000);         // spent at any effort, before anything else
TARN_TUNED(uint64_t, kPlainShares, 24);  // a first attempt at closing the gap takes one part of the work in so many
TARN_TUNED(uint64_t, kPairShares, 2);    // the same, with pairs

// Searches of one part.
TARN_TUNED(uint64_t, kFirstRun, 2000);      // nodes of the first run, times Luby's sequence; at least
TARN_TUNED(uint64_t, kFirstRunPerItem, 4);  // nodes of the first run for each item
TARN_TUNED(uint64_t, kJoinedShare, 3);  // nodes on joined blocks for each on all of them, where nothing may be wasted
TARN_TUNED(uint64_t, kUnjoinedPerJoined, 16);  // nodes on all blocks for each on joined ones, elsewhere
TARN_TUNED(uint64_t, kFirstDifferenceRun,
           1000);                        // work of the first run of the search over differences; each takes 3 times it
TARN_TUNED(size_t, kMostSums, 100'000);  // sums tried at a cut when blocks are joined
TARN_TUNED(size_t, kMostApartItems, 2000);  // items of a problem in which pairs that never meet are looked for
inline constexpr int kSmallTable = 14;      // bits of a table of refuted states for a few short runs

// Configurations of the search that are tried in turn: weights of wasted bytes and of height in a choice.
TARN_TUNED_LIST(double, 4, kWasteWeights, 8, 0.5, 4, 2);
TARN_TUNED_LIST(double, 4, kHeightWeights, 10, 3, 1, 1e-6);
inline constexpr int kKnownConfigs = 16;  // all of the four by four, before random ones
TARN_TUNED(size_t, kBestConfigs, 4);      // remembered, to vary

// Greedy placement and hill climbing.
TARN_TUNED(size_t, kGreedyLooks, 40'000'000);  // at items, by instants in the order of their load
TARN_TUNED(uint64_t, kClimbSteps, 20'000);     // over the number of items
TARN_TUNED(size_t, kFewItems, 512);            // with more, ties are broken in an order of their own
TARN_TUNED(size_t, kManyItems, 200'000);       // with more, they are not again

// Large instances (large_instance.cc).
inline constexpr size_t kLargeInstance = 3000;      // items; the exact searches are for fewer. Tests name it.
TARN_TUNED(uint64_t, kEjectionVisits, 11'000'000);  // of items that displace each other
TARN_TUNED(uint64_t, kHotWork, 5'000);              // nodes of packing the hottest items first
TARN_TUNED(size_t, kMostHotItems, 12'000);          // so many of the hottest are packed at most
TARN_TUNED(size_t, kMostHotMeetings, 6'000'000);    // among which so many pairs meet
TARN_TUNED(int64_t, kMostAliveOfHot,
           400);  // items alive at once: where more meet, a packed part leaves too little room for the rest

// Division among memories (split.cc).
TARN_TUNED(uint64_t, kSplitStates, 250'000);                // of the relaxation, over all rounds
TARN_TUNED(uint64_t, kSplitPackNodes, 200'000);             // over all memories packed
TARN_TUNED_LIST(int, 4, kSplitRounds, 20, 100, 400, 1600);  // by effort
TARN_TUNED_LIST(int, 5, kSplitRoom, 15, 14, 12, 8, 0);      // sixteenths of a memory to fill, in turn

}  // namespace tarn::planner
