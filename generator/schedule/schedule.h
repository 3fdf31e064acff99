// Schedule: the steps in the order in which they run. A step is some lines of one operation; whole layers are steps of
// all their lines.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lifetimes/storage.h"
#include "program/program.h"
#include "schedule/order_problem.h"

namespace tarn::schedule {

// The steps inside a branch or loop follow it; it runs them itself.
struct Step {
  program::OperationId operation;
  int64_t first_line = 0, lines = 0;  // of the operation's output
  int64_t parent = -1;                // the step of the branch or loop around it
  int64_t end = 0;                    // one past the last step inside it; the next step where it holds none
};

enum class OrderKind { given, min_peak };
std::string to_string(OrderKind);
std::optional<OrderKind> order_from(const std::string& name);

struct Schedule {
  std::vector<Step> steps;
  Bytes peak = 0, lower_bound = 0;  // of the order search's cost model
  uint64_t search_states = 0;
};

// The ordering problem of a program: operators are the operations that storage leaves (in `operations`), tensors are
// what each of them makes. The bodies of branches and loops are ordered on their own; to the operators around them
// their peak is scratch.
struct Ordering {
  OrderProblem problem;
  std::vector<program::OperationId> operations;
  std::map<program::OperationId, std::vector<std::vector<program::OperationId>>> bodies;  // in the order they run in
};
Ordering make_ordering(const program::Program& program, const lifetimes::Storage& storage,
                       const lifetimes::ShareOptions& share, OrderKind kind, const OrderLimits& limits);

Schedule make_schedule(const program::Program& program, const Ordering& ordering, const Order& order);

}  // namespace tarn::schedule
