// The cheapest way to hand items to banks when each bank only has to hold what is alive at once: a bound for split().
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/split.h"

namespace tarn::planner {

// Items that do not fit together into any bank of at most this capacity.
struct SplitNogood {
  std::vector<int> items;
  Bytes capacity = 0;
};

class SplitRelaxation {
 public:
  explicit SplitRelaxation(const SplitProblem& problem);

  struct Answer {
    bool found = false;
    std::vector<int> bank;  // by item
    Bytes cost = 0;
    bool complete = true;    // nothing was left out: the answer is exact
    std::vector<int> stuck;  // without an answer: what is alive where no choice was left
    uint64_t states = 0;
  };
  // At most `width` states are kept for each item.
  Answer run(const std::vector<SplitNogood>& nogoods, size_t width) const;

  // No split costs less. Cheap, for problems that run() cannot do completely.
  Bytes quick_bound() const;

 private:
  struct Partner {
    int item = 0;
    Bytes together = 0;  // the fewest bytes that the two take in one bank
  };
  struct Sum {  // items of the key whose bytes count towards a limit when they are in the bank looked at
    std::vector<int> positions;
    std::vector<Bytes> bytes;
    Bytes own = 0;     // of the new item, or of it and its partner together
    int partner = -1;  // position of the partner, -1: none
  };
  struct State {
    std::string key;  // the banks of the items kept
    Bytes cost = 0;
    int from = -1;
    int bank = 0;
  };
  // One more item is given a bank: what limits that, and what of the key lives on behind it.
  struct Transition {
    int next = 0;
    std::vector<Sum> sums;
    // Of each refuted set that this item completes: its capacity, and where its other items stand in the key.
    std::vector<std::pair<Bytes, std::vector<size_t>>> refuted;
    std::vector<size_t> stay;  // positions of the key
    bool stays = false;        // the item's own bank
  };
  const Item& item(int i) const { return problem_.problem.items[static_cast<size_t>(i)]; }
  void find_partners();
  bool counts_at(int i, Instant at) const;
  std::vector<Sum> sums_for(int next, const std::vector<int>& kept) const;
  std::vector<int> last_uses(const std::vector<SplitNogood>& nogoods) const;
  std::vector<int> stuck_items(int next, const std::vector<int>& kept) const;
  Transition transition_of(size_t k, const std::vector<int>& kept, const std::vector<int>& last,
                           const std::vector<const SplitNogood*>& completed) const;
  bool fits(const Transition& transition, const std::string& key, int bank) const;
  std::vector<State> states_behind(const Transition& transition, const std::vector<State>& before) const;
  void read_back(const std::vector<std::vector<State>>& layers, Answer& answer) const;
  Bytes bound_at(const std::vector<int>& alive, const std::vector<Bytes>& traffic) const;

  const SplitProblem& problem_;
  std::vector<int> order_;                      // items that are ever alive, by first
  std::vector<int> place_;                      // by item: its position in order_
  std::vector<std::vector<Partner>> partners_;  // by item: earlier ones whose lives do not meet its own
  std::vector<bool> loose_;                     // by item: may share bytes with others alive; it is not counted
};

}  // namespace tarn::planner
