// Reads an ONNX file into a Model: mapped into memory, checked, opset normalised, local functions inlined.
#pragma once
#include <string>

#include "model/model.h"
#include "support/result.h"

namespace tarn::model {

inline constexpr int kOldestIr = 3, kNewestIr = 13;
inline constexpr int kOldestOpset = 6, kNewestOpset = 27;

// Every fault found is reported, not the first (E101 to E109, E201, E207). Missing external data is warning W101 and
// makes its constants absent. Weights stay in the mapped file. An initializer that is also a graph input wins: the
// value in the file is used, and the input is none. Models of an ai.onnx opset before 7 become opset 7: where
// conversion fails, E108. Operators that nobody knows are no fault here.
Result<Model> load_onnx(const std::string& path);

// The same from bytes that are in memory already; `path` names them and gives the folder of external data.
Result<Model> load_onnx_bytes(const std::string& path, std::span<const uint8_t> bytes);

// One TensorProto from a .pb file (test data, --const). E101, E102, E103, E107, E109, E207.
Result<Constant> load_tensor(const std::string& path);

}  // namespace tarn::model
