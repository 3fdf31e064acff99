#include "plan_sizes.h"

#include <algorithm>

#include "move_offsets.h"
#include "plan_lines.h"
#include "planner/validate.h"
#include "program/sizes.h"
#include "support/check.h"
#include "support/text.h"
#include "tuning.h"

namespace tarn {

namespace {

using lifetimes::Storage;

program::SizeName name_of(const CompileOptions& options, size_t position) {
  std::vector<std::string> names;
  for (const SizeRange& range : options.run_time) names.push_back(range.name);
  return {options.model_path, join(names, "' and '"),
          point_text(options.run_time, point_at(options.run_time, position)),
          runs_by_lines(options)        ? "one group"
          : options.run_time.size() > 1 ? "nine groups"
                                        : "four groups"};
}

// E206 for the first tensor that lies in another buffer, or within another tensor.
Diagnostics compare_storages(const Storage& a, const program::SizeName& name, const Storage& most,
                             const program::Program& program, const std::string& largest) {
  const auto fault = [&](const std::string& tensor) {
    return Diagnostics{{"E206",
                        {.file = name.file, .tensor = tensor},
                        cat("at ", name.at, " it lies in another buffer than at ", largest),
                        "--share in_place,overlap gives every tensor a buffer of its own at each size"}};
  };
  for (size_t t = 0; t < a.places.size(); ++t) {
    if (a.places[t].buffer != most.places[t].buffer || a.whole[t] != most.whole[t] ||
        a.made_in_whole[t] != most.made_in_whole[t])
      return fault(program.tensors[t].name);
  }
  return a.left_out == most.left_out ? Diagnostics{} : fault("");
}

// Looks for spans from the largest size down.
class SpanSearch {
 public:
  SpanSearch(const std::vector<Analysis>& sizes, const CompileOptions& options)
      : sizes_(sizes), options_(options), whole_(options.run_time), taken_(sizes.size()) {}

  Result<std::vector<SizeSpan>> run() {
    const size_t most = runs_by_lines(options_) ? 1 : whole_.size() > 1 ? kMostSpansOfSeveral : kMostSpans;
    std::vector<SizeSpan> spans;
    for (size_t i = sizes_.size(); i-- > 0;) {
      if (taken_[i]) continue;
      const program::Program& program = sizes_[i].program;
      // Where states lie does not change with the size.
      if (!spans.empty() && (spans.size() == most || !program.symbols.empty() || !program.states.empty()))
        return first_;
      spans.push_back(grown_from(i));
    }
    std::reverse(spans.begin(), spans.end());
    // That of the largest size stands last already; of one dimension they are in order.
    return spans;
  }

 private:
  Storage stored(size_t size) const {
    return lifetimes::assign_storage(sizes_[size].program, options_.share, options_.caller_io);
  }

  // The largest box below the size whose networks make the same calls.
  SizeSpan grown_from(size_t largest) {
    const Storage most = stored(largest);
    const SizePoint top = point_at(whole_, largest);
    SizeBox box;
    for (size_t axis = 0; axis < whole_.size(); ++axis) box.push_back({whole_[axis].name, top[axis], top[axis]});
    taken_[largest] = true;
    for (size_t axis = whole_.size(); axis-- > 0;) {
      while (box[axis].low > whole_[axis].low) {
        SizeBox slice = box;
        slice[axis].low = slice[axis].high = box[axis].low - 1;
        const std::vector<size_t> more = positions(slice);
        if (!std::all_of(more.begin(), more.end(), [&](size_t i) { return !taken_[i] && alike(i, largest, most); }))
          break;
        for (const size_t i : more) taken_[i] = true;
        --box[axis].low;
      }
    }
    return {box, positions(box)};
  }

  std::vector<size_t> positions(const SizeBox& box) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < point_count(box); ++i) found.push_back(position_of(whole_, point_at(box, i)));
    return found;
  }

  bool alike(size_t size, size_t largest, const Storage& most) {
    const program::Program &program = sizes_[size].program, &last = sizes_[largest].program;
    const program::SizeName name = name_of(options_, size);
    const std::string there = name_of(options_, largest).at;
    Diagnostics apart = program::compare_calls(program, name, last, there);
    if (apart.empty()) apart = compare_storages(stored(size), name, most, last, there);
    if (!apart.empty() && first_.empty()) first_ = apart;
    return apart.empty();
  }

  const std::vector<Analysis>& sizes_;
  const CompileOptions& options_;
  const SizeBox& whole_;
  std::vector<bool> taken_;
  Diagnostics first_;  // what the largest span ends at
};

}  // namespace

Result<std::vector<SizeSpan>> find_spans(std::vector<Analysis>& sizes, const CompileOptions& options) {
  Result<std::vector<SizeSpan>> spans = SpanSearch(sizes, options).run();
  if (!spans) return spans;
  for (const SizeSpan& span : *spans) {
    std::vector<program::Program*> programs;
    std::vector<program::SizeName> names;
    for (const size_t i : span.sizes) {
      programs.push_back(&sizes[i].program);
      names.push_back(name_of(options, i));
    }
    Diagnostics apart = program::store_constants(programs, names);
    if (!apart.empty()) return apart;
  }
  return spans;
}

namespace {

// The same offsets at another size, of which less is used.
planner::Plan at_size(const lifetimes::Planning& own, planner::Plan plan) {
  // Those of the largest say nothing here.
  plan.proof = planner::Proof::none;
  plan.lower_bound = plan.arena = 0;
  for (size_t k = 0; k < plan.offsets.size(); ++k) {
    const int64_t bytes = own.problem.items[k].size;
    if (bytes > 0) plan.arena = std::max(plan.arena, plan.offsets[k] + bytes);
  }
  return plan;
}

}  // namespace

SpanPlan plan_span(const CompileOptions& options, const SizeSpan& span, std::vector<Analysis>& sizes) {
  Variant variant{options.strategy, options.order, options.share, {}};
  for (const size_t i : span.sizes) {
    if (i != span.sizes.back()) variant.sizes.push_back(&sizes[i].program);
  }
  SpanPlan result{plan_variant(sizes[span.sizes.back()].program, options, variant), {}};
  const int64_t one_set = result.planned.plan.arena;
  std::optional<MovedOffsets> moved;
  if (options.dim_offsets) moved = move_offsets(options, span, sizes, one_set);
  if (moved) {
    result.one_set = one_set;
    result.planned = std::move(moved->planned);
  }
  for (size_t at = 0; at < span.sizes.size(); ++at) {
    Analysis& size = sizes[span.sizes[at]];
    size.options.run_time = span.box;
    size.storage = lifetimes::assign_storage(size.program, options.share, options.caller_io);
    size.schedule = result.planned.schedule;
    const lifetimes::Planning own =
        lifetimes::make_planning(size.program, size.storage, size.schedule, {options.share, options.alignment, 0, {}});
    planner::Plan plan = at_size(own, moved ? std::move(moved->sizes[at]) : result.planned.plan);
    const std::vector<planner::Violation> violations = planner::validate(own.problem, plan);
    if (!violations.empty()) TARN_FAIL("invalid plan at another size: " + violations.front().text);
    size.planning.items = result.planned.planning.items;
    size.planning.item_of = result.planned.planning.item_of;
    size.planning.lives = result.planned.planning.lives;
    size.plan = std::move(plan);
  }
  return result;
}

}  // namespace tarn
