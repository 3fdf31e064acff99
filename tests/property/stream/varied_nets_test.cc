// What streaming sees of programs whose operations are odd in several ways at once: kernels that take no part of a
// line, operands beside those that are walked, walks of other sizes, results that go out, memories of the caller.
#include <gtest/gtest.h>

#include "digest_net.h"
#include "flow_by_lines.h"
#include "planner/index.h"
#include "random_net.h"
#include "stream/check/overwrite.h"
#include "stream/check/plan_reads.h"
#include "stream/network/grid.h"
#include "tower.h"

namespace tarn::stream {
namespace {

using program::LineArgument;
using program::LineCall;

class Varied {
 public:
  Varied(Program&& made, uint64_t seed) : program(std::move(made)), random_(seed) {
    const int64_t changes = program.operations.empty() ? 0 : random_.below(5);
    for (int64_t c = 0; c < changes; ++c)
      change(program.operations[Z(random_.below(static_cast<int64_t>(program.operations.size())))]);
    if (random_.below(4) == 0) {
      const TensorId id = any();
      if (std::find(program.inputs.begin(), program.inputs.end(), id) == program.inputs.end())
        program.outputs.push_back(id);
    }
  }

  Program program;

 private:
  TensorId any() { return TensorId(Z(random_.below(static_cast<int64_t>(program.tensors.size())))); }

  // Of what was there before the operation: inputs alone, so that the order stays one in which all can run.
  TensorId given() { return program.inputs[Z(random_.below(static_cast<int64_t>(program.inputs.size())))]; }

  void change(Operation& o) {
    Argument& a = o.arguments[Z(random_.below(static_cast<int64_t>(o.arguments.size())))];
    switch (random_.below(15)) {
      case 0: return a.walk && a.walk->identity ? void(a.walk->read_before_write = !a.walk->read_before_write) : void();
      case 1: return a.walk && !a.walk->identity ? void(a.walk->same_place = true) : void();
      case 2: return o.view ? void() : a.walk.reset();
      case 3: return void(a.pitched = !a.pitched);
      case 4: return other_operand(o);
      case 5: return another_result(o);
      case 6: return kernel_calls(o);
      case 7:
        return void(o.op = random_.below(2) == 0 ? "Relu" : random_.below(2) == 0 ? "QLinearConv" : "ConvTranspose");
      case 8: return counts(o);
      case 9: return columns(o);
      case 10: return void(program[any()].type.dtype = DType::int4);
      case 11: return o.view || !o.line_form ? void() : void(o.line_form->accumulate = true);
      case 12: return other_channels(o);
      case 13: return o.line_form ? void(o.line_form->scratch_pixel_bytes = random_.below(4)) : void();
      default: return o.view ? void() : o.line_form.reset();
    }
  }

  // As many elements in other pixels, of a result that nobody reads.
  void other_channels(Operation& o) {
    const TensorId y = o.arguments.back().tensor;
    for (const Operation& other : program.operations) {
      for (const Argument& a : other.arguments) {
        if (a.tensor == y && (&other != &o || o.view || !o.arguments[0].walk || !o.arguments[0].walk->identity)) return;
      }
    }
    std::swap(program[y].geometry.pixels, program[y].geometry.channels);
  }

  // An operand that is walked too, or stands as it is; its walk need not be one for the lines that are made.
  void other_operand(Operation& o) {
    if (o.arguments.size() < 2) return;
    Argument other;
    other.role = random_.below(5) == 0 ? Argument::Role::weight : Argument::Role::read;
    if (other.role == Argument::Role::read) other.tensor = given();
    if (other.role == Argument::Role::read && random_.below(3) > 0) {
      const Geometry x = program[other.tensor].geometry, y = program[o.arguments.back().tensor].geometry;
      Walk& walk = other.walk.emplace();
      walk.identity = random_.below(2) == 0;
      walk.read_before_write = random_.below(2) == 0;
      for (int64_t r = 0; r < y.lines + random_.below(3) / 2 && !walk.identity; ++r)
        walk.lines.push_back({std::min(r / 2, x.lines - 1), std::min(r + 1, x.lines)});
      for (int64_t p = 0; p < y.pixels + random_.below(3) / 2 && !walk.identity; ++p)
        walk.columns.push_back({std::min(p / 2, x.pixels - 1), std::min(p + 1, x.pixels)});
    }
    const Geometry made = program[o.arguments.back().tensor].geometry;
    const bool fits = other.walk && !other.walk->identity && std::ssize(other.walk->lines) == made.lines &&
                      std::ssize(other.walk->columns) == made.pixels;
    if (fits && random_.below(2) == 0) return void(o.arguments.insert(o.arguments.begin(), other));
    // Behind the operand that is walked: kernels take the first one as theirs.
    o.arguments.insert(o.arguments.begin() + 1 + random_.below(static_cast<int64_t>(o.arguments.size()) - 1), other);
  }

