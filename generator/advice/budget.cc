#include "advice/budget.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::advice {

namespace {

// The tensors that fill the peak step, largest first, as the message names them.
std::string peak_tensors(const report::Report& r) {
  if (r.steps.empty()) return "";
  const report::StepRow& peak = r.steps[static_cast<size_t>(r.peak_step)];
  std::vector<std::pair<int64_t, std::string>> live;
  for (const report::TensorRow& t : r.tensors) {
    const bool view = t.shares && t.shares->how == "view";
    if (!r.stream && !view && t.first <= peak.step && peak.step < t.end)
      live.emplace_back(t.bytes, cat("'", t.name, "'"));
  }
  for (size_t i = 0; r.stream && i < r.stream->memories.size(); ++i) {
    const report::LinesRow& m = r.stream->memories[i];
    const std::string what = m.holds != "tensor" ? m.holds + " of "
                             : m.slots < m.lines ? cat(m.slots, " lines of ")
                                                 : "";
    if (m.first <= peak.step && peak.step < m.end) live.emplace_back(m.bytes, cat(what, "'", m.name, "'"));
  }
  std::stable_sort(live.begin(), live.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text =
      cat("; the peak is step ", peak.step, " '", peak.nodes.empty() ? peak.kernel : peak.nodes[0], "' with ");
  for (size_t i = 0; i < live.size() && i < 3; ++i) {
    text += cat(i == 0 ? "" : ", ", live[i].second, " ", live[i].first);
  }
  return text + " bytes";
}

// Which bank overflows, by how much, and what there was no room for.
Diagnostics check_banks(const std::string& model_path, const report::Report& report) {
  Diagnostics faults;
  if (!report.split || report.split->fits) return faults;
  std::string text;
  for (const report::BankRow& bank : report.banks) {
    if (bank.fits) continue;
    text += cat(text.empty() ? "" : "; ", "bank '", bank.name, "' holds ", bank.bytes,
                " bytes, the best division found needs ", bank.arena, " there");
  }
  const std::vector<std::string>& core = report.split->core;
  for (size_t i = 0; i < core.size() && i < 4; ++i) {
    const auto row = std::find_if(report.tensors.begin(), report.tensors.end(),
                                  [&](const report::TensorRow& t) { return t.name == core[i]; });
    text += cat(i == 0 ? "; there is no room together for " : ", ", "'", core[i], "'",
                row == report.tensors.end() ? "" : cat(" ", row->bytes));
  }
  if (!core.empty()) text += core.size() > 4 ? cat(" and ", core.size() - 4, " more") : " bytes";
  faults.push_back({report.split->proved ? "E309" : "E310", {.file = model_path}, text, {}});
  return faults;
}

}  // namespace

Diagnostics check_budgets(const Budgets& budgets, const std::string& model_path, report::Report& report) {
  Diagnostics faults = check_banks(model_path, report);
  if (budgets.ram) {
    const int64_t used = report.ram_total();
    const bool fits = used <= *budgets.ram;
    // Below the floor no order and no placement can be, with these options; between floor and plan nothing is decided.
    const int64_t rest = used - report.arena, floor = report.floor + rest;
    const bool proved = fits || floor > *budgets.ram;
    report.ram_budget = report::Budget{*budgets.ram, used, fits, proved};
    if (!fits) {
      faults.push_back(
          {proved ? "E301" : "E302",
           {.file = model_path},
           cat("needs ", used, " bytes of RAM, the budget is ", *budgets.ram, peak_tensors(report),
               report.least_lines && !proved ? cat("; no plan by layers is below ", report.layers_floor + rest,
                                                   ", and the least found by lines is ", *report.least_lines + rest)
               : budgets.flash && report.weights > *budgets.flash
                   ? cat("; plans by lines and other changes were not searched, the weights alone exceed the flash")
                   : cat("; no plan of this graph with these options is below ", floor)),
           {}});
    }
  }
  if (budgets.flash) {
    const int64_t used = report.weights + report.code.value_or(0);
    const bool fits = used <= *budgets.flash;
    report.flash_budget = report::Budget{*budgets.flash, used, fits, true};
    if (!fits) {
      faults.push_back({"E303",
                        {.file = model_path},
                        cat("needs ", used, " bytes of flash (", report.weights, " of weights, ",
                            report.code ? std::to_string(*report.code) + " of code" : "code not counted",
                            "), the budget is ", *budgets.flash),
                        {}});
    }
  }
  return faults;
}

Diagnostics warn_of_lines(const std::string& model_path, const report::Report& report) {
  if (!report.stream || !report.stream->for_budget || report.stream->calls.empty()) return {};
  return {{"W301",
           {.file = model_path},
           cat("whole layers exceed the budget of RAM, so the network runs by lines: it is called through ",
               join(report.stream->calls), ", and there is no ", report.name, "_run"),
           cat("--stream ", report.stream->mode, " or --stream auto asks for this by name; --stream resident keeps ",
               report.name, "_run; with --stream off what exceeds the budget fails")}};
}

}  // namespace tarn::advice
