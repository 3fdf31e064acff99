#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/node_facts.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

constexpr int64_t kHuge = int64_t{1} << 62;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Constant ints(const std::vector<int64_t>& values) {
  return Constant::ints(DType::int64, {static_cast<int64_t>(values.size())}, values);
}
Constant floats(const std::vector<double>& values) {
  return Constant::floats(DType::float32, {static_cast<int64_t>(values.size())}, values);
}
Constant integer(int64_t value) { return Constant::ints(DType::int64, {}, {value}); }

// The type of y, or the fault's code, of one node in the textual form. `known` gives inputs values.
std::string infer(const std::string& inputs, const std::string& node, std::map<std::string, Constant> known = {},
                  int opset = 17) {
  return first_output(parse_model("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>\n g (" +
                                  inputs + ") => (float[1] y) { " + node + " }"),
                      std::move(known));
}

TEST(InferTypes, ShapesFromTypesAttributesAndValues) {
  EXPECT_EQ(infer("float[1,3,32,32] x, float[8,3,3,3] w", "y = Conv <strides = [2,2], pads = [1,1,1,1]>(x, w)"),
            "float32[1,8,16,16]");
  EXPECT_EQ(infer("float[2,3] x, float[3,4] w", "y = MatMul(x, w)"), "float32[2,4]");
  EXPECT_EQ(infer("float[2,3,4] x, int64[2] s", "y = Reshape(x, s)", {{"s", ints({0, -1})}}), "float32[2,12]");
  EXPECT_EQ(infer("int64[2] s", "y = ConstantOfShape(s)", {{"s", ints({2, 3})}}), "float32[2,3]");
  EXPECT_EQ(infer("float[2,9] x, int64[1] k", "y, i = TopK(x, k)", {{"k", ints({4})}}), "float32[2,4]");
  EXPECT_EQ(infer("float[1,1,4,4] x, float[4] s", "y = Resize(x, , s)", {{"s", floats({1, 1, 2, 2})}}),
            "float32[1,1,8,8]");
  EXPECT_EQ(infer("float[4,6] x, int64[1] a", "y = ReduceSum(x, a)", {{"a", ints({1})}}), "float32[4,1]");
  EXPECT_EQ(infer("float[4,6] x", "y = Cast <to = 7>(x)"), "int64[4,6]");
}

TEST(InferTypes, WhatIsNotKnownStaysOpen) {
  EXPECT_EQ(infer("float[2,3,4] x, int64[2] s", "y = Reshape(x, s)"), "float32[?,?]");
  EXPECT_EQ(infer("float[N,3] x", "y = Relu(x)"), "float32[N,3]");
  EXPECT_EQ(infer("float[N,3] x", "y = Transpose(x)"), "float32[3,N]");
  EXPECT_EQ(infer("float[N,3] x", "y = Frobnicate(x)"), "unknown");
  EXPECT_EQ(infer("float[2,3] x", "t = Frobnicate(x) y = Relu(t)"), "unknown");
  EXPECT_EQ(infer("float[2,3] x", "y = NonZero(x)"), "int64[2,?]");
  EXPECT_EQ(infer("float[4,6] x, int64[n] s, int64[n] e", "y = Slice(x, s, e)"), "float32[?,?]");
}

