// How many lines the steps of a network by lines make. Kernels that work on blocks of pixels are left with part of a
// block at the end of each short line, and a signal's lines are no longer than the work around them: several lines in
// a step share both, for the bytes of these lines. The model of time (time/) decides.
#pragma once
#include "compile.h"
#include "stream/make_plan.h"

namespace tarn {

// Some lines have one pixel: by layers, the same operations would be lowered for a line of many.
bool has_signals(const program::Program& program);

// Fills in analysis.stream: the choice as it is, or with longer steps where a run by lines takes more than
// kMostTimeOfLines of one by layers, until it does not. A share of the time is worth the same share of the arena,
// beside the best so far or, once the run takes no more than that, beside one line a step; and what comes within that
// time is worth all up to kMostArenaOfLines of the arena by layers. What is as large as that is of no use, nor, with a
// goal in bytes (SearchLimits::budget), what does not fit it. Networks whose time is not modelled keep one line a step.
void plan_steps(const stream::JoinedLayers& choice, const stream::SearchLimits& limits, Analysis& analysis);

// By lines a run should take no more than this share of the time by layers (kMostTimeOfLines), and for that its arena
// may grow to this share of the one by layers (kMostArenaOfLines), in bytes.
bool is_fast_enough(int64_t time, int64_t time_by_layers);
int64_t most_arena_for_time(int64_t arena_by_layers);

// Instructions of a run by the lines that are planned, or by layers where none are; nothing where something of it is
// not modelled.
std::optional<int64_t> time_as_planned(Analysis& analysis);

// Instructions of a run by layers of the network; nothing where something of it is not modelled.
std::optional<int64_t> time_by_layers(Analysis& analysis);

}  // namespace tarn
