// Signals without end: where the steps that repeat themselves begin, how long a signal is looked at for that, and what
// has no such steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "planner/index.h"
#include "stream/endless.h"
#include "stream/tuning.h"
#include "unit/stream/signal_layers.h"

namespace tarn::stream {
namespace {

using testing::SignalLayers;

struct Window {
  int64_t count = 1, pads = 0;
  bool backwards = false;
};

// The plan's steps are the beginning and one pass of the loop.
int64_t first_frame_of_loop(const EndlessPlan& made) {
  int64_t period = 0;
  for (const int64_t lines : made.plan.endless->lines) period += lines;
  const Step& step = made.plan.steps[made.plan.steps.size() - Z(period)];
  EXPECT_EQ(made.plan.actors[Z(step.actor)].what, Actor::What::feed);
  return step.first_line;
}

// Behind which every layer makes one line of each, and reads none in front of the signal.
int64_t frame_by_hand(const std::vector<Window>& layers) {
  std::vector<int64_t> frames(600);  // in which each line is made
  std::iota(frames.begin(), frames.end(), 0);
  int64_t first = 0;
  for (const Window& w : layers) {
    std::vector<int64_t> made;
    for (int64_t r = 0; r + w.count - 1 - w.pads < std::ssize(frames); ++r)
      made.push_back(frames[Z(std::max<int64_t>(0, r - w.pads + w.count - 1))]);
    if (w.pads > 0) first = std::max(first, made[Z(w.pads - 1)] + 1);
    for (int64_t frame = 0; frame < 400; ++frame) {
      if (std::count(made.begin(), made.end(), frame) != 1) first = std::max(first, frame + 1);
    }
    frames = std::move(made);
  }
  return first;
}

TEST(EndlessLoop, BeginsWithWindowsWithinTheSignal) {
  const std::vector<std::vector<Window>> networks = {
      {{1, 0}},          {{3, 0}},         {{3, 2}},
      {{3, 1}},          {{1, 5}},         {{4, 3, true}},
      {{4, 2, true}},    {{70, 69}},       {{130, 129}},
      {{1, 200}},        {{5, 0}, {3, 2}}, {{5, 4}, {3, 0}},
      {{3, 2}, {9, 8}},  {{9, 8}, {3, 2}}, {{2, 0}, {1, 7}},
      {{2, 1}, {70, 0}}, {{1, 3}, {1, 2}}, {{6, 5, true}, {2, 0}, {4, 3}},
      {{7, 0}, {1, 4}},
  };
  for (size_t n = 0; n < networks.size(); ++n) {
    SignalLayers layers(600);
    for (const Window& w : networks[n]) layers.window(w.count, 1, w.pads, w.backwards);
    const EndlessPlan made = layers.plan();
    ASSERT_EQ(made.obstacle, "") << n;
    EXPECT_EQ(first_frame_of_loop(made), frame_by_hand(networks[n])) << n;
  }
}

// A signal is looked at in 64 frames, in twice as many and so on, until the loop is seen three times.
TEST(EndlessLoop, IsSeenThreeTimes) {
  for (const int64_t stride : {2, 19, 20, 21, 22, 23, 40, 41, 42, 43, 44, 300, 20000}) {
    SignalLayers layers(60000);
    layers.window(1, stride);
    const EndlessPlan made = layers.plan();
    ASSERT_EQ(made.obstacle, "") << stride;
    const int64_t period = stride + 2;
    const auto steps = [&](int64_t frames) { return frames + 2 * ((frames - 1) / stride + 1); };
    int64_t frames = 64;
    while (steps(frames) < 3 * period) frames *= 2;
    EXPECT_EQ(std::ssize(made.beginning.steps), steps(frames) / period * period) << stride;
    EXPECT_EQ(std::ssize(made.plan.steps), period) << stride;
  }
}

TEST(EndlessLoop, IsNotSeenInTheLongestSignal) {
  SignalLayers layers(60000);
  layers.window(1, 25000);
  EXPECT_EQ(layers.plan().obstacle, "its steps do not repeat themselves");
}

// Both operands have as many steps in the model; of a signal that goes on one has more.
TEST(EndlessLoop, SumsOfSignalsThatComeApartAreRefused) {
  for (const bool apart : {false, true}) {
    SignalLayers layers(60);
    const TensorId input = layers.last();
    if (apart) layers.part(0, 58);
    else layers.window(3);
    const TensorId a = layers.last();
    layers.go_on_from(input);
    layers.window(3);
    layers.add(a, layers.last());
    EXPECT_EQ(layers.plan().obstacle, apart ? "a port makes steps that must stand together" : "");
  }
}

// Channels side by side are made in their places, or copied there where one of them is looked back to for longer.
TEST(EndlessLoop, PartsAreMadeWhereThatTakesFewerBytes) {
  for (const bool looked_back : {false, true}) {
    int64_t arenas[2];
    for (const bool parts : {false, true}) {
      SignalLayers layers(100);
      layers.share.parts = parts;
      const TensorId input = layers.last();
      layers.window(3, 1, 2);
      const TensorId a = layers.last();
      layers.widen(a, 20);
      layers.go_on_from(input);
      layers.window(5, 1, 4);
      const TensorId b = layers.last();
      layers.beside(a, b);
      const TensorId whole = layers.last();
      layers.go_on_from(looked_back ? b : whole);
      layers.window(30, 1, 29);
      const TensorId c = layers.last();
      layers.go_on_from(whole);
      layers.window(2, 1, 1);
      layers.add(layers.last(), c);
      const EndlessPlan made = layers.plan();
      ASSERT_EQ(made.obstacle, "");
      EXPECT_EQ(made.plan.storage.places.size(), layers.program.tensors.size());
      arenas[parts] = made.plan.arena;
    }
    EXPECT_EQ(arenas[1] < arenas[0], !looked_back) << arenas[1] << " " << arenas[0];
    EXPECT_LE(arenas[1], arenas[0]);
  }
}

// Nobody makes what no signal is.
TEST(EndlessLoop, LinesOfNoSignalAreRefused) {
  SignalLayers layers(60);
  const TensorId input = layers.last();
  layers.add(input, layers.tensor(60, program::Kind::activation));
  EXPECT_EQ(layers.plan().obstacle, "Add reads all steps at once");
}

}  // namespace
}  // namespace tarn::stream
