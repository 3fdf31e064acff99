// One model with its inputs made constant: outputs stay those of the model itself.
#pragma once
#include <string>
#include <vector>

#include "suite/verify_model.h"

namespace tarn::suite {

// Constants are inputs that hold still: each input in turn, and all together, fixed to what the folder stores; the
// outputs stay those stored there. One outcome for each target: of the first turn that does not pass, its message says
// what was constant. None where the folder holds no input that is a tensor. `variants` counts the turns.
std::vector<Outcome> run_with_constants(const std::string& name, cli::Options options, const Settings& settings,
                                        const std::string& folder);

// The same for a network: on the inputs of its first stored data, made-up ones where it has none, and compared with
// what it gives itself when they are inputs.
std::vector<Outcome> network_with_constants(const std::string& name, const cli::Options& options, Settings settings);

}  // namespace tarn::suite
