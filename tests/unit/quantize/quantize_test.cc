// Small networks from floats to codes: what is written loads, is planned, and every layer is an integer kernel.
#include "quantize/quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "compile.h"
#include "quantize/rewrite.h"
#include "quantize/weights.h"
#include "report/report.h"
#include "sampling.h"
#include "tensor/numeric.h"
#include "unit/model/onnx_text.h"

namespace tarn::quantize {
namespace {

class Network : public testing::Test {
 protected:
  model::ScratchFolder folder;

  // Waves of different length as samples.
  void write_samples(int64_t count, int samples) {
    for (int s = 0; s < samples; ++s) {
      std::string bytes(static_cast<size_t>(count) * sizeof(float), 0);
      for (int64_t i = 0; i < count; ++i) {
        const float v = static_cast<float>(std::sin(0.3 * static_cast<double>(i * (s + 1)) + s));
        std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof(float), &v, sizeof v);
      }
      folder.write("x_" + std::to_string(s) + ".bin", bytes);
    }
  }

  static onnx::TensorProto weights(const std::string& name, const std::vector<int64_t>& dims, int seed) {
    onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    int64_t count = 1;
    for (const int64_t d : dims) tensor.add_dims(d), count *= d;
    for (int64_t i = 0; i < count; ++i)
      tensor.add_float_data(static_cast<float>(0.5 * std::sin(1.7 * static_cast<double>(i) + seed)));
    return tensor;
  }

  Quantised quantised(const onnx::ModelProto& model, Options options = {}) {
    options.model_path = folder.write("model.onnx", model);
    options.data = folder.path(".");
    Result<Quantised> made = quantize(options);
    EXPECT_TRUE(made) << model::texts(made ? Diagnostics{} : made.faults());
    return made ? std::move(*made) : Quantised{};
  }

  // Kernels of the plan, in order.
  std::string kernels(const Quantised& made) {
    CompileOptions options;
    options.model_path = folder.write("int8.onnx", made.bytes);
    const Result<Analysis> analysis = analyze(options);
    EXPECT_TRUE(analysis);
    std::string names;
    for (const report::StepRow& step : report::make_report(*analysis, {}).steps) names += step.kernel + " ";
    return names;
  }
};

TEST_F(Network, ConvolutionsSumsAndPools) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[1,3,8,8] x) => (float[1,5] y) {
    a = Conv<pads = [1,1,1,1]>(x, w1)
    n = BatchNormalization(a, one, zero, zero, one)
    b = Relu(n)
    c = Conv<pads = [1,1,1,1], group = 4>(b, w2)
    d = Add(b, c)
    e = Clip(d, lo, hi)
    f = Concat<axis = 1>(e, b)
    p = MaxPool<kernel_shape = [2,2], strides = [2,2]>(f)
    q = GlobalAveragePool(p)
    r = Flatten(q)
    y = Gemm(r, w3, v)
  })");
  auto* graph = model.mutable_graph();
  *graph->add_initializer() = weights("w1", {4, 3, 3, 3}, 1);
  *graph->add_initializer() = weights("w2", {4, 1, 3, 3}, 2);
  *graph->add_initializer() = weights("w3", {8, 5}, 3);
  *graph->add_initializer() = weights("v", {5}, 4);
  for (const auto& [name, number] : {std::pair{"one", 1.0f}, {"zero", 0.0f}}) {
    *graph->add_initializer() = weights(name, {4}, 0);
    for (int i = 0; i < 4; ++i) graph->mutable_initializer(graph->initializer_size() - 1)->set_float_data(i, number);
  }
  for (const auto& [name, number] : {std::pair{"lo", 0.0f}, {"hi", 6.0f}}) {
    *graph->add_initializer() = weights(name, {}, 0);
    graph->mutable_initializer(graph->initializer_size() - 1)->set_float_data(0, number);
  }
  write_samples(192, 12);
  const Quantised made = quantised(model);
  ASSERT_EQ(made.outputs.size(), 1u);
  EXPECT_GT(made.outputs[0].snr_db, 30);
  EXPECT_EQ(made.outputs[0].agreement, 1);
  EXPECT_LT(made.cost.after.arena * 10, made.cost.before.arena * 4);
  EXPECT_TRUE(made.warnings.empty()) << model::texts(made.warnings);
  const std::string names = kernels(made);
  std::istringstream each(names);
  for (std::string kernel; each >> kernel;) {
    const bool codes = kernel.ends_with("_s8") || kernel.starts_with("transpose_b1");
    EXPECT_TRUE(codes || kernel == "dynamic_conv2d_f32") << kernel << " in " << names;
  }
}

