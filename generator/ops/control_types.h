// The types that If, Loop and Scan give, from those of their bodies.
#pragma once
#include <optional>
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

Answer<Types> infer_if(const Facts& facts);  // the larger sizes of both branches
Answer<Types> infer_loop(const Facts& facts);
Answer<Types> infer_scan(const Facts& facts);

// note [scan 8]: before opset 9 the first input holds the lengths of the sequences, and every tensor has a batch axis
// before all others. Without lengths and with a batch of one it is the later Scan along axis 1.
struct ScanShape {
  size_t first = 0;              // input of the first state
  size_t states = 0, scans = 0;  // inputs
  int64_t trips = 0;
  int64_t axis = 0;  // along which parts go when nothing is said
};
// Nothing when the operands do not fit.
std::optional<ScanShape> scan_shape(const Node& node, const std::vector<TensorType>& types);

}  // namespace tarn::ops
