#include "graph/build.h"

#include "unit/graph/built.h"

namespace tarn::graph {
namespace {

TEST(Build, DimensionsAreBoundByName) {
  const std::string text = "g (float[batch, 4] x, float[batch, ?] z) => (float[batch, 4] y) { y = Add(x, z) }";
  const Graph graph = build_ok(text, {{{"batch", 3}, {"?1", 4}}, {}, false});
  EXPECT_EQ(graph.shape(graph.inputs[0]), (Shape{{3, 4}}));
  EXPECT_EQ(graph.shape(graph.inputs[1]), (Shape{{3, 4}}));
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{3, 4}}));
  // By input and axis too.
  EXPECT_EQ(build_ok(text, {{{"batch", 2}, {"z:1", 1}}, {}, false}).shape(ValueId(1)), (Shape{{2, 1}}));
}

TEST(Build, UnboundDimensionsAreListedTogether) {
  const auto built =
      try_build("g (float[n, t] x, float[n, m] z) => (float[n, t] y) { y = Add(x, z) }", {{{"t", 1}}, {}, false});
  ASSERT_EQ(codes_of(built), "E202");
  const std::string text = model::texts(built.faults());
  for (const char* part : {"'n'", "'m'", "--dim n=1", "--dim m=1"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(text.find("--dim t"), std::string::npos) << text;
}

TEST(Build, UnknownNamesAreFaults) {
  EXPECT_EQ(codes_of(try_build("g (float[2] x) => (float[2] y) { y = Relu(x) }", {{{"batch", 1}}, {}, false})), "E209");
  EXPECT_EQ(codes_of(try_build("g (float[2] x) => (float[2] y) { y = Relu(x) }",
                               {{}, {{"axes", Constant::ints(DType::int64, Shape{1}, {0})}}, false})),
            "E209");
}

TEST(Build, ZeroIsADimension) {
  const Graph graph = build_ok("g (float[n, 4] x) => (float[n, 4] y) { y = Relu(x) }", {{{"n", 0}}, {}, false});
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{0, 4}}));
}

TEST(Build, ShapeArithmeticDisappears) {
  // Flatten as exporters write it: the shape's parts are gathered, multiplied and joined.
  const Graph graph = build_ok(R"(g (float[b, 3, 5] x) => (float[b, m] y)
    <int64 zero = {0}, int64[1] axis = {0}, int64[1] rest = {-1}> {
      s = Shape(x)  n = Gather(s, zero)  u = Unsqueeze(n, axis)  t = Concat <axis = 0>(u, rest)  y = Reshape(x, t) })",
                               {{{"b", 2}}, {}, false});
  EXPECT_EQ(ops_of(graph), "Reshape");
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{2, 15}}));
}

TEST(Build, FoldingFeedsShapesAndShapesFeedFolding) {
  const Graph graph = build_ok(R"(g (float[4, 6] x) => (float[a, c] y) <int64 two = {2}, int64[1] axis = {0}> {
      s = Shape(x)  h = Div(s, two)  e = Expand(x, s)  r = Reshape(e, s)  q = Shape(r)  d = Sub(q, h)  f = Concat <axis = 0>(d, h)
      p = Size(f)  o = Unsqueeze(p, axis)  k = Concat <axis = 0>(o, o)  w = ConstantOfShape(k)  m = ReduceMax <keepdims = 0>(w)
      y = Add(r, m) })");
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{4, 6}}));
  for (const Node& node : graph.nodes)
    EXPECT_TRUE(node.op == "Expand" || node.op == "Reshape" || node.op == "Add") << dump(graph);
}

TEST(Build, ABranchThatCannotBeLeavesTheOther) {
  const std::string text =
      R"(g (float[4] x, bool c) => (float[2] y) <int64[1] zero = {0}, int64[1] two = {2}, float[2] w = {1, 2}> {
    y = If(c) <then_branch = a () => (float[2] p) { p = Add(x, w) }, else_branch = b () => (float[2] q) { s = Slice(x, zero, two)  q = Neg(s) }> })";
  const Graph graph = build_ok(text);
  EXPECT_EQ(ops_of(graph), "Slice Neg Checked");
  EXPECT_EQ(graph.nodes.back().integer("holds", 1), 0);
  EXPECT_EQ(graph.nodes.back().inputs[1], graph.inputs[1]);
  // Neither: both are told.
  EXPECT_EQ(codes_of(try_build(R"(g (float[4] x, bool c) => (float[2] y) <float[2] w = {1, 2}> {
    y = If(c) <then_branch = a () => (float[2] p) { p = Add(x, w) }, else_branch = b () => (float[2] q) { q = Sub(x, w) }> })")),
            "E205 E205");
}

