// Layer by layer: orders, places and banks for a program's tensors. Sharing, order and packing are tried together; the
// answer is checked here, so a plan that comes out breaks no law.
#pragma once
#include "compile.h"

namespace tarn {

// A plan of the same program by other means: what `--compare` and the advice try.
struct Variant {
  planner::Strategy strategy;
  schedule::OrderKind order;
  lifetimes::ShareOptions share;
  // The same program at other sizes of a run-time dimension, for which the plan is to hold too.
  std::vector<const program::Program*> sizes = {};
};
struct Planned {
  lifetimes::Storage storage;
  std::shared_ptr<const std::vector<lifetimes::Storage>> sizes;  // of Variant::sizes
  schedule::Schedule schedule;
  lifetimes::Planning planning;
  planner::Plan plan;
};
// With room for blocks of pixels where that costs next to nothing.
Planned plan_variant(const program::Program& program, const CompileOptions& options, const Variant& variant);
// Without: the smallest arena found.
Planned plan_tight(const program::Program& program, const CompileOptions& options, const Variant& variant);

// Every tensor in memory of its own.
int64_t naive_arena(const program::Program& program, const CompileOptions& options);

// The plan is the analysis' own.
void take(Planned planned, Analysis& analysis);

// Divides a plan among the memories that are asked for, if any: sums over all of them then stand in `planned`, the
// banks in the analysis. Faults: a tensor pinned where it may not be.
Result<Done> plan_memory(const CompileOptions& options, Planned& planned, Analysis& analysis);

}  // namespace tarn