TEST(InferTypes, ElementCountsAndSizes) {
  EXPECT_EQ(infer("float[2,3] x, int64[1] s", "y = Reshape(x, s)", {{"s", ints({7})}}), "E205");
  EXPECT_EQ(infer("float[2,3] x, int64[2] s", "y = Reshape(x, s)", {{"s", ints({-1, -1})}}), "E205");
  EXPECT_EQ(infer("float[2,3] x, int64[1] s", "y = Reshape(x, s)", {{"s", ints({-7})}}), "E211");
  EXPECT_EQ(infer("float[2,3] x, int64[9] s", "y = Reshape(x, s)", {{"s", ints(std::vector<int64_t>(9, 1))}}), "E207");
  EXPECT_EQ(infer("float[2,3] x, int64[1000000000] s", "y = Reshape(x, s)"), "E207");
  EXPECT_EQ(infer("int64[2] s", "y = ConstantOfShape(s)", {{"s", ints({kHuge, 4})}}), "E207");
  EXPECT_EQ(infer("int64[2] s", "y = ConstantOfShape(s)", {{"s", ints({1 << 30, 1 << 30})}}), "E207");
  EXPECT_EQ(infer("int64[1] s", "y = ConstantOfShape(s)", {{"s", ints({-1})}}), "E211");
  EXPECT_EQ(infer("float[1] x, int64[2] s", "y = Expand(x, s)", {{"s", ints({kMax, kMax})}}), "E207");
  EXPECT_EQ(infer("float[2] x, int64[1] r", "y = Tile(x, r)", {{"r", ints({kHuge})}}), "E207");
  EXPECT_EQ(infer("float[1000000] x, int64[1] r", "y = Tile(x, r)", {{"r", ints({1000000})}}), "E207");
  EXPECT_EQ(infer("float[2] x, int64[2] p", "y = Pad(x, p)", {{"p", ints({0, kMax})}}), "E207");
  EXPECT_EQ(infer("float[2] x, int64[2] p", "y = Pad(x, p)", {{"p", ints({-4, -4})}}), "E205");
  EXPECT_EQ(infer("int64 a, int64 b, int64 c", "y = Range(a, b, c)",
                  {{"a", integer(0)}, {"b", integer(kMax)}, {"c", integer(1)}}),
            "E207");
  EXPECT_EQ(infer("int64 a, int64 b, int64 c", "y = Range(a, b, c)",
                  {{"a", integer(-kMax)}, {"b", integer(kMax)}, {"c", integer(kMax)}}),
            "int64[2]");
  EXPECT_EQ(infer("int64 a, int64 b, int64 c", "y = Range(a, b, c)",
                  {{"a", integer(0)}, {"b", integer(5)}, {"c", integer(0)}}),
            "E211");
  // Sizes of int64 values do not wrap: only their shape is inferred here.
  EXPECT_EQ(infer("int64[2] a", "y = Mul(a, a)", {{"a", ints({kHuge, kHuge})}}), "int64[2]");
}

TEST(InferTypes, AbsurdTypesNeverReachTheLibrary) {
  NodeDef node;
  node.op = "Flatten";
  node.inputs = {"x"};
  node.outputs = {"y"};
  const std::map<std::string, int> opsets{{"", 17}};
  auto code_of = [&](const Shape& shape) {
    const NodeQuery query{&node, &opsets, {tensor_type(DType::float32, shape)}, {nullptr}};
    const auto result = infer_types(query);
    return result ? to_string(result->at(0)) : result.faults()[0].code;
  };
  EXPECT_EQ(code_of({2, 3, 4}), "float32[2,12]");
  EXPECT_EQ(code_of({kMax, kMax}), "E207");
  EXPECT_EQ(code_of({kHuge, 4, 0}), "E207");
  EXPECT_EQ(code_of({-1, 4}), "E207");
  EXPECT_EQ(code_of(Shape(std::vector<int64_t>(1000, 1))), "E207");
}

TEST(InferTypes, Windows) {
  EXPECT_EQ(infer("float[1,3,4,4] x, float[8,3,5,5] w", "y = Conv(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,3,4,4] x, float[8,3,6,6] w", "y = Conv(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,3,3,3] w", "y = Conv(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,2,3,3] w", "y = Conv <group = 2>(x, w)"), "float32[1,8,6,6]");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[7,2,3,3] w", "y = Conv <group = 2>(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,2,3,3] w", "y = Conv <group = 0>(x, w)"), "E211");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,4,3] w", "y = Conv(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8] x, float[8,4,3,3,3] w", "y = Conv(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,4,3,3] w", "y = Conv <kernel_shape = [5,5]>(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,4,3,3] w", "y = Conv <strides = [0,1]>(x, w)"), "E211");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,4,3,3] w", "y = Conv <dilations = [-1,1]>(x, w)"), "E211");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[8,4,3,3] w", "y = Conv <pads = [9223372036854775807,0,0,1]>(x, w)"), "E211");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[4,2,3,3] w", "y = ConvTranspose <group = 2>(x, w)"), "float32[1,4,10,10]");
  EXPECT_EQ(infer("float[1,4,8,8] x, float[3,2,3,3] w", "y = ConvTranspose(x, w)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x", "y = MaxPool <kernel_shape = [9,9]>(x)"), "E205");
  EXPECT_EQ(infer("float[1,4,8,8] x", "y = MaxPool <kernel_shape = [0,1]>(x)"), "E211");
  EXPECT_EQ(infer("float[1,4,8,8] x", "y = AveragePool <kernel_shape = [2,2], strides = [2,2]>(x)"),
            "float32[1,4,4,4]");
  EXPECT_EQ(infer("float[1,6,8,8] x", "y = DepthToSpace <blocksize = 2>(x)"), "E205");
  EXPECT_EQ(infer("float[1,8,7,8] x", "y = SpaceToDepth <blocksize = 2>(x)"), "E205");
  EXPECT_EQ(infer("float[1,8,8,8] x", "y = SpaceToDepth <blocksize = 0>(x)"), "E211");
}

