// From a program to its plan by lines.
#pragma once
#include <vector>

#include "stream/net.h"
#include "stream/plan.h"
#include "stream/search.h"

namespace tarn::stream {

// `order`: the operations in an order in which they can run, without those that storage leaves out. options.mode is resident or
// fed; obstacle(program) is empty.
Plan make_plan(const Program& program, const lifetimes::Storage& storage, const std::vector<OperationId>& order, const Options& options,
               const SearchLimits& limits);

// What of a plan cannot be written as C; empty: all can.
std::string not_emitted(const Program& program, const Plan& plan);

}  // namespace tarn::stream
