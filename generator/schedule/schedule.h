// Schedule: the steps in the order in which they run. A step is some lines of one operation; whole layers are steps of
// all their lines.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lifetimes/storage.h"
#include "program/program.h"
#include "schedule/order_problem.h"

namespace tarn::schedule {

struct Step {
  program::OperationId operation;
  int64_t first_line = 0, lines = 0;  // of the operation's output
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
// what each of them makes.
struct Ordering {
  OrderProblem problem;
  std::vector<program::OperationId> operations;
};
Ordering make_ordering(const program::Program& program, const lifetimes::Storage& storage, const lifetimes::ShareOptions& share);

Schedule make_schedule(const program::Program& program, const Ordering& ordering, const Order& order);

}  // namespace tarn::schedule
