#include <gtest/gtest.h>

#include "model/node_facts.h"
#include "support/sha256.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

const char* const kRelu = "g (float[N, 3] x) => (float[N, 3] y) { y = Relu(x) }";

TEST(LoadOnnx, SaysWhatTheFileSays) {
  onnx::ModelProto proto = parse_graph(kRelu);
  proto.mutable_graph()->mutable_node(0)->set_name("first");
  const ScratchFolder scratch;
  const std::string path = scratch.write("model.onnx", proto);
  const Result<Model> model = load_onnx(path);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->path, path);
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->opsets, (std::map<std::string, int>{{"", 17}}));
  EXPECT_EQ(model->bytes.size(), proto.ByteSizeLong());
  EXPECT_EQ(sha256_hex(model->bytes).size(), 64u);
  ASSERT_EQ(model->graph.nodes.size(), 1u);
  const NodeDef& node = model->graph.nodes[0];
  EXPECT_EQ(node.index, 0);
  EXPECT_EQ(node.name, "first");
  EXPECT_EQ(node.op, "Relu");
  EXPECT_EQ(node.domain, "");
  EXPECT_EQ(node.inputs, std::vector<std::string>{"x"});
  EXPECT_EQ(to_string(model->graph.inputs[0].type), "float32[N,3]");
  EXPECT_EQ(to_string(model->graph.outputs[0].type), "float32[N,3]");
  EXPECT_TRUE(model->warnings.empty());
}

TEST(LoadOnnx, ModelOutlivesTheFile) {
  onnx::ModelProto proto = parse_graph("g (float[1000] x) => (float[1000] y) { y = Add(x, w) }");
  auto* w = proto.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(onnx::TensorProto::FLOAT);
  w->add_dims(1000);
  w->set_raw_data(std::string(3996, '\0') + std::string("\0\0\x80\x3f", 4));
  const Model model = load_ok(proto);  // the file is gone by now
  ASSERT_EQ(model.graph.initializers.size(), 1u);
  const Constant& value = model.graph.initializers[0].value;
  EXPECT_EQ(value.real(999), 1.0);
  // Large data lies in the mapped file, not in a copy.
  EXPECT_GE(value.contiguous().data(), model.bytes.data());
  EXPECT_LE(value.contiguous().data() + 4000, model.bytes.data() + model.bytes.size());
}

TEST(LoadOnnx, BothNamesOfTheStandardDomain) {
  onnx::ModelProto proto = parse_graph(kRelu);
  proto.mutable_opset_import(0)->set_domain("ai.onnx");
  proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
  const Model model = load_ok(proto);
  EXPECT_EQ(model.opsets, (std::map<std::string, int>{{"", 17}}));
  EXPECT_EQ(model.graph.nodes[0].domain, "");
  // Mixed spellings mean the same.
  proto.mutable_graph()->mutable_node(0)->set_domain("");
  EXPECT_EQ(codes(load(proto)), "");
}

TEST(LoadOnnx, InitializersOfInputsWin) {
  onnx::ModelProto proto =
      parse_graph("g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }");
  const Model model = load_ok(proto);
  ASSERT_EQ(model.graph.inputs.size(), 1u);
  EXPECT_EQ(model.graph.inputs[0].name, "x");
  EXPECT_EQ(model.graph.initializers[0].value.reals(), (std::vector<double>{1, 2}));
}

TEST(LoadOnnx, OmittedInputsAreEmptyNames) {
  const Model model = load_ok(parse_graph("g (float[2] x, float top) => (float[2] y) { y = Clip(x, , top) }"));
  EXPECT_EQ(model.graph.nodes[0].inputs, (std::vector<std::string>{"x", "", "top"}));
}

