// Which configuration each run of a valley search gets: see note [restarts] in decide.cc.
#pragma once
#include <utility>
#include <vector>

#include "planner/random.h"
#include "planner/valley_search.h"

namespace tarn::planner {

class Portfolio {
 public:
  // The configurations that were found good on many problems come first, unless they were `tried` already.
  explicit Portfolio(bool tried);

  // The configuration of the next run.
  SearchConfig next(Random& random);

  // What a run with `config` left unplaced at best.
  void learn(const SearchConfig& config, double least_left);

 private:
  int run_ = 0;
  std::vector<std::pair<double, SearchConfig>> best_;  // least left unplaced, by which configuration
};

}  // namespace tarn::planner