TEST(InferTypes, Resizing) {
  const char* const kInputs = "float[1,1,4,4] x, float[4] s";
  EXPECT_EQ(infer(kInputs, "y = Resize(x, , s)", {{"s", floats({1, 1, -2, 2})}}), "E211");
  EXPECT_EQ(infer(kInputs, "y = Resize(x, , s)", {{"s", floats({1, 1, 0, 2})}}), "E211");
  EXPECT_EQ(infer(kInputs, "y = Resize(x, , s)", {{"s", floats({1, 1, 1e30, 2})}}), "E207");
  EXPECT_EQ(infer(kInputs, "y = Resize(x, , s)", {{"s", floats({1, 1, std::nan(""), 2})}}), "E211");
  EXPECT_EQ(infer("float[1,1,4,4] x, int64[4] s", "y = Resize(x, , , s)", {{"s", ints({1, 1, -8, 8})}}), "E211");
  EXPECT_EQ(infer("float[1,1,4,4] x, int64[4] s", "y = Resize(x, , , s)", {{"s", ints({1, 1, 8, kHuge})}}), "E207");
  EXPECT_EQ(infer("float[1,1,4,4] x, int64[n] s", "y = Resize(x, , , s)"), "float32[?,?,?,?]");
  EXPECT_EQ(infer(kInputs, "y = Upsample(x, s)", {{"s", floats({1, 1, 2, 2})}}, 9), "float32[1,1,8,8]");
  EXPECT_EQ(infer(kInputs, "y = Upsample(x, s)", {{"s", floats({1, 1, -2, 2})}}, 9), "E211");
  EXPECT_EQ(infer("float[1,1,4,4] x", "y = Upsample <scales = [1.0, 1.0, -2.0, 1.0]>(x)", {}, 7), "E211");
}

TEST(InferTypes, PositionsAndCounts) {
  const char* const kGather = "float[3,4] x, int64[2] i";
  EXPECT_EQ(infer(kGather, "y = Gather(x, i)", {{"i", ints({2, -3})}}), "float32[2,4]");
  EXPECT_EQ(infer(kGather, "y = Gather(x, i)", {{"i", ints({3, 0})}}), "E211");
  EXPECT_EQ(infer(kGather, "y = Gather(x, i)", {{"i", ints({0, -4})}}), "E211");
  EXPECT_EQ(infer(kGather, "y = Gather <axis = 1>(x, i)", {{"i", ints({3, 0})}}), "float32[3,2]");
  EXPECT_EQ(infer(kGather, "y = Gather <axis = 2>(x, i)", {{"i", ints({3, 0})}}), "E205");
  EXPECT_EQ(infer("float[3,4] x, int64[1,2] i", "y = GatherElements(x, i)",
                  {{"i", Constant::ints(DType::int64, {1, 2}, {0, 3})}}),
            "E211");
  EXPECT_EQ(
      infer("float[3,4] x, int64[1,2] i", "y = GatherND(x, i)", {{"i", Constant::ints(DType::int64, {1, 2}, {2, 4})}}),
      "E211");
  EXPECT_EQ(infer("float[3,4] x, int64[1,2] i", "y = GatherND <batch_dims = -2>(x, i)"), "E211");
  EXPECT_EQ(infer("int64[2] x, int64 d, float[2] v", "y = OneHot(x, d, v)", {{"d", integer(-3)}}), "E211");
  EXPECT_EQ(infer("int64[2] x, int64 d, float[2] v", "y = OneHot(x, d, v)", {{"d", integer(kHuge)}}), "E207");
  EXPECT_EQ(infer("int64[2] x, int64[2] d, float[2] v", "y = OneHot(x, d, v)", {{"d", ints({3, 3})}}), "E205");
  EXPECT_EQ(infer("float[2,9] x, int64[1] k", "y, i = TopK(x, k)", {{"k", ints({10})}}), "E211");
  EXPECT_EQ(infer("float[2,9] x, int64[1] k", "y, i = TopK(x, k)", {{"k", ints({-1})}}), "E211");
  EXPECT_EQ(infer("int64[2] x, int64[2] d", "y = Div(x, d)", {{"d", ints({2, 0})}}), "E211");
  EXPECT_EQ(infer("int64[2] x, int64[2] d", "y = Mod(x, d)", {{"d", ints({0, 1})}}), "E211");
  EXPECT_EQ(infer("float[2] x, float[2] d", "y = Div(x, d)", {{"d", floats({0, 1})}}), "float32[2]");
  EXPECT_EQ(infer("float[4] x", "y, z = Split <num_outputs = 3>(x)", {}, 18), "E205");
  EXPECT_EQ(infer("float[4] x, int64[2] s", "y, z = Split(x, s)", {{"s", ints({5, -1})}}), "E211");
}

