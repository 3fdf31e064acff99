// The ways to lay out a program that a plan by lines chooses from.
#include <gtest/gtest.h>

#include "stream/make_plan.h"
#include "unit/stream/signal_layers.h"

namespace tarn::stream {
namespace {

// Beside the storage that is given one where parts of channels are copied, with all operations that it leaves, as
// listed; only where parts are made in their places.
TEST(LayersOf, PartsInPlaceOrCopied) {
  for (const bool parts : {false, true}) {
    testing::SignalLayers net(20);
    const TensorId input = net.last();
    net.window(3);
    const TensorId a = net.last();
    net.go_on_from(input);
    net.part(0, 18);
    net.window(1);
    if (parts) net.beside(a, net.last());
    else net.add(a, net.last());
    for (const bool outside : {false, true}) {
      const lifetimes::Storage storage = lifetimes::assign_storage(net.program, {}, outside);
      std::vector<OperationId> left, copied;
      for (const OperationId id : net.program.main) {
        if (!storage.left_out[id.pos()]) left.insert(left.begin(), id);
        if (!net.program[id].view || net.program[id].op == "Copy") copied.push_back(id);
      }
      const std::vector<Layers> layers = layers_of(net.program, storage, left, {});
      ASSERT_EQ(layers.size(), parts ? 2u : 1u);
      EXPECT_EQ(layers[0].order, left);
      EXPECT_EQ(layers[0].storage.left_out, storage.left_out);
      if (!parts) continue;
      EXPECT_EQ(left.size() + 2, copied.size());
      EXPECT_EQ(layers[1].order, copied);
      EXPECT_EQ(layers[1].storage.buffers[layers[1].storage[input].buffer.pos()].external, outside);
    }
  }
}

}  // namespace
}  // namespace tarn::stream
