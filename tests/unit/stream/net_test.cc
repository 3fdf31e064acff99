// Which programs run by lines at all, and in which order inputs are handed over that come in pieces.
#include "stream/network/net.h"

#include <gtest/gtest.h>

#include <string>

namespace tarn::stream {
namespace {

using program::Argument;
using program::Kind;
using program::Operation;

// Tensors of lines of some pixels, and operations on them.
struct Lined {
  Program program;

  TensorId tensor(int64_t pixels, Kind kind = Kind::activation) {
    program::Tensor t;
    t.name = "t" + std::to_string(program.tensors.size());
    t.geometry = {4, pixels, 1};
    t.kind = kind;
    t.type = {DType::int8, Shape{1, 4, pixels, 1}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  }

  TensorId input(int64_t pixels) {
    program.inputs.push_back(tensor(pixels, Kind::input));
    return program.inputs.back();
  }

  Operation& operation(const std::vector<TensorId>& from, TensorId to) {
    Operation o;
    for (TensorId id : from) {
      o.arguments.push_back({.role = Argument::Role::read, .tensor = id});
      o.arguments.back().walk.emplace().identity = true;
    }
    o.arguments.push_back({.role = Argument::Role::write, .tensor = to});
    o.line_form.emplace();
    program.operations.push_back(std::move(o));
    program.main.push_back(OperationId(program.operations.size() - 1));
    return program.operations.back();
  }

  TensorId piece(TensorId of, int64_t first_column, int64_t pixels) {
    const TensorId part = tensor(pixels);
    operation({of}, part).view = program::View{part, of, first_column, true};
    return part;
  }
};

std::vector<OperationId> order_of(const Lined& net, const lifetimes::Storage& storage) {
  std::vector<OperationId> order;
  for (OperationId id : net.program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  return order;
}

Lined two_layers() {
  Lined net;
  const TensorId x = net.input(3), a = net.tensor(3), y = net.tensor(3, Kind::output);
  net.operation({x}, a);
  net.operation({a}, y);
  net.program.outputs = {y};
  return net;
}

TEST(Obstacles, EachAlone) {
  EXPECT_EQ(obstacle(two_layers().program), "");
  const auto with = [](auto change) {
    Program program = two_layers().program;
    change(program);
    return obstacle(program);
  };
  EXPECT_EQ(with([](Program& p) { p.main.clear(); }), "it has nothing to run");
  EXPECT_EQ(with([](Program& p) { p.symbols.emplace_back(); }), "sizes are known only at run time");
  EXPECT_EQ(with([](Program& p) { p.operations.resize(20000); }), "");
  EXPECT_EQ(with([](Program& p) { p.operations.resize(20001); }), "it has too many operations");
  EXPECT_EQ(with([](Program& p) {
              p.tensors[1].type.shape = Shape{1, 0, 3, 1};
            }),
            "a tensor without elements has no lines");
  for (const program::Control control : {program::Control::branch, program::Control::loop})
    EXPECT_EQ(with([&](Program& p) { p.operations[1].control = control; }), "it has branches or loops");
}

struct Feed {
  size_t port;
  TensorId tensor;
  int64_t first_column, pass;
  int after;
  bool repeated;
  bool operator==(const Feed&) const = default;
};

// With the positions of nodes as positions among the feeds.
std::vector<Feed> feeds_of(const Net& net) {
  std::vector<Feed> feeds;
  std::vector<int> place;
  for (const NetNode& n : net.nodes) {
    place.push_back(static_cast<int>(feeds.size()));
    if (n.actor.what != Actor::What::feed) continue;
    const int after = n.after < 0 ? -1 : place[static_cast<size_t>(n.after)];
    feeds.push_back({n.actor.port, n.actor.tensor, n.actor.first_column, n.actor.pass, after, n.repeated});
  }
  return feeds;
}

// Each pass of an input hands over one of its pieces, in their order and each once; what another input's pieces are
// does not matter.
TEST(Pieces, AreFedBeforeTheirFirstReader) {
  Lined net;
  const TensorId a = net.input(6), b = net.input(5), c = net.input(2);
  const TensorId a0 = net.piece(a, 0, 2), a1 = net.piece(a, 2, 2), a2 = net.piece(a, 4, 2);
  const TensorId b0 = net.piece(b, 0, 2), b1 = net.piece(b, 3, 2);
  const std::vector<std::pair<TensorId, TensorId>> readers = {{b1, b1}, {a0, b0}, {a2, a2}, {a1, c}};
  for (const auto& [first, second] : readers) {
    net.program.outputs.push_back(net.tensor(2, Kind::output));
    net.operation({first, second}, net.program.outputs.back());
  }
  const lifetimes::Storage storage = lifetimes::assign_storage(net.program, {.pieces = true}, false);
  ASSERT_EQ(storage.pieces.size(), 5u);
  const std::vector<OperationId> order = order_of(net, storage);
  ASSERT_EQ(order.size(), 4u);
  for (const Mode mode : {Mode::fed, Mode::time}) {
    Options options;
    options.mode = mode;
    const std::vector<Feed> expected = {{1, b0, 0, 0, -1, true}, {1, b1, 3, 1, 0, false}, {0, a0, 0, 0, -1, true},
                                        {0, a1, 2, 1, 2, true},  {0, a2, 4, 2, 3, false}, {2, c, 0, 0, -1, false}};
    const Net made = make_net(net.program, storage, order, options, {});
    EXPECT_EQ(feeds_of(made), expected);
    // Behind its pieces the operation that is the first to read them.
    EXPECT_EQ(made.nodes[2].actor.operations, std::vector<OperationId>{order[0]});
    EXPECT_EQ(made.nodes[4].actor.operations, std::vector<OperationId>{order[1]});
    EXPECT_EQ(made.nodes[7].actor.operations, std::vector<OperationId>{order[2]});
    EXPECT_EQ(made.nodes[9].actor.operations, std::vector<OperationId>{order[3]});
  }
}

Net drained(const Lined& net, bool views = true) {
  lifetimes::ShareOptions share;
  share.views = views;
  const lifetimes::Storage storage = lifetimes::assign_storage(net.program, share, false);
  Options options;
  options.mode = Mode::fed;
  options.drain = true;
  return make_net(net.program, storage, order_of(net, storage), options, {});
}

// Positions of the nodes that hand out, and which outputs they hand out.
std::vector<std::pair<size_t, size_t>> drains_of(const Lined& net, bool views = true) {
  const Net made = drained(net, views);
  std::vector<std::pair<size_t, size_t>> drains;
  for (size_t n = 0; n < made.nodes.size(); ++n) {
    if (made.nodes[n].actor.what == Actor::What::drain) drains.emplace_back(n, made.nodes[n].actor.port);
  }
  return drains;
}

using Drains = std::vector<std::pair<size_t, size_t>>;

// A feed, two layers that each make an output, and one more layer.
Lined two_outputs() {
  Lined net = two_layers();
  const TensorId a = net.program.outputs[0], b = net.tensor(3, Kind::output), c = net.tensor(3, Kind::output);
  net.operation({a}, b);
  net.operation({b}, c);
  net.program.outputs = {c, a};
  return net;
}

// Outputs are handed out behind the operation that makes them.
TEST(Drains, AreBehindTheOperationThatMakesAll) { EXPECT_EQ(drains_of(two_outputs()), (Drains{{3, 1}, {6, 0}})); }

// Where several make it, or more than it lies in its buffer, they are handed out at the end.
TEST(Drains, AreAtTheEndWhereOthersMakeThemToo) {
  Lined updated = two_outputs();
  updated.operation({}, updated.program.outputs[1]).arguments.back().role = Argument::Role::update;
  EXPECT_EQ(drains_of(updated), (Drains{{5, 0}, {7, 1}}));
  Lined written = two_outputs();
  written.operation({}, written.program.outputs[1]).line_form.reset();
  EXPECT_EQ(drains_of(written), (Drains{{5, 0}, {7, 1}}));
  Lined read = two_outputs();  // beside them that does not matter
  read.operation({read.program.outputs[1]}, read.tensor(3)).line_form.reset();
  EXPECT_EQ(drains_of(read), (Drains{{3, 1}, {6, 0}}));
  Lined viewed = two_outputs();
  const TensorId whole = viewed.program.outputs[1], part = viewed.tensor(3);
  viewed.operation({whole}, part).view = program::View{part, whole, 0};
  EXPECT_EQ(drains_of(viewed), (Drains{{5, 0}, {6, 1}}));
  EXPECT_EQ(drains_of(viewed, false), (Drains{{3, 1}, {6, 0}}));
}

// And where one operation makes several, of which none is the result that completes.
TEST(Drains, AreAtTheEndWhereOneMakesSeveral) {
  Lined net = two_outputs();
  const TensorId more = net.tensor(3, Kind::output);
  Operation& both = net.program.operations[1];  // makes a
  both.line_form.reset();
  both.arguments.push_back({.role = Argument::Role::write, .tensor = more});
  net.program.outputs = {more, net.program.outputs[0], net.program.outputs[1]};
  EXPECT_EQ(drains_of(net), (Drains{{5, 1}, {6, 0}, {7, 2}}));
}

// An output that is listed twice is handed out once.
TEST(Drains, OfAnOutputListedTwice) {
  Lined net = two_outputs();
  const TensorId c = net.program.outputs[0], a = net.program.outputs[1];
  net.program.outputs = {a, c, a, c};
  EXPECT_EQ(drains_of(net), (Drains{{3, 0}, {6, 1}}));
}

// An output that is some lines of a larger tensor: those lines, one after the other.
TEST(Drains, OfSomeLinesOfABuffer) {
  Lined net = two_layers();
  const TensorId whole = net.program.outputs[0], part = net.tensor(3, Kind::output);
  net.program[whole].kind = Kind::activation;
  net.program[part].geometry.lines = 2;
  net.program[part].type.shape = Shape{1, 2, 3, 1};
  net.operation({whole}, part).view = program::View{part, whole, 3};
  net.program.outputs = {part};
  const Net made = drained(net);
  ASSERT_EQ(made.nodes.size(), 4u);
  const NetNode& drain = made.nodes.back();
  ASSERT_EQ(drain.actor.what, Actor::What::drain);
  EXPECT_EQ(drain.lines, 2);
  EXPECT_EQ(drain.actor.lines, 2);
  EXPECT_EQ(drain.reads[0].all, (Span{1, 3}));
  EXPECT_EQ(drain.reads[0].lines, (std::vector<Span>{{1, 2}, {2, 3}}));
  EXPECT_FALSE(drain.actor.whole);
}

// The first layer of two, in steps of up to so many lines.
NetNode first_layer(const Lined& net, int64_t at_once) {
  const lifetimes::Storage storage = lifetimes::assign_storage(net.program, {}, false);
  Options options;
  options.mode = Mode::resident;
  return make_net(net.program, storage, order_of(net, storage), options, {}, at_once).nodes[0];
}

// Kernels that make several lines do, and those of signals, in one call; what is read then lies apart from what is
// made.
TEST(OperationNodes, MakeSeveralLinesTogether) {
  Lined net = two_layers();
  Operation& o = net.program.operations[0];
  o.arguments[0].walk->read_before_write = true;
  o.line_form->calls.resize(1);
  EXPECT_EQ(first_layer(net, 3).actor.at_once, 1);  // no kernel for it
  o.line_form->together.emplace();
  EXPECT_EQ(first_layer(net, 1).actor.at_once, 1);
  EXPECT_EQ(first_layer(net, 2).actor.at_once, 2);
  EXPECT_EQ(first_layer(net, 3).actor.at_once, 3);
  EXPECT_EQ(first_layer(net, 9).actor.at_once, 4);  // all there are
  EXPECT_TRUE(first_layer(net, 1).reads[0].overlap_distance);
  EXPECT_FALSE(first_layer(net, 2).reads[0].overlap_distance);
  const auto with = [&](auto change) {
    Lined other = net;
    change(other.program.operations[0]);
    return first_layer(other, 3).actor.at_once;
  };
  EXPECT_EQ(with([](Operation& of) { of.line_form->calls.resize(2); }), 1);
  EXPECT_EQ(with([](Operation& of) { of.line_form.reset(); }), 1);
  EXPECT_EQ(with([](Operation& of) {
              of.line_form->calls[0].when = program::LineCall::When::first;
              of.arguments[0].walk->identity = false;
              of.arguments[0].walk->lines = {{1, 4}, {1, 4}, {1, 4}, {1, 4}};
            }),
            1);
  Lined sums = net;
  sums.program.operations[0].line_form->accumulate = true;
  sums.program.tensors[1].geometry.lines = sums.program.tensors[2].geometry.lines = 1;
  sums.program.tensors[1].type.shape = sums.program.tensors[2].type.shape = Shape{1, 1, 3, 1};
  const NetNode summed = first_layer(sums, 3);
  EXPECT_TRUE(summed.actor.accumulate);
  EXPECT_EQ(summed.actor.at_once, 1);
  for (const int64_t pixels : {1, 2}) {
    Lined signal = net;
    signal.program.operations[0].line_form->together.reset();
    for (program::Tensor& t : signal.program.tensors) {
      t.geometry.pixels = pixels;
      t.type.shape = Shape{1, 4, pixels, 1};
    }
    EXPECT_EQ(first_layer(signal, 3).actor.at_once, pixels == 1 ? 3 : 1);
  }
}

// Of kernels that begin with the first line of a window: as many lines as a window has.
TEST(OperationNodes, GatherTheLinesOfTheirWindow) {
  using When = program::LineCall::When;
  const auto gathered = [](const std::vector<When>& calls) {
    Lined net = two_layers();
    Operation& o = net.program.operations[0];
    o.arguments[0].walk->identity = false;
    o.arguments[0].walk->lines = {{1, 4}, {1, 4}, {1, 4}, {1, 4}};
    o.arguments[0].walk->columns = {{0, 1}, {1, 2}, {2, 3}};
    for (const When when : calls) o.line_form->calls.push_back({.when = when});
    return drained(net).nodes[1].actor.gathered;
  };
  EXPECT_EQ(gathered({When::first, When::each}), 3);
  EXPECT_EQ(gathered({When::each, When::first}), 0);
  EXPECT_EQ(gathered({When::last}), 0);
  EXPECT_EQ(gathered({}), 0);
}

}  // namespace
}  // namespace tarn::stream
