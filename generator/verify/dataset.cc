#include "verify/dataset.h"

#include <algorithm>
#include <filesystem>

#include "model/load_onnx.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::verify {

namespace fs = std::filesystem;

Result<std::vector<std::string>> data_folders(const std::string& model_path) {
  std::vector<std::pair<long, std::string>> found;
  const std::string folder = fs::path(model_path).parent_path().string();
  std::error_code error;
  for (const fs::directory_entry& entry : list_folder(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (!name.starts_with("test_data_set_") || !entry.is_directory(ignored)) continue;
    found.emplace_back(std::strtol(name.c_str() + 14, nullptr, 10), entry.path().string());
  }
  if (error)
    return Diagnostic{"E405",
                      {.file = model_path},
                      "the folder it is in cannot be looked through for stored data: " + error.message(),
                      "name a folder with --data DIR"};
  std::sort(found.begin(), found.end());
  std::vector<std::string> folders;
  for (auto& [number, path] : found) folders.push_back(std::move(path));
  return folders;
}

Result<DataSet> load_data(const std::string& folder, const std::string& model_path) {
  DataSet data{folder, {}, {}, {}};
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return Diagnostic{"E405", {.file = model_path}, "there is no data folder '" + folder + "'", {}};
  for (auto [kind, list] : {std::pair{"input_", &data.inputs}, std::pair{"output_", &data.outputs}}) {
    for (int n = 0;; ++n) {
      const std::string file = cat(folder, "/", kind, n, ".pb");
      if (fs::status(file, error).type() == fs::file_type::not_found) break;
      Result<Constant> tensor = model::load_tensor(file);
      if (!tensor) {
        return Diagnostic{
            "E405", {.file = model_path}, "'" + file + "' is no tensor: " + tensor.faults().front().message, {}};
      }
      data.files.push_back(file);
      list->push_back(std::move(*tensor));
    }
  }
  return data;
}

std::map<std::string, int64_t> dims_from_data(const model::Model& model, const DataSet& data,
                                              const std::map<std::string, std::string>& constants) {
  std::map<std::string, int64_t> dims;
  for (size_t i = 0; i < model.graph.inputs.size() && i < data.inputs.size(); ++i) {
    const model::ValueInfo& input = model.graph.inputs[i];
    if (constants.contains(input.name)) continue;
    const Shape& shape = data.inputs[i].shape();
    if (!input.type.dims || static_cast<int>(input.type.dims->size()) != shape.rank()) continue;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const model::Dim& dim = (*input.type.dims)[static_cast<size_t>(axis)];
      if (dim.value) continue;
      dims.emplace(dim.symbol.empty() ? cat(input.name, ":", axis) : dim.symbol, shape[axis]);
    }
  }
  return dims;
}

}  // namespace tarn::verify
