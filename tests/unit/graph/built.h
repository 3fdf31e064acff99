// Graphs for tests: from the onnx library's textual form to Graph.
#pragma once
#include <gtest/gtest.h>

#include "graph/build.h"
#include "unit/model/onnx_text.h"

namespace tarn::graph {

inline Result<Built> try_build(const onnx::ModelProto& proto, const BuildOptions& options = {}) {
  return build(model::load_ok(proto), options);
}
inline Result<Built> try_build(const std::string& text, const BuildOptions& options = {}) {
  return try_build(model::parse_graph(text), options);
}

// Fails the test with the diagnostics.
inline Graph build_ok(const std::string& text, const BuildOptions& options = {}) {
  Result<Built> built = try_build(text, options);
  if (!built) {
    ADD_FAILURE() << model::texts(built.faults());
    return {};
  }
  EXPECT_EQ(verify(built->graph), std::vector<std::string>{}) << dump(built->graph);
  return std::move(built->graph);
}

inline std::string codes_of(const Result<Built>& built) {
  std::string out;
  if (built) return out;
  for (const Diagnostic& d : built.faults()) out += (out.empty() ? "" : " ") + d.code;
  return out;
}

// "Conv Relu": the operators in their order.
inline std::string ops_of(const Graph& graph) {
  std::string out;
  for (const Node& node : graph.nodes) out += (out.empty() ? "" : " ") + node.op;
  return out;
}

}  // namespace tarn::graph
