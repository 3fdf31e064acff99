// Plans in the text report: in banks, by lines, beside others, over sizes.
#include <algorithm>
#include <cstdio>

#include "report/text_lines.h"
#include "report/time_lines.h"
#include "support/text.h"

namespace tarn::report {

void bank_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.split) return;
  for (const BankRow& b : r.banks) {
    std::string line = cat("  BANK ", b.name, b.section.empty() ? "" : " in " + b.section, ": ", bytes(b.arena), " of ",
                           bytes(b.bytes), " (", percent(b.arena, b.bytes), "), ");
    if (b.arena == 0) line += "nothing lies there";
    else
      line += cat(b.proof == "optimal" ? "optimal" : cat("lower bound ", bytes(b.lower_bound)), ", ", b.tensors,
                  " tensors, ", bytes(b.traffic), " of traffic");
    if (!b.dma) line += ", no inputs or outputs";
    if (!b.fits) line += "  DOES NOT FIT, " + bytes(b.arena - b.bytes) + " too many";
    lines.push_back(line);
  }
  const SplitRow& s = *r.split;
  if (!s.fits) {
    lines.push_back(
        cat("       no division among the banks fits", s.proved ? ", proved" : ", not proved: other orders may"));
    return;
  }
  if (r.banks.size() < 2) return;
  lines.push_back(s.proof == "optimal" ? cat("       no division has less traffic in the slower banks")
                                       : cat("       cost ", with_thousands(s.cost), " of at least ",
                                             with_thousands(s.lower_bound), " (traffic times place in the list)"));
}

void compare_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.compare.empty()) return;
  lines.push_back("COMPARE                            arena      / bound   proof        nodes");
  for (const CompareRow& row : r.compare) {
    char buffer[160];
    std::string share = row.share.empty() ? "none" : join(row.share, ",");
    if (row.share.size() == 3) share = "all";
    std::snprintf(buffer, sizeof buffer, "  %-18s %-9s %-18s %14s %8.3f   %-10s %8llu", row.strategy.c_str(),
                  row.order.c_str(), share.c_str(), with_thousands(row.arena).c_str(),
                  r.lower_bound > 0 ? static_cast<double>(row.arena) / static_cast<double>(r.lower_bound) : 1.0,
                  row.proof.c_str(), static_cast<unsigned long long>(row.search_nodes));
    lines.push_back(buffer);
  }
}

void stream_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.stream) {
    const StreamFigures& f = *r.stream;
    const size_t segments = f.segments.size();
    lines.push_back(cat("LINES  ", f.mode, f.drain ? ", drained" : "", ", ",
                        f.lines == "ring" ? "rings" : "table of addresses", ": ", with_thousands(f.steps), " steps in ",
                        segments, segments == 1 ? " segment" : " segments", "; driver's table ", bytes(f.table_bytes)));
    lines.push_back("       the bound holds for " + f.bound_of);
    const auto columns = [](const Port& port) { return port.columns; };
    if (std::any_of(r.inputs.begin(), r.inputs.end(), columns) ||
        std::any_of(r.outputs.begin(), r.outputs.end(), columns))
      lines.push_back(
          "       by columns: floats are added in another order than by rows, which may move their last bits");
    if (!f.twice.empty()) {
      lines.push_back(cat("       ", f.twice, ": ", with_thousands(f.extra_macs), " MACs (",
                          tenths(f.extra_macs, f.plain_macs), ") are done twice"));
    }
    for (const Port& port : r.inputs) {
      if (port.passes > 1)
        lines.push_back(cat("       ", port.name, " is handed over ", port.passes, " times, first line to last"));
    }
    lines.push_back(cat("       memories: inputs ", with_thousands(f.inputs), ", outputs ", with_thousands(f.outputs),
                        ", between ", with_thousands(f.between), ", histories ", with_thousands(f.histories),
                        ", windows ", with_thousands(f.windows), ", sums ", with_thousands(f.accumulators),
                        ", scratch ", with_thousands(f.scratch), ", driver ", with_thousands(f.driver)));
  }
  if (r.streams.empty()) return;
  lines.push_back("STREAM                            arena           bound   table  proof");
  for (const StreamRow& row : r.streams) {
    char buffer[160];
    const std::string how = row.mode + (row.drain ? ", drained" : "") + (row.lines == "table" ? ", table" : "") +
                            (row.stripes > 0 ? cat(", ", row.stripes, " stripes") : "") +
                            (row.recomputed > 0 ? ", lines recomputed" : "");
    std::snprintf(buffer, sizeof buffer, "  %-22s %14s  %14s  %6s  %s", how.c_str(), with_thousands(row.arena).c_str(),
                  with_thousands(row.bound).c_str(), with_thousands(row.table_bytes).c_str(), row.proof.c_str());
    lines.push_back(row.fault.empty() ? buffer : "  " + how + "  " + row.fault);
  }
}

