// libFuzzer target: no bytes may crash, hang or swell the loader; a model that loads must also survive inference.
#include "model/load_onnx.h"
#include "model/onnx_schema.h"

namespace {

using namespace tarn::model;

void infer_all(const GraphDef& graph, const std::map<std::string, int>& opsets) {
  std::map<std::string, Type> types;
  std::map<std::string, const tarn::Constant*> values;
  for (const ValueInfo& value : graph.inputs) types[value.name] = value.type;
  for (const Initializer& initializer : graph.initializers) values[initializer.name] = &initializer.value;
  for (const NodeDef& node : graph.nodes) {
    NodeQuery query{&node, &opsets, {}, {}};
    for (const std::string& input : node.inputs) {
      query.input_types.push_back(types[input]);
      query.input_values.push_back(values.contains(input) ? values[input] : nullptr);
    }
    (void)function_body(query, nullptr);
    const auto outputs = infer_types(query);
    for (size_t i = 0; outputs && i < node.outputs.size(); ++i) types[node.outputs[i]] = (*outputs)[i];
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto model = load_onnx_bytes("/nonexistent/fuzzed.onnx", {data, size});
  if (model) infer_all(model->graph, model->opsets);
  return 0;
}
