#include "lifetimes/slow_sharings.h"

#include <algorithm>
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

Planning without_sharing(Planning planning, size_t sharing) {
  // Without its pair the giver meets the taker, see note [instants].
  const BufferId giver = planning.sharings[sharing].giver;
  planner::Item& item = planning.problem.items[static_cast<size_t>(planning.item_of[giver.pos()])];
  if (!planning.lives[giver.pos()].gap.exists) ++item.end;
  else if (++item.gaps[0].first == item.gaps[0].end) item.gaps.clear();
  const size_t pair = planning.sharings[sharing].pair;
  planning.problem.pairs.erase(planning.problem.pairs.begin() + static_cast<std::ptrdiff_t>(pair));
  planning.sharings.erase(planning.sharings.begin() + static_cast<std::ptrdiff_t>(sharing));
  for (Sharing& other : planning.sharings) other.pair -= other.pair > pair ? 1 : 0;
  return planning;
}

}  // namespace tarn::lifetimes
