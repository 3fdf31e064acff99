// Random networks in column stripes: the striped graph computes the same numbers, and its plans run on tagged bytes.
#include <gtest/gtest.h>

#include "digest_plan.h"
#include "false_plans.h"
#include "line_plan.h"
#include "ops/lower.h"
#include "passes/stripes.h"
#include "planner/random.h"
#include "property/digest.h"
#include "stream/check/check_plan.h"
#include "tag_executor.h"
#include "tensor/constant.h"

namespace tarn::stream {
namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

// Convolutions, pools, sums and joins of channels on images with channels last, then something that takes the image as
// a whole.
class RandomImages {
 public:
  explicit RandomImages(uint64_t seed) : random_(seed) {}

  Graph make() {
    const ValueId x = value({5 + random_.below(8), 9 + random_.below(12), 1 + random_.below(3)});
    graph_.inputs = {x};
    ValueId at = x;
    const int64_t count = 2 + random_.below(5);
    for (int64_t i = 0; i < count; ++i) at = random_.below(4) == 0 ? branch(at) : window(at);
    end_ = at;
    graph_.outputs = {window(window(at))};
    return graph_;
  }

  ValueId end() const { return end_; }

 private:
  struct Size {
    int64_t lines, pixels, channels;
  };
  ValueId value(Size s) {
    return graph_.add_value("v" + std::to_string(graph_.values.size()),
                            {DType::float32, Shape{1, s.lines, s.pixels, s.channels}});
  }

  Node node(const char* op, std::vector<ValueId> inputs, ValueId output, bool spatial) {
    Node n;
    n.op = op;
    n.version = 13;
    n.name = std::string(op) + std::to_string(graph_.nodes.size());
    n.origin_names = {n.name};
    n.inputs = std::move(inputs);
    n.outputs = {output};
    n.channels_last = spatial;
    return n;
  }

  // `same`: as many lines and pixels as before.
  ValueId window(ValueId from, bool same = false) {
    const Shape x = graph_.shape(from);
    const bool pool = !same && random_.below(4) == 0;
    const int64_t k = same ? 3 : 1 + random_.below(4), s = same ? 1 : 1 + random_.below(2),
                  d = !same && k == 2 ? 1 + random_.below(2) : 1;
    const int64_t extent = (k - 1) * d + 1;
    std::vector<int64_t> pads(4);
    for (int64_t& pad : pads) pad = same ? 1 : random_.below(std::min(k, extent));
    const int64_t lines = (x[1] + pads[0] + pads[2] - extent) / s + 1,
                  pixels = (x[2] + pads[1] + pads[3] - extent) / s + 1;
    if (x[1] + pads[0] + pads[2] < extent || x[2] + pads[1] + pads[3] < extent || lines < 2 || pixels < 2) return from;
    const int64_t channels = pool || same ? x[3] : 1 + random_.below(4);
    const ValueId y = value({lines, pixels, channels});
    Node n = node(pool ? "MaxPool" : "Conv", {from}, y, true);
    if (!pool) n.inputs.push_back(weights(channels, x[3], k));
    n.attributes["kernel_shape"] = std::vector<int64_t>{k, k};
    n.attributes["strides"] = std::vector<int64_t>{s, s};
    n.attributes["dilations"] = std::vector<int64_t>{d, d};
    n.attributes["pads"] = pads;
    graph_.nodes.push_back(std::move(n));
    return y;
  }

  ValueId weights(int64_t outputs, int64_t inputs, int64_t k) {
    std::vector<double> numbers;
    for (int64_t i = 0; i < outputs * inputs * k * k; ++i) numbers.push_back(static_cast<double>(random_.below(5)) - 2);
    return graph_.add_constant("w" + std::to_string(graph_.values.size()),
                               Constant::floats(DType::float32, Shape{outputs, inputs, k, k}, numbers));
  }

