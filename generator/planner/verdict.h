// The answer of a search that has a limit.
#pragma once

namespace tarn::planner {

enum class Verdict { found, refuted, out_of_nodes };

}  // namespace tarn::planner
