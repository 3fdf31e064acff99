#include "stream/choose.h"

#include <algorithm>

namespace tarn::stream {

namespace {

constexpr int kTrials = 10;  // at effort 0; each effort allows twice as many

class Chooser {
 public:
  Chooser(const Program& program, const Options& options, const SearchLimits& limits) : program_(program), options_(options), limits_(limits) {}

  Choice run(const std::vector<Layers>& all) {
    for (const Layers& layers : all) consider(layers, {});
    if (options_.line_buffers) {
      for (const Layers& layers : all) consider(layers, find_chains(program_, layers.storage, layers.order));
      for (const Layers& layers : all) pixel_by_pixel(layers);
      refine();
    }
    if (options_.lines == Lines::ring) finish(best_.best, limits_);
    return std::move(best_);
  }

 private:
  void consider(const Layers& layers, std::vector<Chain> chains) {
    if (evaluate(layers, std::move(chains), limits_.effort)) layers_ = &layers;
  }

  // Windows of one pixel need least, but cost time: where that is less, the others are as wide as its arena allows.
  void pixel_by_pixel(const Layers& layers) {
    std::vector<Chain> chains = find_chains(program_, layers.storage, layers.order);
    const std::vector<Chain> wide = chains;
    for (Chain& chain : chains) chain.chunk = 1;
    if (chains.empty() || !evaluate(layers, chains, limits_.effort)) return;
    layers_ = &layers;
    for (const int64_t room : {best_.best.plan.arena, best_.best.lives.bound}) {
      chains = best_.chains;
      for (size_t c = 0; c < chains.size(); ++c) widen(chains[c], wide[c].chunk, room);
      if (evaluate(layers, std::move(chains), limits_.effort, true)) return;
    }
  }

  // The widest chunk up to `most` with which no more than `room` bytes are alive while the chain runs.
  void widen(Chain& chain, int64_t most, int64_t room) const {
    int64_t alive = 0, own = 0;
    const std::vector<Step>& steps = best_.best.steps;
    for (size_t s = 0; s < steps.size(); ++s) {
      const Actor& actor = best_.net.nodes[static_cast<size_t>(steps[s].actor)].actor;
      if (actor.operations != chain.operations) continue;
      alive = std::max(alive, best_.best.lives.alive[s]);
      own = actor.scratch >= 0 ? best_.net.memories[static_cast<size_t>(actor.scratch)].line_bytes : 0;
    }
    for (Chain wider = chain; wider.chunk < most;) {
      ++wider.chunk;
      if (alive - own + shape_of(program_, wider).scratch_bytes <= room) chain.chunk = wider.chunk;
    }
  }

  bool evaluate(const Layers& layers, std::vector<Chain> chains, int effort, bool or_equal = false) {
    Choice next;
    next.net = make_net(program_, layers.storage, layers.order, options_, chains);
    next.best = search_borders(next.net, options_.lines, {limits_.alignment, effort});
    if (!best_.net.nodes.empty() && next.best.plan.arena >= best_.best.plan.arena + (or_equal ? 1 : 0)) return false;
    next.chains = std::move(chains);
    next.storage = layers.storage;
    best_ = std::move(next);
    return true;
  }

  // Chains of the segment that has most alive, those with most memory of their own first.
  std::vector<size_t> chains_at_peak() const {
    const auto at = static_cast<size_t>(best_.best.steps[static_cast<size_t>(best_.best.lives.bound_step)].actor);
    size_t first = at, end = at + 1;
    while (first > 0 && !best_.best.borders[first]) --first;
    while (end < best_.net.nodes.size() && !best_.best.borders[end]) ++end;
    std::vector<std::pair<int64_t, size_t>> found;
    for (size_t c = 0; c < best_.chains.size(); ++c) {
      for (size_t n = first; n < end; ++n) {
        const Actor& actor = best_.net.nodes[n].actor;
        if (!actor.line_buffer || actor.operations != best_.chains[c].operations) continue;
        const int64_t own = actor.scratch >= 0 ? best_.net.memories[static_cast<size_t>(actor.scratch)].line_bytes : 0;
        found.emplace_back(-own, c);
      }
    }
    std::sort(found.begin(), found.end());
    std::vector<size_t> chains;
    for (const auto& [bytes, chain] : found) chains.push_back(chain);
    return chains;
  }

  // One chain at a time: a smaller chunk, or none at all.
  void refine() {
    int trials = kTrials << std::clamp(limits_.effort, 0, 3);
    bool better = !best_.best.steps.empty();
    while (better && trials > 0) {
      better = false;
      for (size_t chain : chains_at_peak()) {
        for (const int64_t chunk : {int64_t{1}, int64_t{2}, int64_t{0}}) {
          if (better || trials <= 0 || chunk == best_.chains[chain].chunk) continue;
          --trials;
          std::vector<Chain> chains = best_.chains;
          if (chunk > 0) chains[chain].chunk = chunk;
          else chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(chain));
          better = evaluate(*layers_, std::move(chains), std::max(0, limits_.effort - 1));
        }
        if (better) break;
      }
    }
  }

  const Program& program_;
  const Options& options_;
  const SearchLimits limits_;
  const Layers* layers_ = nullptr;
  Choice best_;
};

}  // namespace

Choice choose(const Program& program, const std::vector<Layers>& layers, const Options& options, const SearchLimits& limits) {
  return Chooser(program, options, limits).run(layers);
}

}  // namespace tarn::stream
