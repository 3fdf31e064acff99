// Which layers are joined: the choices that are handed on.
#include <gtest/gtest.h>

#include "random_net.h"
#include "stream/joining/choose.h"
#include "stream/make_plan.h"

namespace tarn::stream {
namespace {

std::vector<JoinedLayers> choices(const Program& program, Lines lines) {
  const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  Options options;
  options.mode = Mode::fed;
  options.lines = lines;
  return choose(program, layers_of(program, storage, order, {}), options, {4, 0});
}

// Rings are packed as they are chosen: one choice. Of tables the best, the one of fewest bytes alive and that of rings
// are candidates.
TEST(Joining, TablesHaveSeveralChoices) {
  for (uint64_t seed = 900; seed < 908; ++seed) {
    const Program program = RandomNet(seed, RandomNet::none).make();
    EXPECT_EQ(choices(program, Lines::ring).size(), 1u) << seed;
    EXPECT_GE(choices(program, Lines::table).size(), 2u) << seed;
  }
}

}  // namespace
}  // namespace tarn::stream
