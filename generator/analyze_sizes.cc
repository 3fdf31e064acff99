#include "analyze_sizes.h"

#include <algorithm>
#include <future>

#include "make_program.h"
#include "plan_layers.h"
#include "plan_line_sizes.h"
#include "plan_lines.h"
#include "plan_room.h"
#include "plan_sizes.h"
#include "program/sizes.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn {

namespace {

// The network at each size and the plans of spans, that of the largest size last.
struct Sized {
  std::vector<Analysis> sizes;
  std::vector<SizeSpan> spans;
  std::vector<Planned> plans;
  int64_t arena = 0, one_set = 0;  // one_set: where offsets of no span follow the size
  bool moved = false;
};

CompileOptions options_at(const CompileOptions& options, const SizePoint& point) {
  CompileOptions at = options;
  at.run_time.clear();
  for (size_t axis = 0; axis < point.size(); ++axis) at.dims[options.run_time[axis].name] = point[axis];
  if (!runs_by_lines(at)) at.stream.mode = stream::Mode::off;
  return at;
}

Diagnostics at_size(Diagnostics faults, const CompileOptions& options, const SizePoint& point) {
  for (Diagnostic& fault : faults) fault.message = cat("at ", point_text(options.run_time, point), ": ", fault.message);
  return faults;
}

void plan_spans(const CompileOptions& by_layers, Sized& sized) {
  sized.plans.clear();
  sized.arena = sized.one_set = 0;
  sized.moved = false;
  for (const SizeSpan& span : sized.spans) {
    SpanPlan plan = plan_span(by_layers, span, sized.sizes);
    sized.arena = std::max(sized.arena, plan.planned.plan.arena);
    sized.one_set = std::max(sized.one_set, plan.one_set.value_or(plan.planned.plan.arena));
    sized.moved = sized.moved || plan.one_set;
    sized.plans.push_back(std::move(plan.planned));
  }
}

// `largest`: the network at the largest size, whose constants the others read; see make_program().
Result<Sized> plan_sizes(const CompileOptions& options, const model::Model& model, const Lowered& largest, bool alike) {
  const SizeBox& box = options.run_time;
  std::vector<std::string> names;
  for (const SizeRange& range : box) names.push_back(range.name);
  Sized sized;
  sized.sizes.resize(point_count(box));
  sized.sizes.back() = largest.analysis;
  for (size_t i = sized.sizes.size(); i-- > 0;) {
    Analysis& size = sized.sizes[i];
    if (i + 1 < sized.sizes.size()) {
      note_progress("making the program of each size", sized.sizes.size() - 1 - i);
      const SizePoint point = point_at(box, i);
      Result<Lowered> lowered = make_program(options_at(options, point), model, &largest, alike);
      if (!lowered) return at_size(lowered.faults(), options, point);
      size = std::move(lowered->analysis);
      size.graph = {};
    }
    size.every_size = box;
    program::add_set_size(size.program, names);
  }
  CompileOptions by_layers = options_at(options, highest(box));
  by_layers.run_time = box;
  Result<std::vector<SizeSpan>> spans = find_spans(sized.sizes, by_layers);
  if (!spans) return spans.faults();
  sized.spans = std::move(*spans);
  for (Analysis& size : sized.sizes) size.program.set_size_first = sized.spans.size() > 1;
  plan_spans(by_layers, sized);
  if (sized.moved && sized.arena >= sized.one_set) {
    // Another group of sizes needs as much with one set.
    by_layers.dim_offsets = false;
    plan_spans(by_layers, sized);
  }
  return sized;
}

}  // namespace

Result<Analysis> analyze_sizes(const CompileOptions& asked) {
  CompileOptions options = with_ports(asked);
  const Result<LoadedModel> loaded = load_model(options);
  if (!loaded) return loaded.faults();
  const model::Model& model = **loaded;
  std::future<std::string> sha256 = sha256_of(model);
  const SizePoint top = highest(options.run_time);
  CompileOptions at_top = options_at(options, top);
  Result<Lowered> largest = make_program(at_top, model);
  if (!largest) return at_size(largest.faults(), options, top);
  options.alignment = at_top.alignment = largest->analysis.options.alignment;
  // Sizes whose constants are small may do without operations that the largest needs: groups of their own, if not too
  // many.
  bool alike = false;
  Result<Sized> sized = plan_sizes(options, model, *largest, alike);
  if (!sized && !largest->grown.empty()) {
    alike = true;
    Result<Sized> other = plan_sizes(options, model, *largest, alike);
    // What stands in the way then is the better answer.
    sized = std::move(other);
  }
  if (!sized) return sized.faults();
  if (options.strategy == planner::Strategy::automatic && !runs_by_lines(options) &&
      give_room(sized->sizes.back().program, sized->plans.back(), largest->analysis.graph)) {
    // Faster kernels where the arena does not grow for their scratch, as for a size alone.
    Diagnostics told;
    Result<program::Program> roomy = program_of(at_top, *largest, told);
    if (!roomy) return roomy.faults();
    largest->analysis.program = std::move(*roomy);
    Result<Sized> other = plan_sizes(options, model, *largest, alike);
    if (other && other->arena <= sized->arena) sized = std::move(other);
  }

  // The report is of the largest, the arena and the weights are those of all.
  Analysis analysis = sized->sizes.back();
  analysis.options = at_top;
  analysis.options.run_time = options.run_time;
  take(std::move(sized->plans.back()), analysis);
  analysis.plan.arena = sized->arena;
  if (analysis.plan.arena > analysis.plan.lower_bound && analysis.plan.proof == planner::Proof::optimal)
    analysis.plan.proof = planner::Proof::best_found;
  for (size_t k = 0; k + 1 < sized->spans.size(); ++k) {
    const SizeSpan& span = sized->spans[k];
    const std::vector<program::WeightId> at =
        program::add_weights(sized->sizes[span.sizes.back()].program, analysis.program.weights);
    for (const size_t i : span.sizes) program::read_from(sized->sizes[i].program, at);
  }
  if (options.dim_offsets) analysis.dim_offsets = {sized->moved, sized->one_set};
  analysis.naive_arena = naive_arena(analysis.program, options);
  analysis.sizes = std::move(sized->sizes);
  if (runs_by_lines(options)) {
    if (const Result<Done> planned = plan_line_sizes(analysis); !planned) return planned.faults();
  }
  analysis.sha256 = sha256.get();
  return analysis;
}

}  // namespace tarn
