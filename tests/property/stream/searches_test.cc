// The searches of streaming one by one, on fixed random networks: what each finds and how much it works, within much
// work and within little.
#include <gtest/gtest.h>

#include "digest_plan.h"
#include "random_net.h"
#include "stream/cost/chain_cost.h"
#include "stream/joining/choose.h"
#include "stream/joining/peak.h"
#include "stream/joining/spare_time.h"
#include "stream/make_plan.h"
#include "stream/schedule/segment_cuts.h"
#include "tower.h"

namespace tarn::stream {
namespace {

using tarn::test::Digest;

void add(Digest& digest, const PackedCuts& found) {
  for (const bool cut : found.cuts) digest.add(cut);
  for (const Step& s : found.steps) digest.add(s.actor).add(s.first_line).add(s.lines);
  digest.add(found.lives.bound).add(found.lives.bound_step).add(found.plan.offsets).add(found.plan.arena);
  digest.add(found.plan.search_nodes).add(found.plan.proof).add(found.packing.items.size());
}

void add(Digest& digest, const JoinedLayers& choice) {
  for (const Chain& chain : choice.chains) {
    digest.add(chain.mid).add(chain.chunk);
    for (const OperationId id : chain.operations) digest.add(id.pos());
  }
  for (const size_t chain : chains_at_peak(choice)) digest.add(chain);
  for (const lifetimes::Place& place : choice.storage.places) digest.add(place.buffer.pos()).add(place.offset);
  add(digest, choice.best);
}

Options fed(Lines lines) {
  Options options;
  options.mode = Mode::fed;
  options.lines = lines;
  return options;
}

// All layers joined that can be, by one pixel or two.
JoinedLayers narrow(const Tower& tower, Work& work, planner::Random& random) {
  JoinedLayers choice;
  choice.chains = find_chains(tower.program, tower.storage, tower.order);
  for (Chain& chain : choice.chains) chain.chunk = 1 + random.below(2);
  choice.storage = tower.storage;
  choice.net = make_net(tower.program, tower.storage, tower.order, fed(Lines::ring), choice.chains);
  choice.best = search_cuts(choice.net, Lines::ring, {.alignment = 4, .effort = 0}, INT64_MAX, work);
  return choice;
}

TEST(PinnedSearches, OfCosts) {
  Digest digest;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Tower tower(seed);
    const Costs costs = estimated_costs(tower.program);
    digest.add(costs.times.by_layers).add(costs.times.by_lines);
    for (Chain chain : find_chains(tower.program, tower.storage, tower.order)) {
      for (chain.chunk = 1; chain.chunk < 30; chain.chunk += 4)
        digest.add(costs.of_chain(chain)).add(own_bytes(tower.program, chain));
    }
  }
  EXPECT_EQ(digest.value(), 16569744505247989549u);
}

TEST(PinnedSearches, OfCuts) {
  Digest digest;
  int none = 0, met = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    planner::Random random(seed);
    const Tower tower(seed);
    const Program program = seed % 2 == 0 ? tower.program : RandomNet(seed, RandomNet::none).make();
    const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
    const Net net = make_net(program, storage, program.main, fed(Lines::ring), {});
    const uint64_t looks = static_cast<uint64_t>(20 + random.below(4000));
    const SegmentCuts cuts = find_segment_cuts(net, looks);
    digest.add(cuts.lines_bound).add(cuts.work).add(cuts.complete);
    SearchLimits limits{.alignment = int64_t{1} << random.below(5), .effort = 0};
    limits.placements = static_cast<uint64_t>(random.below(200));
    Work work{0, static_cast<uint64_t>(100'000 + random.below(6'000'000))};
    const Lines lines = random.below(2) == 0 ? Lines::ring : Lines::table;
    const PackedCuts found = search_cuts(net, lines, limits, INT64_MAX, work);
    add(digest, found);
    digest.add(work.done);
    Work less{0, static_cast<uint64_t>(100'000 + random.below(3'000'000))};
    const PackedCuts goal = search_cuts(net, lines, limits, found.plan.arena * (90 + random.below(20)) / 100, less);
    add(digest, goal);
    const int64_t limit = cuts.lines_bound * (90 + random.below(60)) / 100;
    const PackedCuts packed = pack_cuts(net, random.below(2) == 0 ? cuts.by_lines : cuts.by_rings, limits, limit, less);
    add(digest, packed);
    digest.add(less.done);
    none += packed.plan.arena == INT64_MAX, met += packed.plan.arena <= limit;
  }
  EXPECT_GT(none, 20);
  EXPECT_GT(met, 20);
  EXPECT_EQ(digest.value(), 10152401545866771105u);
}

TEST(PinnedSearches, OfSparedTime) {
  Digest digest;
  int joined = 0, changed = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    planner::Random random(seed);
    const Tower tower(seed, seed % 20 == 0 ? 9 : 3);
    const Layers layers{tower.storage, tower.order};
    const Costs costs = tower.costs();
    JoinedLayers choice;
    choice.chains = find_chains(tower.program, tower.storage, tower.order);
    for (Chain& chain : choice.chains) chain.chunk = 1 + random.below(8);
    choice.storage = tower.storage;
    choice.order = tower.order;
    choice.net = make_net(tower.program, tower.storage, tower.order, fed(Lines::ring), choice.chains);
    SearchLimits limits{.alignment = 4, .effort = 0, .costs = &costs};
    Work work{0, static_cast<uint64_t>(random.below(seed % 3 == 0 ? 4'000'000 : 30'000'000))};
    choice.best = search_cuts(choice.net, Lines::ring, limits, INT64_MAX, work);
    if (random.below(3) == 0) limits.budget = choice.best.plan.arena * (90 + random.below(60)) / 100;
    const std::vector<Chain> before = choice.chains;
    const JoinedLayers spared = spare_time(std::move(choice), tower.program, layers, fed(Lines::ring), limits, work);
    add(digest, spared);
    digest.add(work.done);
    EXPECT_EQ(spared.order, tower.order) << seed;
    joined += !spared.chains.empty();
    changed += spared.chains.size() != before.size();
  }
  EXPECT_GT(joined, 10);
  EXPECT_GT(changed, 10);
  EXPECT_EQ(digest.value(), 14621278215020657537u);
}

// Lines of more pixels than chunks are wide, and middles of many channels.
TEST(PinnedSearches, OfSparedTimeOfWideLines) {
  Digest digest;
  int joined = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    planner::Random random(seed);
    const Tower tower(seed, 1 + random.below(4), 6 + random.below(3) * 40, 24 + random.below(3) * 40);
    const Layers layers{tower.storage, tower.order};
    Work work{0, 4'000'000};
    JoinedLayers choice = narrow(tower, work, random);
    const Costs costs = tower.costs();
    SearchLimits limits{.alignment = 4, .effort = 0, .costs = &costs};
    if (random.below(4) == 0) limits.budget = choice.best.plan.arena * (100 + random.below(100)) / 100;
    work.limit = work.done + static_cast<uint64_t>(3'000'000 * random.below(6));
    const JoinedLayers spared = spare_time(std::move(choice), tower.program, layers, fed(Lines::ring), limits, work);
    add(digest, spared);
    digest.add(work.done);
    joined += !spared.chains.empty();
  }
  EXPECT_GT(joined, 10);
  EXPECT_EQ(digest.value(), 11765700317526214977u);
}

// Networks of so few bytes that chains which cost too much stay: shares of their arenas are less than those. Where
// layers take much time, whole lines cost little of it, and replace them.
TEST(PinnedSearches, OfSparedTimeOfFewBytes) {
  Digest digest;
  for (const uint64_t seed : {3792u, 4200u, 5405u, 6575u, 6937u, 8807u}) {
    for (const int64_t times : {1, 5, 200}) {
      planner::Random random(seed);
      const auto n = static_cast<int64_t>(seed);
      Tower tower(seed, 1 + n % 2, 1 + n % 3, 2 + n % 5);
      for (program::Operation& o : tower.program.operations) o.macs *= times;
      const Layers layers{tower.storage, tower.order};
      Work work{0, 40'000'000};
      JoinedLayers choice = narrow(tower, work, random);
      EXPECT_LT(choice.best.plan.arena, 200);
      add(digest,
          spare_time(std::move(choice), tower.program, layers, fed(Lines::ring), {.alignment = 1, .effort = 0}, work));
      digest.add(work.done);
    }
  }
  EXPECT_EQ(digest.value(), 5056238929609383477u);
}

// Networks in which all layers joined by whole lines, from which fewer bytes are sought anew, end in the better plan.
TEST(PinnedSearches, OfTimeSparedFromWholeLinesOn) {
  Digest digest;
  for (const uint64_t seed : {78u, 99u, 6u}) {
    planner::Random random(seed);
    const Tower tower = seed > 60 ? Tower(seed, 2, 6, 20) : Tower(seed, 6, 12, 60);
    const Layers layers{tower.storage, tower.order};
    Work work{0, 40'000'000};
    JoinedLayers choice = narrow(tower, work, random);
    add(digest,
        spare_time(std::move(choice), tower.program, layers, fed(Lines::ring), {.alignment = 4, .effort = 0}, work));
    digest.add(work.done);
  }
  EXPECT_EQ(digest.value(), 7980588076352552664u);
}

TEST(Searches, NoTimeIsSparedWithoutWork) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    planner::Random random(seed);
    const Tower tower(seed);
    const Layers layers{tower.storage, tower.order};
    Work work{0, 4'000'000};
    JoinedLayers choice = narrow(tower, work, random);
    const PackedCuts before = choice.best;
    work.limit = work.done;
    const JoinedLayers same = spare_time(std::move(choice), tower.program, layers, fed(Lines::ring), {}, work);
    EXPECT_EQ(work.done, work.limit);
    EXPECT_EQ(same.best.cuts, before.cuts);
    EXPECT_EQ(same.best.plan.offsets, before.plan.offsets);
  }
}

