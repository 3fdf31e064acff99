// Predicts the executed instructions of kernel calls: terms times the coefficients fitted for a target.
#pragma once
#include "time/terms.h"

namespace tarn::timing {

// A kernel's coefficients on a target, and how far they were off on geometries that they were not fitted on.
struct Model {
  std::string target, kernel;
  std::string compiler, code;                // its version, and a hash of what it made of the kernel when it was fitted
  double median_error = 0, worst_error = 0;  // percent
  std::map<std::string, double> coefficients;
};
const std::vector<Model>& models();
const Model* find_model(const std::string& target, const std::string& kernel);

struct Prediction {
  std::optional<int64_t> instructions;
  std::string missing;  // why there are none: "kernel", or the term that no fitted call had
};

// Nothing for a kernel that has no terms or none fitted on this target, and for a call with a term that the fitted ones
// had not: never a guess.
Prediction predict_instructions(const std::string& target, const std::string& kernel, const Parameters& parameters);

}  // namespace tarn::timing