// Scores of keys that a mask leaves out count for nothing: neither do they widen the range of the others, whether the
// mask is a constant or comes from elsewhere.
TEST_F(Network, MasksDoNotWidenRanges) {
  for (const bool constant : {true, false}) {
    onnx::ModelProto model = model::parse_graph(constant ? R"(g (float[1,8,8] x) => (float[1,8,8] y) {
      s = MatMul(x, w)
      m = Add(s, mask)
      p = Softmax<axis = -1>(m)
      y = MatMul(p, x)
    })"
                                                         : R"(g (float[1,8,8] x) => (float[1,8,8] y) {
      s = MatMul(x, w)
      t = Abs(x)
      u = Mul(t, mask)
      b = Add(u, x)
      m = Add(s, b)
      p = Softmax<axis = -1>(m)
      y = MatMul(p, x)
    })");
    auto* graph = model.mutable_graph();
    *graph->add_initializer() = weights("w", {8, 8}, 1);
    *graph->add_initializer() = weights("mask", {8, 8}, 0);
    for (int i = 0; i < 64; ++i)
      graph->mutable_initializer(1)->set_float_data(i, i % 8 > i / 8 ? (constant ? -3.4e38F : -9e5F) : 0.0F);
    write_samples(64, 12);
    const Quantised made = quantised(model);
    ASSERT_EQ(made.outputs.size(), 1u);
    EXPECT_GT(made.outputs[0].snr_db, 28) << constant;
  }
}

// Finite data may still overflow within the network.
TEST_F(Network, NumbersThatAreNoneAreNamed) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[1,8] x) => (float[1,8] y) {
    a = Exp(x)
    b = Exp(a)
    c = Exp(b)
    y = MatMul(c, w)
  })");
  *model.mutable_graph()->add_initializer() = weights("w", {8, 8}, 1);
  std::string bytes(32, 0);
  const float large = 3;
  for (size_t i = 0; i < 8; ++i) std::memcpy(bytes.data() + 4 * i, &large, 4);
  folder.write("x.bin", bytes);
  Options options;
  options.model_path = folder.write("model.onnx", model);
  options.data = folder.path(".");
  const Result<Quantised> made = quantize(options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.faults()[0].code, "E420");
  EXPECT_EQ(made.faults()[0].where.tensor, "c");
}

// Operators that fell into the opset from another domain go back there; no two nodes have one name.
TEST_F(Network, FilesHoldWhatTheirOpsetHas) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[1,8] x) => (float[1,8] y) {
    a = MatMul(x, w)
    b = com.microsoft.FastGelu(a)
    c = com.microsoft.FastGelu(b)
    y = MatMul(c, w)
  })");
  for (onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) node.set_name("same");
  model.mutable_opset_import(0)->set_version(13);
  onnx::OperatorSetIdProto* contrib = model.add_opset_import();
  contrib->set_domain("com.microsoft");
  contrib->set_version(1);
  *model.mutable_graph()->add_initializer() = weights("w", {8, 8}, 1);
  write_samples(8, 4);
  const Quantised made = quantised(model);
  onnx::ModelProto file;
  ASSERT_TRUE(file.ParseFromString(made.bytes));
  std::set<std::string> names;
  int gelus = 0;
  for (const onnx::NodeProto& node : file.graph().node()) {
    EXPECT_TRUE(node.name().empty() || names.insert(node.name()).second) << node.name();
    gelus += node.op_type() == "FastGelu" && node.domain() == "com.microsoft";
  }
  EXPECT_EQ(gelus, 2);
  EXPECT_EQ(file.opset_import(0).version(), 13);
}

