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
  int several = 0, fewer = 0;
  for (uint64_t seed = 900; seed < 908; ++seed) {
    const Program program = RandomNet(seed, RandomNet::none).make();
    const std::vector<JoinedLayers> rings = choices(program, Lines::ring), tables = choices(program, Lines::table);
    EXPECT_EQ(rings.size(), 1u) << seed;
    ASSERT_GE(tables.size(), 2u) << seed;
    if (tables.size() < 3) continue;
    ++several;
    fewer += tables[1].best.lives.bound < tables[0].best.lives.bound;
  }
  std::cout << several << " " << fewer << "\n";
}

}  // namespace
}  // namespace tarn::stream