  // The image and what a window makes of it, added or side by side.
  ValueId branch(ValueId from) {
    const Shape x = graph_.shape(from);
    const ValueId other = window(from, true);
    if (other == from) return from;
    const bool sum = random_.below(2) == 0;
    const ValueId y = value({x[1], x[2], sum ? x[3] : 2 * x[3]});
    Node n = node(sum ? "Add" : "Concat", {from, other}, y, false);
    if (!sum) n.attributes["axis"] = int64_t{3};
    graph_.nodes.push_back(std::move(n));
    return y;
  }

  planner::Random random_;
  Graph graph_;
  ValueId end_;
};

// What the graph computes, in whole numbers small enough to be exact.
class Interpreter {
 public:
  explicit Interpreter(const Graph& graph) : graph_(graph), numbers_(graph.values.size()) {}

  std::vector<double> run() {
    std::vector<double>& x = numbers_[graph_.inputs[0].pos()];
    for (int64_t i = 0; i < graph_.shape(graph_.inputs[0]).count(); ++i)
      x.push_back(static_cast<double>(i * 7 % 11 - 5));
    for (const Node& node : graph_.nodes) evaluate(node);
    return numbers_[graph_.outputs[0].pos()];
  }

 private:
  double at(ValueId id, int64_t l, int64_t p, int64_t c) const {
    const Shape& s = graph_.shape(id);
    return numbers_[id.pos()].at(static_cast<size_t>((l * s[2] + p) * s[3] + c));
  }

  void evaluate(const Node& node) {
    const Shape& y = graph_.shape(node.outputs[0]);
    std::vector<double>& out = numbers_[node.outputs[0].pos()];
    for (int64_t l = 0; l < y[1]; ++l) {
      for (int64_t p = 0; p < y[2]; ++p) {
        for (int64_t c = 0; c < y[3]; ++c) out.push_back(element(node, l, p, c));
      }
    }
  }

  double element(const Node& node, int64_t l, int64_t p, int64_t c) const {
    if (node.op == "Add") return at(node.inputs[0], l, p, c) + at(node.inputs[1], l, p, c);
    if (node.op == "Slice") return at(node.inputs[0], l, p + node.integers("starts")[0], c);
    if (node.op == "Concat") {
      const bool pixels = node.integer("axis", 0) == 2;
      for (ValueId id : node.inputs) {
        const int64_t size = graph_.shape(id)[pixels ? 2 : 3];
        if ((pixels ? p : c) < size) return at(id, l, p, c);
        (pixels ? p : c) -= size;
      }
    }
    const Shape& x = graph_.shape(node.inputs[0]);
    const std::vector<int64_t> k = node.integers("kernel_shape"), s = node.integers("strides"),
                               d = node.integers("dilations"), pads = node.integers("pads");
    double most = -1e30, sum = 0;
    for (int64_t i = 0; i < k[0]; ++i) {
      for (int64_t j = 0; j < k[1]; ++j) {
        const int64_t line = l * s[0] - pads[0] + i * d[0], pixel = p * s[1] - pads[1] + j * d[1];
        if (line < 0 || line >= x[1] || pixel < 0 || pixel >= x[2]) continue;
        if (node.op == "MaxPool") {
          most = std::max(most, at(node.inputs[0], line, pixel, c));
          continue;
        }
        for (int64_t channel = 0; channel < x[3]; ++channel) {
          sum += at(node.inputs[0], line, pixel, channel) *
                 graph_.constant(node.inputs[1])->real(((c * x[3] + channel) * k[0] + i) * k[1] + j);
        }
      }
    }
    return node.op == "MaxPool" ? most : sum;
  }

