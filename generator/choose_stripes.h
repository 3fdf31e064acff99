// Column stripes where they pay: which tensor ends the leading part, and how many there are.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "program/program.h"
#include "stream/cost/chain_cost.h"
#include "stream/joining/choose.h"
#include "stream/make_plan.h"
#include "support/result.h"

namespace tarn {

struct Striped {
  graph::Graph graph;
  program::Program program;
  stream::LinePlan plan;
};

// What searches that differ in their budget of work alone have in common: each part is searched once, with the result
// that it has in a search by itself.
struct RecomputeMemo {
  struct QuickPlan;                        // a candidate packed quickly
  using Key = std::pair<size_t, int64_t>;  // the tensor that ends the stripes, and how many there are

  std::optional<stream::LinePlan> without;            // nothing is done twice
  std::vector<stream::JoinedLayers> recomputing;      // lines instead of keeping them, without stripes
  std::map<Key, std::pair<int64_t, int64_t>> bounds;  // where joined layers keep lines, where they recompute them
  // With or without recomputed lines; null: none was made.
  std::map<std::pair<Key, bool>, std::shared_ptr<const QuickPlan>> planned;
  // Of so many choices of such a plan, below so many bytes; none: not.
  std::map<std::tuple<Key, bool, size_t, int64_t>, std::optional<stream::LinePlan>> finished;
};

struct StripeRequest {
  stream::Options options;  // mode resident or fed; recompute: the budget
  stream::SearchLimits limits;
  lifetimes::ShareOptions share;
  std::function<Result<program::Program>(const graph::Graph&)> lower;
  // What joined layers cost in a network with stripes; nothing, or no function: estimated.
  std::function<std::optional<stream::Costs>(const program::Program&, const stream::Layers&)> costs;
  std::shared_ptr<RecomputeMemo> memo;  // optional
};

// The least arena below `useful` bytes that the budget of multiplications allows. Absent: there is none, and stripes do
// not pay. `without`: the arena where nothing is done twice.
std::optional<Striped> choose_stripes(const graph::Graph& graph, const program::Program& program, int64_t without,
                                      int64_t useful, const StripeRequest& request);

}  // namespace tarn
