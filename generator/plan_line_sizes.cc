#include "plan_line_sizes.h"

#include "plan_lines.h"
#include "stream/make_sizes.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn {

std::string height_obstacle(const CompileOptions& options) {
  const stream::Options& lines = options.stream;
  if (lines.mode == stream::Mode::time) return "--stream time";
  if (!runs_by_lines(options)) return "";
  if (options.run_time.size() > 1) return "--stream, beside a second one,";
  if (lines.lines == stream::Lines::table) return "--lines table";
  if (lines.recompute > 0) return "--recompute";
  if (options.caller_io && lines.mode == stream::Mode::resident && !lines.drain) return "--io caller with --stream";
  return "";
}

Result<Done> plan_line_sizes(Analysis& analysis) {
  const CompileOptions& options = analysis.options;
  const std::string why = analysis.program.states.empty() ? obstacle_of(options, analysis.program)
                                                          : "heights are open, and states are kept from run to run";
  if (!why.empty())
    return Diagnostic{"E311", {.file = options.model_path}, "it cannot run by lines: " + why, "leave --stream away"};
  std::vector<stream::Height> heights;
  for (const Analysis& size : analysis.sizes) {
    heights.push_back({&size.program, stream::layers_of(size.program, size.storage, line_order(size), options.share)});
  }
  stream::SizedPlans made = stream::make_sizes(heights, options.stream, line_limits(options));
  const auto at = [&](size_t i) { return point_text(options.run_time, point_at(options.run_time, i)); };
  if (!made.obstacle.empty()) {
    return Diagnostic{
        "E206",
        {.file = options.model_path},
        cat("by lines, at ", at(made.at), ": ", made.obstacle, ", which is not so at ", at(analysis.sizes.size() - 1)),
        "one firmware streams every size whose lines have one shape: choose a smaller range, or leave "
        "--stream away"};
  }
  for (size_t i = 0; i < analysis.sizes.size(); ++i) {
    note_progress("checking the plan by lines of each size", i);
    check_lines(analysis.sizes[i].program, made.plans[i]);
    analysis.sizes[i].stream = std::move(made.plans[i]);
    analysis.sizes[i].options.stream = options.stream;
  }
  analysis.stream = analysis.sizes.back().stream;
  return Done{};
}

}  // namespace tarn