TEST(Build, ConstantsGivenByTheUser) {
  const std::string text = "g (float[6] x, int64[2] s) => (float[a, b] y) { y = Reshape(x, s) }";
  EXPECT_EQ(codes_of(try_build(text)), "E206");
  const Graph graph = build_ok(text, {{}, {{"s", Constant::ints(DType::int64, Shape{2}, {3, 2})}}, false});
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{3, 2}}));
}

TEST(Build, DeclaredShapesAreTrustedWhereRulesCannotTell) {
  const Graph graph = build_ok("g (float[6] x, int64[2] s) => (float[3, 2] y) { y = Reshape(x, s) }");
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{3, 2}}));
}

// A declaration one node later tells it too; the run checks that the values lead there.
TEST(Build, WhatIsMadeOfAResultTellsItsShape) {
  const std::string ports = "g (float[6] x, float[2] t) => (float[2, 3] y) ", cast = "s = Cast <to = 7> (t) ",
                    made = cast + "r = Reshape(x, s) ";
  const auto shape_of_result = [](const std::string& text) {
    const Graph graph = build_ok(text);
    for (const Node& node : graph.nodes) {
      if (node.op == "Reshape" || node.op == "Unsqueeze") return graph.shape(node.outputs[0]);
    }
    return Shape{};
  };
  for (const std::string after : {"y = Relu(r)", "y = Softmax(r)", "q = Abs(r) y = Identity(q)",
                                  "b = Constant <value = float[3] {1, 2, 3}> () y = Add(r, b)"})
    EXPECT_EQ(shape_of_result(ports + "{ " + made + after + " }"), (Shape{{2, 3}})) << after;
  EXPECT_EQ(shape_of_result("g (float[6] x, float[2] t) => (float[3, 2] y) { " + made + "y = Transpose(r) }"),
            (Shape{{2, 3}}));
  EXPECT_EQ(shape_of_result("g (float[6] x, float[2] t) => (float[2, 4] y) <float[3, 4] w = {1, 2, 3, 4, 5, 6, 7, 8, "
                            "9, 10, 11, 12}> { " +
                            made + "y = MatMul(r, w) }"),
            (Shape{{2, 3}}));
  EXPECT_EQ(
      shape_of_result("g (float[6] x, float[1] t) => (float[1, 6] y) { " + cast + "r = Unsqueeze(x, s) y = Relu(r) }"),
      (Shape{{1, 6}}));
  // Of another count, it is not the shape.
  EXPECT_EQ(codes_of(try_build("g (float[5] x, float[2] t) => (float[2, 3] y) { " + made + "y = Relu(r) }")), "E206");
}

TEST(Build, WrongDeclarationsAreWarnings) {
  const auto built = try_build("g (float[4] x) => (float[5] y) { y = Relu(x) }");
  ASSERT_TRUE(built);
  ASSERT_EQ(built->warnings.size(), 1u);
  EXPECT_EQ(built->warnings[0].code, "W201");
  EXPECT_EQ(built->graph.shape(built->graph.outputs[0]), (Shape{4}));
}

TEST(Build, FunctionsAreExpanded) {
  const auto proto = model::parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[4] x) => (float[4] y) { y = local.twice(x) }
    <domain: "local", opset_import: ["" : 17, "local" : 1]> once (a) => (b) { b = Tanh(a) }
    <domain: "local", opset_import: ["" : 17, "local" : 1]> twice (a) => (b) { t = local.once(a)  b = local.once(t) })");
  const auto built = try_build(proto);
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(ops_of(built->graph), "Tanh Tanh");
}

TEST(Build, KnownBranchesAreInlined) {
  const std::string branches = R"(If <then_branch = t () => (float[2] p) { p = Relu(x) },
                                        else_branch = e () => (float[2] q) { q = Neg(x) }>(c))";
  const Graph taken = build_ok("g (float[2] x) => (float[2] y) <bool c = {1}> { y = " + branches + " }");
  EXPECT_EQ(ops_of(taken), "Relu");
  const Graph other = build_ok("g (float[2] x) => (float[2] y) <bool c = {0}> { y = " + branches + " }");
  EXPECT_EQ(ops_of(other), "Neg");
  const Graph open = build_ok("g (float[2] x, bool c) => (float[2] y) { y = " + branches + " }");
  EXPECT_EQ(ops_of(open), "If");
  ASSERT_EQ(open.nodes[0].bodies.size(), 2u);
  EXPECT_EQ(open.nodes[0].captures, std::vector<ValueId>{open.inputs[0]});
}

