#include "stream/make_sizes.h"

#include <algorithm>

#include "stream/same_code.h"
#include "stream/schedule/pack_sizes.h"
#include "stream/schedule/pull.h"

namespace tarn::stream {

SizedPlans make_sizes(const std::vector<Height>& heights, const Options& options, const SearchLimits& limits) {
  SizedPlans found;
  const Height& largest = heights.back();
  const JoinedLayers top = std::move(choose(*largest.program, largest.layers, options, limits).front());
  const auto chosen = std::find_if(largest.layers.begin(), largest.layers.end(), [&](const Layers& layers) {
    return layers.storage.left_out == top.storage.left_out;
  });
  const auto way = static_cast<size_t>(chosen - largest.layers.begin());
  std::vector<JoinedLayers> joined;
  std::vector<SizedNet> nets;
  for (size_t i = 0; i < heights.size(); ++i) {
    const Height& height = heights[i];
    found.at = i;
    if (height.layers.size() != largest.layers.size()) {
      found.obstacle = "parts of channels lie elsewhere";
      return found;
    }
    const Layers& layers = height.layers[way];
    JoinedLayers next;
    next.storage = layers.storage;
    next.chains = top.chains;
    next.net = make_net(*height.program, layers.storage, layers.order, options, top.chains);
    found.obstacle = difference(*height.program, next.net, *largest.program, top.net);
    if (!found.obstacle.empty()) return found;
    take_room(next.net, top.net);
    joined.push_back(std::move(next));
  }
  for (const JoinedLayers& next : joined) {
    SizedNet net{.net = &next.net, .steps = pull_all(next.net, top.best.cuts), .lives = {}};
    net.lives = find_lives(next.net, net.steps);
    nets.push_back(std::move(net));
  }
  PackedSizes packed = pack_sizes(top.best.cuts, std::move(nets), limits);
  found.obstacle = packed.obstacle;
  found.at = packed.at;
  if (!found.obstacle.empty()) return found;
  for (size_t i = 0; i < joined.size(); ++i) {
    joined[i].best = std::move(packed.sizes[i]);
    found.plans.push_back(plan_of(joined[i], options, limits));
    found.obstacle = not_emitted(*heights[i].program, found.plans.back());
    found.at = i;
    if (!found.obstacle.empty()) return found;
  }
  make_alike(found.plans);
  return found;
}

}  // namespace tarn::stream
