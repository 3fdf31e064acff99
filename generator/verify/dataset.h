// Stored inputs and outputs: the test_data_set_N folders of the ONNX backend tests.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/model.h"
#include "support/result.h"
#include "verify/firmware.h"

namespace tarn::verify {

struct DataSet {
  std::string folder;
  std::vector<std::string> files;
  std::vector<Constant> inputs, outputs;  // input_N.pb, output_N.pb by N
};

// The folders named test_data_set_N beside the model, by N. E405 when the folder that it is in cannot be read: whether
// there are data is not known then.
Result<std::vector<std::string>> data_folders(const std::string& model_path);

// E405 when a folder holds no inputs where the model has some, or a file cannot be read.
Result<DataSet> load_data(const std::string& folder, const std::string& model_path);

// What the shapes of stored inputs say of the model's unbound dimensions, for `--dim`. `constants` (input -> file) are
// no inputs any more: a dimension that they alone have is no longer the model's.
std::map<std::string, int64_t> dims_from_data(const model::Model& model, const DataSet& data,
                                              const std::map<std::string, std::string>& constants);

}  // namespace tarn::verify
