// Bits of layers so that loss, memory and time keep to bounds.
#include "quantize/assign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "quantize/front.h"
#include "sampling.h"
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
    // Fewer trials of what is not tested here.
    options_.range = RangeMethod::minmax;
    options_.round_by_sums = options_.correct_bias = false;
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

TEST_F(Assign, TheLeastMemoryWhereItIsGoodEnough) {
  const Result<Assigned> made = quantize_within(options_, {.loss = 1.0}, false);
  ASSERT_TRUE(made) << model::texts(made.faults());
  EXPECT_EQ(made->made.size(), 1u);
  EXPECT_EQ(made->made[0].options, "--layer-bits a=4,c=4,y=4");
  ASSERT_EQ(made->layers.size(), 3u);
  for (const Sensitivity& layer : made->layers) {
    EXPECT_GT(layer.noise[0], layer.noise[1]) << layer.name << ": 4 bits do more than 8";
    EXPECT_GT(layer.noise[1], layer.noise[2]) << layer.name << ": 8 bits more than 16";
    EXPECT_GT(layer.noise[2], layer.noise[3]) << layer.name << ": and those more than floats with weights of 16";
    EXPECT_GT(layer.noise[3], 0);
    EXPECT_EQ(layer.noise[4], 0) << "floats";
  }
}

TEST_F(Assign, LayersGetMoreBitsUntilTheLossIsKept) {
  const Result<Quantised> codes = quantize(options_);
  ASSERT_TRUE(codes);
  const double all = loss_of(*codes);
  EXPECT_EQ(name_of_loss(*codes, Loss::automatic), "power") << "one number";
  const Limits limits{.loss = 0.4 * all};
  const Result<Assigned> made = quantize_within(options_, limits, false);
  ASSERT_TRUE(made) << model::texts(made.faults());
  const Assignment& chosen = made->made[made->chosen];
  EXPECT_LE(chosen.loss, *limits.loss);
  EXPECT_DOUBLE_EQ(chosen.loss, loss_of(made->best));
  EXPECT_GT(chosen.cost.arena + chosen.cost.weights, made->made[0].cost.arena + made->made[0].cost.weights);
  // What was chosen is what its file and its options hold.
  const Options again = with_forms(options_, made->layers, [&] {
    Forms forms;
    for (const LayerForm& form : chosen.forms)
      forms.push_back(static_cast<size_t>(std::find(kForms.begin(), kForms.end(), form) - kForms.begin()));
    return forms;
  }());
  EXPECT_EQ(options_text(again), chosen.options);
  const Result<Quantised> one = quantize(again);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->bytes, made->best.bytes);
}

TEST_F(Assign, AFrontWithinSizes) {
  if (!sampling::larger()) GTEST_SKIP() << "only with TARN_CI=1";
  const Result<Quantised> codes = quantize(options_);
  ASSERT_TRUE(codes);
  const Limits limits{.ram = codes->cost.before.arena, .flash = codes->cost.before.weights};
  const Result<Assigned> made = quantize_within(options_, limits, true);
  ASSERT_TRUE(made) << model::texts(made.faults());
  size_t in_front = 0;
  for (const Assignment& row : made->made) {
    EXPECT_TRUE(row.fits);
    EXPECT_LE(row.cost.arena, *limits.ram);
    EXPECT_LE(row.cost.weights, *limits.flash);
    EXPECT_LE(made->made[made->chosen].loss, row.loss);
    in_front += row.in_front;
    for (const Assignment& other : made->made) {
      const bool no_more = other.cost.arena <= row.cost.arena && other.cost.weights <= row.cost.weights;
      EXPECT_TRUE(!row.in_front || !no_more || other.snr_db <= row.snr_db) << other.options << " beats " << row.options;
    }
  }
  EXPECT_GE(in_front, 3u);
  const std::string text = to_text(*made, limits);
  EXPECT_NE(text.find("> loss"), std::string::npos) << text;
}

TEST_F(Assign, LimitsThatNothingKeepsAreToldWithTheNearest) {
  const Result<Assigned> lossless = quantize_within(options_, {.loss = 0.0}, false);
  ASSERT_FALSE(lossless);
  EXPECT_EQ(lossless.faults()[0].code, "E422");
  EXPECT_NE(lossless.faults()[0].message.find("the nearest"), std::string::npos);
  EXPECT_NE(lossless.faults()[0].hint.find("--layer-bits"), std::string::npos);
  if (!sampling::larger()) {
    std::cout << "limits of sizes and of instructions: with TARN_CI=1\n";
    return;
  }
  for (const Limits& limits : {Limits{.loss = 1.0, .ram = 4}, Limits{.flash = 8}}) {
    const Result<Assigned> made = quantize_within(options_, limits, false);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.faults()[0].code, "E423");
    EXPECT_NE(made.faults()[0].hint.find("--ram"), std::string::npos);
  }
  options_.target = "cortex-m4";
  const Result<Assigned> slow = quantize_within(options_, {.instructions = 10}, false);
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.faults()[0].code, "E422");
}

TEST_F(Assign, NamedLayersStayInFloats) {
  options_.forms = {{"w2", kFloat32}};
  const Result<Quantised> made = quantize(options_);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->names.size(), 2u);
  options_.forms.clear();
  EXPECT_EQ(quantize(options_)->names.size(), 3u);
}

}  // namespace
}  // namespace tarn::quantize