TEST(LoadOnnx, AttributesOfEveryKind) {
  onnx::ModelProto proto = parse_graph(R"(g (float[2] x) => (float[2] y) {
    y = custom.Op <i = 7, f = 1.5, s = "text", is = [1, 2], fs = [0.5, 2.5], ss = ["a", "b"], t = float[2] {3, 4},
                   g = inner (float[2] a) => (float[2] b) { b = Relu(a) }>(x) })");
  auto* node = proto.mutable_graph()->mutable_node(0);
  auto* types = node->add_attribute();
  types->set_name("tp");
  types->set_type(onnx::AttributeProto::TYPE_PROTO);
  types->mutable_tp()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(1);
  const Model model = load_ok(proto);
  const Attributes& a = model.graph.nodes[0].attributes;
  EXPECT_EQ(std::get<int64_t>(a.at("i")), 7);
  EXPECT_EQ(std::get<float>(a.at("f")), 1.5f);
  EXPECT_EQ(std::get<std::string>(a.at("s")), "text");
  EXPECT_EQ(std::get<std::vector<int64_t>>(a.at("is")), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(std::get<std::vector<float>>(a.at("fs")), (std::vector<float>{0.5f, 2.5f}));
  EXPECT_EQ(std::get<std::vector<std::string>>(a.at("ss")), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(std::get<Constant>(a.at("t")).reals(), (std::vector<double>{3, 4}));
  EXPECT_EQ(to_string(std::get<Type>(a.at("tp"))), "sequence(float32[...])");
  const GraphDefPtr& inner = std::get<GraphDefPtr>(a.at("g"));
  ASSERT_EQ(inner->nodes.size(), 1u);
  EXPECT_EQ(inner->nodes[0].index, 0);  // the outermost node's
}

TEST(LoadOnnx, ConstantNodesKeepTheirForm) {
  const Model model = load_ok(parse_graph(R"(g () => (int64[1] a, float[1] b, int64[1] c) {
    a = Constant <value_int = 3>() b = Constant <value_floats = [1.0]>() c = Constant <value = int64[1] {5}>() })"));
  EXPECT_EQ(std::get<int64_t>(model.graph.nodes[0].attributes.at("value_int")), 3);
  EXPECT_EQ(std::get<std::vector<float>>(model.graph.nodes[1].attributes.at("value_floats")).size(), 1u);
  EXPECT_EQ(std::get<Constant>(model.graph.nodes[2].attributes.at("value")).integer(0), 5);
}

TEST(LoadOnnx, UnknownDimensions) {
  onnx::ModelProto proto = parse_graph(kRelu);
  auto* dims = proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  dims->mutable_dim(0)->clear_dim_param();
  dims->mutable_dim(1)->set_dim_value(-1);  // some exporters write this for unknown
  EXPECT_EQ(to_string(load_ok(proto).graph.inputs[0].type), "float32[?,?]");
}

TEST(LoadOnnx, SparseInitializersBecomeDense) {
  onnx::ModelProto proto = parse_graph("g (float[2,3] x) => (float[2,3] y) { y = Add(x, w) }");
  auto* sparse = proto.mutable_graph()->add_sparse_initializer();
  sparse->mutable_values()->set_name("w");
  sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse->mutable_values()->add_dims(2);
  sparse->mutable_values()->add_float_data(5);
  sparse->mutable_values()->add_float_data(6);
  sparse->mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse->mutable_indices()->add_dims(2);
  sparse->mutable_indices()->add_int64_data(1);
  sparse->mutable_indices()->add_int64_data(5);
  sparse->add_dims(2);
  sparse->add_dims(3);
  EXPECT_EQ(load_ok(proto).graph.initializers[0].value.reals(), (std::vector<double>{0, 5, 0, 0, 0, 6}));

  // The same as coordinates.
  auto* indices = sparse->mutable_indices();
  indices->clear_dims();
  indices->add_dims(2);
  indices->add_dims(2);
  indices->clear_int64_data();
  for (const int64_t i : {0, 1, 1, 2}) indices->add_int64_data(i);
  EXPECT_EQ(load_ok(proto).graph.initializers[0].value.reals(), (std::vector<double>{0, 5, 0, 0, 0, 6}));

  indices->set_int64_data(3, 3);
  EXPECT_EQ(codes(load(proto)), "E109");
  sparse->set_dims(0, 1 << 26);
  EXPECT_EQ(codes(load(proto)), "E103");
  sparse->set_dims(0, int64_t{1} << 40);
  EXPECT_EQ(codes(load(proto)), "E207");
}

TEST(LoadOnnx, SparseConstantsToo) {
  onnx::ModelProto proto = parse_graph("g () => (float[4] y) { y = Constant <value_float = 1.0>() }");
  auto* a = proto.mutable_graph()->mutable_node(0)->mutable_attribute(0);
  a->Clear();
  a->set_name("sparse_value");
  a->set_type(onnx::AttributeProto::SPARSE_TENSOR);
  auto* sparse = a->mutable_sparse_tensor();
  sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse->mutable_values()->add_dims(1);
  sparse->mutable_values()->add_float_data(2);
  sparse->mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse->mutable_indices()->add_dims(1);
  sparse->mutable_indices()->add_int64_data(3);
  sparse->add_dims(4);
  const Model model = load_ok(proto);
  EXPECT_EQ(std::get<Constant>(model.graph.nodes[0].attributes.at("sparse_value")).reals(),
            (std::vector<double>{0, 0, 0, 2}));
  EXPECT_EQ(first_output(proto), "float32[4]");
}

TEST(LoadOnnx, UnreadableFiles) {
  const ScratchFolder scratch;
  EXPECT_EQ(codes(load_onnx(scratch.path("nothing.onnx"))), "E101");
  EXPECT_EQ(codes(load_onnx(scratch.path(""))), "E101");
  EXPECT_EQ(codes(load_onnx(scratch.write("empty.onnx", ""))), "E101");
  EXPECT_EQ(codes(load_onnx("/dev/zero")), "E101");
  EXPECT_EQ(codes(load_onnx(scratch.write("text.onnx", "This is no model, but a note to myself."))), "E102");
  EXPECT_EQ(codes(load_onnx(scratch.write("zip.onnx", "PK\x03\x04 and so on"))), "E102");
}

TEST(LoadOnnx, EveryTruncationIsTold) {
  const std::string whole = parse_graph(kRelu).SerializeAsString();
  for (size_t length = 1; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    const auto result = load_onnx_bytes("model.onnx", {reinterpret_cast<const uint8_t*>(part.data()), part.size()});
    EXPECT_FALSE(result.ok()) << length;
  }
}

TEST(LoadOnnx, Versions) {
  onnx::ModelProto proto = parse_graph(kRelu);
  for (const int ir : {3, 13}) {
    proto.set_ir_version(ir);
    EXPECT_EQ(codes(load(proto)), "") << ir;
  }
  for (const int ir : {0, 1, 2, 14, 1000}) {
    proto.set_ir_version(ir);
    EXPECT_EQ(codes(load(proto)), "E108") << ir;
  }
  proto.set_ir_version(8);
  for (const int opset : {7, 13, 27}) {
    proto.mutable_opset_import(0)->set_version(opset);
    EXPECT_EQ(codes(load(proto)), "") << opset;
  }
  proto.mutable_opset_import(0)->set_version(28);
  EXPECT_EQ(codes(load(proto)), "E108");
  proto.mutable_opset_import(0)->set_version(0);
  EXPECT_EQ(codes(load(proto)), "E107");
  proto.mutable_opset_import(0)->set_version(int64_t{1} << 40);
  EXPECT_EQ(codes(load(proto)), "E107");
  proto.clear_opset_import();
  EXPECT_EQ(codes(load(proto)), "E107");
}

TEST(LoadTensor, ReadsTestData) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(2);
  tensor.add_int64_data(-1);
  tensor.add_int64_data(2);
  const ScratchFolder scratch;
  const auto loaded = load_tensor(scratch.write("input_0.pb", tensor.SerializeAsString()));
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->integers(), (std::vector<int64_t>{-1, 2}));
  tensor.add_int64_data(3);
  const auto wrong = load_tensor(scratch.write("input_1.pb", tensor.SerializeAsString()));
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.faults()[0].code, "E109");
  EXPECT_EQ(load_tensor(scratch.path("none.pb")).faults()[0].code, "E101");
}

}  // namespace
}  // namespace tarn::model
