// What streaming sees of random programs: memories, nodes and what they read, as make_net() has them.
#include "stream/network/net.h"

#include <gtest/gtest.h>

#include "digest_net.h"
#include "digest_plan.h"
#include "line_plan.h"
#include "planner/index.h"
#include "random_net.h"
#include "stream/check/check_plan.h"

namespace tarn::stream {
namespace {

// Kernels that can do less than their tensors would allow, and operands of other types.
Program varied(Program program, planner::Random& random) {
  for (Operation& o : program.operations) {
    Argument& a = o.arguments[Z(random.below(static_cast<int64_t>(o.arguments.size())))];
    const int64_t kind = random.below(24);
    if (kind == 0) o.line_form.reset();
    if (kind == 1 && a.walk && a.walk->identity) a.walk->read_before_write = !a.walk->read_before_write;
    if (kind == 2 && a.walk && !a.walk->identity) a.walk->same_place = true;
    if (kind == 3 && o.op == "Whole") a.role = Argument::Role::update;
    if (kind == 4 && o.line_form) o.line_form->scratch_bytes += 1 + random.below(200);
    if (kind == 5 && a.walk && !o.view) a.walk.reset();
    if (kind == 6 && o.op == "Conv") a.pitched = !a.pitched;
    if (kind >= 10 && kind < 13 && !o.view) {  // what is neither read nor written, before the operands
      Argument scratch;
      scratch.role = kind == 10 ? Argument::Role::none : Argument::Role::scratch;
      if (kind == 12) {
        program.tensors.push_back({"scratch", {DType::int8, Shape{1, 1, 1, 8}}, {1, 1, 8}, program::Kind::scratch, {}});
        scratch.tensor = TensorId(program.tensors.size() - 1);
      }
      o.arguments.insert(o.arguments.begin(), scratch);
    }
    if (kind >= 7 && kind < 10 && o.line_form && !o.view) {  // something small that is read as it stands
      Argument table;
      table.role = Argument::Role::read;
      table.tensor = program.inputs[0];
      o.arguments.insert(o.arguments.end() - 1, table);
    }
  }
  return program;
}

struct Made {
  int flat = 0, whole = 0, accumulate = 0, chains = 0, distances = 0;
};

uint64_t nets(uint64_t first_seed, uint64_t count, RandomNet::Joins joins, Made& made) {
  tarn::test::Digest digest;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    planner::Random random(seed);
    Program program = RandomNet(seed, joins).make();
    if (seed % 2 == 0) program = varied(std::move(program), random);
    digest.add(obstacle(program));
    lifetimes::ShareOptions share;
    share.parts = random.below(4) > 0;
    share.views = random.below(6) > 0;
    const lifetimes::Storage storage = lifetimes::assign_storage(program, share, random.below(4) == 0);
    std::vector<OperationId> order;
    for (OperationId id : program.main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
    Options options;
    options.mode = random.below(2) == 0 ? Mode::resident : Mode::fed;
    options.drain = random.below(2) == 0;
    const std::vector<Chain> chains = find_chains(program, storage, order);
    add(digest, make_net(program, storage, order, options, {}));
    const Net net = make_net(program, storage, order, options, chains);
    add(digest, net);
    for (const NetNode& n : net.nodes) {
      made.flat += n.actor.flat, made.whole += n.actor.whole, made.accumulate += n.actor.accumulate;
      made.chains += n.actor.line_buffer.has_value();
      for (const Access& a : n.reads) made.distances += a.overlap_distance.value_or(0) > 0;
    }
  }
  return digest.value();
}

TEST(PinnedNets, OfWindows) {
  Made made;
  EXPECT_EQ(nets(3000, 3000, RandomNet::none, made), 194919466195577465u);
  EXPECT_GT(made.chains, 100);
  EXPECT_GT(made.whole, 100);
  EXPECT_GT(made.accumulate, 100);
  EXPECT_GT(made.distances, 100);
}

TEST(PinnedNets, OfParts) {
  Made made;
  EXPECT_EQ(nets(8000, 2000, RandomNet::of_parts, made), 15075117684271394812u);
  EXPECT_EQ(nets(10000, 2000, RandomNet::dense, made), 533005822383507990u);
}

TEST(PinnedNets, OfLinesBelowLines) {
  Made made;
  EXPECT_EQ(nets(14000, 3000, RandomNet::stacked, made), 2646008225596915326u);
  EXPECT_GT(made.chains, 100);
  EXPECT_GT(made.distances, 100);
}

TEST(PinnedNets, OfOtherLines) {
  Made made;
  EXPECT_EQ(nets(12000, 3000, RandomNet::flat, made), 9830907446140778u);
  EXPECT_GT(made.flat, 100);
}

// Elementwise kernels in lines that are not their tensors'; kernels with operands that have no tensors.
TEST(PinnedNets, PlansOfOtherLinesAreValid) {
  tarn::test::Digest digest;
  int flat = 0;
  for (uint64_t seed = 7000; seed < 7040; ++seed) {
    Program program = RandomNet(seed, RandomNet::flat).make();
    for (program::Operation& o : program.operations) {
      if (!o.line_form) o.arguments.push_back({.role = program::Argument::Role::scratch});
    }
    const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
    std::vector<OperationId> order;
    for (OperationId id : program.main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
    Options options;
    options.mode = seed % 2 == 0 ? Mode::resident : Mode::fed;
    options.drain = seed % 4 < 2;
    const LinePlan plan = make_plan(program, layers_of(program, storage, order, {}), options, {4, 0});
    ASSERT_EQ(check_plan(program, plan), std::vector<std::string>{}) << seed;
    for (const Actor& actor : plan.actors) flat += actor.flat;
    add(digest, plan);
  }
  EXPECT_EQ(digest.value(), 765115152464498449u);
  EXPECT_GT(flat, 5);
}

}  // namespace
}  // namespace tarn::stream