void pareto_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.pareto.empty()) return;
  const bool timed = r.pareto.front().instructions.has_value();
  lines.push_back(cat(
      "PARETO                                                                   arena            MACs    more  passes",
      timed ? "    instructions     flash" : ""));
  for (const ParetoRow& row : r.pareto) {
    if (row.dominated) continue;
    char buffer[280], times[64] = "";
    if (row.instructions)
      std::snprintf(times, sizeof times, "  %14s  %8s", with_thousands(*row.instructions).c_str(),
                    with_thousands(row.flash).c_str());
    std::snprintf(buffer, sizeof buffer, "%s %-61s %14s  %14s  %6s  %6s%s", row.chosen ? ">" : " ", row.options.c_str(),
                  with_thousands(row.arena).c_str(), with_thousands(row.macs).c_str(),
                  tenths(row.extra_macs, row.macs - row.extra_macs).c_str(),
                  row.passes > 1 ? cat(row.passes).c_str() : "", times);
    lines.push_back(buffer);
  }
}

void sweep_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.sweep.empty())
    lines.push_back("SWEEP                                   arena           bound            MACs  proof");
  for (const SweepRow& row : r.sweep) {
    std::string dims;
    for (const auto& [name, value] : row.dims) dims += cat(dims.empty() ? "" : " ", name, "=", value);
    char buffer[160];
    std::snprintf(buffer, sizeof buffer, "  %-28s %14s  %14s  %14s  %s", dims.c_str(),
                  with_thousands(row.arena).c_str(), with_thousands(row.lower_bound).c_str(),
                  with_thousands(row.macs).c_str(), row.proof.c_str());
    const std::string time = row.instructions ? cat(", ", in_short(*row.instructions), " instructions") : "";
    lines.push_back(row.fault.empty() ? buffer + time : "  " + dims + "  " + first_line(row.fault));
  }
}

namespace {

std::string run_time_arena(const Report& r) {
  std::string arena = cat("  arena          ", with_thousands(r.arena), " B at every size");
  if (!r.dim_offsets) return arena;
  return arena + (r.dim_offsets->follow ? cat("; offsets follow the sizes, one set of them takes ",
                                              with_thousands(r.dim_offsets->one_set), " B")
                                        : "; no offsets that follow the sizes take less");
}

}  // namespace

