// What onnxruntime gives for a model: verification's reference that shares no code with tarn.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cli/options.h"
#include "model/model.h"
#include "support/result.h"
#include "verify/dataset.h"

namespace tarn::cli {

struct OrtReference {
  std::vector<verify::DataSet> data;  // inputs as given or made up, outputs as onnxruntime computes them
  std::string version;                // "1.32.0"
  std::vector<std::map<std::string, Constant>> values;  // by set: those of `watched` that nodes of the file make
};

// Runs the model as it stands in its file, in a Python of its own: $TARN_PYTHON where that is set, else python3 on
// PATH. Without data the inputs are made up; those of --const are that tensor. E410 when there is no such Python, it
// has no onnxruntime, or that does not run the model; also for --cut, of which it knows nothing. E405 when data lack
// inputs.
Result<OrtReference> ort_reference(const Options& options, const model::Model& model, std::vector<verify::DataSet> data,
                                   const std::vector<std::string>& watched = {});

}  // namespace tarn::cli
