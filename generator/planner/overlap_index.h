// Which items meet in time, without storing every meeting: for problems of up to millions of items.
#pragma once
#include <vector>

#include "planner/index.h"
#include "planner/problem.h"

namespace tarn::planner {

// Items alive are known by rank: their position in order of time. Memory grows with the number of items alone.
class OverlapIndex {
 public:
  explicit OverlapIndex(const Problem& problem);

  int count() const { return static_cast<int>(item_of_.size()); }
  int item_of(int rank) const { return item_of_[Z(rank)]; }
  int rank_of(int item) const { return rank_of_[Z(item)]; }  // -1: never alive
  int first(int rank) const { return first_[Z(rank)]; }      // sections, both ends included
  int last(int rank) const { return last_[Z(rank)]; }

  // Calls visit(rank) for every other item that shares a section with this one.
  template <class Visit>
  void for_each(int rank, Visit visit) const {
    const int a = first_[Z(rank)], b = last_[Z(rank)], c = a / stride_;
    for (size_t k = known_first_[Z(c)]; k < known_first_[Z(c) + 1]; ++k) {
      const int other = known_[k];
      if (last_[Z(other)] >= a && other != rank) visit(other);
    }
    const int here = starts_[Z(a)];
    for (int other = starts_[Z(c * stride_)]; other < here; ++other) {
      if (last_[Z(other)] >= a && other != rank) visit(other);
    }
    const int end = starts_[Z(b) + 1];
    for (int other = here; other < end; ++other) {
      if (other != rank) visit(other);
    }
  }

 private:
  std::vector<int> item_of_, rank_of_, first_, last_;
  std::vector<int> starts_;  // by section: how many ranks begin before it
  int stride_ = 1;           // every so many sections the ranks alive before are listed
  std::vector<size_t> known_first_;
  std::vector<int> known_;
};

}  // namespace tarn::planner
