// What each layer does to the outputs in each form, and what assignments of forms to layers take.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "quantize/quantize.h"

namespace tarn::quantize {

// The forms that are assigned, from the least memory to the least noise.
inline constexpr std::array<LayerForm, 5> kForms = {kInt4, kInt8, kInt16, kFloat16, kFloat32};

struct Sensitivity {
  std::string name, op;
  int64_t weights = 0, numbers = 0;  // elements
  // By form: the noise of judged_values() over their signal, summed over them, where this layer alone has the form and
  // all else is in floats.
  std::array<double, kForms.size()> noise = {};
};

// By layer of the sensitivities: which of kForms.
using Forms = std::vector<size_t>;

// The network in memory, for many questions.
class Bench {
 public:
  // Reads model and data as quantize() does. Layers that options.forms name are left out of what is assigned.
  static Result<Bench> open(const Options& options);

  // Compiles and runs the network once for each layer and form.
  Result<std::vector<Sensitivity>> sensitivities() const;

  // The quantised network in memory, planned by analyze(); its weights are at their nearest codes.
  Result<Footprint> plan(const std::vector<Sensitivity>& layers, const Forms& forms) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// Those of `options` with the forms of an assignment; layers that have the form of all are not named.
Options with_forms(Options options, const std::vector<Sensitivity>& layers, const Forms& forms);

// What `tarn quantize` is told of bits: --layer-bits and its kin, quoted for a shell; empty: all as by default.
std::string options_text(const Options& options);

}  // namespace tarn::quantize
