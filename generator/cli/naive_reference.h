// What verification compares with where no outputs are stored: the same network planned without any sharing.
#pragma once
#include <vector>

#include "cli/options.h"
#include "verify/firmware.h"

namespace tarn::cli {

// The options of the same network without any sharing, planned by layers.
Options naive_options(const Options& options);

// The samples with the outputs of the network run whole on the host, each tensor in memory of its own. Where `planned`
// goes on along time the samples become signals longer than the model's, and the ports of `firmware` with them.
Result<std::vector<verify::Sample>> naive_reference(const Options& options, const Analysis& planned,
                                                    verify::Firmware& firmware, std::vector<verify::Sample> samples);

}  // namespace tarn::cli
