// Inputs whose values decide shapes: verification fixes them to what the stored data hold, as --const would.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cli/options.h"
#include "model/model.h"
#include "support/result.h"
#include "verify/dataset.h"

namespace tarn::cli {

// Plans the model. When that fails for want of values or shapes (E206, E208, E210), it tries again with the small
// integer and bool inputs fixed that are the same in every data set; `fixed` receives their names and
// options.compile.constants their files. The first failure is what is told.
Result<Analysis> analyze_with_data(Options& options, const model::Model& model,
                                   const std::vector<verify::DataSet>& data, std::vector<std::string>& fixed);

}  // namespace tarn::cli
