#include "cli/quantize_first.h"

#include <filesystem>

#include "cli/progress_line.h"
#include "cli/quantised_cache.h"
#include "cli/terminal.h"
#include "model/load_onnx.h"
#include "quantize/measure.h"
#include "quantize/quantize.h"
#include "quantize/report.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::cli {

namespace {

Result<quantize::Quantised> make(const Options& options) {
  const CompileOptions& compile = options.compile;
  quantize::Options asked;
  asked.model_path = compile.model_path;
  asked.data = options.quantize;
  asked.dims = compile.dims;
  asked.open_outputs = !compile.quantized_io;  // outputs that are handed over as codes have some
  Diagnostics faults;
  for (const auto& [name, file] : compile.constants) {
    Result<Constant> loaded = model::load_tensor(file);
    if (loaded) asked.constants.emplace(name, std::move(*loaded));
    else faults.insert(faults.end(), loaded.faults().begin(), loaded.faults().end());
  }
  if (!faults.empty()) return faults;
  Result<quantize::Quantised> made = [&] {
    const ProgressLine line(!options.json_diagnostics);
    return quantize::quantize(asked);
  }();
  if (made) print(made->warnings, options.json_diagnostics);
  return made;
}

// Layers that compute in floats keep the codes of their weights, unless the command line says what they are.
void keep_codes(const std::vector<std::string>& layers, CompileOptions& compile) {
  if (compile.weight_types.empty()) compile.weight_types = quantize::model_codes(layers);
}

}  // namespace

Result<Done> quantize_first(Options& options) {
  if (options.quantize.empty()) return Done{};
  CompileOptions& compile = options.compile;
  const std::string entry = quantised_entry(options);
  std::optional<QuantisedFirst> made = find_quantised(entry);
  if (made) {
    print(made->warnings, options.json_diagnostics);
  } else {
    Result<quantize::Quantised> now = make(options);
    if (!now) return now.faults();
    made = {std::move(now->bytes), to_text(*now), std::move(now->recurrent), std::move(now->files),
            std::move(now->warnings)};
    keep_quantised(*made, entry);
  }
  keep_codes(made->recurrent, compile);
  compile.quantised = std::make_shared<const std::string>(std::move(made->bytes));
  compile.quantised_from = made->files;
  // A sample that is added changes the folder; it must be made anew then too.
  compile.quantised_from.push_back(options.quantize);
  for (const auto& [name, file] : compile.constants) compile.quantised_from.push_back(file);
  compile.dims.clear();
  compile.constants.clear();
  return print_result(made->text + "\n");
}

Result<std::vector<verify::DataSet>> quantize_to_verify(Options& options, const std::string& folder) {
  CompileOptions& compile = options.compile;
  Result<quantize::Quantised> made = make(options);
  if (!made) return made.faults();
  const std::string file = cat(folder, "/", std::filesystem::path(compile.model_path).filename().string());
  if (!verify::write_file(file, made->bytes))
    return Diagnostic{"E401", {}, "the scratch folder cannot be written", "check the free space of it"};
  keep_codes(made->recurrent, compile);
  compile.model_path = file;
  compile.dims.clear();
  compile.constants.clear();
  std::vector<verify::DataSet> sets;
  for (std::vector<Constant>& inputs : made->inputs)
    sets.push_back({options.quantize, made->files, std::move(inputs), {}});
  if (const Result<Done> told = print_result(to_text(*made) + "\n"); !told) return told.faults();
  return sets;
}

}  // namespace tarn::cli
