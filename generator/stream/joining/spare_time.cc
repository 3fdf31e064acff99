#include "stream/joining/spare_time.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "program/macs.h"
#include "stream/cost/chain_cost.h"
#include "stream/cost/price.h"
#include "stream/joining/peak.h"
#include "stream/joining/recompute.h"
#include "stream/network/grid.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

Costs costs_of(const Program& program, const SearchLimits& limits) {
  return limits.costs ? *limits.costs : estimated_costs(program);
}

// What chains may cost.
int64_t budget_of(const Times& times) {
  return std::max(times.by_layers * kMostExtraTime / 1000 - (times.by_lines - times.by_layers),
                  times.by_layers * kLeastExtraTime / 1000);
}

int64_t cost_of(const Costs& costs, const std::vector<Chain>& chains) {
  int64_t cost = 0;
  for (const Chain& chain : chains) cost += costs.of_chain(chain);
  return cost;
}

class Saver {
 public:
  Saver(JoinedLayers&& choice, const Program& program, const Layers& layers, const Options& options,
        const SearchLimits& limits, Work& work)
      : best_(std::move(choice)),
        program_(program),
        layers_(layers),
        options_(options),
        limits_(limits),
        work_(work),
        costs_(costs_of(program, limits)),
        budget_(budget_of(costs_.times) + recompute_time()) {}

  JoinedLayers run() {
    const int64_t least = std::max(best_.best.plan.arena, limits_.budget);
    cheapen(least, 0);
    if (limits_.budget > 0) return std::move(best_);
    for (const int64_t percent : {102, 104, 107, 110, 115, 120, 125, 130, 140, 150, 175, 200, 300}) {
      cheapen(least / 100 * percent, budget_);
    }
    settle();
    begin_with_lines();
    return std::move(best_);
  }

 private:
  int64_t pixels_of(const Chain& chain) const {
    return program_[only_result(program_[chain.operations[chain.mid]])].geometry.pixels;
  }

  int64_t cost(const std::vector<Chain>& chains) const { return cost_of(costs_, chains); }

  // What is asked for on top: the work that the choice does twice.
  int64_t recompute_time() const {
    const int64_t extra = extra_macs_of(program_, best_.chains);
    if (extra == 0) return 0;
    return std::llround(static_cast<double>(costs_.times.by_layers) * static_cast<double>(extra) /
                        static_cast<double>(program::macs_of(program_)));
  }

  bool is_joined(const Chain& chain) const {
    return std::any_of(best_.chains.begin(), best_.chains.end(),
                       [&](const Chain& c) { return c.operations == chain.operations; });
  }

  // The chains of the best choice with this one in place of that of the same layers; a chunk of 0 removes it.
  std::vector<Chain> chains_with(const Chain& chain) const {
    std::vector<Chain> chains;
    for (const Chain& c : best_.chains) {
      if (c.operations != chain.operations) chains.push_back(c);
    }
    if (chain.chunk > 0) chains.push_back(chain);
    return chains;
  }

  // Identifies the actor before a cut by its last operation or its port, so that cuts can be carried over to other
  // chains.
  using Place = std::tuple<Actor::What, size_t, int64_t>;
  static Place place_of(const Actor& actor) {
    if (actor.what == Actor::What::operation) return {actor.what, actor.operations.back().pos(), 0};
    return {actor.what, actor.port, actor.pass};
  }

  // The cuts of the best choice, carried over to a net with other chains.
  std::vector<bool> cuts_for(const Net& net) const {
    std::map<Place, bool> behind;
    for (size_t n = 0; n < best_.net.nodes.size(); ++n)
      behind[place_of(best_.net.nodes[n].actor)] = best_.best.cuts[n + 1];
    std::vector<bool> cuts(net.nodes.size() + 1, false);
    for (size_t n = 0; n < net.nodes.size(); ++n) cuts[n + 1] = behind[place_of(net.nodes[n].actor)];
    return cuts;
  }

  // Takes other chains if they pack within `limit` bytes. The cuts are kept, or searched again.
  enum class Cuts { kept, chosen };
  bool exchange(std::vector<Chain> chains, int64_t limit, Cuts cuts = Cuts::kept) {
    if (work_.over()) return false;
    JoinedLayers next;
    next.net = make_net(program_, layers_.storage, layers_.order, options_, chains);
    next.best = cuts == Cuts::kept ? pack_cuts(next.net, cuts_for(next.net), limits_, limit, work_)
                                   : search_cuts(next.net, options_.lines, limits_, limit, work_);
    if (next.best.plan.arena > limit) return false;
    next.chains = std::move(chains);
    next.storage = layers_.storage;
    next.order = layers_.order;
    best_ = std::move(next);
    return true;
  }

  // Chains by their cost, the most expensive first.
  std::vector<Chain> dearest() const {
    std::vector<std::pair<int64_t, size_t>> costs;
    for (size_t c = 0; c < best_.chains.size(); ++c) costs.emplace_back(-costs_.of_chain(best_.chains[c]), c);
    std::sort(costs.begin(), costs.end());
    std::vector<Chain> chains;
    for (const auto& [cost, c] : costs) chains.push_back(best_.chains[c]);
    return chains;
  }

