#include "stream/choose.h"

#include <algorithm>
#include <map>

#include "stream/chain_cost.h"
#include "stream/grid.h"

namespace tarn::stream {

namespace {

constexpr int kTrials = 10;        // at effort 0; each effort allows twice as many
constexpr int kExchanges = 50;     // the same, of chains for cheaper ones
constexpr int64_t kWidest = 48;    // pixels of a chunk
constexpr int64_t kMostCost = 25;  // in thousandths of the network's own time

class Chooser {
 public:
  Chooser(const Program& program, const Options& options, const SearchLimits& limits)
      : program_(program), options_(options), limits_(limits) {}

  Choices run(const std::vector<Layers>& all) {
    for (const Layers& layers : all) consider(layers, {});
    if (options_.line_buffers) {
      for (const Layers& layers : all) {
        std::vector<Chain> chains = find_chains(program_, layers.storage, layers.order);
        if (!chains.empty()) consider(layers, std::move(chains));
      }
      for (const Layers& layers : all) pixel_by_pixel(layers);
      refine();
      if (options_.lines == Lines::ring) spare_time();
    }
    return {std::move(best_), std::move(least_)};
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

  // What an actor needs while a step of it runs.
  int64_t own_bytes(const Actor& actor) const {
    int64_t bytes = 0;
    for (int m : {actor.scratch, actor.line_buffer ? actor.line_buffer->memory : -1})
      bytes += m >= 0 ? best_.net.memories[static_cast<size_t>(m)].line_bytes : 0;
    return bytes;
  }

  int64_t own_bytes(const Chain& chain) const {
    const ChainShape shape = shape_of(program_, chain);
    return shape.window_bytes + shape.scratch_bytes;
  }

  // The most that is alive while a chain runs, beside its own scratch.
  int64_t alive_beside(const Chain& chain) const {
    int64_t alive = 0, own = 0;
    const std::vector<Step>& steps = best_.best.steps;
    for (size_t s = 0; s < steps.size(); ++s) {
      const Actor& actor = best_.net.nodes[static_cast<size_t>(steps[s].actor)].actor;
      if (actor.operations != chain.operations) continue;
      alive = std::max(alive, best_.best.lives.alive[s]);
      own = own_bytes(actor);
    }
    return alive - own;
  }

  // The widest chunk up to `most` with which no more than `room` bytes are alive while the chain runs.
  void widen(Chain& chain, int64_t most, int64_t room) const {
    const int64_t beside = alive_beside(chain);
    for (Chain wider = chain; wider.chunk < most;) {
      ++wider.chunk;
      if (beside + own_bytes(wider) <= room) chain.chunk = wider.chunk;
    }
  }

  bool evaluate(const Layers& layers, std::vector<Chain> chains, int effort, bool or_equal = false) {
    Choice next;
    next.net = make_net(program_, layers.storage, layers.order, options_, chains);
    const int64_t below = best_.net.nodes.empty() ? INT64_MAX : best_.best.plan.arena + (or_equal ? 1 : 0);
    SearchLimits limits = limits_;
    limits.effort = effort;
    next.best = search_borders(next.net, options_.lines, limits, below);
    next.chains = std::move(chains);
    next.storage = layers.storage;
    if (!best_.net.nodes.empty() && next.best.plan.arena >= best_.best.plan.arena + (or_equal ? 1 : 0)) {
      keep_least(std::move(next));
      return false;
    }
    if (!best_.net.nodes.empty()) keep_least(std::move(best_));
    best_ = std::move(next);
    return true;
  }

  void keep_least(Choice&& other) {
    if (options_.lines == Lines::ring || other.best.packing.items.empty()) return;
    if (least_.net.nodes.empty() || other.best.lives.bound < least_.best.lives.bound) least_ = std::move(other);
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
        found.emplace_back(-own_bytes(actor), c);
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

  // What a border stands behind, whatever layers are joined.
  using Place = std::tuple<Actor::What, size_t, int64_t>;
  static Place place_of(const Actor& actor) {
    if (actor.what == Actor::What::operation) return {actor.what, actor.operations.back().pos(), 0};
    return {actor.what, actor.port, actor.pass};
  }

  // The borders of the best, for a net whose layers are joined otherwise.
  std::vector<bool> borders_for(const Net& net) const {
    std::map<Place, bool> behind;
    for (size_t n = 0; n + 1 < best_.net.nodes.size(); ++n)
      behind[place_of(best_.net.nodes[n].actor)] = best_.best.borders[n + 1];
    std::vector<bool> borders(net.nodes.size() + 1, false);
    for (size_t n = 0; n + 1 < net.nodes.size(); ++n) borders[n + 1] = behind[place_of(net.nodes[n].actor)];
    return borders;
  }

  // Other chains, in at most `limit` bytes.
  bool exchange(std::vector<Chain> chains, int64_t limit) {
    Choice next;
    next.net = make_net(program_, layers_->storage, layers_->order, options_, chains);
    next.best = pack_borders(next.net, borders_for(next.net), limits_, limit);
    if (next.best.plan.arena > limit) return false;
    next.chains = std::move(chains);
    next.storage = layers_->storage;
    best_ = std::move(next);
    return true;
  }

  // Chains by what they cost, the dearest first.
  std::vector<std::pair<int64_t, size_t>> costs() const {
    std::vector<std::pair<int64_t, size_t>> costs;
    for (size_t c = 0; c < best_.chains.size(); ++c) costs.emplace_back(-chain_cost(program_, best_.chains[c]), c);
    std::sort(costs.begin(), costs.end());
    return costs;
  }

  int64_t cost() const {
    int64_t cost = 0;
    for (const Chain& chain : best_.chains) cost += chain_cost(program_, chain);
    return cost;
  }

  // Other chunks of a chain that cost less, the cheapest first; one as wide as a line is none at all.
  std::vector<Chain> cheaper(const Chain& chain) const {
    const int64_t pixels = program_[only_result(program_[chain.operations[chain.mid]])].geometry.pixels,
                  now = chain_cost(program_, chain);
    std::vector<std::pair<int64_t, int64_t>> found;
    for (int64_t chunk = 2; chunk < pixels && chunk <= kWidest; chunk += chunk < 12 ? 1 : 3) {
      Chain other = chain;
      other.chunk = chunk;
      const int64_t cost = chain_cost(program_, other);
      if (cost < now) found.emplace_back(cost, chunk);
    }
    std::sort(found.begin(), found.end());
    std::vector<Chain> chains;
    for (const auto& [cost, chunk] : found) {
      chains.push_back(chain);
      chains.back().chunk = chunk;
    }
    return chains;
  }

  // The dearest chains go where `limit` bytes do without them, or work on more pixels at a time.
  void cheapen(int64_t limit, int64_t budget) {
    int trials = kExchanges << std::clamp(limits_.effort, 0, 3);
    for (const bool drop : {true, false}) {
      std::vector<std::vector<OperationId>> left;
      for (const auto& [cost, c] : costs()) left.push_back(best_.chains[c].operations);
      for (const std::vector<OperationId>& operations : left) {
        if (cost() <= budget) return;
        const auto at = std::find_if(best_.chains.begin(), best_.chains.end(),
                                     [&](const Chain& c) { return c.operations == operations; });
        const auto place = at - best_.chains.begin();
        if (drop) {
          std::vector<Chain> chains = best_.chains;
          chains.erase(chains.begin() + place);
          if (--trials >= 0) exchange(std::move(chains), limit);
          continue;
        }
        const int64_t beside = alive_beside(*at);
        for (const Chain& other : cheaper(*at)) {
          if (beside + own_bytes(other) > limit) continue;
          std::vector<Chain> chains = best_.chains;
          chains[static_cast<size_t>(place)] = other;
          if (--trials < 0 || exchange(std::move(chains), limit)) break;
        }
      }
    }
  }

  // First what costs nothing; then more bytes, until the time that joined layers cost is little beside that of the
  // network.
  void spare_time() {
    int64_t macs = 0;
    for (const program::Operation& operation : program_.operations) macs += operation.macs;
    const int64_t budget = macs * kMostCost / 1000, least = std::max(best_.best.plan.arena, limits_.room);
    cheapen(least, 0);
    for (const int64_t percent : {102, 104, 107, 110, 115, 120, 125, 130, 140, 150, 175, 200, 300}) {
      if (cost() <= budget) return;
      cheapen(least / 100 * percent, budget);
    }
  }

  const Program& program_;
  const Options& options_;
  const SearchLimits limits_;
  const Layers* layers_ = nullptr;
  Choice best_;
  Choice least_;
};

}  // namespace

Choices choose(const Program& program, const std::vector<Layers>& layers, const Options& options,
               const SearchLimits& limits) {
  return Chooser(program, options, limits).run(layers);
}

Choice finish(Choices choices, const Options& options, const SearchLimits& limits) {
  Choice &best = choices.best, &least = choices.least;
  const bool another = !least.net.nodes.empty() && least.best.packing.problem != best.best.packing.problem;
  finish(best.best, options.lines, limits);
  if (!another || least.best.lives.bound >= best.best.plan.arena) return std::move(best);
  finish(least.best, options.lines, limits);
  return std::move(least.best.plan.arena < best.best.plan.arena ? least : best);
}

}  // namespace tarn::stream