  const Graph& graph_;
  std::vector<std::vector<double>> numbers_;
};

struct Striped {
  Graph plain, graph;
};

// Networks that can be cut into stripes, with a few cuts each.
std::vector<Striped> striped_networks(uint64_t seeds) {
  std::vector<Striped> all;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    RandomImages images(seed);
    const Graph graph = images.make();
    const std::vector<ValueId> ends = passes::stripe_ends(graph);
    if (std::find(ends.begin(), ends.end(), images.end()) == ends.end()) continue;
    for (int64_t stripes = 2; stripes <= std::min<int64_t>(4, graph.shape(images.end())[2]); ++stripes) {
      if (std::optional<Graph> cut = passes::cut_into_stripes(graph, images.end(), stripes))
        all.push_back({graph, std::move(*cut)});
    }
  }
  return all;
}

TEST(RandomStripes, TheSameNumbers) {
  const std::vector<Striped> all = striped_networks(60);
  EXPECT_GT(all.size(), 40u);
  for (const Striped& striped : all) {
    ASSERT_TRUE(graph::verify(striped.graph).empty()) << graph::verify(striped.graph).front();
    ASSERT_EQ(Interpreter(striped.graph).run(), Interpreter(striped.plain).run())
        << dump(striped.plain) << dump(striped.graph);
  }
}

// The same graph with another reader of its input.
Graph with_reader(Graph graph) {
  Node n;
  n.op = n.name = "Sigmoid";
  n.origin_names = {n.name};
  n.version = 13;
  n.inputs = {graph.inputs[0]};
  n.outputs = {graph.add_value("z", graph[graph.inputs[0]].type)};
  graph.outputs.push_back(n.outputs[0]);
  graph.nodes.push_back(std::move(n));
  return graph;
}

// Each tensor's place, however tensors may lie in others, to the last byte: ranges of columns, their inputs handed over
// whole or by themselves, parts of the channels.
TEST(PinnedStripes, OfStorage) {
  test::Digest digest;
  size_t pieces = 0, apart = 0;
  for (const Striped& striped : striped_networks(40)) {
    for (const bool more : {false, true}) {
      const Result<program::Program> program =
          ops::lower(more ? with_reader(striped.graph) : striped.graph,
                     {.file = "random", .input_names = {"x"}, .output_names = {"y", "z"}});
      ASSERT_TRUE(program);
      for (int kind = 0; kind < 16; ++kind) {
        lifetimes::ShareOptions share;
        share.columns = (kind & 1) != 0;
        share.pieces = (kind & 2) != 0;
        share.parts = (kind & 4) != 0;
        const lifetimes::Storage storage = lifetimes::assign_storage(*program, share, (kind & 8) != 0);
        for (const lifetimes::Buffer& b : storage.buffers) {
          digest.add(b.bytes).add(b.external).add(b.tensors.size());
          for (TensorId id : b.tensors) digest.add(id.pos());
        }
        for (size_t t = 0; t < storage.places.size(); ++t) {
          const lifetimes::Place& p = storage.places[t];
          digest.add(p.buffer.pos()).add(p.offset).add(p.pixel_pitch).add(p.line_pitch);
          digest.add(static_cast<bool>(storage.made_in_whole[t]));
          apart += p.line_pitch > program->tensors[t].geometry.pixels * p.pixel_pitch;
        }
        for (size_t i = 0; i < storage.left_out.size(); ++i) digest.add(static_cast<bool>(storage.left_out[i]));
        for (const lifetimes::Piece& p : storage.pieces)
          digest.add(p.part.pos()).add(p.input.pos()).add(p.first_column);
        pieces += storage.pieces.size();
      }
    }
  }
  EXPECT_GT(pieces, 500u);
  EXPECT_GT(apart, 500u);
  EXPECT_EQ(digest.value(), 1673444755353941973u);
}

// Columns lie in wider lines; inputs that are fed are handed over in pieces. In the order of the program.
std::pair<lifetimes::Storage, std::vector<OperationId>> stored_by_columns(const program::Program& program, Mode mode) {
  lifetimes::ShareOptions share;
  share.columns = true;
  share.pieces = mode == Mode::fed;
  lifetimes::Storage storage = lifetimes::assign_storage(program, share, false);
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  return {std::move(storage), std::move(order)};
}

