// What verification found, in the text report.
#include <algorithm>
#include <cstdio>
#include <set>

#include "report/text_lines.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// How far weights in fewer bits have moved the outputs.
std::string noise_line(const VerifyRow& row) {
  std::vector<std::string> outputs;
  for (const VerifyOutput& o : row.outputs) {
    if (outputs.size() < 6) outputs.push_back(cat("'", o.name, "' ", o.snr_db ? decibels(*o.snr_db) : "exact"));
  }
  return cat("       signal over noise beside the float network (", row.noise_reference, "): ", join(outputs));
}

}  // namespace

void verify_lines(const Report& r, std::vector<std::string>& lines) {
  for (const VerifyRow& row : r.verify) {
    int64_t mismatches = 0, moved = 0;
    int bits = 0;
    double worst = 0;
    for (const VerifyOutput& o : row.outputs) {
      mismatches += o.mismatches;
      moved += o.moved;
      if (o.moved > 0) bits = o.code_bits;
      worst = std::max(worst, o.max_abs);
    }
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.2g", worst);
    std::string line = cat("VERIFY ", row.on, ": ",
                           mismatches == 0 ? "outputs match" : cat(mismatches, " values differ"), " (largest error ",
                           buffer, moved > 0 ? cat("; ", moved, " moved by roundings to ", bits, "-bit codes") : "",
                           "), reference ", row.reference, " (", row.reference_detail, "), arena ", bytes(row.arena),
                           ", static ", bytes(row.static_bytes));
    if (row.stack) line += ", stack " + bytes(*row.stack);
    if (row.stack_bound) line += " of at most " + bytes(*row.stack_bound);
    // A real board's firmware is not measured.
    if (row.on != "board") line += ", .text " + bytes(row.text) + ", .rodata " + bytes(row.rodata);
    if (row.instructions) line += ", " + with_thousands(*row.instructions) + " instructions";
    if (row.instructions && row.predicted) line += " (" + with_thousands(*row.predicted) + " predicted)";
    if (row.cycles) line += ", " + with_thousands(*row.cycles) + " cycles";
    lines.push_back(line);
    if (!row.noise_reference.empty()) lines.push_back(noise_line(row));
    if (!row.nodes_reference.empty()) lines.push_back(nodes_line(row));
  }
}

std::string nodes_line(const VerifyRow& row) {
  std::set<int64_t> steps, compared;
  const NodeRow* first = nullptr;
  double worst = 0;
  for (const NodeRow& node : row.nodes) {
    steps.insert(node.step);
    if (!node.compared) continue;
    compared.insert(node.step);
    worst = std::max(worst, node.max_abs);
    if (first == nullptr && node.mismatches > 0) first = &node;
  }
  char buffer[96];
  std::string line =
      cat("NODES  ", row.on, ": ", compared.size(), " of ", steps.size(), " steps compared with ", row.nodes_reference);
  if (first == nullptr) {
    std::snprintf(buffer, sizeof buffer, ", none differs (largest error %.2g)", worst);
    return line + buffer;
  }
  std::snprintf(buffer, sizeof buffer, ", by at most %.2g (%.2g relative)", first->max_abs, first->max_rel);
  return cat(line, "; the first that differs is step ", first->step, ", ", first->op, " ", join(first->nodes), ": ",
             first->mismatches, " elements of ", first->tensor, buffer);
}

}  // namespace tarn::report
