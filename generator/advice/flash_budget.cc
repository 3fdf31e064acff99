#include "advice/flash_budget.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "support/progress.h"
#include "support/text.h"

namespace tarn::advice {

namespace {

int64_t weight_bytes(const program::Program& program) {
  int64_t bytes = 0;
  for (const program::Weight& weight : program.weights) bytes += weight.bytes();
  return bytes;
}

// The noise of the weights that lose the most.
std::string noise_note(const program::Program& program) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [key, coding] : program.codings) {
    if (coding.snr_db) least = std::min(least, coding.snr_db());
  }
  if (!std::isfinite(least)) return "nothing is rounded";
  char text[96];
  std::snprintf(text, sizeof text, "weights at %.0f dB over noise or more; `tarn verify` tells the outputs'", least);
  return text;
}

report::Advice row_of(const Analysis& changed, const report::Report& report, int64_t code, int64_t flash,
                      std::optional<int64_t> ram) {
  report::Advice row;
  row.arena = changed.stream ? changed.stream->arena : changed.plan.arena;
  row.ram = row.arena + report.ram_total() - report.arena;
  row.flash = weight_bytes(changed.program) + code;
  row.fits = *row.flash <= flash && (!ram || row.ram <= *ram);
  row.proof = to_string(changed.stream ? changed.stream->proof : changed.plan.proof);
  return row;
}

struct FlashChange {
  std::string name, options, note;
  bool rounds = false;  // of weights; the note tells how much
};

// Weights that are linked, in a plan by layers.
bool can_pack(const CompileOptions& options) {
  return options.weights <= WeightForm::incbin && options.stream.mode == stream::Mode::off &&
         options.memory.banks.empty() && options.run_time.empty() && !options.arena_only;
}

// With several outputs of one input, what it would take to compute one of them; nothing where outputs are states.
std::vector<std::string> outputs_to_keep(const Analysis& analysis) {
  constexpr size_t kMost = 8;
  const std::vector<std::string>& outputs = analysis.output_names;
  const bool simple = analysis.input_names.size() == 1 && analysis.options.cut.empty() &&
                      analysis.program.states.empty() && analysis.options.run_time.empty();
  if (!simple || outputs.size() < 2 || outputs.size() > kMost) return {};
  return outputs;
}

std::string quoted(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 128 && (std::isalnum(c) || c == '_' || c == '.' || c == ':' || c == '-' || c == '/');
  });
  return plain ? text : cat("'", text, "'");
}

}  // namespace

std::vector<report::Advice> advise_flash(const Analysis& analysis, const report::Report& report, int64_t flash,
                                         std::optional<int64_t> ram, const std::vector<std::string>& small,
                                         const MeasureCode& measure) {
  std::vector<report::Advice> rows;
  if (report.code) {
    if (const auto code = measure(analysis, small)) {
      report::Advice row = row_of(analysis, report, *code, flash, ram);
      row.change = "code for size";
      row.options = "--cflags '" + join(small, " ") + "'";
      row.note = "as the firmware is compiled then";
      rows.push_back(std::move(row));
    }
  }
  const auto attempt = [&](const CompileOptions& options, const FlashChange& change) {
    note_progress(("what would fit: " + change.name).c_str(), 0);
    const Result<Analysis> changed = analyze(options);
    if (!changed) return;  // no layer of floats, or an output that does not depend on the input
    if (!change.rounds && weight_bytes(changed->program) >= weight_bytes(analysis.program)) return;
    const auto code = report.code ? measure(*changed, {}) : std::nullopt;
    report::Advice row = row_of(*changed, report, code.value_or(report.code.value_or(0)), flash, ram);
    row.change = change.name;
    row.options = change.options;
    row.note = change.rounds ? noise_note(changed->program) : change.note;
    rows.push_back(std::move(row));
  };
  for (const char* kind : {"f16", "int8", "int4:block=32"}) {
    CompileOptions options = analysis.options;
    options.weight_types.push_back(*weight_rule_from(kind));
    attempt(options, {cat("weights as ", kind), cat("--weight-type ", kind), "", true});
  }
  if (can_pack(analysis.options)) {
    CompileOptions options = analysis.options;
    options.weights = WeightForm::packed;
    attempt(options, {"packed weights", "--weights packed", "the same outputs, for time and RAM", false});
  }
  for (const std::string& output : outputs_to_keep(analysis)) {
    CompileOptions options = analysis.options;
    options.cut = cat(analysis.input_names[0], ":", output);
    attempt(options, {cat("output '", output, "' alone"), cat("--cut ", quoted(options.cut)),
                      "where nobody reads the others", false});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const report::Advice& a, const report::Advice& b) { return a.fits > b.fits; });
  return rows;
}

std::string hint_of_flash(const std::vector<report::Advice>& advice) {
  if (std::any_of(advice.begin(), advice.end(), [](const report::Advice& row) { return row.fits; }))
    return "the report's FIX lines tell which changes fit; each of them has been planned";
  return cat(advice.empty() ? "" : "none of the changes tried fits, see the report; ",
             "int8 weights and activations take about a quarter of float32 (tarn quantize)");
}

}  // namespace tarn::advice