// Activations become codes while the network runs: a tensor once for all that read it, and no data are needed.
TEST_F(Network, Dynamic) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[1,3,8,8] x, int64[1] id) => (float[1,6] y, float[1,4] z) {
    a = Conv<pads = [1,1,1,1]>(x, w1, b1)
    b = Relu(a)
    q = GlobalAveragePool(b)
    r = Flatten(q)
    row = Gather(table, id)
    s = Add(r, row)
    t = Gemm<transB = 1>(s, w2, b2)
    u = MatMul(s, w3)
    v = Tanh(t)
    y = Add(t, v)
    z = Relu(u)
  })");
  auto* graph = model.mutable_graph();
  *graph->add_initializer() = weights("w1", {8, 3, 3, 3}, 1);
  *graph->add_initializer() = weights("b1", {8}, 2);
  *graph->add_initializer() = weights("table", {5, 8}, 3);
  *graph->add_initializer() = weights("w2", {6, 8}, 4);
  *graph->add_initializer() = weights("b2", {6}, 5);
  *graph->add_initializer() = weights("w3", {8, 4}, 6);
  Options options;
  options.dynamic = true;
  options.model_path = folder.write("model.onnx", model);
  const Result<Quantised> alone = quantize(options);
  ASSERT_TRUE(alone) << model::texts(alone ? Diagnostics{} : alone.faults());
  EXPECT_TRUE(alone->outputs.empty());
  EXPECT_EQ(alone->names.size(), 3u);
  EXPECT_LT(alone->cost.after.weights, alone->cost.before.weights / 2);
  onnx::ModelProto file;
  ASSERT_TRUE(file.ParseFromString(alone->bytes));
  std::map<std::string, int> ops;
  for (const onnx::NodeProto& node : file.graph().node()) ++ops[node.op_type()];
  EXPECT_EQ(ops["DynamicQuantizeLinear"], 2);
  EXPECT_EQ(ops["ConvInteger"], 1);
  EXPECT_EQ(ops["MatMulInteger"], 2);
  EXPECT_EQ(ops["DequantizeLinear"], 1);
  const std::string steps = kernels(*alone);
  for (const char* kernel : {"dynamic_conv2d_f32", "gather_w8"})
    EXPECT_NE(steps.find(kernel), std::string::npos) << steps;
  EXPECT_EQ(steps.find("dense_f32"), std::string::npos) << steps;

  for (int s = 0; s < 4; ++s) {
    const std::string set = "set_" + std::to_string(s);
    std::filesystem::create_directory(folder.path(set));
    std::string image(192 * sizeof(float), 0);
    for (size_t i = 0; i < 192; ++i) {
      const auto v = static_cast<float>(std::sin(0.3 * static_cast<double>(i) * (s + 1)));
      std::memcpy(image.data() + i * sizeof v, &v, sizeof v);
    }
    folder.write(set + "/x.bin", image);
    folder.write(set + "/id.bin", std::string(1, static_cast<char>(s)) + std::string(7, 0));
  }
  options.data = folder.path(".");
  const Result<Quantised> made = quantize(options);
  ASSERT_TRUE(made) << model::texts(made ? Diagnostics{} : made.faults());
  EXPECT_EQ(made->bytes, alone->bytes);
  ASSERT_EQ(made->outputs.size(), 2u);
  for (const OutputRow& row : made->outputs) EXPECT_GT(row.snr_db, 30);
  EXPECT_EQ(made->layers.size(), 3u);
  options.forms["w3"] = kFloat32;
  const Result<Quantised> part = quantize(options);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->names.size(), 2u);
}

// Two layers; what is asked of them, and what comes of it.
class Bits : public Network {
 protected:
  // By default with fewer trials of ranges and roundings, which the tests of Network have.
  Quantised quantised(const onnx::ModelProto& model, Options options = {}) {
    if (!sampling::larger() && options.range == RangeMethod::automatic) {
      std::cout << "one range and plain rounding: with TARN_CI=1 as they are chosen\n";
      options.range = RangeMethod::minmax;
      options.round_by_sums = options.correct_bias = false;
    }
    return Network::quantised(model, std::move(options));
  }

