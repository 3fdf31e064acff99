#include "report/compare_streams.h"

#include <algorithm>
#include <utility>

namespace tarn::report {

namespace {

// What is planned already.
const Analysis::Tried* find_tried(const Analysis& analysis, const stream::Options& options) {
  for (const Analysis::Tried& tried : analysis.tried_lines) {
    if (tried.options == options) return &tried;
  }
  return analysis.once && analysis.once->options == options ? &*analysis.once : nullptr;
}

// With stripes the network by layers is another one, and with an input whose rows are moved.
bool is_other_by_layers(const Analysis& analysis, bool striped) {
  const auto moves_input = [&](const program::Operation& operation) {
    return std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const program::Argument& a) {
      return a.role == program::Argument::Role::update && analysis.program[a.tensor].kind == program::Kind::input;
    });
  };
  const std::vector<program::Operation>& operations = analysis.program.operations;
  return striped || std::any_of(operations.begin(), operations.end(), moves_input);
}

StreamRow row_by_layers(const Analysis& analysis, bool striped) {
  StreamRow row{.mode = "off", .lines = ""};
  CompileOptions plain = analysis.options;
  plain.stream = {};
  plain.stream.mode = stream::Mode::off;
  const Result<Analysis> by_layers =
      is_other_by_layers(analysis, striped) ? analyze(plain) : Result<Analysis>(analysis);
  if (by_layers) {
    row.arena = by_layers->plan.arena;
    row.bound = by_layers->plan.lower_bound;
    row.proof = to_string(by_layers->plan.proof);
  } else {
    row.fault = by_layers.faults().front().message;
  }
  return row;
}

void fill(StreamRow& row, const stream::LinePlan& plan) {
  row.arena = plan.arena;
  row.bound = plan.bound;
  row.table_bytes = stream::table_bytes(plan);
  row.proof = to_string(plan.proof);
}

StreamRow row_by_lines(const Analysis& analysis, const stream::Options& options, bool twice) {
  StreamRow row{.mode = to_string(options.mode), .lines = to_string(options.lines), .drain = options.drain};
  if (const Analysis::Tried* tried = find_tried(analysis, options)) {
    row.arena = tried->arena;
    row.bound = tried->bound;
    row.table_bytes = tried->table_bytes;
    row.proof = to_string(tried->proof);
    return row;
  }
  CompileOptions compile = analysis.options;
  compile.stream = options;
  compile.compared = compile.order_only = true;
  const bool same =
      !twice && analysis.stream && analysis.stream->mode == options.mode && analysis.stream->drain == options.drain;
  const std::optional<int64_t> budget = analysis.options.arena_budget;
  const Result<Analysis> found = same     ? Result<Analysis>(analysis)
                                 : budget ? analyze_near(compile, *budget)
                                          : analyze(compile);
  if (found && found->stream) fill(row, *found->stream);
  else row.fault = found || found.faults().empty() ? "it cannot run by lines" : found.faults().front().message;
  return row;
}

}  // namespace

std::vector<StreamRow> compare_streams(const Analysis& analysis) {
  const bool striped = analysis.stream && analysis.stream->stripes > 0;
  const bool twice = analysis.stream && stream::works_twice(*analysis.stream);
  std::vector<StreamRow> rows{row_by_layers(analysis, striped)};
  stream::Options choice;
  choice.lines = analysis.options.stream.lines;
  choice.scan = analysis.options.stream.scan;
  for (const auto& [mode, drain] : {std::pair(stream::Mode::resident, false), std::pair(stream::Mode::fed, false),
                                    std::pair(stream::Mode::fed, true)}) {
    choice.mode = mode;
    choice.drain = drain;
    rows.push_back(row_by_lines(analysis, choice, twice));
  }
  if (twice) {
    const stream::LinePlan& plan = *analysis.stream;
    StreamRow row{.mode = to_string(plan.mode),
                  .lines = to_string(plan.lines),
                  .drain = plan.drain,
                  .stripes = plan.stripes,
                  .recomputed = plan.recomputed,
                  .extra_macs = plan.extra_macs};
    fill(row, plan);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tarn::report
