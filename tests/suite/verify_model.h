// One model the way `tarn verify` takes it: planned, emitted, compiled, run on every target asked for, compared.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "suite/outcome.h"
#include "verify/boards.h"
#include "verify/dataset.h"

namespace tarn::suite {

// ONNX's own rule: |got - want| <= absolute + relative * |want|, and equal where no floats are. Verification's is wider
// (see verify/compare.h): a model must pass both.
struct Rule {
  double relative = 1e-3, absolute = 1e-7;
};

struct Settings {
  std::vector<verify::Target> targets{verify::Target::host};
  bool sanitize = false;
  bool stack_bounds = true;  // of the host; boards always have one
  bool count_instructions = true;
  std::optional<Rule> rule;  // beside verification's own
  std::vector<std::string> firmware_flags;
};

// By target, in their order. A model without stored data is compared with itself, planned without any sharing. A model
// that cannot be planned or emitted has the same outcome on each. `data` takes the place of the folders beside the
// model.
std::vector<Outcome> verify_model(const std::string& name, const cli::Options& options, const Settings& settings,
                                  const std::vector<verify::DataSet>& data = {});

// Plans only: shapes, multiply-accumulates, arena and bound. One outcome, on "analyze".
Outcome analyze_model(const std::string& name, const cli::Options& options);

// Compilers through ccache, where it is installed: the kernels are the same text for every model. Call once, before any
// job; `folder` takes links by which the cross compilers are found. Call graphs are lost. $CC, when set, is left alone.
void use_ccache(const std::string& folder);

}  // namespace tarn::suite
