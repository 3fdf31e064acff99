#include "report/live.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tarn::report {
namespace {

TEST(CoveredBytes, AsCountedByteByByte) {
  std::mt19937 random(1);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int round = 0; round < 200; ++round) {
    constexpr int64_t kSteps = 12;
    std::vector<LiveBlock> blocks;
    for (int64_t i = below(20); i > 0; --i) blocks.push_back({below(30), below(9), below(kSteps), below(kSteps + 2)});
    const std::vector<int64_t> found = covered_bytes(blocks, kSteps);
    ASSERT_EQ(found.size(), static_cast<size_t>(kSteps));
    for (int64_t step = 0; step < kSteps; ++step) {
      std::set<int64_t> covered;
      for (const LiveBlock& b : blocks) {
        for (int64_t at = b.offset; at < b.offset + b.bytes && b.first <= step && step < b.end; ++at)
          covered.insert(at);
      }
      EXPECT_EQ(found[static_cast<size_t>(step)], static_cast<int64_t>(covered.size())) << "step " << step;
    }
  }
}

TEST(ListLive, OnlyThePeakWhereThereAreTooMany) {
  for (const int64_t count : {100, 1000}) {
    Report report;
    report.steps.resize(static_cast<size_t>(count));
    report.peak_step = 3;
    for (int64_t i = 0; i < count; ++i) {
      TensorRow row;
      row.name = "t";
      row.end = count;
      report.tensors.push_back(row);
    }
    list_live(report);
    EXPECT_EQ(report.steps[3].live.size(), static_cast<size_t>(count));
    EXPECT_EQ(report.steps[4].live.size(), count == 100 ? 100u : 0u);
  }
}

}  // namespace
}  // namespace tarn::report
