// Graph -> Program: every node's room writes its kernel calls.
#pragma once
#include "graph/graph.h"
#include "ops/lowering.h"
#include "program/program.h"
#include "support/result.h"

namespace tarn::ops {

struct LowerOptions {
  std::string file;                // the model, for diagnostics
  std::string target = "generic";
  bool opaque_operators = false;   // nodes without a room only hold their tensors (--emit arena)
  std::vector<std::string> input_names, output_names;  // the model's own
  std::vector<int64_t> symbols;    // of run-time sizes: the largest value of each
};

Result<program::Program> lower(const graph::Graph& graph, const LowerOptions& options);

}  // namespace tarn::ops
