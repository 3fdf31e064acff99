#include "report/integer_lines.h"

#include <algorithm>
#include <map>
#include <optional>

#include "support/printable.h"
#include "support/text.h"

namespace tarn::report {

namespace {

constexpr size_t kMostOperators = 4;  // named one by one

bool is_qdq(const StepRow& s) {
  static const std::vector<std::string> ops = {"QuantizeLinear",       "DequantizeLinear", "DynamicQuantizeLinear",
                                               "tarn.DynamicQuantize", "tarn.IntQuantize", "tarn.IntDequantize"};
  return std::find(ops.begin(), ops.end(), s.op) != ops.end();
}

// How many layers work in integers, and how their sums become codes.
std::optional<std::string> requantised(const Report& r) {
  int64_t layers = 0, lines = 0, ties = 0, exceptions = 0, tables = 0, wide = 0, own = 0, floats = 0, between = 0;
  for (const StepRow& s : r.steps) {
    if (s.form.empty()) {
      floats += s.op.starts_with("tarn.Dynamic") && s.macs > 0;
      continue;
    }
    if (s.form.starts_with("table")) {
      ++tables;
      continue;
    }
    if (s.form.starts_with("floats between codes")) {
      ++between;
      continue;
    }
    if (s.form.starts_with("16 bits")) {
      ++wide;
      continue;
    }
    ++layers;
    if (s.form.find("own arithmetic") != std::string::npos) {
      ++own;
      continue;
    }
    const bool excepted = s.form.find("exceptions") != std::string::npos;
    exceptions += excepted;
    ties += !excepted && s.form.find("ties") != std::string::npos;
    lines += !excepted && s.form.find("ties") == std::string::npos;
  }
  std::vector<std::string> said;
  if (layers + tables > 0) {
    std::vector<std::string> ways;
    for (const auto& [count, way] : {std::pair{lines, "by a line"},
                                     {ties, "by a line with ties to even"},
                                     {exceptions, "with listed exceptions"},
                                     {own, "by their own arithmetic near ties"}}) {
      if (count > 0) ways.push_back(cat(count, " ", way));
    }
    if (layers > 0)
      said.push_back(
          cat(counted(layers, "layer"), layers == 1 ? " requantises" : " requantise", " exactly: ", join(ways)));
    if (tables > 0) said.push_back(counted(tables, "table"));
  }
  if (wide > 0)
    said.push_back(
        cat(counted(wide, "step"), wide == 1 ? " works" : " work", " on 16-bit codes, exact sums to the nearest code"));
  if (floats > 0)
    said.push_back(cat(counted(floats, "layer"),
                       floats == 1 ? " adds up in integers and gives" : " add up in integers and give", " floats"));
  if (between > 0)
    said.push_back(cat(counted(between, "layer"), between == 1 ? " computes" : " compute", " in floats between codes"));
  if (said.empty()) return {};
  return (layers + tables + floats + between > 0 ? "INT8   " : "INT16  ") + join(said, "; ");
}

// The float tensors that a step reads or writes, largest first.
int64_t largest_float(const StepRow& s, const std::map<std::string, const TensorRow*>& tensors) {
  int64_t largest = 0;
  for (const std::vector<std::string>* names : {&s.reads, &s.writes}) {
    for (const std::string& name : *names) {
      const auto found = tensors.find(name);
      if (found != tensors.end() && found->second->type.dtype == DType::float32)
        largest = std::max(largest, found->second->bytes);
    }
  }
  return largest;
}

std::map<std::string, const TensorRow*> by_name(const Report& r) {
  std::map<std::string, const TensorRow*> tensors;
  for (const TensorRow& t : r.tensors) tensors.emplace(t.name, &t);
  return tensors;
}

// Which operators have no integer form here, and what their tensors cost beside codes.
std::optional<std::string> left_in_floats(const Report& r) {
  const std::map<std::string, const TensorRow*> tensors = by_name(r);
  std::map<std::string, int64_t> counts;
  int64_t largest = 0;
  for (const StepRow* s : steps_in_floats(r)) {
    ++counts[s->op];
    largest = std::max(largest, largest_float(*s, tensors));
  }
  if (counts.empty()) return {};
  std::vector<std::pair<std::string, int64_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> named;
  int64_t others = 0;
  for (const auto& [op, count] : order) {
    if (named.size() < kMostOperators) named.push_back(cat(count, " ", op));
    else others += count;
  }
  if (others > 0) named.push_back(cat(others, " others"));
  return cat("       in floats: ", join(named, ", "), "; the largest tensor of these takes ", with_thousands(largest),
             " B, as codes of 8 bits ", with_thousands(largest / 4), " B");
}

}  // namespace

std::vector<const StepRow*> steps_in_floats(const Report& report) {
  const std::map<std::string, const TensorRow*> tensors = by_name(report);
  std::vector<const StepRow*> steps;
  for (const StepRow& s : report.steps) {
    if (is_qdq(s) || !s.form.empty() || s.op.starts_with("tarn.Dynamic") || largest_float(s, tensors) == 0) continue;
    steps.push_back(&s);
  }
  return steps;
}

std::vector<std::string> integer_lines(const Report& report) {
  std::vector<std::string> lines;
  const std::optional<std::string> integers = requantised(report);
  const bool quantised = integers || std::any_of(report.steps.begin(), report.steps.end(), is_qdq);
  if (!quantised) return lines;
  lines.push_back(integers ? *integers
                           : "INT8   no layer: codes of these types and places have no integer kernels here");
  if (const std::optional<std::string> floats = left_in_floats(report)) lines.push_back(*floats);
  return lines;
}

}  // namespace tarn::report
