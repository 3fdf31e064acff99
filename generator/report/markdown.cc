// The report as Markdown, for a pull request: the verdict, what makes the size, and the heaviest steps.
#include <algorithm>

#include "report/report.h"
#include "report/time_lines.h"
#include "support/printable.h"
#include "support/text.h"

namespace tarn::report {

namespace {

constexpr size_t kMarkdownRows = 10;  // a comment is read, not searched
constexpr size_t kFormulaRows = 12;   // of each figure

// Names come from the model: nothing in them may end a table cell or start markup.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : printable(name)) {
    if (std::string_view("|`*_<>[]\\").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

std::string line(const std::vector<std::string>& cells) { return "| " + join(cells, " | ") + " |\n"; }

std::string verdict(const Report& r) {
  if (!r.ram_budget && !r.flash_budget && !r.instruction_budget && !r.time_budget) return "no budget given";
  std::string text;
  auto add = [&](const char* what, const std::optional<Budget>& budget, const char* unit = " B") {
    if (!budget) return;
    text += (text.empty() ? "" : "; ") +
            cat("**", what, budget->fits ? " fits" : " does not fit", "**: ", with_thousands(budget->used), " of ",
                with_thousands(budget->limit), unit, budget->fits || budget->proved ? "" : " (not proved)");
  };
  add("RAM", r.ram_budget);
  if (r.ram_budget && r.ram_budget->fits && r.stream && r.stream->for_budget)
    text += cat(" by lines (", r.stream->mode, r.stream->calls.empty() ? ")" : "; no " + plain(r.name) + "\\_run)");
  add("Flash", r.flash_budget);
  add("Instructions", r.instruction_budget, "");
  if (const auto& b = r.time_budget) {
    text += cat(text.empty() ? "" : "; ", "**Time", b->fits ? " fits" : " does not fit",
                "**: ", milliseconds(static_cast<double>(b->used) / 1e6), " of ",
                milliseconds(static_cast<double>(b->limit) / 1e6), " (estimated)");
  }
  return text;
}

template <class Row, class Less>
std::vector<const Row*> heaviest(const std::vector<Row>& rows, Less less) {
  std::vector<const Row*> picked;
  for (const Row& row : rows) picked.push_back(&row);
  std::stable_sort(picked.begin(), picked.end(), [&](const Row* a, const Row* b) { return less(*a, *b); });
  if (picked.size() > kMarkdownRows) picked.resize(kMarkdownRows);
  return picked;
}

std::string time_sentence(const Report& r) {
  if (!r.time || !r.time->why.empty()) return "";
  const TimeFigures& time = *r.time;
  const auto ms = r.milliseconds();
  return cat("\nTime on ", time.target, ", estimated: ", time.complete() ? "" : "more than ",
             with_thousands(time.modelled), " instructions",
             time.modelled_cycles ? ", about " + with_thousands(*time.modelled_cycles) + " cycles" : "",
             ms ? ", " + milliseconds(*ms) : "", ".\n");
}

// What grows with the size of a dimension.
std::string formula_table(const Symbolic& s) {
  std::string text = "\n" + line({cat("over ", plain(s.name)), "sizes", "formula"}) + line({"---", "---", "---"});
  const auto add = [&](const char* what, const std::vector<symbolic::Piece>& pieces) {
    for (size_t i = 0; i < std::min(pieces.size(), kFormulaRows); ++i)
      text += line({what, cat(pieces[i].from, "..", pieces[i].to), plain(pieces[i].expression)});
    if (pieces.size() > kFormulaRows)
      text += line({what, cat(pieces.size() - kFormulaRows, " more pieces"), "in the JSON"});
  };
  add(s.run_time ? "arena, the same at every size" : "arena", s.arena);
  if (s.lower_bound != s.arena) add("lower bound", s.lower_bound);
  add("MACs", s.macs);
  add("weights", s.weights);
  if (s.fits)
    text += cat("\nLargest ", plain(s.name), " that fits ", with_thousands(s.fits->limit),
                " B: ", s.fits->largest ? cat(*s.fits->largest) : "none",
                s.fits->proved ? " (proved).\n" : " (not proved).\n");
  return text;
}

std::string formula_table(const Grid& grid) {
  std::vector<std::string> names;
  for (const symbolic::Axis& axis : grid.axes) names.push_back(cat(axis.name, "=", axis.low, "..", axis.high));
  std::string text = "\n" + line({cat("over ", plain(join(names))), "sizes", "formula"}) + line({"---", "---", "---"});
  const auto add = [&](const char* what, const std::vector<symbolic::Box>& boxes) {
    for (size_t i = 0; i < std::min(boxes.size(), kFormulaRows); ++i) {
      const std::string place = symbolic::place_of(grid.axes, boxes[i]);
      text += line({what, place.empty() ? "all" : plain(place), plain(boxes[i].expression)});
    }
    if (boxes.size() > kFormulaRows)
      text += line({what, cat(boxes.size() - kFormulaRows, " more boxes"), "in the JSON"});
  };
  add(grid.run_time ? "arena, the same at every size" : "arena", grid.arena);
  if (grid.lower_bound != grid.arena) add("lower bound", grid.lower_bound);
  add("MACs", grid.macs);
  add("weights", grid.weights);
  return text;
}

// Those that nothing beats, and what the report is of.
std::string pareto_table(const std::vector<ParetoRow>& rows) {
  std::string text = "\n" + line({"way of running", "arena", "instructions", "MACs", "flash"}) +
                     line({"---", "---:", "---:", "---:", "---:"});
  for (const ParetoRow& row : rows) {
    if (row.dominated && !row.chosen) continue;
    const std::string options = plain(row.options);
    text += line({row.chosen ? "**" + options + "**" : options, with_thousands(row.arena),
                  row.instructions ? with_thousands(*row.instructions) : "", with_thousands(row.macs),
                  with_thousands(row.flash)});
  }
  return text;
}

std::string size_table(const Report& r) {
  std::string text = line({"", "bytes"}) + line({"---", "---:"});
  text += line({"arena", with_thousands(r.arena)});
  text += line({"lower bound", cat(with_thousands(r.lower_bound), " (", r.proof, ")")});
  text += line({"static", with_thousands(r.static_bytes)});
  if (r.stack) text += line({"stack, at most", with_thousands(*r.stack)});
  text += line({"RAM in all", with_thousands(r.ram_total())});
  text += line({"weights", with_thousands(r.weights)});
  if (r.code) text += line({"code", with_thousands(*r.code)});
  return text;
}

std::string bank_table(const std::vector<BankRow>& banks) {
  std::string text = "\n" + line({"bank", "section", "size", "used", "lower bound", "proof", "tensors", "traffic"}) +
                     line({"---", "---", "---:", "---:", "---:", "---", "---:", "---:"});
  for (const BankRow& b : banks) {
    text += line({plain(b.name), plain(b.section), with_thousands(b.bytes),
                  with_thousands(b.arena) + (b.fits ? "" : " **does not fit**"), with_thousands(b.lower_bound), b.proof,
                  with_thousands(b.tensors), with_thousands(b.traffic)});
  }
  return text;
}

// What is alive in the step that needs most.
std::string peak_table(const Report& r) {
  const StepRow& peak = r.steps[static_cast<size_t>(r.peak_step)];
  std::string text = cat("\nPeak at step ", peak.step, " (", plain(peak.nodes.empty() ? peak.kernel : peak.nodes[0]),
                         "), ", with_thousands(peak.live_bytes), " B in use:\n\n");
  text += line({"tensor", "kind", "shape", "bytes"}) + line({"---", "---", "---", "---:"});
  std::vector<TensorRow> live;
  for (const TensorRow& t : r.tensors) {
    if (t.first <= peak.step && peak.step < t.end && !(t.shares && t.shares->how == "view")) live.push_back(t);
  }
  for (const TensorRow* t : heaviest(live, [](const TensorRow&a, const TensorRow&b) { return a.bytes > b.bytes; })) {
    text += line({plain(t->name), t->kind, plain(to_string(t->type)), with_thousands(t->bytes)});
  }
  return text;
}

// What a change is for has columns: flash, or the work of a run, beside RAM.
std::string advice_table(const std::vector<Advice>& advice) {
  const auto any = [&](auto member) {
    return std::ranges::any_of(advice, [&](const Advice& a) { return (a.*member).has_value(); });
  };
  std::vector<std::pair<const char*, std::optional<int64_t> Advice::*>> columns;
  if (any(&Advice::flash)) columns.emplace_back("flash", &Advice::flash);
  if (any(&Advice::instructions)) columns.emplace_back("instructions", &Advice::instructions);
  if (any(&Advice::cycles)) columns.emplace_back("cycles", &Advice::cycles);
  std::vector<std::string> names{"change", "RAM"}, rules{"---", "---:"};
  for (const auto& [name, member] : columns) {
    names.emplace_back(name);
    rules.emplace_back("---:");
  }
  for (const char* name : {"fits", "options"}) {
    names.emplace_back(name);
    rules.emplace_back("---");
  }
  std::string text = "\n" + line(names) + line(rules);
  for (const Advice& a : advice) {
    std::vector<std::string> cells{plain(a.change), with_thousands(a.ram)};
    for (const auto& [name, member] : columns) cells.push_back(a.*member ? with_thousands(*(a.*member)) : "");
    cells.emplace_back(a.fits ? "yes" : "no");
    cells.push_back(plain(a.options));
    text += line(cells);
  }
  return text;
}

std::string sweep_table(const std::vector<SweepRow>& sweep) {
  std::string text = "\n" + line({"size", "arena", "lower bound", "MACs", "instructions", "proof"}) +
                     line({"---", "---:", "---:", "---:", "---:", "---"});
  for (const SweepRow& row : sweep) {
    std::string dims;
    for (const auto& [name, value] : row.dims) dims += cat(dims.empty() ? "" : " ", name, "=", value);
    if (row.fault.empty())
      text += line({plain(dims), with_thousands(row.arena), with_thousands(row.lower_bound), with_thousands(row.macs),
                    row.instructions ? with_thousands(*row.instructions) : "", row.proof});
    else text += line({plain(dims), "", "", "", "", plain(first_line(row.fault))});
  }
  return text;
}

std::string step_table(const std::vector<StepRow>& steps) {
  std::string text = "\n" + line({"step", "kernel", "MACs", "weights", "in use", "instructions", "cycles"}) +
                     line({"---:", "---", "---:", "---:", "---:", "---:", "---:"});
  for (const StepRow* s : heaviest(steps, [](const StepRow&a, const StepRow&b) { return a.macs > b.macs; })) {
    text += line({std::to_string(s->step), plain(s->kernel), with_thousands(s->macs), with_thousands(s->weight_bytes),
                  with_thousands(s->live_bytes), s->instructions ? with_thousands(*s->instructions) : "",
                  s->cycles ? with_thousands(*s->cycles) : ""});
  }
  return text;
}

}  // namespace

std::string to_markdown(const Report& r) {
  std::string text = cat("### ", plain(r.file), "\n\n", verdict(r), "\n\n") + size_table(r);
  if (!r.banks.empty()) text += bank_table(r.banks);
  text += cat("\n", counted(r.nodes, "node"), " in ", counted(std::ssize(r.steps), "step"), ", ",
              with_thousands(r.macs), " MACs, ", with_thousands(r.parameters), " parameters.\n", time_sentence(r));
  if (!r.steps.empty()) text += peak_table(r);
  if (!r.advice.empty()) text += advice_table(r.advice);
  if (!r.sweep.empty()) text += sweep_table(r.sweep);
  if (!r.pareto.empty()) text += pareto_table(r.pareto);
  if (r.symbolic) text += formula_table(*r.symbolic);
  if (r.grid) text += formula_table(*r.grid);
  return text + step_table(r.steps);
}

}  // namespace tarn::report