  // A chain with other chunks, the cheapest first.
  struct Move {
    int64_t cost = 0;
    Chain chain;
  };
  static void sort(std::vector<Move>& moves) {
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.cost < b.cost; });
  }

  // Chunks that cost less. A chunk as wide as a line means that the layers are not joined.
  std::vector<Move> cheaper(const Chain& chain) const {
    std::vector<Move> moves;
    const int64_t pixels = pixels_of(chain), now = costs_.of_chain(chain);
    for (int64_t chunk = 2; chunk < pixels && chunk <= kWidestChunk; chunk += chunk < 12 ? 1 : 3) {
      Move move{0, chain};
      move.chain.chunk = chunk;
      move.cost = costs_.of_chain(move.chain);
      if (move.cost < now) moves.push_back(std::move(move));
    }
    sort(moves);
    return moves;
  }

  // Removes the most expensive chains, or widens their chunks, as long as the plan stays within `limit` bytes.
  void cheapen(int64_t limit, int64_t budget) {
    const auto is_met = [&] { return cost(best_.chains) <= budget; };
    int trials = kChainExchanges << std::clamp(limits_.effort, 0, 3);
    for (Chain& chain : dearest()) {
      if (is_met()) return;
      chain.chunk = 0;
      if (--trials >= 0) exchange(chains_with(chain), limit);
    }
    for (const Chain& chain : dearest()) {
      if (is_met()) return;
      const int64_t beside = alive_beside(best_, chain);
      for (const Move& move : cheaper(chain)) {
        if (beside + own_bytes(program_, move.chain) > limit) continue;
        if (--trials < 0 || exchange(chains_with(move.chain), limit)) break;
      }
    }
  }

  // Chains where most is alive, with narrow chunks, ones that kernels take at once, whole lines, or not joined; and
  // layers that are not joined.
  std::vector<Move> moves() const {
    std::vector<Move> moves;
    const auto add = [&](Chain chain, int64_t chunk, int64_t now) {
      chain.chunk = chunk;
      moves.push_back({(chunk > 0 ? costs_.of_chain(chain) : 0) - now, std::move(chain)});
    };
    const auto add_all = [&](const Chain& chain, int64_t now) {
      const int64_t pixels = pixels_of(chain);
      for (int64_t chunk = 1; chunk < std::min(pixels, kWidestChunk); chunk += chunk < 6 ? 1 : 3)
        add(chain, chunk, now);
      add(chain, pixels, now);
    };
    for (size_t c : chains_at_peak(best_)) {
      const int64_t now = costs_.of_chain(best_.chains[c]);
      add_all(best_.chains[c], now);
      add(best_.chains[c], 0, now);
    }
    for (const Chain& chain : find_chains(program_, layers_.storage, layers_.order)) {
      if (!is_joined(chain)) add_all(chain, 0);
    }
    sort(moves);
    return moves;
  }

  // Spends the time that is left on fewer bytes.
  bool tighten(int& trials) {
    bool better = false;
    for (const Move& move : moves()) {
      std::vector<Chain> chains = chains_with(move.chain);
      if (cost(chains) > budget_) continue;
      if (--trials < 0) break;
      better = exchange(std::move(chains), best_.best.plan.arena - 1) || better;
    }
    return better;
  }

  // Repeats both until neither saves anything.
  void settle() {
    if (cost(best_.chains) > budget_) return;
    int trials = kChainMoves << std::clamp(limits_.effort, 0, 3);
    for (bool better = true; better && trials > 0;) {
      better = tighten(trials);
      const int64_t before = cost(best_.chains);
      cheapen(best_.best.plan.arena, 0);
      better = better || cost(best_.chains) < before || exchange(best_.chains, best_.best.plan.arena - 1, Cuts::chosen);
    }
  }

  // All layers joined, by whole lines, cost next to nothing: from there on fewer bytes as time allows.
  void begin_with_lines() {
    std::vector<Chain> chains = find_chains(program_, layers_.storage, layers_.order);
    for (Chain& chain : chains) chain.chunk = pixels_of(chain);
    if (chains.empty() || cost(chains) > budget_) return;
    JoinedLayers other = best_;
    exchange(std::move(chains), INT64_MAX, Cuts::chosen);
    settle();
    const bool better = best_.best.plan.arena < other.best.plan.arena || cost(other.chains) > budget_;
    if (!better) best_ = std::move(other);
  }

  JoinedLayers best_;
  const Program& program_;
  const Layers& layers_;
  const Options& options_;
  const SearchLimits limits_;
  Work& work_;
  const Costs costs_;
  const int64_t budget_;
};

}  // namespace

JoinedLayers spare_time(JoinedLayers choice, const Program& program, const Layers& layers, const Options& options,
                        const SearchLimits& limits, Work& work) {
  return Saver(std::move(choice), program, layers, options, limits, work).run();
}

JoinedLayers cheaper(JoinedLayers choice, const JoinedLayers& apart, const Program& program,
                     const SearchLimits& limits) {
  const Costs costs = costs_of(program, limits);
  const int64_t cost = cost_of(costs, choice.chains), time = costs.times.by_lines;
  if (limits.budget > 0 || cost <= budget_of(costs.times)) return choice;
  const bool better = price_of(time, apart.best.plan.arena) < price_of(time + cost, choice.best.plan.arena);
  return better ? apart : choice;
}

}  // namespace tarn::stream
