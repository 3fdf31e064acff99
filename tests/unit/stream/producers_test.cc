// Which nodes make what a node reads, beside every element that is written and read.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "planner/random.h"
#include "stream/network/net.h"

namespace tarn::stream {
namespace {

using program::Argument;

constexpr int64_t kLines = 5, kPixels = 4, kChannels = 6;

// How tensors lie in their memories: pixels of one pitch that hold their channels, or of other pitches, beginning
// anywhere.
enum class Views { boxes, any };

// Tensors are boxes of lines, pixels and channels of two memories; a node reads some and makes one.
class BoxNet {
 public:
  explicit BoxNet(uint64_t seed, Views views = Views::boxes) : random_(seed), views_(views) {
    for (int m = 0; m < 2; ++m) {
      Memory memory;
      memory.lines = kLines;
      memory.line_bytes = kPixels * kChannels;
      net.memories.push_back(memory);
    }
    for (int n = 0; n < 8; ++n) add();
    net.nodes.back().actor.accumulate = random_.below(2) == 0;
    add_drain();
    find_producers(program, net);
  }

  Program program;
  Net net;

  using Element = std::tuple<int, int64_t, int64_t>;  // memory, line, byte of the line
  std::set<Element> elements(TensorId id) const {
    const LineView& v = net.views[id.pos()];
    const program::Geometry& g = program[id].geometry;
    std::set<Element> all;
    for (int64_t l = 0; l < g.lines; ++l) {
      for (int64_t p = 0; p < g.pixels; ++p) {
        for (int64_t c = 0; c < g.channels; ++c)
          all.insert({v.memory, v.first_line + l, v.offset + p * v.pixel_pitch + c});
      }
    }
    return all;
  }

 private:
  Span range(int64_t of) {
    if (random_.below(3) == 0) return {0, of};
    const int64_t first = random_.below(of);
    return {first, first + 1 + random_.below(of - first)};
  }

  TensorId tensor() {
    int64_t pitch = kChannels, of_pixels = kPixels;
    if (views_ == Views::any) {
      pitch = std::vector<int64_t>{3, 4, 6, 8, 12}[static_cast<size_t>(random_.below(5))];
      of_pixels = kPixels * kChannels / pitch;
    }
    const Span lines = range(kLines), pixels = range(of_pixels), channels = range(pitch);
    program::Tensor t;
    t.geometry = {lines.end - lines.first, pixels.end - pixels.first, channels.end - channels.first};
    t.type = {DType::int8, Shape{1, t.geometry.lines, t.geometry.pixels, t.geometry.channels}};
    program.tensors.push_back(t);
    LineView view;
    view.memory = static_cast<int>(random_.below(2));
    view.first_line = lines.first;
    view.offset = pixels.first * pitch + channels.first;
    view.pixel_pitch = pitch;
    // The channels of a pixel may go on where the next one begins.
    const int64_t room = kPixels * kChannels - view.offset - (t.geometry.pixels - 1) * pitch - t.geometry.channels;
    if (views_ == Views::any) view.offset += random_.below(std::min<int64_t>(room, pitch) + 1);
    net.views.push_back(view);
    return TensorId(program.tensors.size() - 1);
  }

  Access access_of(TensorId id, int argument) {
    Access access;
    access.memory = net.views[id.pos()].memory;
    access.argument = argument;
    access.all = {net.views[id.pos()].first_line, net.views[id.pos()].first_line + program[id].geometry.lines};
    if (random_.below(3) > 0) access.lines.assign(1, access.all);
    return access;
  }

  void add() {
    program::Operation operation;
    NetNode node;
    const int64_t reads = random_.below(3);
    for (int64_t i = 0; i <= reads; ++i) {
      Argument a;
      a.role = i < reads               ? Argument::Role::read
               : random_.below(4) == 0 ? Argument::Role::update
                                       : Argument::Role::write;
      a.tensor = tensor();
      if (i < reads) node.reads.push_back(access_of(a.tensor, static_cast<int>(i)));
      else node.memory = net.views[a.tensor.pos()].memory;
      operation.arguments.push_back(a);
    }
    program.operations.push_back(operation);
    node.actor.operations = {OperationId(program.operations.size() - 1)};
    net.nodes.push_back(node);
  }

