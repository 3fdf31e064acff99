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

// What a plan breaks of its own laws, by going through its steps line by line on a map of the arena in which every byte knows
// which line of which memory it holds; empty when it breaks none. Independent of lives, rings and packing.
std::vector<std::string> check_plan(const Program& program, const Plan& plan);

}  // namespace tarn::stream
