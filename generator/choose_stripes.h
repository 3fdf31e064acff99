// Column stripes where they pay: which tensor ends the leading part, and how many there are.
#pragma once
#include <functional>
#include <optional>

#include "graph/graph.h"
#include "program/program.h"
#include "stream/make_plan.h"
#include "support/result.h"

namespace tarn {

struct Striped {
  graph::Graph graph;
  program::Program program;
  stream::LinePlan plan;
};

struct StripeRequest {
  stream::Options options;  // mode resident or fed; recompute: the budget
  stream::SearchLimits limits;
  lifetimes::ShareOptions share;
  std::function<Result<program::Program>(const graph::Graph&)> lower;
};

// The least arena below `without`'s that the budget of multiplications allows. Absent: there is none, and stripes do
// not pay.
std::optional<Striped> choose_stripes(const graph::Graph& graph, const program::Program& program,
                                      const stream::LinePlan& without, const StripeRequest& request);

}  // namespace tarn
