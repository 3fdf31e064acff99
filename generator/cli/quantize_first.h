// --quantize: the model as 8-bit codes, made before it is analysed or generated.
#pragma once
#include "cli/options.h"

namespace tarn::cli {

// Without --quantize nothing. Else options.compile holds the quantised model from here on; dimensions and constants are
// bound in it. Prints what it cost. Faults as quantize::quantize().
Result<Done> quantize_first(Options& options);

}  // namespace tarn::cli
