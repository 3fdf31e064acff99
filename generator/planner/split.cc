// note [split]: what is alive at once in a bank must fit it. Under this rule alone the cheapest split is found exactly,
// item by item in time, with the banks of the items still alive as state (split_relaxation.cc): a lower bound. Each
// bank of that split is then packed. A bank that is refuted gives a core, items that do not fit together; the core is
// forbidden and the search repeated. The first split whose banks all pack is the cheapest there is. Where the states
// are too many, or a bank is neither packed nor refuted, the best of what was found is kept, and the bound says what is
// left open.
#include "planner/split.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "planner/bounds.h"
#include "planner/index.h"
#include "planner/split_relaxation.h"
#include "planner/tuning.h"

namespace tarn::planner {

namespace {

Bytes cost_of(const SplitProblem& problem, const std::vector<int>& bank) {
  Bytes cost = 0;
  for (size_t i = 0; i < bank.size(); ++i) cost += problem.traffic[i] * bank[i];
  return cost;
}

// Packs banks, and remembers what it was asked before.
class Packer {
 public:
  // Many banks are packed: each gets less than a whole plan would.
  Packer(const SplitProblem& problem, const Limits& limits) : problem_(problem), limits_{limits.effort - 1} {
    most_ = kSplitPackNodes << (3 * std::clamp(limits.effort, 0, 3));
  }

  const Plan& pack(int bank, const std::vector<int>& items) {
    const auto [at, is_new] = known_.try_emplace({problem_.capacities[Z(bank)], items});
    if (is_new) {
      Problem part = restrict_to(problem_.problem, items);
      part.capacity = problem_.capacities[Z(bank)];
      at->second = solve(part, Strategy::automatic, limits_);
      nodes += at->second.search_nodes;
    }
    return at->second;
  }

  bool tired() const { return nodes > most_; }

  uint64_t nodes = 0;

 private:
  const SplitProblem& problem_;
  const Limits limits_;
  uint64_t most_ = 0;
  std::map<std::pair<Bytes, std::vector<int>>, Plan> known_;
};

struct Packed {
  std::vector<Plan> plans;
  bool all = true;
  std::vector<SplitNogood> nogoods;
  std::vector<std::pair<int, std::vector<int>>> overfull;  // banks that were not packed, with items too many
};

Packed pack_all(const SplitProblem& problem, const std::vector<int>& bank, Packer& packer) {
  Packed packed;
  for (int b = 0; b < static_cast<int>(problem.capacities.size()); ++b) {
    const std::vector<int> items = items_of_bank(bank, b);
    const Plan& plan = packer.pack(b, items);
    packed.plans.push_back(plan);
    if (plan.proof != Proof::infeasible && plan.proof != Proof::undecided) continue;
    packed.all = false;
    std::vector<int> core;
    for (int i : plan.core) {
      const Item& item = problem.problem.items[Z(items[Z(i)])];
      if (item.size > 0 && item.first < item.end) core.push_back(items[Z(i)]);
    }
    if (plan.proof == Proof::infeasible) {
      packed.nogoods.push_back({core, problem.capacities[Z(b)]});
    } else {  // undecided
      for (int i : peak_set(restrict_to(problem.problem, items)).items) core.push_back(items[Z(i)]);
    }
    packed.overfull.emplace_back(b, std::move(core));
  }
  return packed;
}

// By traffic for a byte, the most first.
std::vector<int> by_density(const SplitProblem& problem) {
  std::vector<int> order(problem.allowed.size());
  std::iota(order.begin(), order.end(), 0);
  const auto density = [&](int i) {
    return static_cast<double>(problem.traffic[Z(i)]) /
           static_cast<double>(std::max<Bytes>(1, problem.problem.items[Z(i)].size));
  };
  std::ranges::sort(order, {}, [&](int i) { return std::pair(-density(i), i); });
  return order;
}

constexpr int kWhole = 16;  // sixteenths

// Every item in turn goes into the first bank that has room for all that is alive with it: in banks with a slower one
// behind them, room in `sixteenths` of their capacity.
class Filler {
 public:
  Filler(const SplitProblem& problem, int sixteenths) : problem_(problem), room_(problem.capacities) {
    for (size_t b = 0; b + 1 < room_.size(); ++b)
      room_[b] = room_[b] / kWhole * sixteenths + room_[b] % kWhole * sixteenths / kWhole;
    for (const Item& item : problem.problem.items) {
      times_.push_back(item.first);
      times_.push_back(item.end);
    }
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    loads_.assign(problem.capacities.size(), std::vector<Bytes>(times_.size(), 0));
    bank_.assign(problem.allowed.size(), -1);
  }

  bool fits(int i, int bank) const {
    if ((problem_.allowed[Z(i)] >> bank & 1) == 0) return false;
    const auto [first, end] = span(i);
    const Bytes size = problem_.problem.items[Z(i)].size;
    for (size_t t = first; t < end; ++t) {
      if (loads_[Z(bank)][t] + size > room_[Z(bank)]) return false;
    }
    return true;
  }

  void put(int i, int bank) {
    const auto [first, end] = span(i);
    const Bytes size = problem_.problem.items[Z(i)].size;
    for (size_t t = first; t < end; ++t) {
      if (bank_[Z(i)] >= 0) loads_[Z(bank_[Z(i)])][t] -= size;
      loads_[Z(bank)][t] += size;
    }
    bank_[Z(i)] = bank;
  }

  // The first bank from `bank` on with room; -1: none.
  int fitting_from(int i, int bank) const {
    for (; bank < static_cast<int>(problem_.capacities.size()); ++bank) {
      if (fits(i, bank)) return bank;
    }
    return -1;
  }

  const std::vector<int>& bank() const { return bank_; }

