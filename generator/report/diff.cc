#include "report/diff.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/read_json.h"
#include "support/printable.h"
#include "support/text.h"

namespace tarn::report {

namespace {

constexpr size_t kRows = 12;  // of each list

struct PlacedBytes {
  int64_t bytes = 0, offset = 0;
};

// What a comparison needs of a report.
struct Figures {
  std::string file, proof;
  std::map<std::string, std::optional<double>> totals;
  std::map<std::string, PlacedBytes> tensors;
  // By the nodes of the step: live bytes; cycles, or instructions where no cycles are told.
  std::map<std::string, int64_t> steps, times;
  std::string peak;
};

// Where each figure stands in a report.
const std::vector<std::pair<std::string, std::string>>& figure_paths() {
  static const std::vector<std::pair<std::string, std::string>> paths = {
      {"arena", "ram.arena"},     {"activations", "ram.activations"},
      {"scratch", "ram.scratch"}, {"padding", "ram.padding"},
      {"static", "ram.static"},   {"stack", "ram.stack"},
      {"total", "ram.total"},     {"weights", "flash.weights"},
      {"code", "flash.code"},     {"lower_bound", "plan.lower_bound"},
      {"macs", "totals.macs"},    {"params", "totals.params"},
      {"naive", "plan.naive"},    {"instructions", "time.instructions"},
      {"cycles", "time.cycles"}};
  return paths;
}

std::string step_name(const Object& step) {
  std::string name;
  if (const Value* nodes = find(step, "nodes"); nodes && nodes->has_list_value()) {
    for (const Value& node : nodes->list_value().values()) name += (name.empty() ? "" : "+") + node.string_value();
  }
  return name.empty() ? text_at(step, "kernel") : name;
}

Result<Figures> read_figures(const std::string& path) {
  const Result<Object> read = read_report(path);
  if (!read) return read.faults();
  const Object& object = *read;
  Figures figures;
  figures.file = text_at(object, "model.file");
  figures.proof = text_at(object, "plan.proof");
  for (const auto& [name, where] : figure_paths()) figures.totals[name] = number(object, where);
  for (const Object* row : rows_at(object, "tensors"))
    figures.tensors[text_at(*row, "name")] = {whole(*row, "bytes"), whole(*row, "offset")};
  const std::vector<const Object*> steps = rows_at(object, "steps");
  figures.totals["steps"] = static_cast<double>(steps.size());
  for (const Object* row : steps) {
    figures.steps[step_name(*row)] = whole(*row, "live_bytes");
    const std::optional<double> cycles = number(*row, "cycles"), time = cycles ? cycles : number(*row, "instructions");
    if (time) figures.times[step_name(*row)] = static_cast<int64_t>(*time);
  }
  const int64_t peak = whole(object, "plan.peak_step");
  if (peak >= 0 && peak < static_cast<int64_t>(steps.size()))
    figures.peak = step_name(*steps[static_cast<size_t>(peak)]);
  return figures;
}

std::string signed_number(int64_t n) { return (n < 0 ? "-" : "+") + with_thousands(std::abs(n)); }

std::string figure_line(const std::string& name, std::optional<double> before, std::optional<double> after) {
  auto shown = [](std::optional<double> v) { return v ? with_thousands(static_cast<int64_t>(*v)) : std::string("-"); };
  std::string line =
      cat("  ", name, std::string(name.size() < 12 ? 12 - name.size() : 1, ' '), shown(before), " -> ", shown(after));
  if (before && after) {
    const auto change = static_cast<int64_t>(*after - *before);
    line += cat("  (", signed_number(change));
    if (*before > 0) {
      char percent[32];
      std::snprintf(percent, sizeof percent, ", %+.1f %%", 100.0 * (*after - *before) / *before);
      line += percent;
    }
    line += ")";
  }
  return line + "\n";
}

struct Change {
  std::string name, text;
  int64_t delta;
};

void add_changes(std::string& text, const char* title, const char* unit, std::vector<Change> changes) {
  if (changes.empty()) return;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return std::abs(a.delta) > std::abs(b.delta); });
  text += cat(title, ":\n");
  for (size_t i = 0; i < changes.size() && i < kRows; ++i)
    text += cat("  ", signed_number(changes[i].delta), unit, "  ", printable(changes[i].name), "  ",
                printable(changes[i].text), "\n");
  if (changes.size() > kRows) text += cat("  and ", changes.size() - kRows, " more\n");
}

