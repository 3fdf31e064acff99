// From a Graph back to a Model, which can be written as a file: every value gets a name of its own.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/model.h"
#include "support/result.h"

namespace tarn::quantize {

// What a graph does not know of its file.
struct FileFacts {
  std::string path, graph_name;
  int ir_version = 8;
  std::map<std::string, int> opsets;
  std::vector<std::string> inputs, outputs;  // by position; more outputs than the graph's names: the values' own
};

// `names`: by value, what it is called in the file. E421 names the operators that no file of these opsets can hold:
// those of ours, and those whose definition is another one there.
Result<model::Model> to_model(const graph::Graph& graph, const FileFacts& facts,
                              std::vector<std::string>* names = nullptr);

}  // namespace tarn::quantize
