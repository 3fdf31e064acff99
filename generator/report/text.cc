// The report for people: at most 40 lines that answer "does it fit, and if not, what is in the way".
#include "support/text.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

#include "report/integer_lines.h"
#include "report/text_lines.h"
#include "report/time_lines.h"
#include "support/printable.h"

namespace tarn::report {

namespace {

constexpr size_t kMaxLines = 40;

std::string plan_verdict(const Report& r) {
  if (r.proof == "optimal") return "optimal (lower bound " + bytes(r.lower_bound) + ")";
  if (r.stream && r.proof != "optimal") return "best found (lower bound " + bytes(r.lower_bound) + ", see LINES)";
  if (r.proof == "best_found") return "best found; no plan can be below " + bytes(r.lower_bound);
  return "by " + r.strategy + ", nothing proved; no plan can be below " + bytes(r.lower_bound);
}

// By what the arena is proved to be the least, in a line.
std::string proof_line(const Certificate& certificate) {
  const std::vector<CertificateItem>& items = certificate.items;
  switch (certificate.by) {
    case Certificate::By::peak:
      return cat("       proof: what is alive in step ", certificate.instant / 2, " takes it all");
    case Certificate::By::core:
      return cat("       proof: ", items.size(), items.size() == 1 ? " tensor needs" : " tensors need", " that much: '",
                 items.front().name,
                 items.size() == 1   ? "'"
                 : items.size() == 2 ? "' and '"
                                     : "', '",
                 items.size() == 1 ? "" : items[1].name + "'", items.size() > 2 ? ", ..." : "");
    case Certificate::By::search: return cat("       proof: all of ", certificate.nodes, " nodes of a search for less");
    case Certificate::By::lines: return "       proof: the lines alive in one step take it all";
  }
  return "";
}

// Whole layers would not have fitted: what the program has to do instead.
std::string way_of(const Report& r) {
  if (!r.stream || !r.stream->for_budget) return "";
  if (r.stream->calls.empty()) return cat(" by lines (--stream ", r.stream->mode, ")");
  return cat(" by lines (--stream ", r.stream->mode, "): ", join(r.stream->calls), ", and no ", r.name, "_run");
}

std::string budget_line(const char* what, const Budget& budget) {
  std::string line = cat("       ", what, " ", bytes(budget.used), " of ", bytes(budget.limit), " (",
                         percent(budget.used, budget.limit), ")  ");
  if (budget.fits) return line + "FITS";
  line += "DOES NOT FIT, " + bytes(budget.used - budget.limit) + " too many";
  return line + (budget.proved ? ", proved" : ", not proved");
}

void peak_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.steps.empty()) return;
  const StepRow& peak = r.steps[static_cast<size_t>(r.peak_step)];
  lines.push_back(cat("       peak at step ", peak.step, " '", peak.nodes.empty() ? peak.kernel : peak.nodes[0], "' (",
                      peak.op, "): ", bytes(peak.live_bytes), " in use"));
  std::vector<const TensorRow*> live;
  for (const TensorRow& t : r.tensors) {
    const bool view = t.shares && t.shares->how == "view";
    if (!view && t.first <= peak.step && peak.step < t.end) live.push_back(&t);
  }
  std::stable_sort(live.begin(), live.end(),
                   [](const TensorRow* a, const TensorRow* b) { return a->bytes > b->bytes; });
  for (size_t i = 0; i < live.size() && i < 4; ++i) {
    const TensorRow& t = *live[i];
    const bool read = std::find(peak.reads.begin(), peak.reads.end(), t.name) != peak.reads.end();
    const bool written = std::find(peak.writes.begin(), peak.writes.end(), t.name) != peak.writes.end();
    std::string why = written ? "written" : read ? "read" : cat("waits for step ", t.end - 1);
    if (t.shares && t.shares->how != "view" && written)
      why += cat(", ", bytes(t.shares->bytes), " of it over '", t.shares->with, "'");
    lines.push_back(cat("         ", bytes(t.bytes), "  ", t.name, " ", to_string(t.type), ", ", why));
  }
  if (live.size() > 4) {
    const int64_t rest = std::accumulate(live.begin() + 4, live.end(), int64_t{0},
                                         [](int64_t n, const TensorRow* t) { return n + t->bytes; });
    lines.push_back(cat("         ", bytes(rest), "  in ", live.size() - 4, " more"));
  }
}

