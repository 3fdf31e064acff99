// Which of two windows takes the layers between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "stream/network/chains.h"

namespace tarn::stream {
namespace {

using program::Argument;
using program::Operation;
using program::Walk;

// Layers one after the other: windows of three by three, convolutions of single pixels, and layers in place.
class LayerRow {
 public:
  LayerRow() { x_ = tensor(); }

  void window() {
    Walk walk;
    for (int64_t i = 0; i < kSide; ++i)
      walk.lines.push_back({std::max<int64_t>(0, i - 1), std::min<int64_t>(kSide, i + 2)});
    walk.columns = walk.lines;
    push("Conv", walk);
  }

  void conv() {
    Walk walk;
    for (int64_t i = 0; i < kSide; ++i) walk.lines.push_back({i, i + 1});
    walk.columns = walk.lines;
    push("Conv", walk);
  }

  // On another tensor; what was there last is added to it.
  void window_beside() {
    const TensorId added = x_;
    x_ = tensor();
    window();
    Argument read = program_.operations.back().arguments[0];
    read.tensor = added;
    read.walk = Walk{.identity = true, .read_before_write = true};
    program_.operations.back().arguments.push_back(read);
  }

  void in_place() { push("Sin", {.identity = true, .read_before_write = true}); }

  // Gives the last layer an operand that goes pixel by pixel, one that goes as a whole, and weights.
  void add_operands() {
    const TensorId by_pixel = tensor(), whole = tensor();
    Operation& o = program_.operations.back();
    Argument a;
    a.role = Argument::Role::read;
    a.tensor = by_pixel;
    a.walk = Walk{.identity = true, .read_before_write = true};
    o.arguments.push_back(a);
    a.tensor = whole;
    a.walk.reset();
    o.arguments.push_back(a);
    o.arguments.emplace_back().role = Argument::Role::weight;
  }
  program::LineForm& form() { return *program_.operations.back().line_form; }

  std::vector<Chain> chains() const {
    return find_chains(program_, lifetimes::assign_storage(program_, {}, false), program_.main);
  }

 private:
  static constexpr int64_t kSide = 6;

  TensorId tensor() {
    program::Tensor& t = program_.tensors.emplace_back();
    t.geometry = {kSide, kSide, 2};
    t.type = {DType::int8, Shape{1, kSide, kSide, 2}};
    return TensorId(program_.tensors.size() - 1);
  }

  void push(const char* op, Walk walk) {
    program::Operation o;
    o.op = op;
    o.line_form.emplace();
    o.arguments.resize(2);
    o.arguments[0].role = Argument::Role::read;
    o.arguments[0].tensor = x_;
    o.arguments[0].walk = std::move(walk);
    o.arguments[1].role = Argument::Role::write;
    o.arguments[1].tensor = x_ = tensor();
    program_.main.push_back(OperationId(program_.operations.size()));
    program_.operations.push_back(std::move(o));
  }

  Program program_;
  TensorId x_;
};

// A convolution that makes the input of a window is joined with it, unless eight layers or more stand between.
TEST(FindChains, AConvolutionGoesWithTheWindowBehindItIfThatIsNear) {
  for (size_t between = 0; between <= 12; ++between) {
    LayerRow layers;
    layers.conv();
    layers.window();
    layers.conv();
    for (size_t i = 0; i < between; ++i) layers.in_place();
    layers.window();
    const std::vector<Chain> chains = layers.chains();
    const bool near = between < 8;
    ASSERT_EQ(chains.size(), near ? 2u : 1u) << between;
    EXPECT_EQ(chains[0].operations.size(), near ? 2 : 3 + between);
    EXPECT_EQ(chains[0].mid, 1u);
    if (!near) continue;
    EXPECT_EQ(chains[1].operations.size(), 2 + between);
    EXPECT_EQ(chains[1].mid, 1 + between);
  }
}

// It stays with the window before it where the next one only adds it to what its own window sees.
TEST(FindChains, AConvolutionThatIsAddedStaysWithTheWindowBeforeIt) {
  for (const bool beside : {false, true}) {
    LayerRow layers;
    layers.conv();
    layers.window();
    layers.conv();
    if (beside) layers.window_beside();
    else layers.window();
    const std::vector<Chain> chains = layers.chains();
    ASSERT_EQ(chains.size(), beside ? 1u : 2u);
    EXPECT_EQ(chains[0].operations.size(), beside ? 3u : 2u);
  }
}

// A kernel that is told how many pixels there are needs just these of all that goes by lines: parts and lines in which
// it looks further stay as they are. One that is told which pixels needs nothing of this.
TEST(FindChains, KernelsTakePixelsWhereNoLineStays) {
  using How = program::LineArgument::How;
  constexpr size_t kWindow = 0, kByPixel = 2, kWhole = 3, kWeights = 4;
  int joined = 0, apart = 0;
  for (const How how : {How::same, How::line, How::rows, How::pixels, How::apart, How::part, How::sums, How::lines}) {
    for (const size_t argument : {kWindow, kByPixel, kWhole, kWeights}) {
      const bool stays = how == How::part || (how == How::line && (argument == kWindow || argument == kWhole));
      for (const bool counted : {true, false}) {
        for (const int numbers : {0, 1, 2}) {
          LayerRow layers;
          layers.conv();
          layers.window();
          layers.add_operands();
          if (counted) layers.form().params.fields.push_back({"outer", int64_t{1}});
          else layers.form().params.fields.push_back({"inner", int64_t{1}});
          for (int call = 0; call < 2; ++call) {
            program::LineCall& made = layers.form().calls.emplace_back();
            made.arguments.push_back({How::same, kWindow});
            if (call == 1) made.arguments.push_back({how, argument});
            if (call < numbers) made.arguments.push_back({How::number, kWindow});
          }
          const bool takes = numbers == 2 || (counted && !stays);
          ASSERT_EQ(layers.chains().size(), takes ? 1u : 0u)
              << static_cast<int>(how) << " of " << argument << ", " << numbers;
          ++(takes ? joined : apart);
        }
      }
    }
  }
  EXPECT_GT(std::min(joined, apart), 30);
}

}  // namespace
}  // namespace tarn::stream