 private:
  std::pair<size_t, size_t> span(int i) const {
    const Item& item = problem_.problem.items[Z(i)];
    const auto at = [&](Instant t) {
      return static_cast<size_t>(std::lower_bound(times_.begin(), times_.end(), t) - times_.begin());
    };
    return {at(item.first), at(item.end)};
  }

  const SplitProblem& problem_;
  std::vector<Bytes> room_;  // by bank
  std::vector<Instant> times_;
  std::vector<std::vector<Bytes>> loads_;
  std::vector<int> bank_;
};

void keep_if_better(const SplitProblem& problem, const std::vector<int>& bank, Packed packed, Split& best) {
  const Bytes cost = cost_of(problem, bank);
  if (!packed.all || (best.found() && best.cost <= cost)) return;
  best.bank = bank;
  best.cost = cost;
  best.plans = std::move(packed.plans);
}

// What has only one place goes first. False: something has no room.
bool fill(const SplitProblem& problem, const std::vector<int>& order, Filler& filler) {
  for (const bool single : {true, false}) {
    for (int i : order) {
      const uint32_t allowed = problem.allowed[Z(i)];
      if (((allowed & (allowed - 1)) == 0) != single) continue;
      const int bank = filler.fitting_from(i, 0);
      if (bank < 0) return false;
      filler.put(i, bank);
    }
  }
  return true;
}

// A split by rule of thumb: fill, pack, and move what is least worth its place out of a bank that does not pack.
void fill_and_move(const SplitProblem& problem, const Limits& limits, Packer& packer, Split& best) {
  Filler filler(problem, kWhole);
  const std::vector<int> order = by_density(problem);
  std::vector<int> rank(order.size());
  for (size_t k = 0; k < order.size(); ++k) rank[Z(order[k])] = static_cast<int>(k);
  if (!fill(problem, order, filler)) return;
  for (int round = kSplitRounds[Z(std::clamp(limits.effort, 0, 3))]; round > 0 && !packer.tired(); --round) {
    Packed packed = pack_all(problem, filler.bank(), packer);
    if (packed.all) return keep_if_better(problem, filler.bank(), std::move(packed), best);
    for (auto& [bank, items] : packed.overfull) {
      std::sort(items.begin(), items.end(), [&](int x, int y) { return rank[Z(x)] > rank[Z(y)]; });
      int to = -1;
      for (size_t k = 0; k < items.size() && to < 0; ++k) {
        to = filler.fitting_from(items[k], bank + 1);
        if (to >= 0) filler.put(items[k], to);
      }
      if (to < 0) return;
    }
  }
}

// Banks that are filled to the brim may be hard to pack: each time with more room left in them, down to none in use but
// the slowest.
void fill_with_room(const SplitProblem& problem, Packer& packer, Split& best) {
  const std::vector<int> order = by_density(problem);
  for (const int sixteenths : kSplitRoom) {
    Filler filler(problem, sixteenths);
    if (fill(problem, order, filler))
      keep_if_better(problem, filler.bank(), pack_all(problem, filler.bank(), packer), best);
    if (best.found()) return;
  }
}

}  // namespace

Problem restrict_to(const Problem& problem, const std::vector<int>& items) {
  Problem part;
  std::vector<int> place(problem.items.size(), -1);
  for (int i : items) {
    place[Z(i)] = static_cast<int>(part.items.size());
    part.items.push_back(problem.items[Z(i)]);
  }
  for (const Pair& pair : problem.pairs) {
    if (place[Z(pair.a)] >= 0 && place[Z(pair.b)] >= 0)
      part.pairs.push_back({place[Z(pair.a)], place[Z(pair.b)], pair.forbidden});
  }
  return part;
}

std::vector<int> items_of_bank(const std::vector<int>& bank, int which) {
  std::vector<int> items;
  for (size_t i = 0; i < bank.size(); ++i) {
    if (bank[i] == which) items.push_back(static_cast<int>(i));
  }
  return items;
}

Split split(const SplitProblem& problem, const Limits& limits) {
  Split best;
  Packer packer(problem, limits);
  const SplitRelaxation relaxation(problem);
  const int effort = std::clamp(limits.effort, 0, 3);
  const uint64_t most = kSplitStates << (3 * effort);
  const size_t steps = std::max<size_t>(1, problem.allowed.size());
  const auto width = static_cast<size_t>(std::max<uint64_t>(16, most / 8 / steps));
  std::vector<SplitNogood> nogoods;
  uint64_t states = 0;
  bool exact = true;  // the relaxation is complete, and all that it was told is proved
  for (int round = 0; round < kSplitRounds[Z(effort)] && states < most && !packer.tired(); ++round) {
    const SplitRelaxation::Answer answer = relaxation.run(nogoods, width);
    states += answer.states;
    exact = answer.complete;
    if (!answer.found) {
      if (exact) {
        best.proof = Proof::infeasible;
        best.core = answer.stuck;
      }
      break;
    }
    if (exact) best.lower_bound = std::max(best.lower_bound, answer.cost);
    Packed packed = pack_all(problem, answer.bank, packer);
    if (packed.nogoods.empty()) {
      keep_if_better(problem, answer.bank, std::move(packed), best);
      break;
    }
    for (SplitNogood& nogood : packed.nogoods) nogoods.push_back(std::move(nogood));
  }
  if (best.proof != Proof::infeasible) {
    best.lower_bound = std::max(best.lower_bound, relaxation.quick_bound());
    if (!best.found() || best.cost > best.lower_bound) fill_and_move(problem, limits, packer, best);
    if (!best.found()) fill_with_room(problem, packer, best);
    if (best.found()) best.proof = best.cost <= best.lower_bound ? Proof::optimal : Proof::best_found;
  }
  best.search_nodes = states + packer.nodes;
  return best;
}

}  // namespace tarn::planner
