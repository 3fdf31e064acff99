#include "stream/joining/peak.h"

#include <algorithm>

namespace tarn::stream {

namespace {

int64_t own_bytes(const Net& net, const Actor& actor) {
  int64_t bytes = 0;
  for (int m : {actor.scratch, actor.line_buffer ? actor.line_buffer->memory : -1})
    bytes += m >= 0 ? net.memories[static_cast<size_t>(m)].line_bytes : 0;
  return bytes;
}

}  // namespace

std::vector<size_t> chains_at_peak(const JoinedLayers& choice) {
  const std::vector<NetNode>& nodes = choice.net.nodes;
  const std::vector<bool>& cuts = choice.best.cuts;
  if (choice.best.steps.empty()) return {};  // nothing was found for it
  const auto at = static_cast<size_t>(choice.best.steps[static_cast<size_t>(choice.best.lives.bound_step)].actor);
  size_t first = at, end = at + 1;
  while (first > 0 && !cuts[first]) --first;
  while (end < nodes.size() && !cuts[end]) ++end;
  std::vector<std::pair<int64_t, size_t>> found;
  for (size_t c = 0; c < choice.chains.size(); ++c) {
    for (size_t n = first; n < end; ++n) {
      const Actor& actor = nodes[n].actor;
      if (!actor.line_buffer || actor.operations != choice.chains[c].operations) continue;
      found.emplace_back(-own_bytes(choice.net, actor), c);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<size_t> chains;
  for (const auto& [bytes, chain] : found) chains.push_back(chain);
  return chains;
}

int64_t own_bytes(const Program& program, const Chain& chain) {
  const ChainShape shape = shape_of(program, chain);
  return shape.window_bytes + shape.scratch_bytes;
}

int64_t alive_beside(const JoinedLayers& choice, const Chain& chain) {
  int64_t alive = 0, own = 0;
  const std::vector<Step>& steps = choice.best.steps;
  for (size_t s = 0; s < steps.size(); ++s) {
    const Actor& actor = choice.net.nodes[static_cast<size_t>(steps[s].actor)].actor;
    if (actor.operations != chain.operations) continue;
    alive = std::max(alive, choice.best.lives.alive[s]);
    own = own_bytes(choice.net, actor);
  }
  return alive - own;
}

}  // namespace tarn::stream
