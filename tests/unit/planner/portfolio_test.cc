// Configurations of runs: the known ones first, then every value of every parameter, and those that did best varied.
#include "planner/portfolio.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "planner/tuning.h"

namespace tarn::planner {
namespace {

using Searched = std::tuple<SearchConfig::Key, SearchConfig::Tie, double, double, bool, bool, bool>;

Searched searched(const SearchConfig& c) {
  return {c.key, c.tie, c.waste_weight, c.height_weight, c.prefer_full_width, c.prefer_level, c.avoid_overtopping};
}

int different(const SearchConfig& a, const SearchConfig& b) {
  return (a.key != b.key) + (a.tie != b.tie) + (a.waste_weight != b.waste_weight) +
         (a.height_weight != b.height_weight) + (a.prefer_full_width != b.prefer_full_width) +
         (a.prefer_level != b.prefer_level) + (a.avoid_overtopping != b.avoid_overtopping);
}

TEST(Portfolio, KnownConfigurationsComeFirstUnlessTheyWereTried) {
  Random random(1), same(1);
  Portfolio portfolio(false), tried(true);
  std::set<std::pair<SearchConfig::Key, SearchConfig::Tie>> known;
  for (int i = 0; i < kKnownConfigs; ++i) {
    const SearchConfig config = portfolio.next(random);
    EXPECT_TRUE(known.emplace(config.key, config.tie).second);
    EXPECT_FALSE(config.noise || config.as_before || config.prefer_full_width || config.prefer_level);
    EXPECT_EQ(config.waste_weight, kWasteWeights[static_cast<size_t>(config.tie)]);
    EXPECT_EQ(config.height_weight, kHeightWeights[static_cast<size_t>(config.tie)]);
    EXPECT_EQ(config.avoid_overtopping, i % 4 < 2);
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(searched(portfolio.next(random)), searched(tried.next(same)));
}

TEST(Portfolio, EveryValueOfEveryParameterComesUp) {
  Random random(2);
  Portfolio portfolio(true);
  std::map<SearchConfig::Key, int> keys;
  std::map<SearchConfig::Tie, int> ties;
  std::map<double, int> wastes, heights;
  int noise = 0, full = 0, level = 0, overtopping = 0, before = 0;
  for (int i = 0; i < 4000; ++i) {
    const SearchConfig c = portfolio.next(random);
    ++keys[c.key], ++ties[c.tie], ++wastes[c.waste_weight], ++heights[c.height_weight];
    noise += c.noise, full += c.prefer_full_width, level += c.prefer_level, overtopping += c.avoid_overtopping;
    before += c.as_before;
  }
  const auto quarters = [](const auto& counts) {
    EXPECT_EQ(counts.size(), 4u);
    for (const auto& [value, count] : counts) EXPECT_NEAR(count, 1000, 150);
  };
  quarters(keys), quarters(ties), quarters(wastes), quarters(heights);
  EXPECT_NEAR(noise, 3000, 150);
  for (int half : {full, level, overtopping, before}) EXPECT_NEAR(half, 2000, 200);
}

// Half of the runs vary one of those that left least unplaced, by one parameter at most.
TEST(Portfolio, TheBestAreVaried) {
  Random random(3);
  Portfolio portfolio(true);
  std::vector<SearchConfig> best;
  for (size_t i = 0; i < kBestConfigs + 6; ++i) {
    SearchConfig config = portfolio.next(random);
    config.noise = false;
    // Of those that come later, only two are better than the worst of the first.
    const bool good = i < kBestConfigs ? i >= 2 : i == kBestConfigs + 1 || i == kBestConfigs + 4;
    if (good) best.push_back(config);
    portfolio.learn(config, good ? 1 : i < kBestConfigs ? 9 : 9 + static_cast<double>(i));
  }
  ASSERT_EQ(best.size(), kBestConfigs);
  std::vector<int> near(best.size(), 0);
  std::set<int> parameters;
  int varied = 0, noisy = 0;
  for (int i = 0; i < 4000; ++i) {
    const SearchConfig c = portfolio.next(random);
    bool one = false;
    for (size_t b = 0; b < best.size(); ++b) {
      if (different(c, best[b]) > 1) continue;
      one = true;
      ++near[b];
      if (c.key != best[b].key) parameters.insert(0);
      if (c.tie != best[b].tie) parameters.insert(1);
      if (c.waste_weight != best[b].waste_weight) parameters.insert(2);
      if (c.height_weight != best[b].height_weight) parameters.insert(3);
      if (c.prefer_full_width != best[b].prefer_full_width) parameters.insert(4);
      if (c.prefer_level != best[b].prefer_level) parameters.insert(5);
      if (c.avoid_overtopping != best[b].avoid_overtopping) parameters.insert(6);
    }
    varied += one;
    noisy += one && c.noise;
  }
  EXPECT_NEAR(varied, 2000, 250);
  EXPECT_GT(noisy, varied * 9 / 10);  // a varied run is another one, though its parameters may be the same
  for (int count : near) EXPECT_NEAR(count, 500, 150);
  EXPECT_EQ(parameters.size(), 7u);
}

}  // namespace
}  // namespace tarn::planner
