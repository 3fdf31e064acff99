// Which parts of the search are used; all but in tests and measurements. None of them changes the answer.
#pragma once

namespace tarn::schedule {

struct SearchFeatures {
  bool cut_bound = true;      // lower bounds by minimum cuts
  bool condense = true;       // parts with one way in and out become chains
  bool beam = true;           // good orders before the complete search
  bool freeing_sets = true;   // minimal freeing sets as moves, instead of single operators
  bool valley_jumps = true;   // drop the alternatives to a valley
  bool implied_order = true;  // dependencies that follow from the top
  bool windows = true;        // improve windows of an order
};

}  // namespace tarn::schedule
