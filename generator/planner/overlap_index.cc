#include "planner/overlap_index.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "planner/phases.h"

namespace tarn::planner {

OverlapIndex::OverlapIndex(const Problem& problem) {
  const auto item = [&](int i) -> const Item& { return problem.items[Z(i)]; };
  rank_of_.assign(problem.items.size(), -1);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (is_alive(problem.items[i])) item_of_.push_back(static_cast<int>(i));
  }
  std::ranges::sort(item_of_, {}, [&](int i) { return std::tuple(item(i).first, item(i).end, i); });
  const size_t n = item_of_.size();
  for (size_t r = 0; r < n; ++r) rank_of_[Z(item_of_[r])] = static_cast<int>(r);

  // A section begins where an item begins after another one has ended.
  std::vector<int> by_end(n);
  std::iota(by_end.begin(), by_end.end(), 0);
  std::ranges::sort(by_end, {}, [&](int r) { return std::pair(item(item_of_[Z(r)]).end, r); });
  first_.resize(n);
  last_.resize(n);
  int section = 0;
  bool begun = false;
  size_t ended = 0;
  for (size_t r = 0; r < n; ++r) {
    while (ended < n && item(item_of_[Z(by_end[ended])]).end <= item(item_of_[r]).first) {
      if (begun) ++section;
      begun = false;
      last_[Z(by_end[ended++])] = section - 1;
    }
    begun = true;
    first_[r] = section;
  }
  while (ended < n) last_[Z(by_end[ended++])] = section;
  const int sections = section + 1;

  starts_.assign(Z(sections) + 1, 0);
  for (size_t r = 0; r < n; ++r) ++starts_[Z(first_[r]) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  int64_t total_life = 0;
  for (size_t r = 0; r < n; ++r) total_life += last_[r] - first_[r] + 1;
  stride_ = n == 0 ? 1 : static_cast<int>(std::max<int64_t>(1, total_life / (8 * static_cast<int64_t>(n))));
  const size_t lists = Z(sections / stride_) + 2;
  known_first_.assign(lists + 1, 0);
  for (size_t r = 0; r < n; ++r) {
    for (int c = first_[r] / stride_ + 1; c <= last_[r] / stride_; ++c) ++known_first_[Z(c) + 1];
  }
  std::partial_sum(known_first_.begin(), known_first_.end(), known_first_.begin());
  known_.resize(known_first_.back());
  std::vector<size_t> next(known_first_.begin(), known_first_.end() - 1);
  for (size_t r = 0; r < n; ++r) {
    for (int c = first_[r] / stride_ + 1; c <= last_[r] / stride_; ++c) known_[next[Z(c)]++] = static_cast<int>(r);
  }
}

}  // namespace tarn::planner