void symbolic_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.symbolic) return;
  const Symbolic& s = *r.symbolic;
  if (s.run_time)
    lines.push_back(cat("RUN TIME ", s.name, " in ", s.low, "..", s.high,
                        "  set before a run; the plan holds at each of ", s.high - s.low + 1,
                        " sizes, figures above are of ", s.high));
  else
    lines.push_back(cat("OVER ", s.name, " in ", s.low, "..", s.high, "  ", s.high - s.low + 1, " points planned, ",
                        s.proved, " of them proved optimal"));
  if (s.open)
    lines.push_back(
        cat("  the model leaves ", s.name, " open; what stands above is of ", s.name, "=", r.dims.at(s.name)));
  constexpr size_t kMostPieces = 5;
  const auto add = [&](const char* what, const std::vector<symbolic::Piece>& pieces) {
    for (size_t i = 0; i < std::min(pieces.size(), kMostPieces); ++i)
      lines.push_back(cat("  ", i == 0 ? what : "             ", "  ", pieces[i].from, "..", pieces[i].to, ": ",
                          pieces[i].expression));
    if (pieces.size() > kMostPieces)
      lines.push_back(cat("                 and ", pieces.size() - kMostPieces, " more pieces, in the JSON"));
  };
  if (!s.run_time) add("arena        ", s.arena);
  if (s.run_time) lines.push_back(run_time_arena(r));
  else if (s.lower_bound == s.arena) lines.push_back("  lower bound    the same");
  else add("lower bound  ", s.lower_bound);
  add("MACs         ", s.macs);
  add("weights      ", s.weights);
  std::string beyond;
  bool continues = true;
  for (const Symbolic::Beyond& row : s.beyond) {
    beyond += cat(beyond.empty() ? "" : ", ", row.n, ": ", with_thousands(row.arena), " B");
    continues = continues && row.continues;
  }
  if (!s.beyond.empty())
    lines.push_back(cat("  beyond         ", beyond, continues ? "; the formula goes on" : "; by another formula"));
  if (!s.fits) return;
  const std::string limit = with_thousands(s.fits->limit) + " B",
                    proof = s.fits->proved ? " (proved)" : " (not proved)";
  if (!s.fits->largest) lines.push_back(cat("  no ", s.name, " of the range fits ", limit, proof));
  else if (*s.fits->largest == s.high)
    lines.push_back(cat("  ", s.name, " = ", s.high, " fits ", limit, ": the end of the range"));
  else
    lines.push_back(cat("  largest ", s.name, " that fits ", limit, ": ", *s.fits->largest, "; ", *s.fits->largest + 1,
                        "..", s.high, " do not", proof));
}

void grid_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.grid) return;
  const Grid& grid = *r.grid;
  std::vector<std::string> ranges;
  for (const symbolic::Axis& axis : grid.axes) ranges.push_back(cat(axis.name, " in ", axis.low, "..", axis.high));
  if (grid.run_time)
    lines.push_back(cat("RUN TIME ", join(ranges), "  set before a run; the plan holds at each of ", grid.points,
                        " sizes, figures above are of the largest"));
  else
    lines.push_back(
        cat("OVER ", join(ranges), "  ", grid.points, " points planned, ", grid.proved, " of them proved optimal"));
  for (const std::vector<std::string>& group : grid.tied) lines.push_back(cat("  the model ties ", join(group, " = ")));
  if (grid.open) lines.push_back("  the model leaves them open; what stands above is of their least sizes");
  constexpr size_t kMostBoxes = 5;
  const auto add = [&](const char* what, const std::vector<symbolic::Box>& boxes) {
    for (size_t i = 0; i < std::min(boxes.size(), kMostBoxes); ++i) {
      const std::string place = symbolic::place_of(grid.axes, boxes[i]);
      lines.push_back(
          cat("  ", i == 0 ? what : "             ", "  ", place.empty() ? "" : place + ": ", boxes[i].expression));
    }
    if (boxes.size() > kMostBoxes)
      lines.push_back(cat("                 and ", boxes.size() - kMostBoxes, " more boxes, in the JSON"));
  };
  if (grid.run_time) lines.push_back(run_time_arena(r));
  else add("arena        ", grid.arena);
  if (grid.run_time || grid.lower_bound == grid.arena) {
    if (!grid.run_time) lines.push_back("  lower bound    the same");
  } else add("lower bound  ", grid.lower_bound);
  add("MACs         ", grid.macs);
  add("weights      ", grid.weights);
}

}  // namespace tarn::report
