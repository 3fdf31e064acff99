// The report for people: at most 40 lines that answer "does it fit, and if not, what is in the way".
#include "support/text.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>

#include "report/integer_lines.h"
#include "report/report.h"
#include "report/time_lines.h"
#include "support/printable.h"

namespace tarn::report {

namespace {

constexpr size_t kMaxLines = 40;

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

// How a network runs by lines, and what the other ways would give.
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
    if (f.stripes > 0) {
      lines.push_back(cat("       ", f.stripes, " column stripes up to '", f.stripes_end,
                          "': ", with_thousands(f.extra_macs), " MACs (", tenths(f.extra_macs, f.plain_macs),
                          ") are done twice"));
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
                            (row.stripes > 0 ? cat(", ", row.stripes, " stripes") : "");
    std::snprintf(buffer, sizeof buffer, "  %-22s %14s  %14s  %6s  %s", how.c_str(), with_thousands(row.arena).c_str(),
                  with_thousands(row.bound).c_str(), with_thousands(row.table_bytes).c_str(), row.proof.c_str());
    lines.push_back(row.fault.empty() ? buffer : "  " + how + "  " + row.fault);
  }
}

// Ways that another one beats are left out; the JSON report has them all.
void pareto_lines(const Report& r, std::vector<std::string>& lines) {
  if (r.pareto.empty()) return;
  lines.push_back("PARETO                                              arena            MACs    more  passes");
  for (const ParetoRow& row : r.pareto) {
    if (row.dominated) continue;
    char buffer[200];
    std::snprintf(buffer, sizeof buffer, "  %-40s %14s  %14s  %6s  %6s", row.options.c_str(),
                  with_thousands(row.arena).c_str(), with_thousands(row.macs).c_str(),
                  tenths(row.extra_macs, row.macs - row.extra_macs).c_str(),
                  row.passes > 1 ? cat(row.passes).c_str() : "");
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
  if (s.run_time) lines.push_back(cat("  arena          ", with_thousands(r.arena), " B at every size"));
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

std::string decibels(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f dB", value);
  return text;
}

// How far weights in fewer bits have moved the outputs.
std::string noise_line(const VerifyRow& row) {
  std::vector<std::string> outputs;
  for (const VerifyOutput& o : row.outputs) {
    if (outputs.size() < 6) outputs.push_back(cat("'", o.name, "' ", o.snr_db ? decibels(*o.snr_db) : "exact"));
  }
  return cat("       signal over noise beside the float network (", row.noise_reference, "): ", join(outputs));
}

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

// States in fewer bits: what they take of what they took, and how far their values may be off.
void stored_state_lines(const Report& r, std::vector<std::string>& lines) {
  std::map<std::string, std::pair<int64_t, int64_t>> sums;
  for (const StateRow& row : r.states) {
    if (row.stored.empty()) continue;
    sums[row.stored].first += row.bytes;
    sums[row.stored].second += row.float_bytes;
  }
  for (const auto& [stored, sum] : sums)
    lines.push_back(cat("       kept as ", stored, ": ", bytes(sum.first), " of ", bytes(sum.second),
                        stored == "int8" ? "; a value is at most 1/63 of the largest that its column has held off"
                                         : "; a value is at most 1/2048 of itself off"));
}

// What is kept from run to run: how much, and which output is which input, the copied ones first.
void state_lines(const Report& r, std::vector<std::string>& lines) {
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
                      " updated where they lie, ", copied.size(), " copied at the end of a run"));
  std::vector<std::string> named = copied;
  named.insert(named.end(), in_place.begin(), in_place.end());
  constexpr size_t most = 12;
  const size_t rest = named.size() - std::min(named.size(), most);
  named.resize(named.size() - rest);
  lines.push_back("       " + join(named, "; ") + (rest > 0 ? cat("; and ", rest, " more") : ""));
  stored_state_lines(r, lines);
}

// Weights in fewer bits: what they take of what they took, those with the most noise first.
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

// What a run reads of its weights.
void transfer_lines(const Report& r, std::vector<std::string>& lines) {
  if (!r.transfers) return;
  const TransferFigures& t = *r.transfers;
  const auto ms = [](int64_t nanoseconds) { return milliseconds(static_cast<double>(nanoseconds) / 1e6); };
  lines.push_back(cat("READS  ", bytes(t.bytes), " of weights in ", t.reads, " calls, at most ", bytes(t.buffer),
                      " of them in the arena",
                      t.nanoseconds ? cat("; ", ms(*t.nanoseconds), " at ", bytes(t.bandwidth), " a second") : "",
                      t.stall ? cat(", of which the run waits ", ms(*t.stall)) : ""));
}

// Shares of zeros, by weight.
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
  verify_lines(r, lines);
  if (lines.size() > kMaxLines) {
    lines.resize(kMaxLines - 1);
    lines.push_back("       ... (all of it is in the JSON report)");
  }
  for (std::string& line : lines) line = printable(line);
  return join(lines, "\n") + "\n";
}

}  // namespace tarn::report
