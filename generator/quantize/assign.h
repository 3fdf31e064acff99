// Mixed precision: which layers stay in floats, so that what quantising loses keeps to a bound within the memory there
// is.
#pragma once
#include "quantize/quantize.h"

namespace tarn::quantize {

struct Limits {
  std::optional<double> loss;         // at most, see loss_of()
  std::optional<int64_t> ram, flash;  // bytes: the arena, and the weights
  bool any() const { return loss || ram || flash; }
};

// The share of answers that are lost: of the labelled samples, those that are right in floats alone; without labels the
// samples whose largest element of the first output moves; of outputs of one number, their noise beside the signal.
double loss_of(const Quantised& result);

// One that was made, measured and planned.
struct Assignment {
  std::vector<std::string> floats;  // layers that stay in floats
  double loss = 0;
  int64_t arena = 0, weights = 0;  // bytes
  bool fits = false;               // the memory that the limits give
};

struct Assigned {
  Quantised best;
  std::vector<Assignment> tried;  // all codes first; then each layer alone in floats; then more and more of them
  size_t chosen = 0;
};

// The first assignment, in the order of Assigned::tried, that keeps to all limits; E422 names the nearest where none
// does. More and more layers become floats in the order of the noise that each alone takes away for its bytes.
Result<Assigned> quantize_within(const Options& options, const Limits& limits);

std::string to_text(const Assigned& assigned, const Limits& limits);

}  // namespace tarn::quantize
