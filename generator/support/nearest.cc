#include "support/nearest.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace tarn {

namespace {

constexpr size_t kLongest = 200;  // letters; nobody types more by hand, and the table grows with the square

// Optimal string alignment: Damerau and Levenshtein's distance without changes inside a swapped pair.
size_t changes(const std::string& a, const std::string& b) {
  const auto low = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<size_t> before, last, row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t other = low(a[i - 1]) == low(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + other});
      const bool swapped = i > 1 && j > 1 && low(a[i - 1]) == low(b[j - 2]) && low(a[i - 2]) == low(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  if (word.empty() || word.size() > kLongest) return best;
  size_t fewest = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& one : known) {
    if (one.size() > kLongest) continue;
    const size_t count = changes(word, one);
    if (count >= fewest) continue;
    fewest = count;
    best = one;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known, const std::string& prefix) {
  const std::string best = nearest(word, known);
  return best.empty() ? "" : "; did you mean '" + prefix + best + "'?";
}

std::string known_names(const std::string& word, const std::vector<std::string>& known, const std::string& what) {
  constexpr size_t kMost = 6;
  const std::string best = nearest(word, known);
  if (!best.empty()) return "did you mean '" + best + "'?";
  const std::set<std::string> each(known.begin(), known.end());
  std::string text;
  size_t told = 0;
  for (const std::string& name : each) {
    if (told == kMost) return text + " and " + std::to_string(each.size() - kMost) + " more";
    text += told++ == 0 ? what + ": " : ", ";
    text += name;
  }
  return text;
}

}  // namespace tarn
