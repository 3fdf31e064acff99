#include "cli/hide_reading.h"

#include "report/transfer_figures.h"

namespace tarn::cli {

namespace {

constexpr size_t kMostOperations = 300;  // networks of more are planned once

// Nanoseconds of a run, what it waits for included.
std::optional<double> duration_of(const report::Report& report) {
  if (!report.time || !report.clock || !report.transfers || !report.transfers->stall) return {};
  const std::optional<int64_t> cycles = report.time->cycles() ? report.time->cycles() : report.time->instructions();
  if (!cycles) return {};
  return static_cast<double>(*cycles) * 1e9 / static_cast<double>(*report.clock) +
         static_cast<double>(*report.transfers->stall);
}

}  // namespace

std::optional<Options> with_hidden_reading(const Options& options, const Prepared& prepared) {
  // With weights in other types, scales are those of pieces: what verifies them makes the same ones.
  if (options.compile.weights_piece || !options.compile.weight_types.empty()) return {};
  std::optional<double> least = duration_of(prepared.report);
  if (!least || *prepared.report.transfers->stall == 0 || options.compile.effort == 0 ||
      prepared.analysis.program.operations.size() > kMostOperations)
    return {};
  std::optional<Options> best;
  const auto attempt = [&](int64_t piece, schedule::OrderKind order) {
    Options other = options;
    other.compile.weights_piece = piece;
    other.compile.order = order;
    const Result<Analysis> analysis = analyze(other.compile);
    if (!analysis || analysis->plan.arena > prepared.analysis.plan.arena) return;
    report::Report report = report::make_report(*analysis, {});
    report.clock = options.clock;
    report.transfers = report::transfer_figures(*analysis, report);
    const std::optional<double> duration = duration_of(report);
    if (!duration || *duration >= *least) return;
    least = duration;
    best = std::move(other);
  };
  const int64_t buffer = options.compile.weights_buffer;
  for (const int64_t piece : {3 * buffer / 8, buffer / 4}) attempt(piece, options.compile.order);
  if (options.compile.order != schedule::OrderKind::given)
    attempt(best ? *best->compile.weights_piece : buffer / 2, schedule::OrderKind::given);
  return best;
}

}  // namespace tarn::cli