// Their plans, and what the checker says of them once they are wrong.
TEST(PinnedStripes, OfPlans) {
  planner::Random random(5);
  test::Digest digest;
  int passes = 0, found = 0;
  std::vector<Striped> small = striped_networks(3);
  small.resize(6);
  for (const Striped& striped : small) {
    const Result<program::Program> program =
        ops::lower(striped.graph, {.file = "random", .input_names = {"x"}, .output_names = {"y"}});
    ASSERT_TRUE(program);
    for (const Mode mode : {Mode::resident, Mode::fed}) {
      Options options;
      options.mode = mode;
      options.lines = random.below(2) == 0 ? Lines::ring : Lines::table;
      options.drain = random.below(2) == 0;
      const auto [storage, order] = stored_by_columns(*program, mode);
      const LinePlan plan = make_plan(*program, {{storage, order}}, options, {4, 0});
      EXPECT_TRUE(check_plan(*program, plan).empty());
      add(digest, plan);
      passes += passes_of(plan, 0) > 1;
      for (int t = 0; t < 40; ++t) {
        LinePlan wrong = plan;
        falsify(random, wrong);
        for (Actor& actor : wrong.actors) {
          if (t % 8 == 0 && actor.what == Actor::What::feed && random.below(2) == 0) ++actor.pass;
        }
        const std::vector<std::string> faults = check_plan(*program, wrong);
        found += !faults.empty();
        digest.add(faults);
      }
    }
  }
  EXPECT_GT(passes, 2);
  EXPECT_GT(found, 100);
  EXPECT_EQ(digest.value(), 598347993920217029u);
}

TEST(RandomStripes, PlansRunOnTaggedBytes) {
  int passes = 0, shared = 0;
  for (const Striped& striped : striped_networks(5)) {
    const Result<program::Program> program =
        ops::lower(striped.graph, {.file = "random", .input_names = {"x"}, .output_names = {"y"}});
    ASSERT_TRUE(program);
    for (const Mode mode : {Mode::resident, Mode::fed}) {
      for (const Lines lines : {Lines::ring, Lines::table}) {
        Options options;
        options.mode = mode;
        options.lines = lines;
        options.line_buffers = false;  // their inner columns are not on tagged bytes
        const auto [storage, order] = stored_by_columns(*program, mode);
        const LinePlan plan = make_plan(*program, {{storage, order}}, options, {4, 0});
        const std::vector<std::string> faults = check_plan(*program, plan);
        ASSERT_TRUE(faults.empty()) << faults.front() << "\n" << dump(*program);
        ASSERT_EQ(TagExecutor(*program, plan).run(), 0) << dump(*program);
        passes += passes_of(plan, 0) > 1;
        for (const lifetimes::Place& place : storage.places) shared += place.line_pitch > 0 && place.offset > 0;
      }
    }
  }
  // Some inputs come more than once, some columns lie in wider lines.
  EXPECT_GT(passes, 0);
  EXPECT_GT(shared, 0);
}

// A pass that comes before the one before it has ended is found out.
TEST(RandomStripes, PassesInTurn) {
  for (const Striped& striped : striped_networks(5)) {
    const Result<program::Program> program =
        ops::lower(striped.graph, {.file = "random", .input_names = {"x"}, .output_names = {"y"}});
    ASSERT_TRUE(program);
    Options options;
    options.mode = Mode::fed;
    options.line_buffers = false;
    lifetimes::ShareOptions share;
    share.columns = share.pieces = true;
    const lifetimes::Storage storage = lifetimes::assign_storage(*program, share, false);
    std::vector<OperationId> order;
    for (OperationId id : program->main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
    LinePlan plan = make_plan(*program, {{storage, order}}, options, {4, 0});
    for (Actor& actor : plan.actors) {
      if (actor.what == Actor::What::feed) actor.pass = 10 - actor.pass;
    }
    EXPECT_FALSE(check_plan(*program, plan).empty());
  }
}

}  // namespace
}  // namespace tarn::stream
