// Changes that may bring a model below its RAM budget. A change that is told has been planned with the options it
// names; only int8 is an estimate, because the quantised model does not exist yet.
#include <algorithm>
#include <functional>
#include <limits>

#include "advice/budget.h"
#include "plan_layers.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::advice {

namespace {

struct Goal {
  int64_t ram = 0;
  const Measure& measure;
};

struct Change {
  std::string text, options, note;
  std::function<void(CompileOptions&)> apply;
};

int64_t port_bytes(const std::vector<report::Port>& ports) {
  int64_t bytes = 0;
  for (const report::Port& port : ports) bytes += port.type.bytes();
  return bytes;
}

bool images(const std::vector<report::Port>& ports) {
  return std::any_of(ports.begin(), ports.end(), [](const report::Port& p) { return p.type.shape.rank() >= 3; });
}

std::vector<Change> changes_for(const CompileOptions& given, const report::Report& report) {
  std::vector<Change> changes;
  if (given.order == schedule::OrderKind::given) {
    changes.push_back({"the order of least peak", "--order min_peak", "",
                       [](CompileOptions& o) { o.order = schedule::OrderKind::min_peak; }});
  }
  if (!given.share.views || !given.share.in_place || !given.share.overlap) {
    changes.push_back(
        {"all kinds of sharing", "--share views,in_place,overlap", "", [](CompileOptions& o) { o.share = {}; }});
  }
  if (given.strategy != planner::Strategy::automatic && given.strategy != planner::Strategy::exact) {
    changes.push_back({"the exact packer", "--strategy auto", "",
                       [](CompileOptions& o) { o.strategy = planner::Strategy::automatic; }});
  }
  if (report.proof != "optimal" && given.effort < 3) {
    // The next effort takes eight times as long; the one behind it takes longer than a user waits who did not ask.
    const int more = given.effort + 1;
    changes.push_back({"a longer search", cat("--effort ", more), "", [more](CompileOptions& o) { o.effort = more; }});
  }
  if (!given.nhwc_inputs && images(report.inputs)) {
    changes.push_back({"channels-last input", "--input-layout nhwc", "the caller fills it in that order",
                       [](CompileOptions& o) { o.nhwc_inputs = true; }});
  }
  if (!given.nhwc_outputs && images(report.outputs)) {
    changes.push_back(
        {"channels-last output", "--output-layout nhwc", "", [](CompileOptions& o) { o.nhwc_outputs = true; }});
  }
  if (!given.caller_io) {
    changes.push_back({"inputs and outputs in the caller's memory", "--io caller",
                       cat("the caller owns ", with_thousands(port_bytes(report.inputs) + port_bytes(report.outputs)),
                           " B elsewhere"),
                       [](CompileOptions& o) { o.caller_io = true; }});
  }
  for (const auto& [name, value] : given.dims) {
    if (value <= 1) continue;
    changes.push_back({"'" + name + "' of 1", "--dim " + name + "=1", cat("instead of ", value),
                       [name = name](CompileOptions& o) { o.dims[name] = 1; }});
  }
  if (given.alignment > 16) {
    changes.push_back({"alignment of 16", "--align 16", "", [](CompileOptions& o) { o.alignment = 16; }});
  }
  return changes;
}

// One that fits is told with the stack of its own code; for the others that of the code at hand is near enough.
std::optional<report::Advice> try_options(const Change& change, const CompileOptions& options,
                                          const report::Report& report, const Goal& goal) {
  const bool lines = options.stream.mode != stream::Mode::off && options.stream.mode != stream::Mode::automatic &&
                     options.arena_budget;
  const Result<Analysis> analysis = lines ? analyze_near(options, *options.arena_budget) : analyze(options);
  if (!analysis) return {};  // a dimension that cannot be 1, for instance
  const int64_t arena = analysis->stream ? analysis->stream->arena : analysis->plan.arena;
  const planner::Proof proof = analysis->stream ? analysis->stream->proof : analysis->plan.proof;
  const bool divides = !analysis->banked || analysis->banked->fits;
  int64_t total = arena + report.ram_total() - report.arena;
  if (divides && arena + report.static_bytes <= goal.ram)
    total = arena + goal.measure(*analysis).value_or(total - arena);
  return report::Advice{change.text,      change.options, arena, total, total <= goal.ram && divides,
                        to_string(proof), change.note};
}

// The ways to run by lines that have been tried and are not too far from the budget for a change of inputs, outputs or
// order to help; least first.
std::vector<stream::Options> near_lines(const Analysis& analysis) {
  std::vector<Analysis::Tried> tried = analysis.tried_lines;
  std::erase_if(tried,
                [&](const Analysis::Tried& t) { return t.arena / 2 > analysis.options.arena_budget.value_or(0); });
  std::stable_sort(tried.begin(), tried.end(),
                   [](const Analysis::Tried& a, const Analysis::Tried& b) { return a.arena < b.arena; });
  std::vector<stream::Options> choices;
  for (const Analysis::Tried& t : tried) choices.push_back(t.options);
  return choices;
}

// As a run with these options goes: with room for blocks first, without where that does not fit.
std::optional<report::Advice> try_change(const Change& change, const CompileOptions& given,
                                         const report::Report& report, const Goal& goal) {
  note_progress(("what would fit: " + change.text).c_str(), 0);
  CompileOptions options = given;
  change.apply(options);
  if (!options.blocks) {
    options.blocks = true;
    auto roomy = try_options(change, options, report, goal);
    if (roomy && roomy->fits) return roomy;
    options.blocks = false;
  }
  return try_options(change, options, report, goal);
}

std::string line_options(const stream::Options& lines) {
  return cat("--stream ", to_string(lines.mode), lines.drain ? " --drain" : "",
             lines.lines == stream::Lines::table ? " --lines table" : "");
}

// A change, by layers, and where a budget alone would ask for lines in the nearest way of these that it allows.
std::optional<report::Advice> try_both(const Change& change, const Analysis& analysis, const report::Report& report,
                                       const Goal& goal) {
  CompileOptions given = analysis.options;
  if (analysis.tried_lines.empty()) return try_change(change, given, report, goal);
  given.stream.mode = stream::Mode::off;
  std::optional<report::Advice> layers = try_change(change, given, report, goal);
  if (layers && layers->fits) return layers;
  for (const stream::Options& choice : near_lines(analysis)) {
    given.stream = choice;
    Change by_lines = change;
    by_lines.text += ", by lines";
    by_lines.options += " " + line_options(choice);
    auto lines = try_change(by_lines, given, report, goal);
    if (lines) return !layers || lines->arena < layers->arena ? lines : layers;
  }
  return layers;
}

// By lines: what has been planned for the report already.
void try_lines(const Analysis& analysis, const report::Report& report, const Goal& goal,
               std::vector<report::Advice>& rows) {
  for (const report::StreamRow& row : report.streams) {
    const bool now = analysis.stream
                         ? row.mode == to_string(analysis.stream->mode) && row.drain == analysis.stream->drain
                         : row.mode == "off";
    if (now || !row.fault.empty() || row.mode == "off" || row.arena + report.static_bytes > goal.ram) continue;
    Change change{row.mode == "resident" ? "by lines, the input resident"
                  : row.drain            ? "by lines, fed and drained"
                                         : "by lines, the input fed",
                  cat("--stream ", row.mode, row.drain ? " --drain" : ""),
                  row.mode == "resident" ? ""
                  : row.drain            ? "the caller pushes the input's lines and pulls the output's"
                                         : "the caller pushes the input's lines",
                  [&](CompileOptions& o) {
                    o.stream.mode = row.mode == "resident" ? stream::Mode::resident : stream::Mode::fed;
                    o.stream.drain = row.drain;
                  }};
    if (auto advice = try_change(change, analysis.options, report, goal); advice && advice->fits)
      rows.push_back(std::move(*advice));
  }
}

std::string bank_option(const lifetimes::Bank& bank) {
  return cat("--bank ", bank.name, "=", bank.bytes, bank.section.empty() ? "" : "@" + bank.section,
             bank.dma ? "" : ",dma=no");
}

// About the smallest size of one bank with which the model fits; planned with that size.
void try_larger_bank(const Analysis& analysis, const report::Report& report, const Goal& goal, size_t which,
                     std::vector<report::Advice>& rows) {
  const lifetimes::Bank& bank = analysis.options.memory.banks[which];
  auto with = [&](int64_t bytes) {
    lifetimes::Bank larger = bank;
    larger.bytes = bytes;
    const Change change{cat("'", bank.name, "' of ", with_thousands(bytes), " B"), bank_option(larger),
                        cat("instead of ", with_thousands(bank.bytes)),
                        [&](CompileOptions& o) { o.memory.banks[which].bytes = bytes; }};
    return try_change(change, analysis.options, report, goal);
  };
  auto best = with(std::max(bank.bytes, report.naive));
  if (!best) return;
  if (!best->fits) {
    best->change = "'" + bank.name + "' of any size";
    best->options.clear();
    rows.push_back(std::move(*best));
    return;
  }
  int64_t low = bank.bytes, high = std::max(bank.bytes, report.naive);
  const int64_t unit = high > 65536 ? 1024 : 64;
  while (high - low > std::max(unit, high / 64)) {
    const int64_t middle = (low + (high - low) / 2 + unit - 1) / unit * unit;
    if (middle >= high) break;
    auto row = with(middle);
    if (row && row->fits) {
      high = middle;
      best = std::move(row);
    } else {
      low = middle;
    }
  }
  rows.push_back(std::move(*best));
}

// What can be changed about banks and pins.
void try_banks(const Analysis& analysis, const report::Report& report, const Goal& goal,
               std::vector<report::Advice>& rows) {
  const lifetimes::BankOptions& memory = analysis.options.memory;
  for (size_t b = 0; b < memory.banks.size(); ++b) try_larger_bank(analysis, report, goal, b, rows);
  for (size_t b = 0; b < memory.banks.size(); ++b) {
    if (memory.banks[b].dma) continue;
    lifetimes::Bank open = memory.banks[b];
    open.dma = true;
    const Change change{"inputs and outputs in '" + open.name + "' too", bank_option(open),
                        "no DMA to or from them there", [b](CompileOptions& o) { o.memory.banks[b].dma = true; }};
    if (auto row = try_change(change, analysis.options, report, goal)) rows.push_back(std::move(*row));
  }
  for (size_t p = 0; p < memory.pins.size(); ++p) {
    const Change change{
        "'" + memory.pins[p].first + "' not pinned",
        "without --pin " + memory.pins[p].first + "=" + memory.pins[p].second, "",
        [p](CompileOptions& o) { o.memory.pins.erase(o.memory.pins.begin() + static_cast<std::ptrdiff_t>(p)); }};
    if (auto row = try_change(change, analysis.options, report, goal)) rows.push_back(std::move(*row));
  }
}

// The same graph with one byte where a float32 stands now.
std::optional<report::Advice> try_int8(const Analysis& analysis, const report::Report& report, int64_t ram) {
  program::Program program = analysis.program;
  bool floats = false;
  for (program::Tensor& tensor : program.tensors) {
    if (tensor.type.dtype == DType::int8 || tensor.type.dtype == DType::uint8) return {};
    floats = floats || tensor.type.dtype == DType::float32;
    if (tensor.type.dtype == DType::float32) tensor.type.dtype = DType::int8;
  }
  if (!floats) return {};
  const CompileOptions& o = analysis.options;
  if (!o.memory.banks.empty()) return {};
  const Planned planned = plan_variant(program, o, {o.strategy, o.order, o.share});
  const int64_t total = planned.plan.arena + report.ram_total() - report.arena;
  return report::Advice{"int8 instead of float32",
                        "",
                        planned.plan.arena,
                        total,
                        total <= ram,
                        "estimate",
                        "quantise the model; the same graph planned with one byte an element"};
}

}  // namespace

