#include "plan_sizes.h"

#include <algorithm>

#include "planner/validate.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn {

namespace {

using lifetimes::Storage;

// The first tensor that lies in another buffer, or within another tensor; -1: none.
int64_t moved(const Storage& a, const Storage& b) {
  for (size_t t = 0; t < a.places.size(); ++t) {
    if (a.places[t].buffer != b.places[t].buffer || a.whole[t] != b.whole[t] ||
        a.made_in_whole[t] != b.made_in_whole[t])
      return static_cast<int64_t>(t);
  }
  return -1;
}

}  // namespace

Diagnostics check_storages(const std::vector<Analysis>& sizes, const CompileOptions& options) {
  const SizeRange& range = *options.run_time;
  const program::Program& most = sizes.back().program;
  const Storage largest = lifetimes::assign_storage(most, options.share, options.caller_io);
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    const Storage storage = lifetimes::assign_storage(sizes[i].program, options.share, options.caller_io);
    const int64_t tensor = moved(storage, largest);
    if (tensor < 0 && storage.left_out == largest.left_out) continue;
    Where where{.file = options.model_path};
    if (tensor >= 0) where.tensor = most.tensors[static_cast<size_t>(tensor)].name;
    return {{"E206", where,
             cat("at ", range.name, "=", range.low + static_cast<int64_t>(i), " it lies in another buffer than at ",
                 range.name, "=", range.high),
             "--share in_place,overlap gives every tensor a buffer of its own at each size"}};
  }
  return {};
}

void take_plan(const Analysis& planned, std::vector<Analysis>& sizes) {
  for (Analysis& size : sizes) {
    size.storage = lifetimes::assign_storage(size.program, planned.options.share, planned.options.caller_io);
    size.schedule = planned.schedule;
    const lifetimes::Planning own = lifetimes::make_planning(size.program, size.storage, size.schedule,
                                                             {planned.options.share, planned.options.alignment, 0, {}});
    planner::Plan plan = planned.plan;
    // Those of the largest say nothing here.
    plan.proof = planner::Proof::none;
    plan.lower_bound = plan.arena = 0;
    for (size_t i = 0; i < plan.offsets.size(); ++i) {
      const int64_t bytes = own.problem.items[i].size;
      if (bytes > 0) plan.arena = std::max(plan.arena, plan.offsets[i] + bytes);
    }
    const std::vector<planner::Violation> violations = planner::validate(own.problem, plan);
    if (!violations.empty()) TARN_FAIL("invalid plan at another size: " + violations.front().text);
    size.planning.items = planned.planning.items;
    size.planning.item_of = planned.planning.item_of;
    size.plan = std::move(plan);
  }
}

}  // namespace tarn
