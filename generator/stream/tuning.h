// The numbers of running by lines that a bench sets: tests/bench/stream/run.py (published records and networks of
// TARN_SHARED_DIR). Efforts multiply work by 8 each unless something else is said; what is given here is for effort 0.
// tests/bench/tuning/move.py tells what each does. What kernels take is told by the models of time (line_costs.h).
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn::stream {

// Choice of the layers that are joined. Work is in units of about a nanosecond (cost/work.h), by effort.
TARN_TUNED_LIST(uint64_t, 4, kJoiningWork, 300'000'000, 1'500'000'000, 8'000'000'000, 64'000'000'000);
TARN_TUNED(uint64_t, kJoiningShares, 6);  // evaluating one way of joining takes one part of the work in so many at most
TARN_TUNED(uint64_t, kRefinedPercent,
           60);  // of the work, after which the choice is refined no more, so that time is saved in the rest
TARN_TUNED(int, kRefineTrials, 10);  // changes tried while refining; each effort allows twice as many

// Recomputing lines in place of keeping them (tests/bench/fronts/run.py): a choice with less memory is one of its own
// where it saves one part of the arena in so many; else it replaces the one before.
TARN_TUNED(int64_t, kLeastGainOfRecomputing, 32);
TARN_TUNED(int64_t, kNearPeak, 8);  // operators are changed where all but one part in so many of the most is alive

// Exchanging chains of joined layers for cheaper ones.
TARN_TUNED(int, kChainExchanges, 50);      // each effort allows twice as many
TARN_TUNED(int, kChainMoves, 100);         // towards fewer bytes; each effort allows twice as many
TARN_TUNED(int64_t, kWidestChunk, 48);     // pixels, apart from whole lines
TARN_TUNED(int64_t, kMostExtraTime, 41);   // thousandths of the network's time that running by lines and chains may add
TARN_TUNED(int64_t, kLeastExtraTime, 10);  // thousandths that chains may always add, whatever running by lines costs

// Steps of several lines.
TARN_TUNED(uint64_t, kLongerSteps, 500'000'000);  // of work, for the cuts of one choice
TARN_TUNED(double, kMostTimeOfLines, 1.05);       // of the time by layers: what needs no longer steps
TARN_TUNED(double, kMostArenaOfLines,
           0.9);  // of the arena by layers: what longer steps, or scratch, may grow to for that

// What steps of planning cost, in units of work.
TARN_TUNED(uint64_t, kCutCost, 25);       // looking at a step of a segment
TARN_TUNED(uint64_t, kStepCost, 20);      // a step in its place among the others
TARN_TUNED(uint64_t, kTouchCost, 5);      // a line that a step reads or makes
TARN_TUNED(uint64_t, kMeetCost, 20);      // what a line of one memory means for another one
TARN_TUNED(uint64_t, kConflictCost, 50);  // an interval in a graph of conflicts, when that is built
TARN_TUNED(uint64_t, kPlaceCost, 8);      // the same, looked at when an item is placed

// Segments of the order: where it is cut.
TARN_TUNED(uint64_t, kCutWork, 500'000);       // steps looked at
TARN_TUNED(size_t, kLongestSegmentTried, 96);  // nodes
TARN_TUNED(uint64_t, kUsualLooks, 8);          // at lines, for a step
TARN_TUNED(uint64_t, kJudgeWork, 400'000);     // steps of all candidates that are packed
TARN_TUNED(uint64_t, kQuickPlacements, 40);    // of items, with which a changed set of cuts is judged
TARN_TUNED(uint64_t, kGoalPlacements, 400);    // for cuts that only have to meet a goal
TARN_TUNED(size_t, kAcceptanceLength, 20);     // tries that late acceptance compares with
TARN_TUNED(int, kMostFailures, 150);           // changes in a row without gain after which the search ends
TARN_TUNED(int64_t, kNearGoal, 8);     // an arena above the goal by less than one part in so many may still reach it
TARN_TUNED(int64_t, kFarFromGoal, 2);  // one above it by one part in so many of itself will not

// Packing of lines.
TARN_TUNED(uint64_t, kLineWork, 5'000'000);    // visits of conflicts while single lines are packed
TARN_TUNED(uint64_t, kRaiseCost, 60'000'000);  // units of work for packing the lines of the chosen cuts
TARN_TUNED(uint64_t, kStepWork, 1000);         // visits that one order of placement costs beside its conflicts
TARN_TUNED(uint64_t, kMostLineMeetings,
           2'000'000);                        // pairs of single lines alive together; with more, lines stay in rings
TARN_TUNED(int64_t, kShortRing, 8);           // slots; those of rings up to it may be packed one by one
TARN_TUNED(int64_t, kLeastGainOfLines, 64);   // single lines are taken where they win one part of the arena in so many
TARN_TUNED(int64_t, kMostGainOfRaising, 16);  // more than one part in so many is seldom won by packing again

// Endless plans (endless.cc).
TARN_TUNED(size_t, kLoopPasses, 3);  // of the loop, that are looked at before it is taken for one

}  // namespace tarn::stream
