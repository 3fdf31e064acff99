#include "schedule/section_search.h"

#include <algorithm>
#include <utility>

#include "schedule/at.h"
#include "schedule/canonical_order.h"
#include "schedule/greedy.h"
#include "schedule/implied_order.h"
#include "schedule/least_live.h"
#include "schedule/regions.h"
#include "schedule/set_search.h"
#include "schedule/tuning.h"
#include "schedule/windows.h"
#include "support/check.h"

namespace tarn::schedule {

namespace {

class SectionSearch {
 public:
  // `best` has a peak to get below, and no order as long as that is not done.
  SectionSearch(const OrderGraph& graph, Solution& best, Bytes target, Budget& budget, const SearchFeatures& features)
      : graph_(graph), best_(best), target_(target), budget_(budget), features_(features) {}

  void run() {
    const bool small = graph_.count() <= SetSearch::kMostOperators;
    const std::pair<bool, void (SectionSearch::*)()> stages[] = {
        {true, &SectionSearch::try_listed},
        {features_.cut_bound, &SectionSearch::cut},
        {features_.canonical, &SectionSearch::try_canonical},
        {features_.beam, &SectionSearch::try_greedy},
        {small, &SectionSearch::make_search},
        {small && features_.beam, &SectionSearch::try_beams},
        {small && features_.plain_search, &SectionSearch::try_plain},
        {features_.windows, &SectionSearch::try_windows},
        {small, &SectionSearch::try_all},
        {implies(), &SectionSearch::raise_bound}};
    for (const auto& [wanted, stage] : stages) {
      if (wanted && !done()) (this->*stage)();
    }
    TARN_CHECK(best_.lower_bound <= best_.peak);
  }

 private:
  bool implies() const { return features_.implied_order && graph_.count() <= kMostImplied; }
  bool done() const { return best_.peak <= std::max(target_, best_.lower_bound); }

  void take(std::vector<int> order) {
    const Bytes peak = costs_of(graph_, order).peak;
    TARN_CHECK(peak < best_.peak && peak >= best_.lower_bound);
    best_.peak = peak;
    best_.operators = std::move(order);
  }

  void try_listed() {
    std::vector<int> listed = listed_order(graph_);
    if (costs_of(graph_, listed).peak < best_.peak) take(std::move(listed));
  }

  void cut() {
    const std::vector<int> listed = listed_order(graph_);
    int64_t arcs = budget_.arcs / 8;
    budget_.arcs -= arcs;
    const Bytes bound = cut_bound(graph_, listed, costs_of(graph_, listed), best_.peak, arcs).bytes;
    best_.use.step_bounds += bound > best_.lower_bound;
    best_.lower_bound = std::max(best_.lower_bound, bound);
    budget_.arcs += arcs;
  }

  void try_canonical() {
    if (graph_.count() > 64) return;
    const auto blocks = canonical_order(graph_, listed_order(graph_), kMostCanonicalStates);
    if (!blocks) return;
    std::vector<int> order;
    for (const Block& block : *blocks) order.insert(order.end(), block.operators.begin(), block.operators.end());
    const Bytes peak = costs_of(graph_, order).peak;
    if (peak < best_.peak) take(std::move(order));
    TARN_CHECK(best_.peak <= peak);
    best_.lower_bound = best_.peak;
    ++best_.use.canonical;
  }

  void try_greedy() {
    for (const GreedyRule rule : {GreedyRule::least_growth, GreedyRule::least_born}) {
      std::vector<int> order = greedy_order(graph_, rule);
      if (costs_of(graph_, order).peak < best_.peak) take(std::move(order));
    }
  }

  void make_search() { search_ = SetSearch::make(graph_, features_); }

  void try_beams() {
    int64_t words = budget_.words / 4;
    budget_.words -= words;
    for (int width = 1; width <= kWidestBeam && !done(); width *= 8) {
      std::vector<int> order = search_->beam(std::max(target_, best_.lower_bound), width, words);
      while (true) {
        if (!order.empty()) take(std::move(order));
        if (done() || words <= 0) break;
        order = search_->beam(best_.peak - 1, width, words);
        if (order.empty()) break;
      }
    }
    budget_.words += words;
  }

