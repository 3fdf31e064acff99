#include "report/time_lines.h"

#include <cstdio>

#include "support/text.h"
#include "time/published.h"

namespace tarn::report {

namespace {

std::string megahertz(int64_t clock) {
  char text[32];
  std::snprintf(text, sizeof text, "%g MHz", static_cast<double>(clock) / 1e6);
  return text;
}

std::string share(int64_t part, int64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%",
                100.0 * static_cast<double>(part) / static_cast<double>(std::max<int64_t>(whole, 1)));
  return text;
}

// "wait 5 for 16 bytes of code": nothing for a memory that answers at once.
std::string waits_of(const timing::Memories& memories) {
  std::string text;
  const auto add = [&](const char* what, const timing::Memory& memory) {
    if (memory.wait > 0) text += cat(text.empty() ? "" : ", ", memory.wait, " for ", memory.line, " B of ", what);
  };
  add("code", memories.code);
  add("weights", memories.weights);
  return text.empty() ? "" : ", cycles of waiting: " + text;
}

std::string found_to_be(const std::string& target) {
  const timing::Published* found = timing::published(target);
  if (!found) return "compared with no board";
  char text[64];
  std::snprintf(text, sizeof text, "at worst %.0f %% off in %d published measurements", found->worst_error,
                found->measurements);
  return text;
}

void slowest_lines(const Report& r, std::vector<std::string>& lines) {
  const TimeFigures& time = *r.time;
  const int64_t all = time.modelled_cycles.value_or(time.modelled);
  for (const size_t s : time.slowest(3)) {
    const StepRow& row = r.steps[s];
    const StepTime& of = *time.steps[s];
    lines.push_back(cat("       step ", row.step, row.nodes.empty() ? "" : " '" + row.nodes[0] + "'", " (", row.kernel,
                        "): ", share(of.ticks(), all), of.why.empty() ? "" : "; " + of.why));
  }
}

}  // namespace

std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, ms < 0.01 ? "%.4f ms" : ms < 1 ? "%.3f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
  return text;
}

std::string instruction_line(const Budget& budget) {
  return cat("       total ", with_thousands(budget.used), " of ", with_thousands(budget.limit), " instructions  ",
             budget.fits                  ? "FITS"
             : budget.used > budget.limit ? "DOES NOT FIT"
                                          : "NOT KNOWN");
}

std::string time_budget_line(const Budget& budget, bool cycles_known) {
  const auto ms = [](int64_t nanoseconds) { return milliseconds(static_cast<double>(nanoseconds) / 1e6); };
  return cat("       total ", ms(budget.used), " of ", ms(budget.limit), "  ",
             budget.fits ? cycles_known ? "FITS (estimated)" : "FITS if each instruction takes one cycle"
             : budget.used > budget.limit ? "DOES NOT FIT"
                                          : "NOT KNOWN");
}

std::string time_of(const Advice& advice) {
  if (!advice.instructions) return "";
  return cat(in_short(*advice.instructions), " instructions, ",
             advice.cycles ? "about " + in_short(*advice.cycles) + " cycles, " : "");
}

void time_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.time) return;
  const TimeFigures& time = *r.time;
  if (!time.why.empty()) {
    lines.push_back("TIME   not estimated: " + time.why);
    return;
  }
  std::string line =
      cat("TIME   ", time.missing_steps > 0 ? "more than " : "", in_short(time.modelled), " instructions");
  if (time.modelled_cycles) line += cat(", about ", in_short(*time.modelled_cycles), " cycles");
  if (r.clock)
    line += cat(", ",
                milliseconds(1e3 * static_cast<double>(time.modelled_cycles.value_or(time.modelled)) /
                             static_cast<double>(*r.clock)),
                " at ", megahertz(*r.clock), time.modelled_cycles ? "" : " if each took one cycle");
  lines.push_back(cat(line, " (estimated, ", time.target, waits_of(time.memories), ")"));
  const std::string least = in_short(time.least()), most = in_short(time.most());
  if (least != most) lines.push_back(cat("       ", least, " to ", most, " instructions, as data decide"));
  if (time.modelled_cycles)
    lines.push_back(cat("       cycles by ", timing::cycles_basis(time.target), "; ", found_to_be(time.target)));
  slowest_lines(r, lines);
  if (time.missing_steps == 0) return;
  std::vector<std::string> kernels;
  for (const auto& [kernel, steps] : time.missing) kernels.push_back(kernel);
  const size_t named = std::min<size_t>(kernels.size(), 6), rest = kernels.size() - named;
  kernels.resize(named);
  lines.push_back(cat("       without ", time.missing_steps, " of ", r.steps.size(), " steps (",
                      share(time.missing_macs, r.macs), " of the MACs), which are not modelled: ", join(kernels),
                      rest > 0 ? cat(" and ", rest, " more") : ""));
}

}  // namespace tarn::report
