// --quantize: the model as 8-bit codes, made before it is analysed or generated.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"
#include "verify/dataset.h"

namespace tarn::cli {

// Without --quantize nothing. Else options.compile holds the quantised model from here on; dimensions and constants are
// bound in it. Prints what it cost. Faults as quantize::quantize().
Result<Done> quantize_first(Options& options);

// The same for verification: the quantised model is a file in `folder`. Gives the inputs of some of its samples.
Result<std::vector<verify::DataSet>> quantize_to_verify(Options& options, const std::string& folder);

}  // namespace tarn::cli
