#include "report/compare_streams.h"

#include <algorithm>

namespace tarn::report {

namespace {

// What is planned already.
const Analysis::Tried* find_tried(const Analysis& analysis, const stream::Options& options) {
  for (const Analysis::Tried& tried : analysis.tried_lines) {
    if (tried.options == options) return &tried;
  }
  return analysis.unstriped && analysis.unstriped->options == options ? &*analysis.unstriped : nullptr;
}

}  // namespace

std::vector<StreamRow> compare_streams(const Analysis& analysis) {
  std::vector<StreamRow> rows;
  StreamRow layers{.mode = "off", .lines = ""};
  const bool striped = analysis.stream && analysis.stream->stripes > 0;
  CompileOptions plain = analysis.options;
  plain.stream = {};
  plain.stream.mode = stream::Mode::off;
  // With stripes the network by layers is another one, and with an input whose rows are moved.
  const auto moves_input = [&](const program::Operation& operation) {
    return std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const program::Argument& a) {
      return a.role == program::Argument::Role::update && analysis.program[a.tensor].kind == program::Kind::input;
    });
  };
  const std::vector<program::Operation>& operations = analysis.program.operations;
  const bool other = striped || std::any_of(operations.begin(), operations.end(), moves_input);
  const Result<Analysis> by_layers = other ? analyze(plain) : Result<Analysis>(analysis);
  if (by_layers) {
    layers.arena = by_layers->plan.arena;
    layers.bound = by_layers->plan.lower_bound;
    layers.proof = to_string(by_layers->plan.proof);
  } else {
    layers.fault = by_layers.faults().front().message;
  }
  rows.push_back(std::move(layers));
  std::vector<stream::Options> choices;
  stream::Options choice;
  choice.lines = analysis.options.stream.lines;
  choice.scan = analysis.options.stream.scan;
  choice.mode = stream::Mode::resident;
  choices.push_back(choice);
  choice.mode = stream::Mode::fed;
  choices.push_back(choice);
  choice.drain = true;
  choices.push_back(choice);
  for (const stream::Options& options : choices) {
    StreamRow row{.mode = to_string(options.mode), .lines = to_string(options.lines), .drain = options.drain};
    if (const Analysis::Tried* tried = find_tried(analysis, options)) {
      row.arena = tried->arena;
      row.bound = tried->bound;
      row.table_bytes = tried->table_bytes;
      row.proof = to_string(tried->proof);
      rows.push_back(std::move(row));
      continue;
    }
    CompileOptions compile = analysis.options;
    compile.stream = options;
    compile.compared = compile.order_only = true;
    const bool same =
        !striped && analysis.stream && analysis.stream->mode == options.mode && analysis.stream->drain == options.drain;
    const std::optional<int64_t> budget = analysis.options.arena_budget;
    const Result<Analysis> found = same     ? Result<Analysis>(analysis)
                                   : budget ? analyze_near(compile, *budget)
                                            : analyze(compile);
    if (found && found->stream) {
      row.arena = found->stream->arena;
      row.bound = found->stream->bound;
      row.table_bytes = stream::table_bytes(*found->stream);
      row.proof = to_string(found->stream->proof);
    } else {
      row.fault = found || found.faults().empty() ? "it cannot run by lines" : found.faults().front().message;
    }
    rows.push_back(std::move(row));
  }
  if (striped) {
    const stream::LinePlan& plan = *analysis.stream;
    rows.push_back({.mode = to_string(plan.mode),
                    .lines = to_string(plan.lines),
                    .drain = plan.drain,
                    .stripes = plan.stripes,
                    .extra_macs = plan.extra_macs,
                    .arena = plan.arena,
                    .bound = plan.bound,
                    .table_bytes = stream::table_bytes(plan),
                    .proof = to_string(plan.proof)});
  }
  return rows;
}

}  // namespace tarn::report