TEST(Build, OldOpsetsKeepTheirMeaning) {
  // Clip's bounds were attributes before opset 11; Dropout's mask and ratio moved in 12.
  const auto built = try_build(model::parse_model(R"(<ir_version: 3, opset_import: ["" : 7]>
    g (float[2, 3] x) => (float[2, 3] y) { c = Clip <min = 0.0, max = 6.0>(x)  d = Dropout <ratio = 0.5>(c)  y = Neg(d) })"));
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(built->graph.nodes[0].version, 6);
  EXPECT_EQ(built->graph.nodes[0].real("max", 0), 6);
}

TEST(Build, EveryFaultIsTold) {
  const auto built = try_build(model::parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
    g (float[2, 3] x, float[4, 3] z) => (float[2, 3] y) {
      a = Add(x, z)  b = acme.Frobnicate(x)  c = acme.Quux(b)  d = Relu(c)  e = Conv(x, z)  y = Neg(x) })"));
  EXPECT_EQ(codes_of(built), "E205 E203 E203 E205");
}

TEST(Build, UnknownOperatorsMayHoldMemory) {
  const auto built = try_build(model::parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
    g (float[2, 3] x) => (float[2, 3] y) <float[5] b> { b = acme.Frobnicate(x)  y = acme.Quux(b) })"),
                               {{}, {}, true});
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(ops_of(built->graph), "Frobnicate Quux");
}

TEST(Build, DataDependentSizesBecomeSymbols) {
  const auto built = try_build("g (float[3, 4] x) => (int64[2, n] y) { y = NonZero(x) }");
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(built->graph.shape(built->graph.outputs[0]), (Shape{{2, 12}}));
  ASSERT_EQ(built->graph[built->graph.outputs[0]].runtime_dims.size(), 1u);
  EXPECT_EQ(built->graph[built->graph.outputs[0]].runtime_dims[0], (RuntimeDim{1, 0, 1, 0}));
  EXPECT_EQ(built->symbols, std::vector<int64_t>{12});
}

TEST(Build, SizesOfOneNodeAreOneSymbol) {
  const auto built = try_build(
      "g (float[6] x) => (float[n] y) { u, first, inverse, count = Unique(x)  c = Cast <to: int = 1> (count)  y = "
      "Mul(u, c) }");
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(built->symbols, std::vector<int64_t>{6});
  EXPECT_EQ(built->graph[built->graph.outputs[0]].runtime_dims, (std::vector<RuntimeDim>{{0, 0, 1, 0}}));
}

TEST(Build, AxesOfOneNodeMayHaveDifferentSizes) {
  const auto built = try_build("g (float[4, 4] x, int64[2] a, int64[2] b) => (float[m, n] y) { y = Slice(x, a, b) }");
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(built->graph[built->graph.outputs[0]].runtime_dims, (std::vector<RuntimeDim>{{0, 0, 1, 0}, {1, 1, 1, 0}}));
}

TEST(Build, BranchesOfDifferentSizesGiveTheLarger) {
  const auto built = try_build(R"(g (float[2, 3] x, float[3, 2] z, bool c) => (float[m, n] y) {
      y = If <then_branch = t () => (float[2, 3] p) { p = Neg(x) }, else_branch = e () => (float[3, 2] q) { q = Neg(z) }>(c) })");
  ASSERT_TRUE(built) << model::texts(built.faults());
  EXPECT_EQ(built->graph.shape(built->graph.outputs[0]), (Shape{{3, 3}}));
  EXPECT_EQ(built->symbols, (std::vector<int64_t>{3, 3}));  // one is 2 where the other is 3
}

TEST(Build, LoopsDoNotCarrySizesThatOnlyARunKnows) {
  EXPECT_EQ(codes_of(try_build(R"(g (float[6] x, int64 n, bool c) => (int64[1, 6] y) {
      f = NonZero(x)
      y = Loop <body = b (int64 i, bool go, int64[1, k] v) => (bool go_on, int64[1, k] w) { go_on = Identity(go)  w = Neg(v) }>(n, c, f) })")),
            "E208");
}

}  // namespace
}  // namespace tarn::graph
