// A picture of a plan: time to the right, addresses upwards.
#pragma once
#include <string>

#include "planner/plan.h"

namespace tarn::planner {

// `plan` holds a placement. Of very many items only the largest are drawn.
std::string draw_svg(const Problem& problem, const Plan& plan);

}  // namespace tarn::planner