  void another_result(Operation& o) {
    if (o.view || random_.below(2) == 0) return;
    Tensor t = program[o.arguments.back().tensor];
    t.name = "beside";
    t.kind = program::Kind::activation;
    program.tensors.push_back(t);
    Argument written;
    written.role = Argument::Role::write;
    written.tensor = TensorId(program.tensors.size() - 1);
    o.arguments.push_back(written);
  }

  void kernel_calls(Operation& o) {
    if (!o.line_form) return;
    const int64_t count = 1 + random_.below(2);
    for (int64_t c = 0; c < count; ++c) {
      LineCall call;
      const int64_t arguments = random_.below(3);
      for (int64_t i = 0; i < arguments; ++i) {
        LineArgument line;
        line.how = static_cast<LineArgument::How>(random_.below(8));
        line.argument = Z(random_.below(static_cast<int64_t>(o.arguments.size())));
        if (random_.below(4) == 0) line.map.first = 1;
        call.arguments.push_back(line);
      }
      o.line_form->calls.push_back(call);
    }
  }

  void counts(Operation& o) {
    if (!o.line_form) return;
    if (random_.below(2) == 0) o.line_form->params.fields.push_back({"count", program::Run{}});
    else if (random_.below(3) == 0) o.line_form->params.fields.push_back({"outer", program::Run{true}});
    else o.line_form->params.fields.push_back({random_.below(3) == 0 ? "inner" : "outer", int64_t{1}});
    if (random_.below(2) == 0) o.line_form->calls.emplace_back();
  }

  void columns(Operation& o) {
    if (!o.line_form) return;
    program::LineMap& map = o.line_form->columns.emplace();
    map.count = 1 + random_.below(3);
    map.scale = 1 + random_.below(2);
    map.first = -random_.below(2);
  }

