// The packing problems of random programs with branches, loops, parts, states and staged weights: all of each in a
// digest.
#include <gtest/gtest.h>

#include "lifetimes/planning.h"
#include "lifetimes/slow_sharings.h"
#include "property/digest.h"
#include "property/random_flow.h"

namespace tarn::lifetimes {
namespace {

using program::Argument;

void add(test::Digest& digest, const Planning& planning) {
  for (const planner::Item& item : planning.problem.items) {
    digest.add(item.id).add(item.size).add(item.first).add(item.end).add(item.offset.value_or(-1));
    for (const planner::Gap& gap : item.gaps) {
      digest.add(gap.first).add(gap.end).add(gap.window_first.value_or(-1)).add(gap.window_end.value_or(-1));
    }
  }
  for (const planner::Pair& pair : planning.problem.pairs) {
    digest.add(pair.a).add(pair.b);
    for (const planner::Forbidden& f : pair.forbidden) digest.add(f.lo).add(f.hi);
  }
  digest.add(planning.problem.known_bound).add(planning.item_of);
  for (const Life& life : planning.lives) {
    digest.add(life.first).add(life.end).add(life.gap.exists).add(life.gap.first).add(life.gap.end);
    digest.add(life.gap.last_reader).add(life.part ? life.part->end : -1).add(life.part ? life.part->first_byte : -1);
  }
  for (const Sharing& s : planning.sharings) {
    digest.add(s.taker.pos()).add(s.giver.pos()).add(s.step).add(s.pair);
    for (const Reach& r : s.reaches)
      digest.add(r.argument).add(r.below).add(r.above).add(r.same_place).add(r.or_same_place);
  }
}

// Do all operations work on the same tensors? Where lines are equal by chance the other program goes another way.
bool alike(const Program& a, const Program& b) {
  const auto same = [](const program::Argument& x, const program::Argument& y) {
    return x.tensor == y.tensor && x.role == y.role;
  };
  return a.tensors.size() == b.tensors.size() && a.main == b.main && a.epilogue == b.epilogue &&
         a.outputs == b.outputs &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(), b.operations.end(),
                    [&](const program::Operation& x, const program::Operation& y) {
                      return x.bodies == y.bodies && std::equal(x.arguments.begin(), x.arguments.end(),
                                                                y.arguments.begin(), y.arguments.end(), same);
                    });
}

// Which sharings are slow at some offsets, and what is left without some pairs.
void add_without(test::Digest& digest, const Planning& planning, planner::Random& random) {
  std::vector<planner::Offset> offsets;
  for (size_t i = 0; i < planning.items.size(); ++i) offsets.push_back(random.below(2));
  digest.add(slow_sharings(planning, offsets));
  std::set<size_t> pairs;
  for (size_t p = 0; p < planning.problem.pairs.size(); ++p) {
    if (random.below(3) == 0) pairs.insert(p);
  }
  add(digest, without_pairs(planning, pairs));
}

struct Counts {
  int gaps = 0, parts = 0, sharings = 0, nested = 0, sizes = 0;
};

// How far the output of a step may reach into each operand, alone and with the next one, and where in blocks.
void add_reaches(test::Digest& digest, const Program& program, const Storage& storage, const ShareOptions& share) {
  for (const program::Operation& o : program.operations) {
    std::vector<size_t> arguments;
    for (size_t a = 0; a < o.arguments.size(); ++a) {
      for (const bool blocks : {false, true}) {
        const auto reach = reach_of(program, storage, o, a, blocks);
        digest.add(reach.has_value());
        if (!reach) continue;
        digest.add(reach->below).add(reach->above).add(reach->same_place).add(reach->or_same_place);
        for (const planner::Forbidden& f : forbidden_for(storage, o, *reach, share)) digest.add(f.lo).add(f.hi);
        if (reach->same_place) continue;
        if (!blocks) arguments.push_back(a);
        digest.add(live_bytes(program, storage, o, {a}, blocks));
        for (const int64_t distance : {-reach->below, -reach->below - 3, int64_t{0}, int64_t{2}, reach->above}) {
          for (const bool in_pixels : {false, true}) {
            const BlockRange range = block_range(program, storage, o, a, distance, in_pixels);
            digest.add(range.first).add(range.end);
          }
        }
      }
    }
    if (arguments.size() > 1) digest.add(live_bytes(program, storage, o, arguments)).add(arguments.size());
  }
}

void add_all(test::Digest& digest, uint64_t seed, Counts& counts) {
  planner::Random random(seed);
  Program program = testing::RandomFlow(seed).program, larger = testing::RandomFlow(seed, 2).program;
  if (random.below(4) == 0) {
    planner::Random same = random;
    testing::list_results_first(program, random), testing::list_results_first(larger, same);
  }
  // Sizes known only at run time, and what sets one.
  const auto some = [&] { return TensorId(static_cast<size_t>(random.below(std::ssize(program.tensors)))); };
  if (random.below(4) == 0) program.symbols = larger.symbols = {TensorId{}, some()};
  if (random.below(4) == 0) {
    program.set_size = larger.set_size = some();
    program.set_size_first = random.below(2) == 0;
  }
  if (random.below(8) == 0) program.outputs.clear(), larger.outputs.clear();  // results that nobody needs
  ShareOptions share;
  share.views = random.below(4) > 0, share.in_place = random.below(4) > 0, share.overlap = random.below(4) > 0;
  const bool outside = random.below(5) == 0;
  const Storage storage = assign_storage(program, share, outside), other = assign_storage(larger, share, outside);
  const schedule::Ordering ordering = schedule::make_ordering(program, storage, share, schedule::OrderKind::given, {});
  schedule::Order order;
  for (size_t i = 0; i < ordering.operations.size(); ++i) order.operators.push_back(static_cast<int>(i));
  const schedule::Schedule schedule = schedule::make_schedule(program, ordering, order);
  for (const schedule::Step& step : schedule.steps) counts.nested += step.parent >= 0;
  PlanningOptions options;
  options.share = share;
  options.alignment = 1 + random.below(4);
  if (random.below(3) == 0) options.block_budget = random.below(400);
  const Planning planning = make_planning(program, storage, schedule, options);
  add(digest, planning);
  add_reaches(digest, program, storage, share);
  add_reaches(digest, larger, other, share);
  add_without(digest, planning, random);
  counts.sharings += static_cast<int>(planning.sharings.size());
  for (const Life& life : planning.lives) counts.gaps += life.gap.exists, counts.parts += life.part.has_value();
  if (!alike(program, larger) || storage.left_out != other.left_out) return;
  ++counts.sizes;
  options.sizes = {{&larger, &other}, {&program, &storage}};
  add(digest, make_planning(program, storage, schedule, options));
}

TEST(Reach, NothingIsSaidOfTensorsWithoutElements) {
  for (const bool identity : {false, true}) {
    for (const size_t empty : {0, 1, 2}) {
      Program program;
      program::Operation o;
      for (const size_t t : {0, 1}) {
        program::Tensor& tensor = program.tensors.emplace_back();
        tensor.geometry = {1, 4, empty == t ? 0 : 3};
        tensor.type = {DType::int8, Shape{1, 4, tensor.geometry.channels}};
        Argument& a = o.arguments.emplace_back();
        a.role = t == 0 ? Argument::Role::read : Argument::Role::write;
        a.tensor = TensorId(t);
      }
      program::Walk& walk = o.arguments[0].walk.emplace();
      walk.identity = identity;
      if (!identity) walk.lines = {{0, 1}}, walk.columns.assign(4, {0, 4});
      EXPECT_EQ(reach_of(program, assign_storage(program, {}, false), o, 0).has_value(), empty == 2);
    }
  }
}

TEST(PinnedPlanning, OfRandomPrograms) {
  test::Digest digest;
  Counts counts;
  for (uint64_t seed = 1; seed <= 3000; ++seed) add_all(digest, seed, counts);
  EXPECT_GT(counts.gaps, 300);
  EXPECT_GT(counts.parts, 300);
  EXPECT_GT(counts.sharings, 3000);
  EXPECT_GT(counts.nested, 3000);
  EXPECT_GT(counts.sizes, 1000);
  EXPECT_EQ(digest.value(), 15771493275598901081u);
}

}  // namespace
}  // namespace tarn::lifetimes
