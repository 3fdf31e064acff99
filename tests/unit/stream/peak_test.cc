// Which joined layers work where most is alive.
#include "stream/joining/peak.h"

#include <gtest/gtest.h>

namespace tarn::stream {
namespace {

// A node for each chain of one operation, and the memory of its window.
JoinedLayers chain_of_windows(const std::vector<int64_t>& window_bytes) {
  JoinedLayers choice;
  for (size_t n = 0; n < window_bytes.size(); ++n) {
    NetNode node;
    node.actor.operations = {program::OperationId(n)};
    node.actor.line_buffer = LineBuffer{};
    node.actor.line_buffer->memory = static_cast<int>(n);
    choice.net.nodes.push_back(node);
    Memory memory;
    memory.line_bytes = window_bytes[n];
    choice.net.memories.push_back(memory);
    Chain chain;
    chain.operations = node.actor.operations;
    choice.chains.push_back(chain);
    choice.best.steps.push_back({static_cast<int>(n), 0, 1});
  }
  choice.best.cuts.assign(window_bytes.size() + 1, false);
  return choice;
}

TEST(ChainsAtPeak, NoneWhereNothingWasFound) { EXPECT_TRUE(chains_at_peak({}).empty()); }

TEST(ChainsAtPeak, ThoseOfTheSegmentThatNeedsMost) {
  JoinedLayers choice = chain_of_windows({10, 30, 20, 40});
  choice.best.lives.bound_step = 1;
  EXPECT_EQ(chains_at_peak(choice), (std::vector<size_t>{3, 1, 2, 0})) << "the largest window first";
  choice.best.cuts[3] = true;
  EXPECT_EQ(chains_at_peak(choice), (std::vector<size_t>{1, 2, 0}));
  choice.best.cuts[1] = true;
  EXPECT_EQ(chains_at_peak(choice), (std::vector<size_t>{1, 2}));
  choice.best.lives.bound_step = 0;
  EXPECT_EQ(chains_at_peak(choice), (std::vector<size_t>{0}));
  choice.best.lives.bound_step = 3;
  EXPECT_EQ(chains_at_peak(choice), (std::vector<size_t>{3}));
  choice.net.nodes[3].actor.line_buffer.reset();
  EXPECT_TRUE(chains_at_peak(choice).empty());
}

TEST(ChainsAtPeak, ScratchCountsLikeTheWindow) {
  JoinedLayers choice = chain_of_windows({10, 30});
  choice.net.memories.push_back({});
  choice.net.memories.back().line_bytes = 25;
  choice.net.nodes[0].actor.scratch = 2;
  EXPECT_EQ(chains_at_peak(choice), (std::vector<size_t>{0, 1}));
  choice.best.lives.alive = {50, 70};
  EXPECT_EQ(alive_beside(choice, choice.chains[0]), 50 - 35);
  EXPECT_EQ(alive_beside(choice, choice.chains[1]), 70 - 30);
}

}  // namespace
}  // namespace tarn::stream