  planner::Random random_;
};

// A call for each line, of the lines of all operands; some count the pixels.
void call_by_lines(Program& program, planner::Random& random) {
  for (Operation& o : program.operations) {
    if (!o.line_form || o.line_form->accumulate) continue;
    LineCall& call = o.line_form->calls.emplace_back();
    for (size_t i = 0; i < o.arguments.size(); ++i) call.arguments.push_back({LineArgument::How::line, i});
    if (random.below(4) == 0) call.arguments.back().how = static_cast<LineArgument::How>(random.below(8));
    if (random.below(12) == 0) call.arguments.front().map.first = 1;
    if (random.below(12) == 0) call.when = LineCall::When::last;
    if (random.below(2) == 0) o.line_form->params.fields.push_back({"outer", int64_t{1}});
  }
}

// What the checker of plans takes each step to read, and which tensors it takes to share bytes.
void add_reads(tarn::test::Digest& digest, const Program& program, const Net& net) {
  LinePlan plan;
  plan.memories = net.memories;
  plan.views = net.views;
  for (const NetNode& node : net.nodes) plan.actors.push_back(node.actor);
  for (const std::vector<Producer>& of : producers_of(program, plan)) {
    for (const Producer& p : of) {
      digest.add(p.actor).add(p.tensor.pos()).add(p.lines.first).add(p.lines.end);
      for (const Producer& other : of) digest.add(share_bytes(program, plan, p.tensor, other.tensor));
    }
  }
  for (const Actor& actor : plan.actors) {
    if (actor.what != Actor::What::operation || actor.whole) continue;
    for (int64_t r = 0; r < actor.lines; ++r) {
      for (const Read& read : reads_of(program, plan, actor, r)) {
        digest.add(read.tensor.pos()).add(read.argument).add(read.lines.first).add(read.lines.end).add(read.together);
        digest.add(read.operation);
      }
    }
  }
}

// Which lines the checker takes to be written over what they are made of, with memories anywhere in few bytes.
void add_overwritten(tarn::test::Digest& digest, const Program& program, const Net& net, planner::Random& random,
                     int& found) {
  LinePlan plan;
  plan.memories = net.memories;
  plan.views = net.views;
  for (Memory& m : plan.memories) m.base = random.below(1 + 2 * m.line_bytes), m.slots = m.lines;
  for (const NetNode& node : net.nodes) {
    Actor actor = node.actor;
    if (actor.what != Actor::What::operation || actor.whole || actor.accumulate) continue;
    actor.overlapping = random.below(6) > 0;
    const LineView& view = plan.views[only_result(program[actor.operations.back()]).pos()];
    for (int64_t r = 0; r < std::min<int64_t>(3, actor.lines); ++r) {
      const int64_t made = actor.flat ? r : view.first_line + r;
      for (const Read& read : reads_of(program, plan, actor, r)) {
        const Memory& memory = plan.memories[Z(plan.views[read.tensor.pos()].memory)];
        for (const int64_t line : lines_over(memory, read.lines, plan.memories[Z(view.memory)], made)) {
          const auto what = overwritten(program, plan, actor, read, line, made);
          digest.add(line).add(what.value_or(""));
          found += what.has_value();
        }
      }
    }
  }
}

uint64_t nets(uint64_t first_seed, uint64_t count, int& chains, int& whole, int& over) {
  tarn::test::Digest digest;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    planner::Random random(seed);
    const auto joins = static_cast<RandomNet::Joins>(random.below(5));
    Program program = random.below(2) == 0   ? flow_by_lines(seed)
                      : random.below(2) == 0 ? Tower(seed).program
                                             : RandomNet(seed, joins).make();
    if (random.below(3) == 0) call_by_lines(program, random);
    program = Varied(std::move(program), seed).program;
    if (random.below(8) == 0) set_size(program);
    digest.add(obstacle(program));
    if (!obstacle(program).empty()) continue;
    lifetimes::ShareOptions share;
    share.parts = random.below(2) == 0;
    share.views = random.below(6) > 0;
    lifetimes::Storage storage = lifetimes::assign_storage(program, share, random.below(4) == 0);
    if (random.below(6) == 0)
      storage.buffers[Z(random.below(static_cast<int64_t>(storage.buffers.size())))].external = true;
    std::vector<OperationId> order;
    for (OperationId id : program.main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
    digest.add(cut_into_lines(program, storage, order));
    Options options;
    options.mode = random.below(3) == 0 ? Mode::resident : random.below(4) == 0 ? Mode::time : Mode::fed;
    options.drain = random.below(2) == 0;
    std::vector<Chain> found = find_chains(program, storage, order);
    for (Chain& chain : found) {
      chain.chunk = 1 + random.below(9);
      digest.add(chain.mid);
      for (const OperationId id : chain.operations) digest.add(id.pos());
    }
    const Net net = make_net(program, storage, order, options, found);
    add(digest, net);
    if (seed % 4 == 0) add_reads(digest, program, net);
    if (seed % 4 == 1) add_overwritten(digest, program, net, random, over);
    for (const NetNode& n : net.nodes) chains += n.actor.line_buffer.has_value(), whole += n.actor.whole;
  }
  return digest.value();
}

// A call for each line of the operands, most of which is fit to be made on the lines that come; some inputs come in
// pieces.
TEST(PinnedNets, OfTakenLines) {
  tarn::test::Digest digest;
  int feeds = 0, not_taken = 0;
  for (uint64_t seed = 30000; seed < 36000; ++seed) {
    planner::Random random(seed);
    Program program = random.below(3) == 0   ? flow_by_lines(seed)
                      : random.below(2) == 0 ? Tower(seed).program
                                             : RandomNet(seed, static_cast<RandomNet::Joins>(random.below(5))).make();
    call_by_lines(program, random);
    program = Varied(std::move(program), seed).program;
    if (random.below(8) == 0) program.outputs.push_back(program.inputs[0]);
    if (!obstacle(program).empty()) continue;
    lifetimes::Storage storage = lifetimes::assign_storage(program, {}, random.below(8) == 0);
    std::vector<OperationId> order;
    for (OperationId id : program.main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
    Options options;
    options.mode = Mode::fed;
    add(digest, make_net(program, storage, order, options, {}));
    options.mode = Mode::resident;
    Net net = make_net(program, storage, order, options, {});
    if (random.below(4) == 0)
      storage.pieces.push_back(
          {TensorId(Z(random.below(static_cast<int64_t>(program.tensors.size())))), program.inputs[0], 0});
    for (OperationId id : order) {
      const auto taken = take_line_by_line(program, storage, net, order, id);
      digest.add(taken.has_value());
      if (taken) digest.add(taken->operand.pos()).add(taken->node.lines).add(taken->node.actor.tensor.pos());
      ++(taken ? feeds : not_taken);
    }
  }
  EXPECT_EQ(digest.value(), 7917322863904708235u);
  EXPECT_GT(feeds, 400);
  EXPECT_GT(not_taken, 1000);
}

TEST(PinnedNets, OfVariedOperations) {
  int chains = 0, whole = 0, over = 0;
  EXPECT_EQ(nets(40000, 24000, chains, whole, over), 16151842392902852541u);
  EXPECT_GT(chains, 1000);
  EXPECT_GT(whole, 1000);
  EXPECT_GT(over, 1000);
}

}  // namespace
}  // namespace tarn::stream
