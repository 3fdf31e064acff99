// Layers that stay in floats so that what is lost keeps to a bound.
#include "quantize/assign.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "unit/model/onnx_text.h"

namespace tarn::quantize {
namespace {

class Assign : public testing::Test {
 protected:
  // Three layers to one number, whose noise beside the signal is the loss.
  void SetUp() override {
    onnx::ModelProto model = model::parse_graph(R"(g (float[1,16] x) => (float[1,1] y) {
      a = MatMul(x, w1) b = Relu(a) c = MatMul(b, w2) d = Relu(c) y = MatMul(d, w3) })");
    add(model, "w1", 16, 12);
    add(model, "w2", 12, 8);
    add(model, "w3", 8, 1);
    options_.model_path = folder_.write("model.onnx", model);
    options_.data = folder_.path(".");
    options_.weight_bits = 4;
    for (int s = 0; s < 20; ++s) {
      std::string bytes(16 * sizeof(float), 0);
      for (size_t i = 0; i < 16; ++i) {
        const auto v = static_cast<float>(std::sin(0.7 * static_cast<double>(i) * (s + 1) + s));
        std::memcpy(bytes.data() + i * sizeof v, &v, sizeof v);
      }
      folder_.write("x_" + std::to_string(s) + ".bin", bytes);
    }
  }

  static void add(onnx::ModelProto& model, const std::string& name, int rows, int columns) {
    onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(rows);
    tensor.add_dims(columns);
    for (int i = 0; i < rows * columns; ++i) tensor.add_float_data(static_cast<float>(std::sin(1.9 * i + rows)));
  }

  const model::ScratchFolder folder_;
  Options options_;
};

TEST_F(Assign, CodesAloneWhereTheyAreGoodEnough) {
  const Result<Assigned> made = quantize_within(options_, {.loss = 1.0, .ram = {}, .flash = {}});
  ASSERT_TRUE(made) << model::texts(made.faults());
  EXPECT_EQ(made->tried.size(), 1u);
  EXPECT_TRUE(made->tried[0].floats.empty());
}

TEST_F(Assign, LayersBecomeFloatsUntilTheLossIsKept) {
  const Result<Quantised> codes = quantize(options_);
  ASSERT_TRUE(codes);
  const double all = loss_of(*codes);
  ASSERT_GT(all, 0.001);
  const Result<Assigned> made = quantize_within(options_, {.loss = 0.8 * all, .ram = {}, .flash = {}});
  ASSERT_TRUE(made) << model::texts(made.faults());
  ASSERT_GT(made->tried.size(), 1u);
  const Assignment& chosen = made->tried[made->chosen];
  EXPECT_LE(chosen.loss, 0.8 * all);
  EXPECT_DOUBLE_EQ(chosen.loss, loss_of(made->best));
  EXPECT_FALSE(chosen.floats.empty());
  EXPECT_EQ(made->chosen, made->tried.size() - 1) << "the first that keeps to it";
  EXPECT_GT(chosen.weights, made->tried[0].weights) << "floats take more";
  // What was chosen is what its file holds: codes of fewer tensors.
  EXPECT_LT(made->best.names.size(), codes->names.size());
  const std::string text = to_text(*made, {.loss = 0.8 * all, .ram = {}, .flash = {}});
  EXPECT_NE(text.find("> loss"), std::string::npos) << text;
}

TEST_F(Assign, LimitsThatNothingKeepsAreToldWithTheNearest) {
  for (const Limits& limits : {Limits{.loss = 0.0, .ram = {}, .flash = {}}, Limits{.loss = 1.0, .ram = 4, .flash = {}},
                               Limits{.loss = {}, .ram = {}, .flash = 8}}) {
    const Result<Assigned> made = quantize_within(options_, limits);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.faults()[0].code, "E422");
    EXPECT_NE(made.faults()[0].message.find("the nearest"), std::string::npos);
  }
}

TEST_F(Assign, NamedLayersStayInFloats) {
  options_.floats = {"w2"};
  const Result<Quantised> made = quantize(options_);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->names.size(), 2u);
  options_.floats.clear();
  EXPECT_EQ(quantize(options_)->names.size(), 3u);
}

}  // namespace
}  // namespace tarn::quantize