TEST(PinnedSearches, OfChoices) {
  Digest digest;
  size_t most = 0;
  for (uint64_t seed = 101; seed <= 140; ++seed) {
    Tower tower(seed);
    if (seed % 5 == 0) tower = Tower(RandomNet(seed, RandomNet::of_parts).make());
    SearchLimits limits{.alignment = 4, .effort = 0, .part = uint64_t{8} << 3 * (seed % 4)};
    if (seed % 4 == 2) limits.effort = 1;
    if (seed % 4 == 0) limits.budget = 400;
    Options options = fed(seed % 2 == 0 ? Lines::ring : Lines::table);
    options.line_buffers = seed % 7 > 0;
    const std::vector<Layers> layers = layers_of(tower.program, tower.storage, tower.order, {});
    std::vector<JoinedLayers> choices = choose(tower.program, layers, options, limits);
    most = std::max(most, choices.size());
    for (const JoinedLayers& choice : choices) add(digest, choice);
    add(digest, finish(std::move(choices), limits));
  }
  EXPECT_EQ(most, 3u);
  EXPECT_EQ(digest.value(), 11463998016424183617u);
}

// So little work that the choice is not refined, or that pixels one by one are not looked at; and none, with which the
// first choice is made all the same.
TEST(PinnedSearches, OfChoicesOfLittleWork) {
  Digest digest;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    const Tower tower = seed % 2 == 0 ? Tower(seed, 4) : Tower(RandomNet(seed, RandomNet::dense).make());
    const Options options = fed(seed % 4 < 2 ? Lines::ring : Lines::table);
    const std::vector<Layers> layers = layers_of(tower.program, tower.storage, tower.order, {});
    for (const uint64_t part : {uint64_t{128}, uint64_t{2048}, UINT64_MAX}) {
      const std::vector<JoinedLayers> found =
          choose(tower.program, layers, options, {.alignment = 4, .effort = 0, .part = part});
      EXPECT_FALSE(found.front().net.nodes.empty());
      for (const JoinedLayers& choice : found) add(digest, choice);
    }
  }
  EXPECT_EQ(digest.value(), 15868587630822825108u);
}

