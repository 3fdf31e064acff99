// Plans by lines for a network at several heights: the same actors, memories and addresses, other numbers of lines.
#pragma once
#include <string>
#include <vector>

#include "stream/make_plan.h"

namespace tarn::stream {

// A network at one height, and the ways to lay it out, in the order that all heights have.
struct Height {
  const Program* program = nullptr;
  std::vector<Layers> layers;
};

struct SizedPlans {
  std::vector<LinePlan> plans;  // by height
  std::string obstacle;         // what is otherwise at height `at` than at the largest; empty: the plans are there
  size_t at = 0;
};

// Cuts and joined layers are those that are best for the largest height, which stands last.
SizedPlans make_sizes(const std::vector<Height>& heights, const Options& options, const SearchLimits& limits);

}  // namespace tarn::stream
