// The answer to a packing problem, and how much of it is proved.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/problem.h"

namespace tarn::planner {

enum class Strategy { naive, greedy_by_size, greedy_by_breadth, first_fit, best_fit, hill_climb, exact, automatic };

enum class Proof {
  none,        // a strategy that proves nothing
  optimal,     // no plan of this problem is smaller than `arena`
  best_found,  // the optimum lies in [lower_bound, arena]
  infeasible,  // nothing fits Problem::capacity: proved, see `core`
  undecided    // Problem::capacity was neither met nor refuted within the limits
};

struct Plan {
  std::vector<Offset> offsets;  // one per item; empty when there is no placement (infeasible, undecided)
  Bytes arena = 0;              // max over items of offset + size
  Bytes lower_bound = 0;        // proved: no plan is smaller
  Proof proof = Proof::none;
  std::vector<int> core;  // infeasible: the smallest set of items found that cannot fit together
  uint64_t search_nodes = 0;
  bool operator==(const Plan&) const = default;
};

// How far a search may go, in nodes, so that the same problem gives the same answer on every machine.
struct Limits {
  int effort = 1;  // 0 to 3; each step allows about eight times the nodes
  Bytes below =
      INT64_MAX;  // only a smaller arena is of interest: once there can be none the search ends with what it has
};

std::string to_string(Strategy);  // the names of interface.md, "auto" for automatic
std::string to_string(Proof);     // "none", "optimal", "best_found", "infeasible", "undecided"
std::optional<Strategy> strategy_from(const std::string& name);

// Solves `problem` with one strategy. Fixed offsets are kept by every strategy. The problem is well-formed
// (see check_problem); the result always passes validate().
Plan solve(const Problem& problem, Strategy strategy, const Limits& limits);

// The greatest lower bound that is cheap: max over instants of the bytes alive, Problem::known_bound, the extent of
// fixed items.
Bytes lower_bound(const Problem& problem);

}  // namespace tarn::planner
