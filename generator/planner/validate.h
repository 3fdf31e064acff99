// Does a plan obey its problem? Deliberately simple, quadratic and independent of every solver; runs on every plan, in
// release builds too.
#pragma once
#include <string>
#include <vector>

#include "planner/plan.h"

namespace tarn::planner {

enum class Law { count, negative, alignment, fixed_offset, overlap, forbidden_difference, arena, capacity, bound };

struct Violation {
  Law law;
  int a = -1, b = -1;  // the items concerned
  std::string text;
};

std::vector<Violation> validate(const Problem& problem, const Plan& plan);

// What is wrong with a problem itself (sizes below 0, ends before firsts, pairs out of range, gaps outside a life ...);
// empty when it is well-formed.
std::vector<std::string> check_problem(const Problem& problem);

}  // namespace tarn::planner
