// Predicts what kernel calls take: terms times the coefficients fitted for a target.
#pragma once
#include <functional>

#include "time/cost.h"
#include "time/terms.h"

namespace tarn::timing {

// A kernel's coefficients on a target, and how far they were off on geometries that they were not fitted on.
struct Model {
  std::string target, kernel;
  std::string compiler, code;                // its version, and a hash of what it made of the kernel when it was fitted
  double median_error = 0, worst_error = 0;  // of instructions, percent
  double cycles_median_error = 0, cycles_worst_error = 0;  // of the emulated run's cycles, by the same timing
  std::map<std::string, Cost> coefficients;
};
const std::vector<Model>& models();
const Model* find_model(const std::string& target, const std::string& kernel);

// Calls functions for floats, whose loops and shortcuts depend on the values: the estimate is that for ordinary data.
bool software_floats(const std::string& target, const std::string& kernel);

// Divides 64 bits, in a loop whose length the values decide.
bool long_quotients(const std::string& kernel);

struct Prediction {
  std::optional<Cost> cost;
  double least = 0, most = 0;  // instructions, as data decide
  std::string missing;         // why there is none: "kernel", or the term that no fitted call had
  std::vector<std::pair<std::string, double>> parts;  // instructions by term

  // Of both together; nothing where one of them is not known.
  void add(const Prediction& other, double times = 1);
  // Of the estimate alone, of what it holds of this term.
  void subtract(const Cost& saved, const std::string& term);
};

// Nothing for a kernel that has no terms or none fitted on this target, and for a call with a term that the fitted ones
// had not: never a guess.
// With `wanted`: only terms that it takes.
Prediction predict(const std::string& target, const std::string& kernel, const Parameters& parameters,
                   const std::function<bool(const std::string& term)>& wanted = {});
Prediction predict(const Model& model, const Terms& terms);

}  // namespace tarn::timing
