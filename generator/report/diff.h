// What changed between two reports, for reviews: read from their JSON files, so that any two versions can be compared.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace tarn::report {

// A condition on one figure: "arena>+0" (grew at all), "total>+2%", "weights>262144".
struct Condition {
  std::string text, figure;
  enum class Measure { absolute, change, percent } measure = Measure::absolute;
  bool greater = true;
  double limit = 0;
};
std::optional<Condition> parse_condition(const std::string& text);
const std::vector<std::string>& condition_figures();

struct Diff {
  std::string text;
  std::vector<std::string> failed;  // the conditions that hold
};
// E307 for a file that is no report.
Result<Diff> compare_reports(const std::string& old_path, const std::string& new_path,
                             const std::vector<Condition>& conditions);

}  // namespace tarn::report
