// The network as it is before it is quantised: shapes known, constants folded, BatchNormalization in the layers before,
// every operator still one of the standard's, in an opset that has per-channel QuantizeLinear.
#pragma once
#include "quantize/complete.h"
#include "quantize/to_model.h"
#include "support/result.h"

namespace tarn::quantize {

struct FloatModel {
  graph::Graph graph;
  FileFacts facts;
  std::vector<std::shared_ptr<const std::string>> bytes;  // of converted models: constants lie there
  Diagnostics notices;                                    // W402: the opset was raised
  std::vector<std::string> files;                         // that were read
  Kept kept;                                              // weights that were codes already
};

// Opsets with DequantizeLinear per channel, and of codes of 4 and of 16 bits.
inline constexpr int kQdqOpset = 13, kNarrowOpset = 21;

// In `least_opset` at least. Of a model that is quantised in part, by QuantizeLinear and DequantizeLinear of 8 bits,
// the floats, with Value::codes and `kept`. E421 for one that is quantised wholly, by other operators, or has no float
// to quantise.
Result<FloatModel> load_float_model(const std::string& path, const std::map<std::string, int64_t>& dims,
                                    const std::map<std::string, Constant>& constants, int least_opset);

}  // namespace tarn::quantize