  // The operators of `search` are `members` of the graph, if given.
  void exhaust(SetSearch& search, int64_t words, const std::vector<int>* members = nullptr) {
    if (!features_.exhaustion) return;
    budget_.words -= words;
    while (!done() && words > 0) {
      Exhausted result = search.exhaust(best_.peak - 1, words);
      best_.states += result.states;
      best_.use.add(result.use);
      if (result.verdict != Verdict::found) {
        if (result.verdict == Verdict::none) {
          best_.lower_bound = best_.peak;
          ++best_.use.exhausted;
        }
        break;
      }
      if (members) {
        for (int& v : result.order) v = at(*members, v);
      }
      take(std::move(result.order));
      if (members) break;  // what is implied by a lower top is more
    }
    budget_.words += words;
  }

  void try_plain() { exhaust(*search_, budget_.words / 16); }

  // Each order that is found implies more.
  void try_all() {
    for (Bytes before = best_.peak + 1; best_.peak < before && !done();) {
      before = best_.peak;
      if (implies()) try_implied();
      else exhaust(*search_, budget_.words);
    }
  }

  void try_implied() {
    const Implied implied = imply_order(graph_, best_.peak - 1, budget_.arcs);
    best_.use.implied += static_cast<uint64_t>(implied.added);
    if (implied.impossible) {
      ++best_.use.implied_refutations;
      best_.lower_bound = best_.peak;
    } else if (implied.added == 0) {
      exhaust(*search_, budget_.words);
    } else {
      const auto search = SetSearch::make(implied.graph, features_);
      exhaust(*search, budget_.words, &implied.members);
    }
  }

  void try_windows() {
    std::vector<int> order = best_.operators.empty() ? listed_order(graph_) : best_.operators;
    if (improve_windows(graph_, order, std::max(target_, best_.lower_bound), budget_, features_)) {
      ++best_.use.windows;
      if (costs_of(graph_, order).peak < best_.peak) take(std::move(order));
    }
  }

  // The largest top that is impossible already by what it implies.
  void raise_bound() {
    Bytes low = best_.lower_bound, high = best_.peak;  // the least that is not known to be impossible is between
    while (low < high && budget_.arcs > 0) {
      const Bytes top = low + (high - low) / 2;
      if (imply_order(graph_, top, budget_.arcs).impossible) {
        ++best_.use.implied_refutations;
        low = top + 1;
      } else {
        high = top;
      }
    }
    best_.lower_bound = low;
  }

  const OrderGraph& graph_;
  Solution& best_;
  const Bytes target_;
  Budget& budget_;
  const SearchFeatures& features_;
  std::unique_ptr<SetSearch> search_;
};

}  // namespace

Solution search_section(const OrderGraph& graph, Bytes known_bound, Bytes target, Budget& budget,
                        const SearchFeatures& features) {
  const std::vector<int> listed = listed_order(graph);
  Solution best{{}, costs_of(graph, listed).peak, known_bound, 0};
  if (best.peak <= std::max(target, known_bound)) {
    best.operators = listed;
    return best;
  }
  if (!features.condense) {
    SectionSearch(graph, best, target, budget, features).run();
    if (best.operators.empty()) best.operators = listed;
    return best;
  }
  const Condensed condensed = condense(graph);
  best.use.condensed = static_cast<uint64_t>(graph.count() - condensed.graph.count());
  SectionSearch(condensed.graph, best, target, budget, features).run();
  if (best.operators.empty()) {
    best.operators = listed;
    return best;
  }
  std::vector<int> order;
  for (int v : best.operators)
    order.insert(order.end(), at(condensed.members, v).begin(), at(condensed.members, v).end());
  best.operators = std::move(order);
  return best;
}

}  // namespace tarn::schedule
