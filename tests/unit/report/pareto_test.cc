// The front of `analyze --pareto`, and how the formats tell it.
#include "report/pareto.h"

#include <gtest/gtest.h>

#include <random>

#include "support/text.h"

namespace tarn::report {
namespace {

std::vector<ParetoRow> random_rows(std::mt19937& rng, bool timed) {
  std::vector<ParetoRow> rows(1 + rng() % 12);
  for (ParetoRow& row : rows) {
    row.options = cat("--stream fed --arena ", rng());
    row.arena = static_cast<int64_t>(rng() % 5);
    row.macs = static_cast<int64_t>(rng() % 5);
    row.flash = static_cast<int64_t>(rng() % 3);
    if (timed) row.instructions = static_cast<int64_t>(rng() % 5);
  }
  return rows;
}

TEST(Pareto, RowsOfTheFrontAreThoseThatNothingBeats) {
  std::mt19937 rng(7);
  for (int run = 0; run < 400; ++run) {
    const bool timed = run % 2 == 0;
    std::vector<ParetoRow> rows = random_rows(rng, timed);
    mark_dominated(rows);
    const auto no_worse = [&](const ParetoRow& a, const ParetoRow& b) {
      if (!timed) return a.arena <= b.arena && a.macs <= b.macs;
      return a.arena <= b.arena && a.instructions <= b.instructions && a.flash <= b.flash;
    };
    for (const ParetoRow& row : rows) {
      // Every row is matched by one of the front, and within the front by none but itself.
      const auto on_front = [&](const ParetoRow& other) { return !other.dominated && no_worse(other, row); };
      EXPECT_EQ(std::count_if(rows.begin(), rows.end(), on_front) >= 1, true);
      if (!row.dominated) {
        EXPECT_EQ(std::count_if(rows.begin(), rows.end(), on_front), 1);
      }
      const auto beats = [&](const ParetoRow& other) { return no_worse(other, row) && !no_worse(row, other); };
      if (std::any_of(rows.begin(), rows.end(), beats)) {
        EXPECT_TRUE(row.dominated);
      }
    }
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                               [](const ParetoRow& a, const ParetoRow& b) { return a.arena < b.arena; }));
  }
}

TEST(Pareto, WithoutTimeOfOneRowMultiplicationsCount) {
  std::vector<ParetoRow> rows(2);
  rows[0].arena = 10, rows[0].macs = 5, rows[0].instructions = 100;
  rows[1].arena = 20, rows[1].macs = 5;
  mark_dominated(rows);
  EXPECT_FALSE(rows[0].dominated);
  EXPECT_TRUE(rows[1].dominated);
}

TEST(Pareto, FormatsTellTheWaysAndTheChosenOne) {
  Report r;
  ParetoRow off{.options = "--stream off"}, fed{.options = "--stream fed"};
  off.arena = 2000, off.instructions = 1'234'567, off.flash = 40, off.chosen = true;
  fed.arena = 1000, fed.instructions = 2'345'678, fed.flash = 44;
  r.pareto = {fed, off};
  mark_dominated(r.pareto);
  const std::string text = to_text(r);
  EXPECT_NE(text.find("1 234 567"), std::string::npos) << text;
  EXPECT_NE(text.find("> --stream off"), std::string::npos) << text;
  const std::string csv = to_csv(r);
  const std::vector<std::string> lines = split(csv, '\n');
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  EXPECT_NE(csv.find("pareto,--stream off,,,,chosen,"), std::string::npos) << csv;
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    EXPECT_EQ(commas(line), commas(lines[0])) << line;
  }
  EXPECT_NE(to_json(r).find("\"ram\": 1000"), std::string::npos) << to_json(r);
  EXPECT_NE(to_markdown(r).find("**--stream off**"), std::string::npos);
  EXPECT_NE(to_html(r).find("paretoPanel"), std::string::npos);
}

}  // namespace
}  // namespace tarn::report
