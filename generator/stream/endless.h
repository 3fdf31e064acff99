// Endless plans, for `--stream time`. Each line of the input is used at once for all that it makes possible. After some
// lines the steps are periodic, and after some periods every ring is in the same position again.
#pragma once
#include <string>

#include "stream/make_plan.h"

namespace tarn::stream {

struct EndlessPlan {
  LinePlan plan;
  // The beginning of it on a signal of some length, for check_plan: the program as extended, and some passes of the
  // loop.
  Program program;
  LinePlan beginning;
  std::string obstacle;  // why there is none; empty: there is
};

// options.mode is time, options.lines a ring.
EndlessPlan make_endless(const Program& program, const lifetimes::ShareOptions& share, const Options& options,
                         const SearchLimits& limits);

// Steps as lines come: those of each input in turn, and behind each line all that it makes possible, nearest readers
// first.
std::vector<Step> push_all(const Net& net);

}  // namespace tarn::stream
