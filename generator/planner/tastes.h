// Which configuration each run of a valley search gets: see note [restarts] in decide.cc.
#pragma once
#include <utility>
#include <vector>

#include "planner/random.h"
#include "planner/valley_search.h"

namespace tarn::planner {

class Tastes {
 public:
  // The tastes that were found good on many problems come first, unless they were `tried` already.
  explicit Tastes(bool tried);

  // The configuration of the next run.
  ValleyTaste next(Random& random);

  // What a run with `taste` left unplaced at best.
  void learn(const ValleyTaste& taste, double least_left);

 private:
  int run_ = 0;
  std::vector<std::pair<double, ValleyTaste>> best_;  // least left unplaced, by which configuration
};

}  // namespace tarn::planner
