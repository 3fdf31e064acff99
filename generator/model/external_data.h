// Weights in files of their own. A model is not trusted: its locations must name plain files in its own folder, and its
// offsets and lengths must lie inside them (ONNX IR, "External Tensor Data").
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/mapped_file.h"
#include "model/onnx_proto.h"
#include "support/diagnostic.h"
#include "tensor/constant.h"

namespace tarn::model {

class ExternalFiles {
 public:
  explicit ExternalFiles(std::string folder) : folder_(std::move(folder)) {}

  // The data of a tensor stored externally. A file that is not there makes an absent constant and is remembered for
  // missing_files(); every other fault is E104, E105 or E106 at `where`.
  std::optional<Constant> read(const onnx::TensorProto& tensor, const TensorType& type, const Where& where,
                               Diagnostics* faults);

  // W101 for each missing file, once.
  Diagnostics missing_files(const std::string& model) const;
  // All that were named, in the order of their names.
  std::vector<std::string> names() const;
  // Of the files that are there.
  int64_t bytes() const;

 private:
  struct Entry {
    OpenFile opened;
    std::string first_user;  // a tensor that wants a missing file
    int users = 0;
  };
  std::string folder_;
  std::map<std::string, Entry> files_;
};

}  // namespace tarn::model