// Pixels one by one are best with other layers than those that were best before: these are refined.
TEST(PinnedSearches, OfChoicesOfOtherLayers) {
  Digest digest;
  const Tower tower(RandomNet(103, RandomNet::of_parts).make());
  const std::vector<Layers> layers = layers_of(tower.program, tower.storage, tower.order, {});
  EXPECT_EQ(layers.size(), 2u);
  for (const JoinedLayers& choice :
       choose(tower.program, layers, fed(Lines::ring), {.alignment = 4, .effort = 0, .part = 16}))
    add(digest, choice);
  EXPECT_EQ(digest.value(), 12063636424505075403u);
}

// Networks in which narrower chunks of single chains win, within little work.
TEST(PinnedSearches, OfRefinedChoices) {
  Digest digest;
  for (const uint64_t seed : {259u, 271u, 273u, 279u, 326u, 337u}) {
    const Tower tower(seed, 1 + static_cast<int64_t>(seed % 4));
    SearchLimits limits{.alignment = 4, .effort = 0, .part = uint64_t{8} << 2 * (seed % 4)};
    if (seed % 4 == 2) limits.effort = 2, limits.part *= 8;
    const Options options = fed(seed % 4 == 1 ? Lines::ring : Lines::table);
    const std::vector<Layers> layers = layers_of(tower.program, tower.storage, tower.order, {});
    for (const JoinedLayers& choice : choose(tower.program, layers, options, limits)) add(digest, choice);
  }
  EXPECT_EQ(digest.value(), 2714156862872427113u);
}

}  // namespace
}  // namespace tarn::stream
