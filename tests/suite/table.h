// What a suite prints at its end.
#pragma once
#include <string>
#include <vector>

#include "suite/outcome.h"

namespace tarn::suite {

// One group of outcomes, counted.
struct Group {
  std::string title;
  std::vector<Outcome> outcomes;
};

// Title, models, passed, failed, refused: one line a group.
std::string counts_table(const std::vector<Group>& groups);

// How often each reason was given by those that did not pass, most frequent first.
std::string reasons_table(const std::vector<Outcome>& outcomes, Verdict verdict);

// "12.3 s", "4 min 05 s".
std::string duration(double seconds);

}  // namespace tarn::suite
