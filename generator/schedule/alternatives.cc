// Orders of the same peak that differ in what is alive together: packed one after the other until one packs at its
// peak.
#include <algorithm>
#include <optional>
#include <utility>

#include "schedule/at.h"
#include "schedule/interference.h"
#include "schedule/regions.h"
#include "schedule/sections.h"
#include "schedule/set_search.h"
#include "schedule/shifts.h"
#include "schedule/tuning.h"
#include "support/check.h"

namespace tarn::schedule {

namespace {

// The operators in a valid order picked at random.
std::vector<int> random_order(const OrderGraph& graph, Random& random) {
  std::vector<int> missing, ready, order;
  for (int v = 0; v < graph.count(); ++v) {
    missing.push_back(count_of(at(graph.operators, v).before));
    if (missing.back() == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    std::swap(at(ready, random.below(count_of(ready))), ready.back());
    const int v = ready.back();
    ready.pop_back();
    order.push_back(v);
    for (int w : at(graph.operators, v).after) {
      if (--at(missing, w) == 0) ready.push_back(w);
    }
  }
  return order;
}

// Another order of a section, condensed, within `top`; as listed when none is found soon.
std::vector<int> wander(const OrderGraph& section, const Condensed& condensed, Bytes top, Random& random) {
  const OrderGraph& graph = condensed.graph;
  if (graph.count() > SetSearch::kMostOperators) return listed_order(section);
  const std::vector<int> listing = random_order(graph, random);
  const OrderGraph relisted = WindowCutter(graph, listing).cut(0, graph.count());
  int64_t words = kWordsPerSection;
  const Exhausted found = SetSearch::make(relisted, {})->wander(top, random, words);
  if (found.verdict != Verdict::found) return listed_order(section);
  std::vector<int> order;
  for (int v : found.order) {
    const std::vector<int>& members = at(condensed.members, at(listing, v));
    order.insert(order.end(), members.begin(), members.end());
  }
  return order;
}

class Variations {
 public:
  Variations(const OrderGraph& graph, const std::vector<int>& best, Bytes top)
      : graph_(graph), best_(best), top_(top), cutter_(graph, best) {
    const OrderCosts costs = costs_of(graph, best);
    const std::vector<int> ends = section_ends(graph, best);
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      const Bytes peak = *std::max_element(costs.step.begin() + ends[i], costs.step.begin() + ends[i + 1]);
      if (ends[i + 1] - ends[i] > 1 && peak >= top / 2) sections_.push_back({ends[i], ends[i + 1], {}, {}});
    }
  }

  // One of a sequence of orders within the top; the same number gives the same order.
  std::vector<int> make(int number) {
    if (number == 0) return settled(best_, true);
    if (number == 1) return settled(best_, false);
    Random random(static_cast<uint64_t>(number));
    if (number % 4 == 2) return shaken(best_, random);
    std::vector<int> other = wandered(random);
    if (number % 4 == 3) return other;
    return number % 4 == 0 ? shaken(other, random) : settled(other, random.below(2) == 0);
  }

 private:
  // Each operator as late, or as early, as it may be without more bytes over all steps together.
  std::vector<int> settled(const std::vector<int>& order, bool late) const {
    ShiftableOrder shiftable(graph_, order);
    const int count = count_of(order);
    for (int k = 0; k < count; ++k) {
      const int from = late ? count - 1 - k : k;
      for (int reach = kFarthestShift; reach > 0; reach /= 4) {
        const int to = late ? std::min(shiftable.last_step(from), from + reach)
                            : std::max(shiftable.first_step(from), from - reach);
        if (to == from || shiftable.move(from, to, top_, 0)) break;
      }
    }
    return shiftable.order();
  }

  // Many small changes, most of them without more bytes over all steps together.
  std::vector<int> shaken(const std::vector<int>& order, Random& random) const {
    ShiftableOrder shiftable(graph_, order);
    const int count = count_of(order);
    for (int k = 0; k < 2 * count; ++k) {
      const int from = random.below(count);
      const int first = std::max(shiftable.first_step(from), from - kFarthestShift);
      const int last = std::min(shiftable.last_step(from), from + kFarthestShift);
      const int to = first + random.below(last - first + 1);
      const Bytes growth = random.below(8) == 0 ? top_ : 0;
      if (to != from) shiftable.move(from, to, top_, growth);
    }
    return shiftable.order();
  }

  // Sections near the peak, or some of them, in another order.
  std::vector<int> wandered(Random& random) {
    std::vector<int> order = best_;
    for (Section& section : sections_) {
      if (sections_.size() > 1 && random.below(4) == 0) continue;
      if (!section.condensed) {
        section.graph = cutter_.cut(section.first, section.end);
        section.condensed = condense(section.graph);
      }
      const std::vector<int> other = wander(section.graph, *section.condensed, top_, random);
      for (int i = section.first; i < section.end; ++i)
        at(order, i) = at(best_, section.first + at(other, i - section.first));
    }
    return order;
  }

  struct Section {
    int first = 0, end = 0;  // steps
    OrderGraph graph;
    std::optional<Condensed> condensed;  // once it was asked for
  };

  const OrderGraph& graph_;
  const std::vector<int>& best_;
  const Bytes top_;
  WindowCutter cutter_;
  std::vector<Section> sections_;
};

struct DistantOrder {
  std::vector<int> order;
  std::vector<uint64_t> interference;
  Bytes distance = 0;  // to the nearest of those chosen or known
};

}  // namespace

std::vector<std::vector<int>> alternatives(const OrderProblem& problem, const Order& best,
                                           const std::vector<std::vector<int>>& known, int count) {
  const OrderGraph graph = graph_of(problem);
  std::vector<std::vector<int>> chosen;
  if (graph.count() < 2 || count <= 0) return chosen;
  const Interference interference(graph);
  std::vector<std::vector<uint64_t>> seen{interference.of(best.operators)};
  for (const std::vector<int>& order : known) seen.push_back(interference.of(order));
  Variations variations(graph, best.operators, best.peak);
  std::vector<DistantOrder> candidates;
  const int attempts = 8 + 3 * (count + count_of(known));
  for (int number = 0; number < attempts; ++number) {
    DistantOrder c{variations.make(number), {}, Bytes{1} << 62};
    TARN_CHECK(costs_of(graph, c.order).peak <= best.peak);
    c.interference = interference.of(c.order);
    for (const auto& other : seen) c.distance = std::min(c.distance, interference.distance(c.interference, other));
    if (c.distance > 0) candidates.push_back(std::move(c));
  }
  while (count_of(chosen) < count) {
    const auto farthest =
        std::max_element(candidates.begin(), candidates.end(),
                         [](const DistantOrder& a, const DistantOrder& b) { return a.distance < b.distance; });
    if (farthest == candidates.end() || farthest->distance == 0) break;
    const std::vector<uint64_t> pattern = farthest->interference;
    chosen.push_back(std::move(farthest->order));
    for (DistantOrder& c : candidates)
      c.distance = std::min(c.distance, interference.distance(c.interference, pattern));
  }
  return chosen;
}

}  // namespace tarn::schedule