  static onnx::ModelProto two_layers() {
    onnx::ModelProto model =
        model::parse_graph("g (float[1,32] x) => (float[1,6] y) { h = MatMul(x, w)\n r = Relu(h)\n y = MatMul(r, v) }");
    *model.mutable_graph()->add_initializer() = weights("w", {32, 24}, 1);
    *model.mutable_graph()->add_initializer() = weights("v", {24, 6}, 2);
    return model;
  }
};

TEST_F(Bits, FourForAllOrForOneLayer) {
  write_samples(32, 24);
  std::map<std::string, double> noise;
  for (const std::string how : {"8", "w=4", "4"}) {
    Options options;
    if (how == "4") options.weight_bits = 4;
    if (how == "w=4") options.forms["w"] = kInt4;
    const Quantised made = Network::quantised(two_layers(), options);
    ASSERT_EQ(made.outputs.size(), 1u);
    noise[how] = made.outputs[0].snr_db;
    onnx::ModelProto file;
    ASSERT_TRUE(file.ParseFromString(made.bytes));
    EXPECT_EQ(file.opset_import(0).version() >= 21, how != "8");
    int four = 0;
    for (const onnx::TensorProto& tensor : file.graph().initializer()) {
      if (tensor.data_type() == onnx::TensorProto::INT4 && tensor.dims_size() == 2) ++four;
    }
    EXPECT_EQ(four, how == "8" ? 0 : how == "4" ? 2 : 1);
    // The last hands over its sums as floats.
    EXPECT_EQ(kernels(made), how == "8" ? "int_quantize_s8 int_dense_s8 dynamic_conv2d_f32 "
                                        : "int_quantize_s8 int_dense_dsp4_s8 dynamic_conv2d_f32 ");
  }
  EXPECT_GT(noise["8"], noise["w=4"]);
  EXPECT_GT(noise["w=4"], noise["4"] - 1);
  EXPECT_GT(noise["4"], 10);
}

TEST_F(Bits, SixteenForTensors) {
  write_samples(32, 24);
  Options options;
  options.activation_bits = 16;
  const Quantised made = quantised(two_layers(), options);
  ASSERT_EQ(made.outputs.size(), 1u);
  EXPECT_GT(made.outputs[0].snr_db, quantised(two_layers()).outputs.at(0).snr_db + 2);
  EXPECT_EQ(kernels(made).find("_f32 "), std::string::npos) << kernels(made);
  EXPECT_TRUE(
      std::none_of(made.warnings.begin(), made.warnings.end(), [](const Diagnostic& d) { return d.code == "W403"; }));
}

// A layer on 16-bit codes between such of 8: what others read is narrowed, sums have the bits of their wider operand,
// and no step is in floats.
TEST_F(Bits, OfEachLayer) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[1,3,8,8] x) => (float[1,5] y) {
    a = Conv<pads = [1,1,1,1]>(x, w1)
    b = Relu(a)
    c = Conv<pads = [1,1,1,1]>(b, w2)
    d = Add(b, c)
    e = Conv(d, w3)
    f = Relu(e)
    q = GlobalAveragePool(f)
    r = Flatten(q)
    y = MatMul(r, w4)
  })");
  auto* graph = model.mutable_graph();
  *graph->add_initializer() = weights("w1", {4, 3, 3, 3}, 1);
  *graph->add_initializer() = weights("w2", {4, 4, 3, 3}, 2);
  *graph->add_initializer() = weights("w3", {8, 4, 1, 1}, 3);
  *graph->add_initializer() = weights("w4", {8, 5}, 4);
  write_samples(192, 12);
  Options options;
  options.range = RangeMethod::minmax;
  options.forms = {{"w1", kInt16}, {"w2", kInt8}, {"e", kInt16}, {"w4", kInt4}};
  const Quantised made = quantised(model, options);
  std::map<std::string, LayerForm> forms;
  for (const LayerRow& row : made.layers) forms[row.name] = row.form;
  EXPECT_EQ(forms.at("a"), kInt16);
  EXPECT_EQ(forms.at("c"), kInt8);
  EXPECT_EQ(forms.at("d"), kInt16) << "a sum of 16 bits and of 8";
  EXPECT_EQ(forms.at("e"), kInt16);
  EXPECT_EQ(forms.at("y"), kInt4);
  const std::string names = kernels(made);
  for (const char* kernel : {"wide_conv2d_s16", "wide_narrow_s8", "wide_widen_s8", "wide_add_s16", "int_conv2d"})
    EXPECT_NE(names.find(kernel), std::string::npos) << kernel << " in " << names;
  for (const char* kernel : {"dequantize", "conv2d_f32 int", "add_f32"})
    EXPECT_EQ(names.find(kernel), std::string::npos) << kernel << " in " << names;
  EXPECT_GT(made.outputs.at(0).snr_db, 15);
}

