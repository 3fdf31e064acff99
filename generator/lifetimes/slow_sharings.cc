#include "lifetimes/slow_sharings.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace tarn::lifetimes {

std::vector<size_t> slow_sharings(const Planning& planning, const std::vector<planner::Offset>& offsets) {
  std::vector<size_t> slow;
  std::map<size_t, int> of_pair;
  for (const Sharing& sharing : planning.sharings) ++of_pair[sharing.pair];
  for (size_t k = 0; k < planning.sharings.size(); ++k) {
    const Sharing& sharing = planning.sharings[k];
    const int giver = planning.item_of[sharing.giver.pos()], taker = planning.item_of[sharing.taker.pos()];
    // The other sharing of its pair would be lost with it.
    const bool alone = of_pair[sharing.pair] == 1;
    const bool same_place = alone && std::any_of(sharing.reaches.begin(), sharing.reaches.end(),
                                                 [](const Reach& r) { return r.same_place; });
    if (same_place && offsets[static_cast<size_t>(giver)] == offsets[static_cast<size_t>(taker)]) slow.push_back(k);
  }
  return slow;
}

Planning without_pairs(Planning planning, const std::set<size_t>& pairs) {
  // Without its pair each giver meets its taker, see note [instants].
  for (const Sharing& sharing : planning.sharings) {
    if (!pairs.contains(sharing.pair)) continue;
    planner::Item& item = planning.problem.items[static_cast<size_t>(planning.item_of[sharing.giver.pos()])];
    if (!planning.lives[sharing.giver.pos()].gap.exists) ++item.end;
    else if (!item.gaps.empty() && ++item.gaps[0].first == item.gaps[0].end) item.gaps.clear();
  }
  std::erase_if(planning.sharings, [&](const Sharing& sharing) { return pairs.contains(sharing.pair); });
  for (Sharing& sharing : planning.sharings)
    sharing.pair -= static_cast<size_t>(std::distance(pairs.begin(), pairs.lower_bound(sharing.pair)));
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair)
    planning.problem.pairs.erase(planning.problem.pairs.begin() + static_cast<std::ptrdiff_t>(*pair));
  return planning;
}

}  // namespace tarn::lifetimes
