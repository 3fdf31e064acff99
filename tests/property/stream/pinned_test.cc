// Plans of fixed random networks, to the last address: a change of what a search finds, or of its work, is seen, meant
// or not.
#include <gtest/gtest.h>

#include "digest_plan.h"
#include "line_plan.h"
#include "random_net.h"
#include "stream/check/check_plan.h"

namespace tarn::stream {
namespace {

using tarn::test::Digest;

uint64_t plans(uint64_t first_seed, uint64_t count, RandomNet::Joins joins, bool line_buffers, double recompute,
               int effort = 0) {
  Digest digest;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const Program program = RandomNet(seed, joins).make();
    for (int kind = 0; kind < 4; ++kind) {
      Options options;
      options.mode = kind % 2 == 0 ? Mode::resident : Mode::fed;
      options.drain = kind == 3;
      options.lines = (static_cast<uint64_t>(kind) + seed) % 2 == 0 ? Lines::ring : Lines::table;
      options.line_buffers = line_buffers;
      options.recompute = recompute;
      const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
      std::vector<OperationId> order;
      for (OperationId id : program.main) {
        if (!storage.left_out[id.pos()]) order.push_back(id);
      }
      const LinePlan plan = make_plan(program, layers_of(program, storage, order, {}), options, {4, effort});
      EXPECT_TRUE(check_plan(program, plan).empty()) << "seed " << seed;
      add(digest, plan);
    }
  }
  return digest.value();
}

TEST(PinnedLines, OfPassesDoneTwice) { EXPECT_EQ(plans(760, 4, RandomNet::none, true, 30), 4762691016110105112u); }
TEST(PinnedLines, OfChains) { EXPECT_EQ(plans(700, 2, RandomNet::none, true, 0), 16266934795501850712u); }
TEST(PinnedLines, OfParts) { EXPECT_EQ(plans(720, 3, RandomNet::of_parts, false, 0), 11061332092455536376u); }
TEST(PinnedLines, OfLinesBelowLines) { EXPECT_EQ(plans(790, 3, RandomNet::stacked, true, 0), 12149339045471165123u); }
TEST(PinnedLines, OfDenseNetworks) { EXPECT_EQ(plans(740, 1, RandomNet::dense, true, 0), 7879729623487677993u); }
TEST(PinnedLines, OfMoreEffort) { EXPECT_EQ(plans(780, 1, RandomNet::of_parts, false, 0, 1), 18443141192177642598u); }

}  // namespace
}  // namespace tarn::stream