// Weights of float16 behind a Cast: as such in what is planned of the file, without being told.
TEST_F(Bits, HalvesForLayersInFloats) {
  write_samples(32, 24);
  Options options;
  options.forms["w"] = kFloat16;
  const Quantised made = quantised(two_layers(), options);
  onnx::ModelProto file;
  ASSERT_TRUE(file.ParseFromString(made.bytes));
  int halves = 0;
  for (const onnx::TensorProto& tensor : file.graph().initializer())
    halves += tensor.data_type() == onnx::TensorProto::FLOAT16;
  EXPECT_EQ(halves, 1);
  const std::string names = kernels(made);
  EXPECT_NE(names.find("dense_w16_f32"), std::string::npos) << names;
  ASSERT_FALSE(made.layers.empty());
  EXPECT_EQ(made.layers.back().form, kFloat16) << "the least noise";
  EXPECT_EQ(type_of(made.layers.back().form), "float16");
  options.forms["w"] = kFloat32;
  const Quantised whole = quantised(two_layers(), options);
  EXPECT_EQ(made.cost.after.weights + 32 * 24 * 2, whole.cost.after.weights);
}

// Amid operators that stay in floats only layers have codes: a function before or behind one takes floats and gives
// some, as do sums and means that nothing but floats surrounds.
TEST_F(Bits, CodesAmidFloatsAreThoseOfLayers) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[2,32] x) => (float[2,24] y, float[2,1] z) {
    a = CumSum(x, axis)
    b = Tanh(a)
    c = MatMul(b, w)
    d = Relu(c)
    y = CumSum(d, axis)
    m = ReduceMean<axes = [1], keepdims = 1>(x)
    z = CumSum(m, axis)
  })");
  auto* graph = model.mutable_graph();
  *graph->add_initializer() = weights("w", {32, 24}, 1);
  onnx::TensorProto* axis = graph->add_initializer();
  axis->set_name("axis");
  axis->set_data_type(onnx::TensorProto::INT64);
  axis->add_int64_data(0);
  write_samples(64, 12);
  const Quantised made = quantised(model);
  ASSERT_EQ(made.layers.size(), 1u);
  EXPECT_EQ(made.layers[0].op, "Gemm");  // what the product becomes
  ASSERT_EQ(made.outputs.size(), 2u);
  EXPECT_GT(made.outputs[0].snr_db, 35);
  EXPECT_GT(made.outputs[1].snr_db, 100) << "floats throughout";
  onnx::ModelProto file;
  ASSERT_TRUE(file.ParseFromString(made.bytes));
  EXPECT_EQ(std::count_if(file.graph().node().begin(), file.graph().node().end(),
                          [](const onnx::NodeProto& node) { return node.op_type() == "QuantizeLinear"; }),
            1);
}