// What the library's strict inference finds is found here too.
TEST(InferTypes, TheLibrarysFaults) {
  EXPECT_EQ(infer("float[2,3] a, float[4,3] b", "y = Add(a, b)"), "E205");
  EXPECT_EQ(infer("float[2] a, int64[2] b", "y = Add(a, b)"), "E205");
  EXPECT_EQ(infer("bool[2] a", "y = Relu(a)"), "E205");
  EXPECT_EQ(infer("float[2,3] a", "y = Transpose <perm = [0,0]>(a)"), "E205");
  EXPECT_EQ(infer("float[2,3] a", "y = Transpose <perm = [0,5]>(a)"), "E205");
  EXPECT_EQ(infer("float[2,3] a, float[3] b", "y = Concat <axis = 0>(a, b)"), "E205");
  EXPECT_EQ(infer("float[2,3] a", "y = Softmax <axis = 7>(a)"), "E205");
  EXPECT_EQ(infer("float[4,6] x, int64[1] s, int64[1] e, int64[1] a, int64[1] t", "y = Slice(x, s, e, a, t)",
                  {{"s", ints({0})}, {"e", ints({4})}, {"a", ints({0})}, {"t", ints({0})}}),
            "E205");
  EXPECT_EQ(infer("float[2,3] a, float[2,3] b", "y = MatMul(a, b)"), "E205");
  EXPECT_EQ(infer("float[2,3,4] a, float[4,3] b", "y = Gemm(a, b)"), "E205");
}

TEST(InferTypes, SliceLimitsMayBeExtreme) {
  EXPECT_EQ(
      infer(
          "float[4,6] x, int64[1] s, int64[1] e, int64[1] a, int64[1] t", "y = Slice(x, s, e, a, t)",
          {{"s", ints({-1})}, {"e", ints({std::numeric_limits<int64_t>::min()})}, {"a", ints({1})}, {"t", ints({-1})}}),
      "float32[4,6]");
  EXPECT_EQ(
      infer("float[4,6] x, int64[1] s, int64[1] e", "y = Slice(x, s, e)", {{"s", ints({1})}, {"e", ints({kMax})}}),
      "float32[3,6]");
}

TEST(InferTypes, RulesOfOurOwn) {
  EXPECT_EQ(infer("float[1,4,8] x, float[2] s, float[2] b", "y = GroupNormalization <num_groups = 2>(x, s, b)", {}, 21),
            "float32[1,4,8]");
  EXPECT_EQ(infer("float[1,4,8,8] x", "y = MeanVarianceNormalization(x)"), "float32[1,4,8,8]");
  EXPECT_EQ(infer("float[3,1] a, float[2] b", "y = LessOrEqual(a, b)", {}, 12), "bool[3,2]");
  EXPECT_EQ(infer("float[1,128,1] x, int64 s, int64 f", "y = STFT(x, s, , f)", {{"s", integer(8)}, {"f", integer(16)}}),
            "float32[1,15,9,2]");
  EXPECT_EQ(infer("float[1,8,1] x, int64 s, int64 f", "y = STFT(x, s, , f)", {{"s", integer(8)}, {"f", integer(16)}}),
            "E205");
  EXPECT_EQ(infer("float[3,4] x, bool[3] c", "y = Compress <axis = 1>(x, c)"), "float32[3,?]");
  EXPECT_EQ(infer("", "y = Constant <value_ints = [1, 2, 3]>()"), "int64[3]");
  EXPECT_EQ(infer("float[1] a, float[2] b, float[1] c", "y = Range(a, b, c)"), "E205");
}