  void add_drain() {
    NetNode node;
    node.actor.what = Actor::What::drain;
    node.actor.tensor = tensor();
    node.reads.push_back(access_of(node.actor.tensor, -1));
    net.nodes.push_back(node);
  }

  planner::Random random_;
  Views views_;
};

// What node n reads as its i-th tensor.
TensorId tensor_read(const BoxNet& box, size_t n, size_t i) {
  const Actor& actor = box.net.nodes[n].actor;
  return actor.what == Actor::What::drain ? actor.tensor : box.program[actor.operations[0]].arguments[i].tensor;
}

// The nodes before n that make an element of its i-th tensor.
std::vector<int> makers(const BoxNet& box, size_t n, size_t i) {
  const auto elements = box.elements(tensor_read(box, n, i));
  std::vector<int> all;
  for (size_t m = 0; m < n; ++m) {
    const auto made = box.elements(box.program[box.net.nodes[m].actor.operations[0]].arguments.back().tensor);
    if (std::any_of(made.begin(), made.end(), [&](const auto& e) { return elements.contains(e); }))
      all.push_back(static_cast<int>(m));
  }
  return all;
}

TEST(Producers, AreTheNodesThatMakeAnElementThatIsRead) {
  int found = 0, none = 0, eager = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    const BoxNet box(seed);
    const std::vector<NetNode>& nodes = box.net.nodes;
    std::vector<std::vector<int>> takes(nodes.size());
    std::vector<int> last(nodes.size(), -1);
    for (size_t n = 0; n < nodes.size(); ++n) {
      for (size_t i = 0; i < nodes[n].reads.size(); ++i) {
        const bool drain = nodes[n].actor.what == Actor::What::drain;
        const std::vector<int> expected = makers(box, n, i);
        ASSERT_EQ(nodes[n].reads[i].producers, expected) << seed;
        (expected.empty() ? none : found)++;
        for (int m : expected) last[static_cast<size_t>(m)] = static_cast<int>(n);
        if ((drain || nodes[n].actor.accumulate) && !nodes[n].reads[i].lines.empty() && expected.size() == 1 &&
            nodes[n].reads.size() == 1)
          takes[static_cast<size_t>(expected[0])].push_back(static_cast<int>(n));
      }
    }
    ASSERT_EQ(box.net.last_reader, last) << seed;
    ASSERT_EQ(box.net.eager, takes) << seed;
    for (const auto& readers : takes) eager += !readers.empty();
  }
  EXPECT_GT(found, 2000);
  EXPECT_GT(none, 2000);
  EXPECT_GT(eager, 300);
}

// Where pitches differ or a pixel's channels go on behind its end, more nodes may be named, and none is forgotten.
TEST(Producers, NoneIsForgottenWhateverThePitches) {
  int other_pitch = 0, crossing = 0, spared = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    const BoxNet box(seed, Views::any);
    for (size_t n = 0; n < box.net.nodes.size(); ++n) {
      for (size_t i = 0; i < box.net.nodes[n].reads.size(); ++i) {
        const std::vector<int>& named = box.net.nodes[n].reads[i].producers;
        const LineView& read = box.net.views[tensor_read(box, n, i).pos()];
        for (int m : makers(box, n, i)) {
          ASSERT_NE(std::find(named.begin(), named.end(), m), named.end()) << seed << ": " << m << " for " << n;
          const TensorId made =
              box.program[box.net.nodes[static_cast<size_t>(m)].actor.operations[0]].arguments.back().tensor;
          const LineView& view = box.net.views[made.pos()];
          other_pitch += view.pixel_pitch != read.pixel_pitch;
          crossing += view.pixel_pitch == read.pixel_pitch &&
                      view.offset % view.pixel_pitch + box.program[made].geometry.channels > view.pixel_pitch;
        }
        spared += named.size() < n;
      }
    }
  }
  EXPECT_GT(other_pitch, 1000);
  EXPECT_GT(crossing, 100);
  EXPECT_GT(spared, 1000);
}

}  // namespace
}  // namespace tarn::stream
