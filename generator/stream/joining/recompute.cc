#include "stream/joining/recompute.h"

#include <algorithm>
#include <utility>

#include "stream/joining/peak.h"
#include "stream/joining/spare_time.h"
#include "stream/network/chains.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

class Recomputer {
 public:
  Recomputer(const JoinedLayers& start, const Program& program, const Layers& layers, const Options& options,
             Lines lines, const SearchLimits& limits)
      : program_(program), layers_(layers), options_(options), lines_(lines), limits_(limits), work_(work()) {
    now_ = start;
  }

  std::vector<JoinedLayers> run() {
    std::vector<JoinedLayers> met;
    while (take_step()) {
      if (recomputed(now_.chains) == 0) continue;
      if (!met.empty() && is_near(met.back())) met.back() = now_;
      else met.push_back(now_);
    }
    if (lines_ != Lines::ring) return met;
    Work rest = work();
    for (JoinedLayers& choice : met) {
      Work part = rest.part(rest.limit / met.size());
      choice = spare_time(std::move(choice), program_, layers_, options_, limits_, part);
      rest.done = part.done;
    }
    std::erase_if(met, [](const JoinedLayers& choice) { return recomputed(choice.chains) == 0; });
    return met;
  }

 private:
  // Half of it finds the choices, half spares time for them.
  Work work() const {
    return {0, kJoiningWork[static_cast<size_t>(std::clamp(limits_.effort, 0, 3))] / limits_.part / 2};
  }

  bool is_near(const JoinedLayers& before) const {
    const int64_t arena = before.best.plan.arena;
    return extra_macs_of(program_, now_.chains) <= extra_macs_of(program_, before.chains) ||
           arena - now_.best.plan.arena < arena / kLeastGainOfRecomputing;
  }

  // One operator changed: no lines kept, a smaller chunk, or its layers apart.
  bool take_step() {
    for (const size_t chain : by_bytes_alive()) {
      for (const Chain& change : changes(now_.chains[chain])) {
        std::vector<Chain> chains = now_.chains;
        if (change.chunk > 0) chains[chain] = change;
        else chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(chain));
        if (work_.over()) return false;
        if (evaluate(std::move(chains))) return true;
      }
    }
    return false;
  }

  // Those where most is alive, then others where nearly as much is: packing may need more there.
  std::vector<size_t> by_bytes_alive() const {
    std::vector<size_t> chains = chains_at_peak(now_);
    std::vector<std::pair<int64_t, size_t>> others;
    for (size_t c = 0; c < now_.chains.size(); ++c) {
      const int64_t alive = alive_beside(now_, now_.chains[c]) + own_bytes(program_, now_.chains[c]);
      const int64_t bound = now_.best.lives.bound;
      if (alive > bound - bound / kNearPeak && std::find(chains.begin(), chains.end(), c) == chains.end())
        others.emplace_back(-alive, c);
    }
    std::sort(others.begin(), others.end());
    for (const auto& [bytes, chain] : others) chains.push_back(chain);
    return chains;
  }

  static std::vector<Chain> changes(const Chain& chain) {
    std::vector<Chain> changes;
    const auto add = [&](bool recompute, int64_t chunk) {
      if (recompute == chain.recompute && chunk >= chain.chunk) return;
      changes.push_back(chain);
      changes.back().recompute = recompute;
      changes.back().chunk = chunk;
    };
    if (chain.mid > 0 && !chain.recompute) {
      add(true, chain.chunk);
      if (chain.chunk > 2) add(true, 2);
      if (chain.chunk > 1) add(true, 1);
    }
    for (const int64_t chunk : {int64_t{1}, int64_t{2}, int64_t{0}}) add(chain.recompute, chunk);
    return changes;
  }

  bool evaluate(std::vector<Chain> chains) {
    JoinedLayers next{layers_.storage, layers_.order, std::move(chains), {}, {}};
    next.net = make_net(program_, next.storage, next.order, options_, next.chains);
    SearchLimits limits = limits_;
    limits.effort = std::max(0, limits.effort - 1);
    Work part = work_.part(work_.limit / kJoiningShares);
    next.best = search_cuts(next.net, lines_, limits, now_.best.plan.arena, part);
    work_.done = part.done;
    if (next.best.plan.arena >= now_.best.plan.arena) return false;
    now_ = std::move(next);
    return true;
  }

  const Program& program_;
  const Layers& layers_;
  const Options& options_;
  const Lines lines_;
  const SearchLimits limits_;
  Work work_;
  JoinedLayers now_;
};

}  // namespace

bool is_within(double percent, int64_t extra_macs, int64_t macs) {
  return static_cast<double>(extra_macs) * 100 <= percent * static_cast<double>(macs);
}

int64_t extra_macs_of(const Program& program, const std::vector<Chain>& chains) {
  int64_t extra = 0;
  for (const Chain& chain : chains) extra += extra_macs_of(program, chain);
  return extra;
}

int64_t recomputed(const std::vector<Chain>& chains) {
  return std::count_if(chains.begin(), chains.end(), [](const Chain& chain) { return chain.recompute; });
}

std::vector<JoinedLayers> choices_within(const std::vector<JoinedLayers>& choices, const Program& program,
                                         double percent, int64_t extra, int64_t macs) {
  std::vector<JoinedLayers> within;
  for (const JoinedLayers& choice : choices) {
    if (is_within(percent, extra + extra_macs_of(program, choice.chains), macs)) within.push_back(choice);
  }
  std::stable_sort(within.begin(), within.end(),
                   [](const JoinedLayers& a, const JoinedLayers& b) { return a.best.plan.arena < b.best.plan.arena; });
  return within;
}

std::vector<JoinedLayers> recompute_lines(const JoinedLayers& start, const Program& program, const Layers& layers,
                                          const Options& options, Lines lines, const SearchLimits& limits) {
  return Recomputer(start, program, layers, options, lines, limits).run();
}

}  // namespace tarn::stream
