// The committed list of what does not pass, and why; a run must agree with it line by line.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "suite/outcome.h"

namespace tarn::suite {

// One line of the list: NAME, ON, VERDICT, CODE, REASON, separated by tabs. `#` begins a comment.
struct Expectation {
  Verdict verdict = Verdict::refused;
  std::string code, reason;
};
using Expectations = std::map<std::pair<std::string, std::string>, Expectation>;  // by name and target

// A fault's text, else empty. A missing file is an empty list.
std::string read_expectations(const std::string& path, Expectations& expectations);

// Every outcome that differs from the list, one line each. Models that were not run are not looked for. A line of the
// host's holds for boards too, unless they have one of their own.
std::vector<std::string> differences(const Expectations& expectations, const std::vector<Outcome>& outcomes);

// The list after this run: outcomes replace what stood there; a reason stays as long as verdict and code do.
void update(Expectations& expectations, const std::vector<Outcome>& outcomes);
bool write_expectations(const std::string& path, const std::string& head, const Expectations& expectations);

}  // namespace tarn::suite
