// Mixed precision: which form each layer has, so that the least is lost within the memory and the time there is.
#pragma once
#include <string_view>

#include "quantize/quantize.h"
#include "quantize/sensitivity.h"

namespace tarn::quantize {

// What is called the loss, a share of 1:
//   accuracy   of the labelled samples, those that are right in floats and no longer as codes, less those gained
//   agreement  of the samples, those whose largest element of the first output moves
//   power      of the outputs, the power of their noise beside that of the signal, summed over outputs
//   automatic  accuracy with labels; agreement where the first output of a run is one vector of scores; else power
enum class Loss { automatic, accuracy, agreement, power };
double loss_of(const Quantised& result, Loss kind = Loss::automatic);
std::string_view name_of_loss(const Quantised& result, Loss kind);

struct Limits {
  std::optional<double> loss;                   // at most
  std::optional<int64_t> ram, flash;            // bytes: the arena, and the weights
  std::optional<int64_t> instructions, cycles;  // of a run on Options::target
  Loss kind = Loss::automatic;
  bool sizes() const { return ram || flash || instructions || cycles; }
  bool any() const { return loss || sizes(); }
};

// One that was made, measured and planned.
struct Assignment {
  std::vector<LayerForm> forms;  // by Assigned::layers
  std::string options;           // of `tarn quantize`, that make it; empty: none
  double loss = 0, snr_db = 0;   // of all outputs together, before a Softmax at their end
  Footprint cost;
  bool fits = false;      // within the sizes that the limits give
  bool in_front = false;  // no other has less noise and takes less of nothing
};

struct Assigned {
  Quantised best;
  std::vector<Sensitivity> layers;
  std::vector<Assignment> made;  // from the least memory to the least noise
  size_t chosen = 0;
};

// Assignments from the least memory on: the layer and form that take away most noise for their bytes come first, as
// long as the plan keeps to the sizes. Some along this way are made and measured. With sizes in the limits, or with
// `front`, it is gone to its end, and what loses least is chosen; with a loss alone the first that keeps to it. E422
// and, where sizes alone rule out everything and that is proved, E423 name what is in the way and the nearest.
Result<Assigned> quantize_within(const Options& options, const Limits& limits, bool front);

}  // namespace tarn::quantize
