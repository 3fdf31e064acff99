// Operators by others: each network gives the same numbers as before, and nothing of it stays in floats.
#include "quantize/spell_out.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/build.h"
#include "model/load_onnx.h"
#include "quantize/kinds.h"
#include "quantize/network.h"
#include "quantize/scheme.h"
#include "unit/model/onnx_text.h"

namespace tarn::quantize {
namespace {

struct Case {
  std::string name, text;
  std::vector<std::pair<std::string, std::vector<int64_t>>> weights;
  std::string stays;  // an operator that is left
};

std::vector<Case> cases() {
  return {
      {"split",
       R"(g (float[1,6,4,4] x) => (float[1,2,4,4] y) {
         a, b, c = Split<axis = -3>(x)
         d = Conv(a, w)
         e = Conv(c, w)
         f = Add(d, e)
         y = Add(f, b)
       })",
       {{"w", {2, 2, 1, 1}}},
       {}},
      {"sums",
       R"(g (float[1,4] x) => (float[1,4] y) {
         a = MatMul(x, w)
         b = Sum(a, x, a)
         c = Max(a, b, x)
         d = Min(c, c, b)
         e = Mean(d, b, a)
         y = MatMul(e, w)
       })",
       {{"w", {4, 4}}},
       {}},
      {"gemm",
       R"(g (float[3,5] x) => (float[4,4] y) {
         a = Gemm<alpha = 0.5, beta = 2.0>(x, w, row)
         b = Gemm<transB = 1, beta = 0.5>(a, v, one)
         c = Gemm<beta = 3.0>(b, u, column)
         y = Gemm<transA = 1, alpha = 0.25>(c, c, square)
       })",
       {{"w", {5, 6}},
        {"row", {1, 6}},
        {"v", {6, 6}},
        {"one", {1}},
        {"u", {6, 4}},
        {"column", {3, 1}},
        {"square", {4, 4}}},
       {}},
      {"left",
       R"(g (float[1,5,4] x) => (float[1,3,4] y, float[1,5,2] z, float[1,5] r) {
         y = MatMul(w, x)
         z = MatMul(x, v)
         r = MatMul(x, u)
       })",
       {{"w", {3, 5}}, {"v", {1, 4, 2}}, {"u", {4}}},
       {}},
      {"einsum",
       R"(g (float[2,5,6] x) => (float[2,5,5] y, float[3,2,5,2] z, float[5,2,5] u) {
         q = Einsum<equation = "bid,do->bio">(x, w)
         k = Einsum<equation = "bid,od->bio">(x, w)
         y = Einsum<equation = "bid,bjd->bji">(q, k)
         z = Einsum<equation = "...d,dhe->h...e">(x, v2)
         u = Einsum<equation = "bid,bjd->jbi">(q, k)
       })",
       {{"w", {6, 6}}, {"v2", {6, 3, 2}}},
       {}},
      {"factors",
       R"(g (float[2,3,4] x) => (float[2,3,3] y, float[2,3,3] z) {
         a = MatMul(x, w)
         b = Transpose<perm = [0, 2, 1]>(a)
         c = Mul(b, s)
         d = Mul(s, a)
         y = MatMul(d, c)
         f = Mul(a, s)
         g = Transpose<perm = [0, 2, 1]>(f)
         z = MatMul(f, g)
       })",
       {{"w", {4, 4}}, {"s", {1}}},
       {}},
      {"biases",
       R"(g (float[2,3,4] x) => (float[2,3,5] y, float[2,3,5] z) {
         a = MatMul(x, w)
         b = Add(c, a)
         y = Sigmoid(b)
         d = MatMul(x, w)
         e = Add(d, c)
         z = Relu(e)
       })",
       {{"w", {4, 5}}, {"c", {5}}},
       {}},
      {"others",
       R"(g (float[3,3] x) => (float[3] y) {
         a = MatMul(x, w)
         y = Einsum<equation = "ii->i">(a)
       })",
       {{"w", {3, 3}}},
       "Einsum"},
  };
}

std::vector<std::vector<float>> outputs_of(const graph::Graph& graph, const FileFacts& facts, const Sample& sample) {
  std::vector<std::vector<float>> outputs;
  const Result<Network> network = Network::make(graph, facts, graph.outputs);
  EXPECT_TRUE(network) << model::texts(network ? Diagnostics{} : network.faults());
  if (!network) return outputs;
  const Result<Done> run = network->run({sample}, [&](size_t, const Values& values) {
    for (const graph::ValueId id : graph.outputs) outputs.push_back(values.at(id));
  });
  EXPECT_TRUE(run);
  return outputs;
}

class SpellOut : public testing::TestWithParam<Case> {};

TEST_P(SpellOut, TheSameNumbers) {
  const Case& one = GetParam();
  onnx::ModelProto text = model::parse_graph(one.text);
  const auto number = [](int64_t i, int64_t of) { return std::sin(1.7 * static_cast<double>(i + of)); };
  for (const auto& [name, dims] : one.weights) {
    onnx::TensorProto* tensor = text.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    int64_t count = 1;
    for (const int64_t d : dims) tensor->add_dims(d), count *= d;
    for (int64_t i = 0; i < count; ++i) tensor->add_float_data(static_cast<float>(number(i, count)));
  }
  const model::Model model = model::load_ok(text);
  const Result<graph::Built> built = graph::build(model, {});
  ASSERT_TRUE(built);
  FileFacts facts{"model.onnx", "g", 8, built->opsets, {"x"}, {}};
  for (const model::ValueInfo& output : model.graph.outputs) facts.outputs.push_back(output.name);
  graph::Graph made = spell_out(built->graph);
  graph::sort_nodes(made);
  EXPECT_TRUE(graph::verify(made).empty()) << graph::dump(made);
  for (const graph::Node& node : made.nodes)
    EXPECT_TRUE(kind_of(made, node) != Kind::other || node.op == one.stays) << node.op;
  std::vector<double> numbers;
  const Shape& shape = built->graph.shape(built->graph.inputs[0]);
  for (int64_t i = 0; i < shape.count(); ++i) numbers.push_back(number(3 * i, 1));
  const Sample sample{Constant::floats(DType::float32, shape, numbers)};
  const auto before = outputs_of(built->graph, facts, sample), after = outputs_of(made, facts, sample);
  ASSERT_EQ(before.size(), after.size());
  for (size_t o = 0; o < before.size(); ++o) {
    ASSERT_EQ(before[o].size(), after[o].size());
    for (size_t i = 0; i < before[o].size(); ++i)
      EXPECT_NEAR(before[o][i], after[o][i], 1e-4 * (1 + std::fabs(before[o][i]))) << o << " " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpellOut, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

}  // namespace
}  // namespace tarn::quantize
