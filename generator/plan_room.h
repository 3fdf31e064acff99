// Scratch beyond what layers must have, where a plan leaves room for it.
#pragma once
#include <set>

#include "plan_layers.h"

namespace tarn {

// Bytes. What rounds sizes up may come in twice: for patches and for their bytes.
constexpr int64_t kRoomForRounding = 64;

// The longest stretch of the arena in which nothing lies that lives in a step, but for `own`.
int64_t largest_gap(const std::set<lifetimes::BufferId>& own, const Planned& planned, int64_t step);
// Sets the attribute "roomy" of the layers that would be faster with more scratch than they have
// (program::Operation::wish) and find that much between what lives beside them. False: there are none.
bool give_room(const program::Program& program, const Planned& planned, graph::Graph& graph);
// Sets it for all layers that would be faster so, whether there is room or not. False: there are none.
bool give_all_room(const program::Program& program, graph::Graph& graph);
// Sets it where another graph of the model has it.
void give_the_same_room(const graph::Graph& from, graph::Graph& graph);
// Weights that are read at run time are begun to be read as soon as no others are, where they find that much between
// what lives until the step before the one that needs them, and `more`. Nothing where there are none.
std::optional<program::Program> with_early_reads(const program::Program& program, const Planned& planned, int64_t more);
// Takes the attribute "roomy" away again.
void take_room(graph::Graph& graph);

}  // namespace tarn
