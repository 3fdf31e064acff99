#include "cli/fix_inputs.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::cli {

namespace {

constexpr int64_t kMostElements = 64;  // of a tensor that holds axes, sizes, counts or bounds

bool may_shape(const Constant& value) {
  const DType type = value.dtype();
  return value.shape().rank() <= 1 && value.count() <= kMostElements &&
         (type == DType::int64 || type == DType::int32 || type == DType::boolean);
}

// Input -> file.
std::map<std::string, std::string> candidates(const model::Model& model, const std::vector<verify::DataSet>& data) {
  std::map<std::string, std::string> files;
  for (size_t i = 0; i < model.graph.inputs.size(); ++i) {
    const bool same = std::all_of(data.begin(), data.end(), [&](const verify::DataSet& set) {
      return i < set.inputs.size() && may_shape(set.inputs[i]) && set.inputs[i].same_as(data[0].inputs[i]);
    });
    if (same) files[model.graph.inputs[i].name] = cat(data[0].folder, "/input_", i, ".pb");
  }
  return files;
}

bool wants_values(const Diagnostics& faults) {
  return std::all_of(faults.begin(), faults.end(),
                     [](const Diagnostic& d) { return d.code == "E206" || d.code == "E208" || d.code == "E210"; });
}

}  // namespace

Result<Analysis> analyze_with_data(Options& options, const model::Model& model,
                                   const std::vector<verify::DataSet>& data, std::vector<std::string>& fixed) {
  Result<Analysis> analysis = analyze(options.compile);
  if (analysis || data.empty() || !wants_values(analysis.faults())) return analysis;
  Options with = options;
  std::vector<std::string> names;
  for (const auto& [name, file] : candidates(model, data)) {
    if (with.compile.constants.emplace(name, file).second) names.push_back(name);
  }
  if (names.empty()) return analysis;
  Result<Analysis> again = analyze(with.compile);
  if (!again) return analysis;
  options = std::move(with);
  fixed = std::move(names);
  return again;
}

}  // namespace tarn::cli
