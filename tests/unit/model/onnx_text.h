// Models for tests, written in the onnx library's textual form and changed in protobuf form where the text cannot say
// it.
#pragma once
#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <vector>

#include "model/load_onnx.h"
#include "model/onnx_schema.h"

namespace tarn::model {

using Change = std::function<void(onnx::ModelProto&)>;

// "<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }". Fails the test when it
// does not parse.
onnx::ModelProto parse_model(const std::string& text);
// The same with the usual head: IR 8, opset 17.
onnx::ModelProto parse_graph(const std::string& graph);

// A folder of its own for one test, removed with it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  // Writes a file and gives its path.
  std::string write(const std::string& name, const std::string& bytes) const;
  std::string write(const std::string& name, const onnx::ModelProto& model) const;

 private:
  std::string folder_;
};

// Through a file, as users do. A model that loads has its constants in memory of its own afterwards or mapped.
Result<Model> load(const onnx::ModelProto& model);
Model load_ok(const onnx::ModelProto& model);  // fails the test with the diagnostics

// "E201 E201": the codes of all faults; "" when it loads.
std::string codes(const Result<Model>& result);
// All faults as text, for searching in them.
std::string texts(const Diagnostics& faults);

// Infers a straight-line graph node by node from its declared inputs, initializers and Constant nodes.
struct Inferred {
  std::map<std::string, Type> types;
  Diagnostics faults;
};
Inferred infer_graph(const GraphDef& graph, const std::map<std::string, int>& opsets,
                     std::map<std::string, Constant> known = {});
// "float32[2,3]", or the code of the fault, of the graph's first output.
std::string first_output(const onnx::ModelProto& model, std::map<std::string, Constant> known = {});

}  // namespace tarn::model
