// All models of the onnx backend suite load, and inference gives the shapes that their data has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "model/node_facts.h"
#include "tensor/numeric.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> models_in(const std::string& folder) {
  std::vector<fs::path> out;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(std::string(TARN_BACKEND_DATA) + "/" + folder, missing)) {
    if (fs::exists(entry.path() / "model.onnx")) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::map<std::string, Constant> test_data(const fs::path& folder, const std::vector<ValueInfo>& values,
                                          const char* kind) {
  std::map<std::string, Constant> out;
  for (size_t i = 0; i < values.size(); ++i) {
    const fs::path file = folder / "test_data_set_0" / (std::string(kind) + "_" + std::to_string(i) + ".pb");
    if (values[i].type.kind != Type::Kind::tensor || !fs::exists(file)) continue;
    const auto tensor = load_tensor(file);
    if (tensor) {
      out.emplace(values[i].name, *tensor);
    } else {
      ADD_FAILURE() << texts(tensor.faults());
    }
  }
  return out;
}

bool is_static(const Type& type) {
  return type.dims &&
         std::all_of(type.dims->begin(), type.dims->end(), [](const Dim& d) { return d.value.has_value(); });
}

TEST(BackendSuite, EveryModelLoads) {
  int count = 0;
  for (const char* folder : {"node", "simple", "pytorch-operator", "pytorch-converted"}) {
    for (const fs::path& path : models_in(folder)) {
      const auto model = load_onnx(path / "model.onnx");
      EXPECT_TRUE(model.ok()) << (model.ok() ? "" : texts(model.faults()));
      ++count;
    }
  }
  if (count == 0) GTEST_SKIP() << "no backend data in " << TARN_BACKEND_DATA;
  EXPECT_EQ(count, 1905);
}

// Outputs depend on data, or on a graph inside that the caller of infer_types handles.
const std::set<std::string> kOpen = {"Compress",          "If",      "ImageDecoder", "Loop",
                                     "NonMaxSuppression", "NonZero", "Scan",         "StringNormalizer",
                                     "StringSplit",       "Unique",  "Optional",     "SequenceMap"};

TEST(BackendSuite, InferredShapesAreTheOnesInTheData) {
  int outputs = 0;
  for (const fs::path& path : models_in("node")) {
    if (path.filename().string().find("_expanded") != std::string::npos) continue;
    const auto model = load_onnx(path / "model.onnx");
    if (!model) continue;
    SCOPED_TRACE(path.filename());
    const Inferred inferred = infer_graph(model->graph, model->opsets, test_data(path, model->graph.inputs, "input"));
    ASSERT_EQ(texts(inferred.faults), "");
    const auto expected = test_data(path, model->graph.outputs, "output");
    const std::string& op = model->graph.nodes.back().op;
    for (const ValueInfo& output : model->graph.outputs) {
      if (output.type.kind != Type::Kind::tensor) continue;
      const Type& type = inferred.types.at(output.name);
      ++outputs;
      if (!is_static(type)) {
        EXPECT_TRUE(kOpen.contains(op)) << op << " leaves " << to_string(type);
      } else if (expected.contains(output.name)) {
        const TensorType& actual = expected.at(output.name).type();
        EXPECT_EQ(to_string(type), to_string(actual)) << op;
      }
    }
  }
  if (outputs == 0) GTEST_SKIP() << "no backend data in " << TARN_BACKEND_DATA;
  EXPECT_GT(outputs, 1400);
}

// With a dimension less known, the answer may become vaguer, but not another.
TEST(BackendSuite, VaguerQuestionsGiveVaguerAnswers) {
  for (const fs::path& path : models_in("node")) {
    if (path.filename().string().find("_expanded") != std::string::npos) continue;
    const auto model = load_onnx(path / "model.onnx");
    if (!model || model->graph.nodes.size() != 1 || model->graph.nodes[0].op == "StringNormalizer") continue;
    SCOPED_TRACE(path.filename());
    const auto known = test_data(path, model->graph.inputs, "input");
    const Inferred full = infer_graph(model->graph, model->opsets, known);
    for (const auto& [name, value] : known) {
      for (int axis = 0; axis <= value.shape().rank(); ++axis) {
        auto vague = known;
        vague.erase(name);
        Model changed = *model;
        for (ValueInfo& input : changed.graph.inputs) {
          if (input.name != name) continue;
          input.type = tensor_type(value.dtype(), value.shape());
          if (axis == value.shape().rank()) input.type.dims.reset();
          if (axis < value.shape().rank()) (*input.type.dims)[static_cast<size_t>(axis)] = {};
        }
        const Inferred less = infer_graph(changed.graph, changed.opsets, vague);
        ASSERT_EQ(texts(less.faults), "") << name << " axis " << axis;
        for (const ValueInfo& output : model->graph.outputs) {
          const Type &a = full.types.at(output.name), &b = less.types.at(output.name);
          if (!a.dims || !b.dims) continue;
          ASSERT_EQ(a.dims->size(), b.dims->size()) << name << " axis " << axis;
          for (size_t i = 0; i < a.dims->size(); ++i) {
            const auto &exact = (*a.dims)[i].value, &guess = (*b.dims)[i].value;
            EXPECT_TRUE(!exact || !guess || *exact == *guess)
                << to_string(a) << " became " << to_string(b) << " without " << name << " axis " << axis;
          }
        }
      }
    }
  }
}

// The standard's Cast cases are the reference for our conversions. Their names say the types: test_cast_FLOAT_to_INT4.
TEST(BackendSuite, ConversionsAreThoseOfCast) {
  int cases = 0;
  for (const fs::path& path : models_in("node")) {
    const std::string name = path.filename();
    if (!name.starts_with("test_cast_") || name.find("_expanded") != std::string::npos ||
        name.find("STRING") != std::string::npos)
      continue;
    const auto model = load_onnx(path / "model.onnx");
    ASSERT_TRUE(model.ok());
    SCOPED_TRACE(name);
    const NodeDef& node = model->graph.nodes[0];
    const auto in = test_data(path, model->graph.inputs, "input"),
               out = test_data(path, model->graph.outputs, "output");
    const Constant &from = in.begin()->second, &expected = out.begin()->second;
    const auto saturate = node.attributes.find("saturate");
    if (saturate != node.attributes.end() && std::get<int64_t>(saturate->second) == 0) continue;
    const auto mode = node.attributes.find("round_mode");
    const std::string rounding = mode == node.attributes.end() ? "up" : std::get<std::string>(mode->second);
    std::vector<uint8_t> data(static_cast<size_t>(expected.type().bytes()));
    for (int64_t i = 0; i < from.count(); ++i) {
      if (expected.dtype() == DType::float8e8m0) {
        const auto how = rounding == "up"     ? PowerRounding::up
                         : rounding == "down" ? PowerRounding::down
                                              : PowerRounding::nearest;
        data[static_cast<size_t>(i)] = float_to_e8m0(static_cast<float>(from.real(i)), true, how);
      } else if (is_integer(from.dtype()) || from.dtype() == DType::boolean) {
        write_int(expected.dtype(), data.data(), i, from.integer(i));
      } else {
        write_double(expected.dtype(), data.data(), i, from.real(i));
      }
    }
    const Constant got = Constant::of(expected.type(), data);
    for (int64_t i = 0; i < from.count(); ++i) {
      const double a = got.real(i), b = expected.real(i);
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << from.real(i) << " became " << a << ", not " << b;
    }
    ++cases;
  }
  if (cases == 0) GTEST_SKIP() << "no backend data in " << TARN_BACKEND_DATA;
  EXPECT_GT(cases, 40);
}

// Every operator that the standard defines by others has a body for each of its test cases.
TEST(BackendSuite, FunctionsHaveBodies) {
  int bodies = 0;
  for (const fs::path& path : models_in("node")) {
    const std::string name = path.filename();
    if (!fs::exists(path.parent_path() / (name + "_expanded"))) continue;
    const auto model = load_onnx(path / "model.onnx");
    if (!model || model->graph.nodes.size() != 1) continue;
    const Inferred inferred = infer_graph(model->graph, model->opsets, test_data(path, model->graph.inputs, "input"));
    const NodeDef& node = model->graph.nodes[0];
    NodeQuery query{&node, &model->opsets, {}, {}};
    for (const std::string& input : node.inputs) {
      query.input_types.push_back(input.empty() ? Type{} : inferred.types.at(input));
      query.input_values.push_back(nullptr);
    }
    std::map<std::string, int> opsets;
    const GraphDefPtr body = function_body(query, &opsets);
    ASSERT_NE(body, nullptr) << name;
    EXPECT_EQ(body->inputs.size(), node.inputs.size()) << name;
    EXPECT_EQ(body->outputs.size(), node.outputs.size()) << name;
    std::set<std::string> defined;
    for (const ValueInfo& input : body->inputs) defined.insert(input.name);
    for (const NodeDef& inner : body->nodes) {
      EXPECT_TRUE(since_version(inner.domain, inner.op, opsets)) << name << ": " << inner.op;
      for (const std::string& input : inner.inputs)
        EXPECT_TRUE(input.empty() || defined.contains(input)) << name << ": " << input;
      defined.insert(inner.outputs.begin(), inner.outputs.end());
    }
    for (const ValueInfo& output : body->outputs)
      EXPECT_TRUE(output.name.empty() || defined.contains(output.name)) << name;
    ++bodies;
  }
  if (bodies == 0) GTEST_SKIP() << "no backend data in " << TARN_BACKEND_DATA;
  EXPECT_GT(bodies, 300);
}

}  // namespace
}  // namespace tarn::model
