// Graph -> Program: every node's entry writes its kernel calls.
#pragma once
#include "graph/graph.h"
#include "ops/lowering.h"
#include "program/program.h"
#include "support/result.h"

namespace tarn::ops {

struct LowerOptions {
  std::string file;  // the model, for diagnostics
  std::string target = "generic";
  bool opaque_operators = false;                       // nodes without an entry only hold their tensors (--emit arena)
  std::vector<std::string> input_names, output_names;  // the model's own
  std::vector<int64_t> symbols;                        // of run-time sizes: the largest value of each
  // The steps of a signal, [1, steps, channels] or [1, 1, steps, channels], are lines of one pixel, not the pixels of
  // one line: for networks that run along time step by step.
  bool time_lines = false;
  bool endless = false;  // signals go on without end: see set_single_lines()
  // Inputs that are images in planes are made into lines where they stand, so that each can go once it has been read.
  bool input_rows = false;
  bool sparse = false;  // kernels may skip weights of zero
  bool timed = true;    // what TIME guesses of tensors' values is wanted
};

// Do all operators on images work on signals, so that it can be lowered with `time_lines`?
bool runs_along_time(const graph::Graph& graph);

Result<program::Program> lower(const graph::Graph& graph, const LowerOptions& options);

}  // namespace tarn::ops