// What a file has of codes stays: its layers, its scales; the rest is quantised beside them.
TEST_F(Bits, AFileThatIsQuantisedInPartIsCompleted) {
  write_samples(32, 24);
  Options options;
  options.forms["v"] = kFloat32;
  const Quantised part = quantised(two_layers(), options);
  onnx::ModelProto first;
  ASSERT_TRUE(first.ParseFromString(part.bytes));
  const Quantised all = quantised(first);
  EXPECT_EQ(part.kept, 0u);
  EXPECT_EQ(all.kept, 1u);
  onnx::ModelProto file;
  ASSERT_TRUE(file.ParseFromString(all.bytes));
  const auto matrices = [](const onnx::ModelProto& model) {
    std::vector<std::string> codes;
    for (const onnx::TensorProto& tensor : model.graph().initializer()) {
      if (tensor.data_type() == onnx::TensorProto::INT8 && tensor.dims_size() == 2) codes.push_back(tensor.raw_data());
    }
    return codes;
  };
  ASSERT_EQ(matrices(first).size(), 1u);
  ASSERT_EQ(matrices(file).size(), 2u);
  EXPECT_EQ(matrices(file)[0], matrices(first)[0]);
  EXPECT_EQ(kernels(all), "int_quantize_s8 int_dense_s8 dynamic_conv2d_f32 ");
  // Nothing is left of it to do.
  options.forms.clear();
  options.model_path = folder.write("whole.onnx", all.bytes);
  options.data = folder.path(".");
  const Result<Quantised> again = quantize(options);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.faults()[0].code, "E421");
}

// Recurrent layers compute in floats; their weights are codes, in the file and in what is planned of it.
TEST_F(Bits, RecurrentWeights) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[4,1,8] x) => (float[1,6] y) {
    s, h = GRU<hidden_size = 16, linear_before_reset = 1>(x, gates, states)
    f = Reshape(h, shape)
    y = MatMul(f, w)
  })");
  auto* graph = model.mutable_graph();
  *graph->add_initializer() = weights("gates", {1, 48, 8}, 1);
  *graph->add_initializer() = weights("states", {1, 48, 16}, 2);
  *graph->add_initializer() = weights("w", {16, 6}, 3);
  onnx::TensorProto* shape = graph->add_initializer();
  shape->set_name("shape");
  shape->set_data_type(onnx::TensorProto::INT64);
  shape->add_dims(2);
  shape->add_int64_data(1);
  shape->add_int64_data(16);
  graph->mutable_node(0)->set_name("cells");
  write_samples(32, 8);
  // Few samples widen the ranges that are chosen for others.
  Options options;
  options.range = RangeMethod::minmax;
  const Quantised made = quantised(model, options);
  EXPECT_EQ(made.recurrent, std::vector<std::string>{"cells"});
  EXPECT_GT(made.outputs.at(0).snr_db, 30);
  EXPECT_LT(made.cost.after.weights * 100, made.cost.before.weights * 45);
  // The codes that the file has, not others in their place.
  CompileOptions file;
  file.model_path = folder.write("coded.onnx", made.bytes);
  file.name = "network";
  const Result<Analysis> planned = analyze(file);
  ASSERT_TRUE(planned);
  EXPECT_EQ(report::make_report(*planned, {}).weights, made.cost.after.weights);
}

// A sequence behind another, then a layer.
onnx::ModelProto two_sequences() {
  return model::parse_graph(R"(g (float[6,1,8] x) => (float[6,1,1,5] y) {
    s = GRU<hidden_size = 16, linear_before_reset = 1>(x, gates, states)
    f = Squeeze(s, axis)
    t, h, c = LSTM<hidden_size = 12>(f, gates2, states2)
    y = MatMul(t, w)
  })");
}

