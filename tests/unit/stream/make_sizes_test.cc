// Plans of a network at several heights, which share their code.
#include "stream/make_sizes.h"

#include <gtest/gtest.h>

#include "property/stream/random_net.h"
#include "stream/make_plan.h"

namespace tarn::stream {
namespace {

// Layers that can be laid out in two ways at one height and in one way at another are not the same code.
TEST(Sizes, HaveAsManyWaysToLieInAll) {
  const Program program = RandomNet(3, RandomNet::none).make();
  const Layers layers{lifetimes::assign_storage(program, {}, false), program.main};
  Options options;
  options.mode = Mode::fed;
  const SearchLimits limits{.alignment = 4, .effort = 0};
  const auto made = [&](size_t first, size_t last) {
    return make_sizes({{&program, std::vector<Layers>(first, layers)}, {&program, std::vector<Layers>(last, layers)}},
                      options, limits);
  };
  const SizedPlans same = made(1, 1);
  EXPECT_EQ(same.obstacle, "");
  EXPECT_EQ(same.plans.size(), 2u);
  for (const auto& [first, last] : {std::pair<size_t, size_t>{2, 1}, {1, 2}}) {
    const SizedPlans other = made(first, last);
    EXPECT_EQ(other.obstacle, "parts of channels lie elsewhere");
    EXPECT_EQ(other.at, 0u);
    EXPECT_TRUE(other.plans.empty());
  }
}

}  // namespace
}  // namespace tarn::stream