std::vector<report::Advice> advise(const Analysis& analysis, const report::Report& report, std::optional<int64_t> limit,
                                   const Measure& measure) {
  const int64_t ram = limit.value_or(std::numeric_limits<int64_t>::max());
  const Goal goal{ram, measure};
  std::vector<report::Advice> rows;
  try_lines(analysis, report, goal, rows);
  if (analysis.banked && !analysis.banked->fits) try_banks(analysis, report, goal, rows);
  const std::vector<Change> changes = changes_for(analysis.options, report);
  std::vector<const Change*> helping;
  for (const Change& change : changes) {
    std::optional<report::Advice> row = try_both(change, analysis, report, goal);
    if (!row) continue;
    if (row->arena < report.arena) helping.push_back(&change);
    rows.push_back(std::move(*row));
  }
  const bool solved = std::any_of(rows.begin(), rows.end(), [](const report::Advice& row) { return row.fits; });
  if (!solved && helping.size() > 1) {
    Change all{"all of these together", "", "", [&](CompileOptions& o) {
                 for (const Change* change : helping) change->apply(o);
               }};
    for (const Change* change : helping) all.options += (all.options.empty() ? "" : " ") + change->options;
    if (auto row = try_both(all, analysis, report, goal)) rows.push_back(std::move(*row));
  }
  if (auto row = try_int8(analysis, report, ram)) rows.push_back(std::move(*row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const report::Advice& a, const report::Advice& b) { return a.fits > b.fits; });
  return rows;
}

std::string hint_of(const std::vector<report::Advice>& advice) {
  const auto fits = [](const report::Advice& row) { return row.fits && row.proof != "estimate"; };
  if (std::any_of(advice.begin(), advice.end(), fits))
    return "the report's FIX lines tell which changes fit; each of them has been planned";
  if (std::any_of(advice.begin(), advice.end(), [](const report::Advice& row) { return row.fits; })) {
    return "of the changes tried only a quantised model would fit, see FIX in the report";
  }
  return advice.empty() ? "a smaller model or input, or int8 instead of float32, needs less"
                        : "none of the changes that the report lists fits; a smaller model or input needs less";
}

}  // namespace tarn::advice