// Sequences that a kernel takes as codes are codes, unless the options ask for other numbers.
TEST_F(Bits, RecurrentSequences) {
  onnx::ModelProto model = two_sequences();
  auto* graph = model.mutable_graph();
  *graph->add_initializer() = weights("gates", {1, 48, 8}, 1);
  *graph->add_initializer() = weights("states", {1, 48, 16}, 2);
  *graph->add_initializer() = weights("gates2", {1, 48, 16}, 3);
  *graph->add_initializer() = weights("states2", {1, 48, 12}, 4);
  *graph->add_initializer() = weights("w", {12, 5}, 5);
  onnx::TensorProto* axis = graph->add_initializer();
  axis->set_name("axis");
  axis->set_data_type(onnx::TensorProto::INT64);
  axis->add_dims(1);
  axis->add_int64_data(1);
  graph->mutable_node(0)->set_name("first");
  graph->mutable_node(2)->set_name("second");
  write_samples(48, 12);
  const Quantised made = quantised(model);
  EXPECT_GT(made.outputs.at(0).snr_db, 30);
  EXPECT_EQ(kernels(made), "int_quantize_s8 gru_w8_s8 lstm_w8_s8 dynamic_conv2d_f32 ");
  EXPECT_EQ(made.recurrent, (std::vector<std::string>{"first", "second"}));
  ASSERT_FALSE(made.warnings.empty());
  EXPECT_EQ(made.warnings[0].message, "it computes in floats; its weights and its sequences become codes of 8 bits");
  Options options;
  for (const LayerForm& form : {kFloat32, kFloat16, kInt16}) {
    options.forms["first"] = form;
    const std::string names = kernels(quantised(model, options));
    EXPECT_EQ(names.find("gru_w8_s8"), std::string::npos) << names;
    EXPECT_NE(names.find("lstm_w8_s8"), std::string::npos) << names;
  }
}

// Scales of rows fit in the two bytes that kernels keep; rows of numbers alike share one, others have their own.
TEST(RecurrentRows, ShareAScaleWhereTheyAreAlike) {
  for (const bool alike : {true, false}) {
    const size_t rows = 8, columns = 13;
    std::vector<double> values;
    std::mt19937 random(5);
    for (size_t i = 0; i < rows * columns; ++i) {
      const double number = static_cast<double>(random()) / 4294967296.0 - 0.5;
      values.push_back(
          static_cast<double>(static_cast<float>(alike ? number : std::ldexp(number, -static_cast<int>(i / columns)))));
    }
    graph::Graph graph;
    const graph::ValueId numbers = graph.add_constant(
        "rows",
        Constant::floats(DType::float32, Shape{1, static_cast<int64_t>(rows), static_cast<int64_t>(columns)}, values));
    std::vector<graph::Node> nodes;
    dequantised_rows(graph, numbers, 1, nodes);
    const std::vector<double> codes = graph.constant(nodes.at(0).inputs[0])->reals(),
                              scales = graph.constant(nodes.at(0).inputs[1])->reals();
    ASSERT_EQ(scales.size(), rows);
    EXPECT_EQ(std::set<double>(scales.begin(), scales.end()).size() == 1, alike);
    for (size_t i = 0; i < values.size(); ++i) {
      const double scale = scales[i / columns];
      EXPECT_EQ(static_cast<double>(bfloat16_to_float(float_to_bfloat16(static_cast<float>(scale)))), scale);
      EXPECT_LE(std::abs(values[i] - codes[i] * scale), scale / 2);
    }
  }
}

TEST_F(Bits, AScaleThatCutsOffIsNoWorse) {
  // One weight is far larger than the others: codes that reach it would leave the others at 0.
  LayerShape shape;
  shape.channels = 1;
  shape.length = 64;
  std::vector<float> one(64, 0.1F);
  for (size_t i = 0; i < one.size(); i += 2) one[i] = -0.1F;
  one[5] = 1.3F;
  const LayerCodes made = quantise_layer(shape, one, {}, {}, 1, 1, {.bits = 4, .round_by_sums = false});
  double error = 0, reaching = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    error += std::pow(one[i] - made.scale[0] * static_cast<float>(made.codes[i]), 2);
    reaching += std::pow(one[i] - 1.3F / 7 * std::nearbyint(one[i] / (1.3F / 7)), 2);
    EXPECT_LE(std::abs(made.codes[i]), 7);
  }
  EXPECT_LT(error, reaching);
}

