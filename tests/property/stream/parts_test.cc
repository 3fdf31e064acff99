// The parts of streaming one by one on fixed random networks with cuts of all kinds: what lives when, what may not
// overlap, where segments end and how little work finds what, in digests.
#include <gtest/gtest.h>

#include "digest_plan.h"
#include "planner/greedy.h"
#include "planner/placement.h"
#include "property/digest.h"
#include "random_net.h"
#include "stream/make_plan.h"
#include "stream/schedule/looped_schedule.h"
#include "stream/schedule/pack_lines.h"
#include "stream/schedule/pull.h"
#include "stream/schedule/search.h"
#include "stream/schedule/segment_cuts.h"
#include "tower.h"

namespace tarn::stream {
namespace {

using tarn::test::Digest;

struct Made {
  Program program;
  JoinedLayers layers;
  Net net;
  std::vector<bool> cuts;
  std::vector<Step> steps;
};

// Of layers that are joined or not, resident or fed.
Made random_net(uint64_t seed, planner::Random& random) {
  Made made;
  made.program = random.below(4) == 0 ? Tower(seed).program
                                      : RandomNet(seed, static_cast<RandomNet::Joins>(random.below(5))).make();
  const Program& program = made.program;
  lifetimes::ShareOptions share;
  share.parts = random.below(3) > 0;
  const lifetimes::Storage storage = lifetimes::assign_storage(program, share, random.below(6) == 0);
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  Options options;
  options.mode = random.below(3) == 0 ? Mode::resident : Mode::fed;
  options.drain = random.below(2) == 0;
  std::vector<Chain> chains;
  if (random.below(2) == 0) chains = find_chains(program, storage, order);
  made.layers.storage = storage;
  made.net = make_net(program, storage, order, options, chains);
  return made;
}

Made random_made(uint64_t seed, planner::Random& random) {
  Made made = random_net(seed, random);
  made.cuts.assign(made.net.nodes.size() + 1, false);
  const int64_t chance = 1 + random.below(4);
  for (size_t n = 1; n < made.net.nodes.size(); ++n) made.cuts[n] = random.below(chance) == 0;
  made.steps = pull_all(made.net, made.cuts);
  return made;
}

void add(Digest& digest, const planner::Problem& problem) {
  for (const planner::Item& item : problem.items)
    digest.add(item.id).add(item.size).add(item.alignment).add(item.first).add(item.end);
  for (const planner::Pair& pair : problem.pairs) {
    digest.add(pair.a).add(pair.b);
    for (const planner::Forbidden& f : pair.forbidden) digest.add(f.lo).add(f.hi);
  }
  digest.add(problem.known_bound);
}

TEST(PinnedParts, OfLives) {
  Digest digest;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    planner::Random random(seed);
    const Made made = random_made(seed, random);
    for (const Step& s : made.steps) digest.add(s.actor).add(s.first_line).add(s.lines);
    for (const ScheduleLoop& loop : find_schedule_loops(made.steps)) digest.add(loop.actors).add(loop.times);
    const Lives lives = find_lives(made.net, made.steps);
    for (const std::vector<LineLife>& lines : lives.lines) {
      for (const LineLife& life : lines) digest.add(life.born).add(life.last);
    }
    digest.add(lives.slots).add(lives.alive).add(lives.bound).add(lives.bound_step).add(lives.touches);
    for (const bool ascending : lives.ascending) digest.add(ascending);
    for (const Places places : {Places::together, Places::slots, Places::apart})
      digest.add(count_meetings(made.net, lives, places));
  }
  EXPECT_EQ(digest.value(), 5319083291283158759u);
}

TEST(PinnedParts, OfPackings) {
  Digest digest;
  size_t pairs = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    planner::Random random(seed);
    const Made made = random_made(seed, random);
    const Lives lives = find_lives(made.net, made.steps);
    for (const Places places : {Places::together, Places::slots, Places::apart}) {
      const bool endless = random.below(4) == 0;
      const Packing packing = make_packing(made.net, made.steps, lives, places, int64_t{1} << random.below(5), endless);
      add(digest, packing.problem);
      digest.add(packing.looks);
      for (const Packed& item : packing.items) digest.add(item.memory).add(item.line).add(item.step);
      pairs += packing.problem.pairs.size();
      if (places == Places::together) continue;
      const planner::ConflictGraph conflicts = planner::ConflictGraph::build(packing.problem);
      const planner::Climbed raised =
          raise_lines(packing.problem, conflicts, lives.bound, static_cast<uint64_t>(1 + random.below(12)),
                      static_cast<uint64_t>(random.below(40'000)));
      digest.add(raised.offsets).add(raised.arena).add(raised.steps).add(raised.looks);
    }
  }
  EXPECT_EQ(digest.value(), 2035401766525741214u);
  EXPECT_GT(pairs, 3000u);
}

TEST(PinnedParts, OfSegmentCuts) {
  Digest digest;
  int complete = 0, partial = 0;
  for (uint64_t seed = 1; seed <= 900; ++seed) {
    planner::Random random(seed);
    const Net net = random_net(seed, random).net;
    const auto work = static_cast<uint64_t>(random.below(2) == 0 ? random.below(2000) : random.below(40'000));
    const SegmentCuts all = find_segment_cuts(net, work);
    const SegmentCuts within = find_segment_cuts(net, work, all.lines_bound * (80 + random.below(40)) / 100);
    for (const SegmentCuts* cuts : {&all, &within}) {
      for (const std::vector<bool>* of : {&cuts->by_lines, &cuts->by_rings}) {
        for (const bool cut : *of) digest.add(cut);
      }
      digest.add(cuts->lines_bound).add(cuts->work).add(cuts->complete);
      ++(cuts->complete ? complete : partial);
    }
  }
  EXPECT_EQ(digest.value(), 10936206641747643363u);
  EXPECT_GT(complete, 300);
  EXPECT_GT(partial, 300);
}

// Plans of these steps, with all placed one after the other.
TEST(PinnedParts, OfPlans) {
  Digest digest;
  int rings = 0, tables = 0;
  for (uint64_t seed = 1; seed <= 900; ++seed) {
    planner::Random random(seed);
    Made made = random_made(seed, random);
    PackedCuts& best = made.layers.best;
    best.cuts = made.cuts, best.steps = made.steps, best.lives = find_lives(made.net, made.steps);
    const int64_t alignment = int64_t{1} << random.below(4);
    const auto places = static_cast<Places>(random.below(3));
    best.packing = make_packing(made.net, best.steps, best.lives, places, alignment);
    const planner::Problem& problem = best.packing.problem;
    const auto strategy = static_cast<planner::Strategy>(random.below(4));
    best.plan.offsets = planner::place_greedily(problem, planner::ConflictGraph::build(problem), strategy);
    best.plan.arena = planner::arena_of(problem, best.plan.offsets);
    made.layers.net = made.net;
    Options options;
    options.mode = Mode::fed;
    options.lines = places == Places::together ? Lines::ring : Lines::table;
    const LinePlan plan = plan_of(made.layers, options, {.alignment = alignment});
    add(digest, plan);
    digest.add(not_emitted(made.program, plan));
    for (const bool running : running_actors(plan)) digest.add(running);
    for (size_t port = 0; port < made.program.inputs.size(); ++port) digest.add(passes_of(plan, port));
    for (const Memory& m : plan.memories)
      rings += m.addressing == Addressing::ring, tables += m.addressing == Addressing::table;
  }
  EXPECT_EQ(digest.value(), 10841045577649092655u);
  EXPECT_GT(rings, 500);
  EXPECT_GT(tables, 300);
}

}  // namespace
}  // namespace tarn::stream