TEST(InferTypes, Einsum) {
  EXPECT_EQ(infer("float[2,3] a, float[3,4] b", "y = Einsum <equation = \"ij,jk->ik\">(a, b)"), "float32[2,4]");
  EXPECT_EQ(infer("float[2,3] a, float[3,4] b", "y = Einsum <equation = \"ij, jk\">(a, b)"), "float32[2,4]");
  EXPECT_EQ(infer("float[5,3,3] a", "y = Einsum <equation = \"...ii->...i\">(a)"), "float32[5,3]");
  EXPECT_EQ(infer("float[5,2,3] a, float[1,3,4] b", "y = Einsum <equation = \"...ij,...jk\">(a, b)"), "float32[5,2,4]");
  EXPECT_EQ(infer("float[N,3] a", "y = Einsum <equation = \"ij->ji\">(a)"), "float32[3,N]");
  EXPECT_EQ(infer("float[3] a, float[3] b", "y = Einsum <equation = \"i,i\">(a, b)"), "float32[]");
  for (const char* equation :
       {"ij,jk->ik,", "i-j", "..i..", "......", "ij,jk->iz", "ij,jk->ii", "ijk,jk", "ij", "->->"}) {
    EXPECT_EQ(infer("float[2,3] a, float[3,4] b", std::string("y = Einsum <equation = \"") + equation + "\">(a, b)"),
              "E205")
        << equation;
  }
  EXPECT_EQ(infer("float[2,3] a, float[4,5] b", "y = Einsum <equation = \"ij,jk->ik\">(a, b)"), "E205");
}

TEST(InferTypes, Attention) {
  const char* const kFlat = "float[2,5,24] q, float[2,7,12] k, float[2,7,18] v";
  EXPECT_EQ(infer(kFlat, "y = Attention <q_num_heads = 4, kv_num_heads = 2>(q, k, v)", {}, 23), "float32[2,5,36]");
  EXPECT_EQ(infer(kFlat, "y = Attention <q_num_heads = 4, kv_num_heads = 0>(q, k, v)", {}, 23), "E211");
  EXPECT_EQ(infer(kFlat, "y = Attention <q_num_heads = 4, kv_num_heads = 5>(q, k, v)", {}, 23), "E205");
  EXPECT_EQ(infer(kFlat, "y = Attention(q, k, v)", {}, 23), "E205");
  EXPECT_EQ(infer("float[2,4,S,8] q, float[2,4,7,8] k, float[2,4,7,3] v", "y = Attention(q, k, v)", {}, 23),
            "float32[2,4,S,3]");
}

TEST(InferTypes, GraphsInsideAreLeftToTheCaller) {
  EXPECT_EQ(infer("bool c, float[2] x",
                  "y = If <then_branch = t () => (float[2] p) { p = Relu(x) }, "
                  "else_branch = e () => (float[2] q) { q = Neg(x) }>(c)"),
            "unknown");
}

TEST(InferTypes, FaultsNameTheNode) {
  onnx::ModelProto proto = parse_graph("g (float[2,3] a, float[4,3] b) => (float[2] y) { t = Relu(a)  y = Add(t, b) }");
  proto.mutable_graph()->mutable_node(1)->set_name("sum");
  const Model model = load_ok(proto);
  const Inferred inferred = infer_graph(model.graph, model.opsets);
  ASSERT_EQ(inferred.faults.size(), 1u);
  EXPECT_EQ(inferred.faults[0].where.node, 1);
  EXPECT_EQ(inferred.faults[0].where.node_name, "sum");
  EXPECT_EQ(inferred.faults[0].where.op, "Add");
  EXPECT_EQ(inferred.faults[0].message.find("[ShapeInferenceError]"), std::string::npos);
}

TEST(Schema, Lookups) {
  const std::map<std::string, int> opsets{{"", 13}, {"ai.onnx.ml", 3}};
  EXPECT_EQ(since_version("", "Relu", opsets), 13);
  EXPECT_EQ(since_version("", "Conv", opsets), 11);
  EXPECT_EQ(since_version("", "Frobnicate", opsets), std::nullopt);
  EXPECT_EQ(since_version("my.own", "Op", opsets), std::nullopt);
  EXPECT_EQ(since_version("ai.onnx.ml", "Scaler", opsets), 1);
  const std::vector<std::string> all = operators_of("");
  EXPECT_EQ(all.size(), 200u);  // of opset 27, without the two that are deprecated
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
}

TEST(Schema, AttributeDefaults) {
  NodeDef node;
  node.op = "Gemm";
  node.attributes["alpha"] = 2.0f;
  const std::map<std::string, int> opsets{{"", 13}};
  const Attributes defaults = attribute_defaults({&node, &opsets, {}, {}});
  EXPECT_FALSE(defaults.contains("alpha"));
  EXPECT_EQ(std::get<float>(defaults.at("beta")), 1.0f);
  EXPECT_EQ(std::get<int64_t>(defaults.at("transA")), 0);
}

}  // namespace
}  // namespace tarn::model
