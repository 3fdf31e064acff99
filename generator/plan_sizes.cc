#include "plan_sizes.h"

#include <algorithm>

#include "planner/validate.h"
#include "program/sizes.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn {

namespace {

using lifetimes::Storage;

// Each has code of its own in the firmware.
constexpr size_t kMostSpans = 4;

program::SizeName name_of(const CompileOptions& options, size_t size) {
  return {options.model_path, options.run_time->name, options.run_time->low + static_cast<int64_t>(size)};
}

// E206 for the first tensor that lies in another buffer, or within another tensor.
Diagnostics compare_storages(const Storage& a, const program::SizeName& name, const Storage& most,
                             const program::Program& program, int64_t largest) {
  const auto fault = [&](const std::string& tensor) {
    return Diagnostics{
        {"E206",
         {.file = name.file, .tensor = tensor},
         cat("at ", name.dimension, "=", name.n, " it lies in another buffer than at ", name.dimension, "=", largest),
         "--share in_place,overlap gives every tensor a buffer of its own at each size"}};
  };
  for (size_t t = 0; t < a.places.size(); ++t) {
    if (a.places[t].buffer != most.places[t].buffer || a.whole[t] != most.whole[t] ||
        a.made_in_whole[t] != most.made_in_whole[t])
      return fault(program.tensors[t].name);
  }
  return a.left_out == most.left_out ? Diagnostics{} : fault("");
}

}  // namespace

Result<std::vector<SizeSpan>> find_spans(std::vector<Analysis>& sizes, const CompileOptions& options) {
  std::vector<SizeSpan> spans{{sizes.size() - 1, sizes.size() - 1}};
  const auto stored = [&](size_t size) {
    return lifetimes::assign_storage(sizes[size].program, options.share, options.caller_io);
  };
  Storage most = stored(spans.back().last);
  Diagnostics first;  // what the largest span ends at
  for (size_t i = sizes.size() - 1; i-- > 0;) {
    const program::Program &program = sizes[i].program, &last = sizes[spans.back().last].program;
    const program::SizeName name = name_of(options, i);
    const int64_t largest = name_of(options, spans.back().last).n;
    Diagnostics apart = program::compare_calls(program, name, last, largest);
    if (apart.empty()) apart = compare_storages(stored(i), name, most, last, largest);
    if (apart.empty()) {
      spans.back().first = i;
      continue;
    }
    if (first.empty()) first = std::move(apart);
    // Where states lie does not change with the size.
    if (spans.size() == kMostSpans || !program.symbols.empty() || !program.states.empty()) return first;
    spans.push_back({i, i});
    most = stored(i);
  }
  for (const SizeSpan& span : spans) {
    std::vector<program::Program*> programs;
    for (size_t i = span.first; i <= span.last; ++i) programs.push_back(&sizes[i].program);
    Diagnostics apart = program::store_constants(programs, name_of(options, span.first));
    if (!apart.empty()) return apart;
  }
  std::reverse(spans.begin(), spans.end());
  return spans;
}

Planned plan_span(const CompileOptions& options, const SizeSpan& span, std::vector<Analysis>& sizes) {
  Variant variant{options.strategy, options.order, options.share, {}};
  for (size_t i = span.first; i < span.last; ++i) variant.sizes.push_back(&sizes[i].program);
  Planned planned = plan_variant(sizes[span.last].program, options, variant);
  for (size_t i = span.first; i <= span.last; ++i) {
    Analysis& size = sizes[i];
    size.options.run_time =
        SizeRange{options.run_time->name, name_of(options, span.first).n, name_of(options, span.last).n};
    size.storage = lifetimes::assign_storage(size.program, options.share, options.caller_io);
    size.schedule = planned.schedule;
    const lifetimes::Planning own =
        lifetimes::make_planning(size.program, size.storage, size.schedule, {options.share, options.alignment, 0, {}});
    planner::Plan plan = planned.plan;
    // Those of the largest say nothing here.
    plan.proof = planner::Proof::none;
    plan.lower_bound = plan.arena = 0;
    for (size_t k = 0; k < plan.offsets.size(); ++k) {
      const int64_t bytes = own.problem.items[k].size;
      if (bytes > 0) plan.arena = std::max(plan.arena, plan.offsets[k] + bytes);
    }
    const std::vector<planner::Violation> violations = planner::validate(own.problem, plan);
    if (!violations.empty()) TARN_FAIL("invalid plan at another size: " + violations.front().text);
    size.planning.items = planned.planning.items;
    size.planning.item_of = planned.planning.item_of;
    size.plan = std::move(plan);
  }
  return planned;
}

}  // namespace tarn
