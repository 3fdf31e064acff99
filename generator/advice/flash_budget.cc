#include "advice/flash_budget.h"

#include <algorithm>
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
  for (const char* kind : {"f16", "int8", "int4:block=32"}) {
    note_progress((std::string("what would fit: weights as ") + kind).c_str(), 0);
    CompileOptions options = analysis.options;
    options.weight_types.push_back(*weight_rule_from(kind));
    const Result<Analysis> changed = analyze(options);
    if (!changed) continue;  // no layer of floats
    const auto code = report.code ? measure(*changed, {}) : std::nullopt;
    report::Advice row = row_of(*changed, report, code.value_or(report.code.value_or(0)), flash, ram);
    row.change = std::string("weights as ") + kind;
    row.options = std::string("--weight-type ") + kind;
    row.note = noise_note(changed->program);
    rows.push_back(std::move(row));
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
