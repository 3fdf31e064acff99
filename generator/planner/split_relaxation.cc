#include "planner/split_relaxation.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "planner/index.h"
#include "support/progress.h"

namespace tarn::planner {

namespace {

bool alive(const Item& item) { return item.first < item.end && item.size > 0; }

bool meet(const Item& a, const Item& b) { return a.first < b.end && b.first < a.end; }

// The most bytes that two items can have in common, over all differences offset(b) - offset(a) that are not forbidden.
Bytes most_shared(const Item& a, const Item& b, const std::vector<Forbidden>& forbidden) {
  std::vector<Bytes> differences{0};  // the smaller one within the other; else an end of what is forbidden is the best
  for (const Forbidden& f : forbidden) {
    differences.push_back(f.lo);
    differences.push_back(f.hi);
  }
  Bytes most = 0;
  for (Bytes d : differences) {
    const bool free =
        std::none_of(forbidden.begin(), forbidden.end(), [&](const Forbidden& f) { return f.lo < d && d < f.hi; });
    if (free) most = std::max(most, std::min(a.size, d + b.size) - std::max<Bytes>(0, d));
  }
  return most;
}

}  // namespace

SplitRelaxation::SplitRelaxation(const SplitProblem& problem) : problem_(problem) {
  const size_t n = problem.problem.items.size();
  place_.assign(n, -1);
  for (size_t i = 0; i < n; ++i) {
    if (alive(problem.problem.items[i])) order_.push_back(static_cast<int>(i));
  }
  std::ranges::sort(order_, {}, [&](int i) { return std::pair(item(i).first, i); });
  for (size_t k = 0; k < order_.size(); ++k) place_[Z(order_[k])] = static_cast<int>(k);
  find_partners();
}

void SplitRelaxation::find_partners() {
  const size_t n = problem_.problem.items.size();
  partners_.resize(n);
  loose_.assign(n, false);
  for (size_t i = 0; i < n; ++i) loose_[i] = !problem_.problem.items[i].gaps.empty();
  for (const Pair& pair : problem_.problem.pairs) {
    const Item &a = item(pair.a), &b = item(pair.b);
    if (!alive(a) || !alive(b)) continue;
    if (meet(a, b)) {
      loose_[Z(pair.a)] = loose_[Z(pair.b)] = true;
      continue;
    }
    const bool a_first = place_[Z(pair.a)] < place_[Z(pair.b)];
    const int early = a_first ? pair.a : pair.b, late = a_first ? pair.b : pair.a;
    partners_[Z(late)].push_back({early, a.size + b.size - most_shared(a, b, pair.forbidden)});
  }
}

bool SplitRelaxation::counts_at(int i, Instant at) const {
  return !loose_[Z(i)] && item(i).first <= at && at < item(i).end;
}

// What a bank must have room for when the next item joins it: all that is alive at its first instant; and, for a
// partner that has just died, the two together with what lives on from the one into the other.
std::vector<SplitRelaxation::Sum> SplitRelaxation::sums_for(int next, const std::vector<int>& kept) const {
  std::vector<Sum> sums(1);
  const Instant now = item(next).first;
  sums[0].own = item(next).size;
  if (loose_[Z(next)]) return sums;
  for (size_t p = 0; p < kept.size(); ++p) {
    if (!counts_at(kept[p], now)) continue;
    sums[0].positions.push_back(static_cast<int>(p));
    sums[0].bytes.push_back(item(kept[p]).size);
  }
  for (const Partner& partner : partners_[Z(next)]) {
    if (loose_[Z(partner.item)]) continue;
    Sum sum;
    sum.own = partner.together;
    for (size_t p = 0; p < kept.size(); ++p) {
      if (kept[p] == partner.item) sum.partner = static_cast<int>(p);
      if (!counts_at(kept[p], now) || !counts_at(kept[p], item(partner.item).end - 1)) continue;
      sum.positions.push_back(static_cast<int>(p));
      sum.bytes.push_back(item(kept[p]).size);
    }
    if (sum.partner >= 0) sums.push_back(std::move(sum));
  }
  return sums;
}

// By position in the order: the last position at which an item's bank still matters.
std::vector<int> SplitRelaxation::last_uses(const std::vector<SplitNogood>& nogoods) const {
  std::vector<int> last(order_.size(), -1);
  for (size_t k = 0; k < order_.size(); ++k) {
    const Instant end = item(order_[k]).end;
    const auto after =
        std::lower_bound(order_.begin(), order_.end(), end, [&](int x, Instant t) { return item(x).first < t; });
    last[k] = std::max(last[k], static_cast<int>(after - order_.begin()) - 1);
    for (const Partner& partner : partners_[Z(order_[k])]) {
      int& use = last[Z(place_[Z(partner.item)])];
      use = std::max(use, static_cast<int>(k));
    }
  }
  for (const SplitNogood& nogood : nogoods) {
    int end = -1;
    for (int i : nogood.items) end = std::max(end, place_[Z(i)]);
    for (int i : nogood.items) last[Z(place_[Z(i)])] = std::max(last[Z(place_[Z(i)])], end);
  }
  return last;
}

std::vector<int> SplitRelaxation::stuck_items(int next, const std::vector<int>& kept) const {
  std::vector<int> items{next};
  for (int i : kept) {
    const bool dying = std::any_of(partners_[Z(next)].begin(), partners_[Z(next)].end(),
                                   [&](const Partner& p) { return p.item == i; });
    if (dying || item(next).first < item(i).end) items.push_back(i);
  }
  return items;
}

SplitRelaxation::Transition SplitRelaxation::transition_of(size_t k, const std::vector<int>& kept,
                                                           const std::vector<int>& last,
                                                           const std::vector<const SplitNogood*>& completed) const {
  Transition transition;
  transition.next = order_[k];
  transition.sums = sums_for(transition.next, kept);
  transition.stays = last[k] > static_cast<int>(k);
  for (size_t p = 0; p < kept.size(); ++p) {
    if (last[Z(place_[Z(kept[p])])] > static_cast<int>(k)) transition.stay.push_back(p);
  }
  for (const SplitNogood* nogood : completed) {
    std::vector<size_t> positions;
    for (size_t p = 0; p < kept.size(); ++p) {
      if (std::find(nogood->items.begin(), nogood->items.end(), kept[p]) != nogood->items.end()) positions.push_back(p);
    }
    transition.refuted.emplace_back(nogood->capacity, std::move(positions));
  }
  return transition;
}

bool SplitRelaxation::fits(const Transition& transition, const std::string& key, int bank) const {
  const Bytes capacity = problem_.capacities[Z(bank)];
  const char mark = static_cast<char>(bank);
  for (const Sum& sum : transition.sums) {
    if (sum.partner >= 0 && key[Z(sum.partner)] != mark) continue;
    Bytes bytes = sum.own;
    for (size_t s = 0; s < sum.positions.size(); ++s) {
      if (key[Z(sum.positions[s])] == mark) bytes += sum.bytes[s];
    }
    if (bytes > capacity) return false;
  }
  return std::none_of(transition.refuted.begin(), transition.refuted.end(), [&](const auto& refuted) {
    const auto& [limit, positions] = refuted;
    return capacity <= limit &&
           std::all_of(positions.begin(), positions.end(), [&](size_t p) { return key[p] == mark; });
  });
}

// The states behind the transition; of those with one key the cheapest.
std::vector<SplitRelaxation::State> SplitRelaxation::states_behind(const Transition& transition,
                                                                   const std::vector<State>& before) const {
  std::vector<State> made;
  std::unordered_map<std::string, size_t> known;  // only looked up
  for (size_t s = 0; s < before.size(); ++s) {
    for (int bank = 0; bank < static_cast<int>(problem_.capacities.size()); ++bank) {
      if ((problem_.allowed[Z(transition.next)] >> bank & 1) == 0 || !fits(transition, before[s].key, bank)) continue;
      State state;
      for (size_t p : transition.stay) state.key += before[s].key[p];
      if (transition.stays) state.key += static_cast<char>(bank);
      state.cost = before[s].cost + problem_.traffic[Z(transition.next)] * bank;
      state.from = static_cast<int>(s);
      state.bank = bank;
      const auto [at, is_new] = known.try_emplace(state.key, made.size());
      if (is_new) made.push_back(std::move(state));
      else if (state.cost < made[at->second].cost) made[at->second] = std::move(state);
    }
  }
  return made;
}

SplitRelaxation::Answer SplitRelaxation::run(const std::vector<SplitNogood>& nogoods, size_t width) const {
  Answer answer;
  const std::vector<int> last = last_uses(nogoods);
  std::vector<std::vector<const SplitNogood*>> ending(order_.size());
  for (const SplitNogood& nogood : nogoods) {
    int end = -1;
    for (int i : nogood.items) end = std::max(end, place_[Z(i)]);
    if (end >= 0) ending[Z(end)].push_back(&nogood);
  }
  std::vector<std::vector<State>> layers{{State{}}};
  std::vector<int> kept;
  for (size_t k = 0; k < order_.size(); ++k) {
    note_progress("dividing among banks, states", answer.states);
    const Transition transition = transition_of(k, kept, last, ending[k]);
    std::vector<State> made = states_behind(transition, layers.back());
    answer.states += made.size();
    if (made.size() > width) {
      std::ranges::sort(made, {}, [](const State& s) { return std::tie(s.cost, s.key); });
      made.resize(width);
      answer.complete = false;
    }
    if (made.empty()) {
      answer.stuck = stuck_items(transition.next, kept);
      return answer;
    }
    std::vector<int> then;
    for (size_t p : transition.stay) then.push_back(kept[p]);
    if (transition.stays) then.push_back(transition.next);
    kept = std::move(then);
    layers.push_back(std::move(made));
  }
  read_back(layers, answer);
  return answer;
}

// After the last item nothing is kept: there is one state, and the way to it is the answer. Items that are never alive
// go where they cost least.
void SplitRelaxation::read_back(const std::vector<std::vector<State>>& layers, Answer& answer) const {
  answer.found = true;
  answer.bank.assign(problem_.problem.items.size(), -1);
  int at = 0;
  answer.cost = layers.back()[0].cost;
  for (size_t k = order_.size(); k > 0; --k) {
    const State& state = layers[k][Z(at)];
    answer.bank[Z(order_[k - 1])] = state.bank;
    at = state.from;
  }
  for (size_t i = 0; i < answer.bank.size(); ++i) {
    for (int b = 0; answer.bank[i] < 0; ++b) {
      if (problem_.allowed[i] >> b & 1) answer.bank[i] = b;
    }
    if (place_[i] < 0) answer.cost += problem_.traffic[i] * answer.bank[i];
  }
}

// Items may be cut at will, and only the banks' sizes count: those with the most traffic for a byte go first.
Bytes SplitRelaxation::bound_at(const std::vector<int>& alive_now, const std::vector<Bytes>& traffic) const {
  std::vector<int> items;
  for (int i : alive_now) {
    if (!loose_[Z(i)] && traffic[Z(i)] > 0) items.push_back(i);
  }
  const auto density = [&](int i) { return static_cast<double>(traffic[Z(i)]) / static_cast<double>(item(i).size); };
  std::ranges::sort(items, {}, [&](int i) { return std::pair(-density(i), i); });
  double cost = 0;
  size_t bank = 0;
  Bytes left_in_bank = problem_.capacities[0];
  for (int i : items) {
    for (Bytes left = item(i).size; left > 0;) {
      while (left_in_bank == 0 && bank + 1 < problem_.capacities.size()) left_in_bank = problem_.capacities[++bank];
      const Bytes part = left_in_bank == 0 ? left : std::min(left_in_bank, left);
      cost += density(i) * static_cast<double>(part) * static_cast<double>(bank);
      left -= part;
      left_in_bank -= std::min(left_in_bank, part);
    }
  }
  // Rounding must not make the bound too large.
  return std::max<Bytes>(0, static_cast<Bytes>(cost * (1 - 1e-9)) - 1);
}

Bytes SplitRelaxation::quick_bound() const {
  Bytes bound = 0;
  for (size_t i = 0; i < problem_.allowed.size(); ++i) {
    int first = 0;
    while ((problem_.allowed[i] >> first & 1) == 0) ++first;
    bound += problem_.traffic[i] * first;
  }
  // Beyond that, instants add up as long as no item is counted at two of them. Items with a choice of all banks only.
  std::vector<Bytes> traffic = problem_.traffic;
  for (size_t i = 0; i < traffic.size(); ++i) {
    if ((problem_.allowed[i] & 1) == 0) traffic[i] = 0;
  }
  std::vector<std::pair<Bytes, std::vector<int>>> instants;
  std::vector<int> now;
  for (size_t k = 0; k < order_.size(); ++k) {
    now.push_back(order_[k]);
    if (k + 1 < order_.size() && item(order_[k + 1]).first == item(order_[k]).first) continue;
    std::erase_if(now, [&](int i) { return item(i).end <= item(order_[k]).first; });
    if (const Bytes cost = bound_at(now, traffic); cost > 0) instants.emplace_back(cost, now);
  }
  std::stable_sort(instants.begin(), instants.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [cost, items] : instants) {
    bound += bound_at(items, traffic);
    for (int i : items) traffic[Z(i)] = 0;
  }
  return bound;
}

}  // namespace tarn::planner