TEST_F(Bits, ALayerThatIsNotThereIsNamed) {
  write_samples(32, 4);
  Options options;
  options.model_path = folder.write("model.onnx", two_layers());
  options.data = folder.path(".");
  options.forms["ww"] = kInt4;
  const Result<Quantised> made = quantize(options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.faults()[0].code, "E420");
}

TEST_F(Bits, LabelsTellHowManyAreRight) {
  write_samples(32, 12);
  Options options;
  // One class only: the share of samples with the largest element there.
  for (const auto& [text, good] : std::map<std::string, bool>{{"0,0 0\n0 0 0 0 0 0 0 0 0\n", true},
                                                              {"0 0", false},
                                                              {"0 0 0 0 0 0 0 0 0 0 0 x", false},
                                                              {"0 0 0 0 0 0 0 0 0 0 0 -1", false},
                                                              {"0 0 0 0 0 0 0 0 0 0 0 6", false}}) {
    options.model_path = folder.write("model.onnx", two_layers());
    options.data = folder.path(".");
    options.labels = folder.write("labels.txt", text);
    const Result<Quantised> made = quantize(options);
    ASSERT_EQ(static_cast<bool>(made), good) << text;
    if (!good) {
      EXPECT_EQ(made.faults()[0].code, "E420") << text;
      continue;
    }
    ASSERT_TRUE(made->accuracy);
    EXPECT_EQ(made->accuracy->samples, 12u);
    EXPECT_GT(made->accuracy->before, 0u);
    EXPECT_LT(made->accuracy->before, 12u);
  }
}

TEST_F(Network, TheSameBytesEachTime) {
  onnx::ModelProto model =
      model::parse_graph("g (float[1,8] x) => (float[1,4] y) { h = MatMul(x, w)\n y = Sigmoid(h) }");
  *model.mutable_graph()->add_initializer() = weights("w", {8, 4}, 1);
  write_samples(8, 5);
  Options options;
  options.samples = 3;
  const Quantised once = quantised(model, options);
  EXPECT_EQ(once.bytes, quantised(model, options).bytes);
  EXPECT_EQ(once.samples, 3u);
  options.seed = 2;
  EXPECT_NE(once.bytes, quantised(model, options).bytes);
}

TEST_F(Network, OutputsAsCodes) {
  onnx::ModelProto model =
      model::parse_graph("g (float[1,8] x) => (float[1,4] y) { h = MatMul(x, w)\n y = Softmax(h) }");
  *model.mutable_graph()->add_initializer() = weights("w", {8, 4}, 1);
  write_samples(8, 5);
  EXPECT_EQ(quantised(model).warnings.size(), 1u);  // the Softmax
  Options options;
  options.open_outputs = false;
  const Quantised made = quantised(model, options);
  EXPECT_TRUE(made.warnings.empty()) << model::texts(made.warnings);
  EXPECT_NE(kernels(made).find("softmax_s8"), std::string::npos) << kernels(made);
}

TEST_F(Network, ANumberForARunHasRoomBeyondWhatWasSeen) {
  onnx::ModelProto model = model::parse_graph(R"(g (float[1,16] x) => (float[1,1] y) {
    a = Mul(x, x)
    y = ReduceMean<axes = [1]>(a)
  })");
  write_samples(16, 16);
  Options options;
  options.open_outputs = false;
  const Quantised made = quantised(model, options);
  ASSERT_FALSE(made.layers.empty());
  for (const LayerRow& row : made.layers) {
    if (row.op != "ReduceMean") continue;
    EXPECT_GT(row.codes.hi, 1.02F * row.seen.hi) << row.seen.hi;
  }
}

TEST_F(Network, ConstantDataStillWork) {
  onnx::ModelProto model = model::parse_graph("g (float[1,8] x) => (float[1,4] y) { h = MatMul(x, w)\n y = Relu(h) }");
  *model.mutable_graph()->add_initializer() = weights("w", {8, 4}, 1);
  folder.write("x.bin", std::string(8 * 4, 0));
  const Quantised made = quantised(model);
  EXPECT_FALSE(made.warnings.empty());
  EXPECT_GE(made.outputs[0].snr_db, 100);
}

}  // namespace
}  // namespace tarn::quantize
