// Line by line: whether a network can run so, and the plan of the way that is asked for, striped where work may be done
// twice.
#pragma once
#include <functional>

#include "compile.h"
#include "stream/schedule/search.h"

namespace tarn {

using Lower = std::function<Result<program::Program>(const graph::Graph&)>;

// A way of running by lines was named.
bool runs_by_lines(const CompileOptions& options);

// With inputs and outputs of the caller's and lines that are pushed or pulled, every port goes by lines: they are
// copied from where the caller has them to where he wants them, and no port has a place in the arena.
CompileOptions with_ports(const CompileOptions& options);

// Why the program cannot run by lines under these options; empty: it can.
std::string obstacle_of(const CompileOptions& options, const program::Program& program);

// The operations of a plan by layers, in its order; the copies into states follow behind the run.
std::vector<program::OperationId> line_order(const Analysis& analysis);
// How far a plan by lines is searched.
stream::SearchLimits line_limits(const CompileOptions& options);
// A plan that breaks a law is a fault of ours, never handed on.
void check_lines(const program::Program& program, const stream::LinePlan& plan);

// Adds the plan by lines, if one is asked for, to an analysis that is planned by layers. `lower` makes the program of
// another graph of the same model. Faults: E311, E312.
Result<Done> plan_lines(Analysis& analysis, const Lower& lower);

// The ways of running by lines that stream mode `auto` tries, in this order.
std::vector<stream::Options> stream_choices(const stream::Options& asked);

}  // namespace tarn
