// What loops and branches make of the estimates of the steps inside them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compile.h"
#include "time/lines.h"

namespace tarn::report {

// How often a loop runs its body: as data decide, or always so many times.
struct Trips {
  int64_t least = 0, most = 0;
};
// Nothing where data decide and there is no bound.
std::optional<Trips> trips_of(const Analysis& analysis, const program::Operation& loop);

// Why the network as a whole has no estimate; empty where every loop has a bound.
std::string unbounded_loop(const Analysis& analysis);

struct ControlTime {
  // By step, how often it counts: the trips around it, the most there may be; not in the branch that takes less.
  std::vector<double> times;
  double least = 0, most = 0;  // instructions of all steps
};

// `one`: what each step takes when it runs once, what is inside it aside; nothing where that is not known.
ControlTime control_time(const Analysis& analysis, const std::vector<timing::Prediction>& one);

// What a loop or branch takes beside the steps inside it, when it runs once.
timing::Prediction control_prediction(const Analysis& analysis, const std::string& target,
                                      const program::Operation& operation);

// What a step inside takes less than one that a run goes to by its number: fewer than no instructions.
timing::Prediction saved_inside(const std::string& target);

}  // namespace tarn::report
