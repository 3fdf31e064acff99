// Analyses for tests: from the onnx library's textual form to a plan.
#pragma once
#include <gtest/gtest.h>

#include "compile.h"
#include "unit/model/onnx_text.h"

namespace tarn {

// A network with a residual sum, a concatenation, a reshape and in-place steps.
constexpr const char* kNetwork = R"(g (float[1, 2, 6, 6] image) => (float[1, 5] scores)
  <float[2, 2, 1, 1] w = {0.5, 2, 3, 4}, float[3, 4, 1, 1] v = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.5}, int64[2] flat = {1, -1},
   float[108, 5] weights = {0.25}, float[5] bias = {1, 2, 3, 4, 5}> {
    a = Conv(image, w)  b = Relu(a)  c = Conv(b, w)  d = Add(c, b)  e = Concat <axis = 1>(d, image)  f = Conv(e, v)
    h = Reshape(f, flat)  k = Sigmoid(h)  m = Expand(weights, s)  scores = Gemm(k, m, bias) })";

inline std::string network() {
  std::string text = kNetwork;
  // The textual form wants every number: one is spread by Expand.
  const std::string before = "float[108, 5] weights = {0.25}", after = "float weights = {0.25}, int64[2] s = {108, 5}";
  text.replace(text.find(before), before.size(), after);
  return text;
}

inline Result<Analysis> try_analyze(const std::string& text, CompileOptions options = {}) {
  const model::ScratchFolder scratch;
  options.model_path = scratch.write("net.onnx", model::parse_graph(text));
  return analyze(options);
}

inline Analysis analyze_ok(const std::string& text, const CompileOptions& options = {}) {
  Result<Analysis> result = try_analyze(text, options);
  if (result) return std::move(*result);
  ADD_FAILURE() << model::texts(result.faults());
  return {};
}

}  // namespace tarn