std::vector<Change> tensor_changes(const Figures& before, const Figures& after) {
  std::vector<Change> changes;
  for (const auto& [name, now] : after.tensors) {
    const auto was = before.tensors.find(name);
    if (was == before.tensors.end()) changes.push_back({name, "new", now.bytes});
    else if (was->second.bytes != now.bytes) {
      changes.push_back({name, cat(with_thousands(was->second.bytes), " -> ", with_thousands(now.bytes)),
                         now.bytes - was->second.bytes});
    }
  }
  for (const auto& [name, was] : before.tensors) {
    if (!after.tensors.contains(name)) changes.push_back({name, "gone", -was.bytes});
  }
  return changes;
}

std::vector<Change> step_changes(const std::map<std::string, int64_t>& before,
                                 const std::map<std::string, int64_t>& after) {
  std::vector<Change> changes;
  for (const auto& [name, now] : after) {
    const auto was = before.find(name);
    if (was == before.end()) changes.push_back({name, "new step", now});
    else if (was->second != now)
      changes.push_back({name, cat(with_thousands(was->second), " -> ", with_thousands(now)), now - was->second});
  }
  for (const auto& [name, was] : before) {
    if (!after.contains(name)) changes.push_back({name, "step gone", -was});
  }
  return changes;
}

bool holds(const Condition& condition, std::optional<double> before, std::optional<double> after) {
  if (!after) return false;
  double value = *after;
  if (condition.measure == Condition::Measure::change) value = *after - before.value_or(0);
  if (condition.measure == Condition::Measure::percent) {
    if (!before || *before == 0) return *after > 0 && condition.greater;
    value = 100.0 * (*after - *before) / *before;
  }
  return condition.greater ? value > condition.limit : value < condition.limit;
}

}  // namespace

const std::vector<std::string>& condition_figures() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, path] : figure_paths()) list.push_back(name);
    list.push_back("steps");
    return list;
  }();
  return names;
}

std::optional<Condition> parse_condition(const std::string& given) {
  std::string text;
  for (const char c : given) {
    if (c != ' ') text += c;
  }
  const size_t at = text.find_first_of("<>");
  if (at == std::string::npos) return {};
  Condition condition{text, text.substr(0, at), Condition::Measure::absolute, text[at] == '>', 0};
  const auto& names = condition_figures();
  if (std::find(names.begin(), names.end(), condition.figure) == names.end()) return {};
  std::string limit = text.substr(at + 1);
  if (limit.empty()) return {};
  if (limit[0] == '+' || limit[0] == '-') condition.measure = Condition::Measure::change;
  if (limit.back() == '%') {
    condition.measure = Condition::Measure::percent;
    limit.pop_back();
  }
  const double unit = limit.ends_with('K') ? 1024 : limit.ends_with('M') ? 1024 * 1024 : 1;
  if (unit > 1 && condition.measure == Condition::Measure::percent) return {};
  if (unit > 1) limit.pop_back();
  size_t used = 0;
  try {
    condition.limit = std::stod(limit, &used) * unit;
  } catch (const std::exception&) {
    return {};
  }
  if (used != limit.size() || !std::isfinite(condition.limit)) return {};
  return condition;
}

Result<Diff> compare_reports(const std::string& old_path, const std::string& new_path,
                             const std::vector<Condition>& conditions) {
  const Result<Figures> before = read_figures(old_path), after = read_figures(new_path);
  Diagnostics faults;
  if (!before) faults = before.faults();
  if (!after) faults.insert(faults.end(), after.faults().begin(), after.faults().end());
  if (!faults.empty()) return faults;
  Diff diff;
  diff.text = cat(printable(before->file), before->file == after->file ? "" : " -> " + printable(after->file), "\n");
  bool same = true;
  for (const std::string& name : condition_figures()) {
    const auto was = before->totals.at(name), now = after->totals.at(name);
    if (was == now) continue;
    same = false;
    diff.text += figure_line(name, was, now);
  }
  if (before->proof != after->proof) {
    same = false;
    diff.text += cat("  proof       ", printable(before->proof), " -> ", printable(after->proof), "\n");
  }
  if (before->peak != after->peak) {
    same = false;
    diff.text += cat("  the peak moved from '", printable(before->peak), "' to '", printable(after->peak), "'\n");
  }
  const std::vector<Change> tensors = tensor_changes(*before, *after),
                            steps = step_changes(before->steps, after->steps);
  std::vector<Change> times;
  if (!before->times.empty() && !after->times.empty()) times = step_changes(before->times, after->times);
  if (same && tensors.empty() && steps.empty() && times.empty()) diff.text += "  no change\n";
  add_changes(diff.text, "tensors", " B", tensors);
  add_changes(diff.text, "bytes in use by step", " B", steps);
  add_changes(diff.text, "time by step, in cycles or instructions", "", times);
  for (const Condition& condition : conditions) {
    if (holds(condition, before->totals.at(condition.figure), after->totals.at(condition.figure)))
      diff.failed.push_back(condition.text);
  }
  return diff;
}

}  // namespace tarn::report
