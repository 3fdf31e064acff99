// Quantised models that earlier runs made: a build that begins anew from the same model and data takes them as they
// are.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "support/diagnostic.h"

namespace tarn::cli {

// What is left of quantising a model for whoever generates code from it.
struct QuantisedFirst {
  std::string bytes, text;             // the ONNX file; what it cost
  std::vector<std::string> recurrent;  // layers that keep the codes of their weights in floats
  std::vector<std::string> files;      // that it was made from
  Diagnostics warnings;
};

// The file of an entry: "quantised" below the cache folder (verify/object_cache.h), named by the digest of the model,
// of all files in the folder of the data, of the options that matter, of the compiler's name and of this executable. ""
// where there is no such place.
std::string quantised_entry(const Options& options);

// The entry, where it is whole and the files that it was made from are what they were.
std::optional<QuantisedFirst> find_quantised(const std::string& entry);

// Another process never sees a part of it. The oldest entries beyond some dozens go.
void keep_quantised(const QuantisedFirst& made, const std::string& entry);

}  // namespace tarn::cli