// The element type of most bytes, with a comma: the first input's may be another, such as that of the words of a text.
std::string main_type(const Report& r) {
  std::map<std::string, int64_t> bytes_of;
  for (const TensorRow& tensor : r.tensors) {
    if (tensor.kind != "scratch") bytes_of[to_string(tensor.type.dtype)] += tensor.bytes;
  }
  if (bytes_of.empty()) return "";
  const auto most = std::max_element(bytes_of.begin(), bytes_of.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first + ", ";
}

}  // namespace

std::string bytes(int64_t n) { return with_thousands(n) + " B"; }

std::string percent(int64_t part, int64_t whole) {
  if (whole <= 0) return "-";
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%.0f %%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return buffer;
}

std::string tenths(int64_t part, int64_t whole) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f %%",
                whole <= 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return buffer;
}

std::string decibels(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f dB", value);
  return text;
}

std::string to_text(const Report& r) {
  std::vector<std::string> lines;
  const std::string dtype = main_type(r);
  lines.push_back(cat(r.file, ": ", counted(r.nodes, "node"), " in ", counted(std::ssize(r.steps), "step"), ", ", dtype,
                      "opset ", r.opset, ", ", with_thousands(r.macs), " MACs, ", with_thousands(r.parameters),
                      " parameters"));
  lines.push_back(cat("RAM    arena ", bytes(r.arena), "  ", plan_verdict(r)));
  lines.push_back(cat("         = activations ", with_thousands(r.activations), " + scratch ",
                      with_thousands(r.scratch), " + padding ", with_thousands(r.padding), "; inputs and outputs ",
                      r.io == "caller" ? "are the caller's" : "live inside"));
  bank_lines(r, lines);
  if (r.ram_budget) lines.push_back(budget_line("total", *r.ram_budget) + (r.ram_budget->fits ? way_of(r) : ""));
  state_lines(r, lines);
  weight_lines(r, lines);
  transfer_lines(r, lines);
  sparsity_lines(r, lines);
  if (!r.stream) peak_lines(r, lines);
  if (r.certificate) lines.push_back(proof_line(*r.certificate));
  stream_lines(r, lines);
  if (r.naive > 0)
    lines.push_back(cat("       without any reuse ", bytes(r.naive), "; saved ", percent(r.naive - r.arena, r.naive)));
  lines.push_back(cat("FLASH  weights ", bytes(r.weights), r.code ? " + code " + bytes(*r.code) : ""));
  for (std::string& line : integer_lines(r)) lines.push_back(std::move(line));
  if (r.flash_budget) lines.push_back(budget_line("total", *r.flash_budget));
  if (r.stack)
    lines.push_back("STACK  " + bytes(*r.stack) + " at most: " + join(r.stack_path, " > ") + " (" + r.compiler + ")");
  time_lines(r, lines);
  if (r.instruction_budget) lines.push_back(instruction_line(*r.instruction_budget));
  if (r.time_budget) lines.push_back(time_budget_line(*r.time_budget, r.time && r.time->modelled_cycles.has_value()));
  if (!r.missing_weights.empty())
    lines.push_back("       weights are missing: '" + r.missing_weights + "' is not there; analysed without it");
  for (const Advice& advice : r.advice) {
    lines.push_back(cat(advice.fits ? "FIX    " : "       ", advice.change, ": ", time_of(advice),
                        advice.flash ? bytes(*advice.flash) + " of flash" : bytes(advice.ram),
                        advice.fits ? ", fits" : ", does not fit", advice.note.empty() ? "" : " (" + advice.note + ")",
                        advice.options.empty() ? "" : "  [" + advice.options + "]"));
  }
  compare_lines(r, lines);
  pareto_lines(r, lines);
  sweep_lines(r, lines);
  symbolic_lines(r, lines);
  grid_lines(r, lines);
  verify_lines(r, lines);
  if (lines.size() > kMaxLines) {
    lines.resize(kMaxLines - 1);
    lines.push_back("       ... (all of it is in the JSON report)");
  }
  for (std::string& line : lines) line = printable(line);
  return join(lines, "\n") + "\n";
}

}  // namespace tarn::report
