// The models of the onnx backend suite: where they are, what they need, and which of them make the sample.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "verify/dataset.h"

namespace tarn::conformance {

// What a model's tensors and operators ask of a tool. A model is of the first class in this order that it needs.
enum class Class { image_decoding, random, training, strings, sequence, optional, numeric };
inline constexpr Class kClasses[] = {Class::numeric, Class::strings,        Class::sequence, Class::optional,
                                     Class::random,  Class::image_decoding, Class::training};
std::string to_string(Class);

struct Entry {
  std::string name;  // "node/test_add"
  std::string path;  // of the model file
  Class kind = Class::numeric;
  std::set<std::string> operators;  // subgraphs and functions included; "ai.onnx.ml.Scaler" outside ai.onnx
  double relative = 1e-3, absolute = 1e-7;
};

// `folder` is onnx/backend/test/data of the source package. By name; empty when it is not there.
std::vector<Entry> read_catalogue(const std::string& folder);

// Inputs and outputs of a model of light/, which has no data folder: inputs as ONNX's runner makes them up, and the
// stored outputs beside the model. Empty for other models.
std::vector<verify::DataSet> data_of(const Entry& entry);

// At least `least` entries (or all): for one of `each` operators one model as the standard states it and one of its
// expansion, then models at even distances. The same on every machine.
std::vector<Entry> sample_of(const std::vector<Entry>& catalogue, size_t least, size_t each);

}  // namespace tarn::conformance
