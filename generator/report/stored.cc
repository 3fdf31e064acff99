#include "report/stored.h"

#include <cmath>
#include <limits>
#include <set>

#include "program/state_form.h"

namespace tarn::report {

namespace {

void add_states(const program::Program& program, Report& report) {
  for (const program::KeptState& kept : program.kept) {
    StateRow row{kept.out, kept.in, kept.bytes, kept.why.empty(), kept.why, kept.first.valid(), kept.note, kept.moves,
                 {},       0,       0};
    if (kept.model_type) {
      row.stored = program::to_string(kept.stored);
      row.float_bytes = kept.model_type->bytes();
      row.relative_error = kept.stored == program::StateType::ring  ? 0
                           : kept.stored == program::StateType::f16 ? 1.0 / 2048
                                                                    : 1.0 / 63;
    }
    report.states.push_back(std::move(row));
  }
}

void add_weights(const program::Program& program, Report& report) {
  std::set<program::WeightId> counted;
  for (const auto& [key, coding] : program.codings) {
    WeightRow row{coding.tensor, coding.stored, 0, coding.float_bytes, {}};
    for (program::WeightId id : coding.weights) {
      const int64_t bytes = program.weights[id.pos()].bytes();
      row.bytes += bytes;
      if (counted.insert(id).second) report.stored_bytes += bytes;
    }
    const double snr = coding.snr_db ? coding.snr_db() : std::numeric_limits<double>::infinity();
    if (std::isfinite(snr)) row.snr_db = snr;
    report.stored_weights.push_back(std::move(row));
  }
  for (size_t i = 0; i < program.weights.size(); ++i) {
    const program::Weight& weight = program.weights[i];
    if (!weight.plain || weight.spread || counted.contains(program::WeightId(i))) continue;
    report.stored_bytes += weight.bytes();
    report.stored_weights.push_back(
        {weight.name, "packed", weight.bytes(), weight.plain->bytes(), {}, weight.plain->entropy_bytes});
  }
}

}  // namespace

void describe_stored(const program::Program& program, Report& report) {
  add_states(program, report);
  add_weights(program, report);
}

}  // namespace tarn::report
