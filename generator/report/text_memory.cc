// States and weights in the text report.
#include <algorithm>
#include <cstdio>
#include <map>

#include "report/text_lines.h"
#include "report/time_lines.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// States in forms of their own: what they take of what they took, and how far their values may be off.
void stored_state_lines(const Report& r, std::vector<std::string>& lines) {
  std::map<std::string, std::pair<int64_t, int64_t>> sums;
  for (const StateRow& row : r.states) {
    if (row.stored.empty()) continue;
    sums[row.stored].first += row.bytes;
    sums[row.stored].second += row.float_bytes;
  }
  for (const auto& [stored, sum] : sums)
    lines.push_back(cat("       kept as ", stored, ": ", bytes(sum.first), " of ", bytes(sum.second),
                        stored == "int8"   ? "; a value is at most 1/63 of the largest that its column has held off"
                        : stored == "ring" ? "; nothing of a window moves"
                                           : "; a value is at most 1/2048 of itself off"));
}

// Windows of which each run moves what stays, by why they are no rings.
void moved_window_lines(const Report& r, std::vector<std::string>& lines) {
  std::map<std::string, std::vector<std::string>> reasons;
  for (const StateRow& row : r.states) {
    if (!row.moves.empty()) reasons[row.moves].push_back(row.in);
  }
  for (const auto& [why, names] : reasons) {
    constexpr size_t most = 12;
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
    lines.push_back(
        cat("       each run moves what stays of ", join(first), names.size() > most ? " and others" : "", ": ", why));
  }
}

}  // namespace

void state_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.histories.empty()) {
    std::vector<std::string> names;
    for (const HistoryRow& row : r.histories) names.push_back(cat(row.in, " (", row.steps, ")"));
    lines.push_back("STATE  histories of lines, in the rings below, by the steps that they hold: " + join(names));
  }
  if (r.states.empty()) return;
  int64_t sum = 0;
  std::vector<std::string> copied, in_place;
  for (const StateRow& row : r.states) {
    sum += row.bytes;
    (row.in_place ? in_place : copied)
        .push_back(cat(row.out, " is the next ", row.in, row.in_place ? "" : ", copied: " + row.why,
                       row.note.empty() ? "" : " (" + row.note + ")"));
  }
  lines.push_back(cat("STATE  ", bytes(sum), " kept from run to run in ", r.states.size(), ", ", in_place.size(),
                      " updated where they lie, ", copied.size(), " copied"));
  std::vector<std::string> named = copied;
  named.insert(named.end(), in_place.begin(), in_place.end());
  constexpr size_t most = 12;
  const size_t rest = named.size() - std::min(named.size(), most);
  named.resize(named.size() - rest);
  lines.push_back("       " + join(named, "; ") + (rest > 0 ? cat("; and ", rest, " more") : ""));
  moved_window_lines(r, lines);
  stored_state_lines(r, lines);
}

void weight_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.stored_weights.empty()) return;
  const int64_t sum = r.stored_bytes;
  int64_t before = 0;
  for (const WeightRow& row : r.stored_weights) before += row.float_bytes;
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.3f", before == 0 ? 1 : static_cast<double>(sum) / static_cast<double>(before));
  const bool packed = std::all_of(r.stored_weights.begin(), r.stored_weights.end(),
                                  [](const WeightRow& row) { return row.entropy_bytes.has_value(); });
  lines.push_back(cat("STORED ", bytes(sum), " in fewer bits instead of ", bytes(before),
                      packed ? " (" : " of floats (", ratio, "), ", r.stored_weights.size(), " of the weights; ",
                      bytes(r.weights - sum), " as they are"));
  std::vector<const WeightRow*> rows;
  for (const WeightRow& row : r.stored_weights) rows.push_back(&row);
  const auto noise = [](const WeightRow* row) { return row->snr_db.value_or(1e9); };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) { return noise(a) < noise(b); });
  constexpr size_t most = 12;
  for (size_t i = 0; i < std::min(rows.size(), most); ++i) {
    const WeightRow& row = *rows[i];
    lines.push_back(cat("       ", row.tensor, ": ", row.stored, ", ", bytes(row.bytes), " of ", bytes(row.float_bytes),
                        row.snr_db ? ", " + decibels(*row.snr_db) : ", exact"));
  }
  if (rows.size() > most) lines.push_back(cat("       and ", rows.size() - most, " more"));
}

void transfer_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.transfers) return;
  const TransferFigures& t = *r.transfers;
  const auto ms = [](int64_t nanoseconds) { return milliseconds(static_cast<double>(nanoseconds) / 1e6); };
  lines.push_back(cat("READS  ", bytes(t.bytes), " of weights in ", t.reads, " calls, at most ", bytes(t.buffer),
                      " of them in the arena",
                      t.nanoseconds ? cat("; ", ms(*t.nanoseconds), " at ", bytes(t.bandwidth), " a second") : "",
                      t.stall ? cat(", of which the run waits ", ms(*t.stall)) : ""));
}

void sparsity_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.sparsity.empty()) return;
  lines.push_back("ZEROS       elements      1x4      4x1      4x4      2:4");
  const auto part = [](const SparsityRow::Blocks& blocks) {
    char text[16];
    std::snprintf(text, sizeof text, "%7.2f %%", 100 * blocks.share());
    return std::string(text);
  };
  // The sum first: long lists are cut off.
  std::vector<SparsityRow> rows(r.sparsity.rbegin(), r.sparsity.rbegin() + 1);
  rows.insert(rows.end(), r.sparsity.begin(), r.sparsity.end() - 1);
  for (const SparsityRow& row : rows)
    lines.push_back(cat("          ", part(row.elements), part(row.along), part(row.across), part(row.squares),
                        part(row.two_of_four), "  ", row.tensor, row.type.empty() ? "" : " ", row.type));
}

}  // namespace tarn::report
