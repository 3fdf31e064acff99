// Weights that the model itself stores as codes are stored so.
#include <map>

#include "unit/compile/analysed.h"

namespace tarn {
namespace {

std::string numbers(const std::string& type, const std::string& name, const std::string& dims, int count, int step,
                    int range) {
  std::string text = type + "[" + dims + "] " + name + " = {";
  for (int i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(i * step % range - (type == "int8" ? range / 2 : 0));
  return text + "}";
}

std::string scales(const std::string& name, const std::string& dims, int count, double first) {
  std::string text = "float[" + dims + "] " + name + " = {";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(first + 0.01 * i);
  return text + "}";
}

// Blocks came with opset 21.
Analysis analyze_21(const std::string& text, CompileOptions options = {}) {
  const model::ScratchFolder scratch;
  options.model_path =
      scratch.write("net.onnx", model::parse_model("<ir_version: 10, opset_import: [\"\" : 21]>\n" + text));
  Result<Analysis> result = analyze(options);
  if (result) return std::move(*result);
  ADD_FAILURE() << model::texts(result.faults());
  return {};
}

std::map<std::string, std::string> kernels(const Analysis& a) {
  std::map<std::string, std::string> by_op;
  for (const program::Operation& operation : a.program.operations) by_op[operation.op] = operation.kernel;
  return by_op;
}

int64_t weight_bytes(const Analysis& a) {
  int64_t bytes = 0;
  for (const program::Weight& weight : a.program.weights) bytes += weight.bytes();
  return bytes;
}

std::string product() {
  return "g (float[2, 24] x) => (float[2, 6] y) <" + numbers("uint8", "w", "6, 24", 144, 37, 256) + ", " +
         scales("s", "6, 3", 18, 0.003) + ", " + numbers("uint8", "z", "6, 3", 18, 11, 200) +
         "> { f = DequantizeLinear <axis = 1, block_size = 8> (w, s, z) t = Transpose <perm = [1, 0]> (f) "
         "y = MatMul (x, t) }";
}

// Eight rows (two are filled up) of 24 codes, 3 scales and 3 zeros each.
TEST(ModelCodes, AreStoredWithTheirOwnScales) {
  const Analysis a = analyze_21(product());
  EXPECT_EQ(kernels(a).at("MatMul"), "tarn_dense_w8s_f32");
  EXPECT_EQ(weight_bytes(a), 8 * (24 + 3 * 4 + 3));
  ASSERT_EQ(a.program.codings.size(), 1u);
  EXPECT_EQ(a.program.codings.begin()->second.stored, "int8:block=8,asymmetric");
}

// Scales that fit in 16 bits take no more; rows that share one share its place.
TEST(ModelCodes, ScalesTakeTheFewestExactBits) {
  const std::string head = "g (float[1, 4, 5, 5] x) => (float[1, 8, 5, 5] y) <" +
                           numbers("int8", "w", "8, 4, 3, 3", 288, 7, 255) + ", float[8] s = {";
  const std::string tail = "}> { f = DequantizeLinear <axis = 0> (w, s) y = Conv <pads = [1, 1, 1, 1]> (x, f) }";
  const std::string powers = "0.5, 0.25, 0.125, 0.5, 0.25, 0.125, 0.5, 0.25",
                    halves = "0.5009765625, " + powers.substr(5);
  EXPECT_EQ(kernels(analyze_21(head + powers + tail)).at("Conv"), "tarn_conv2d_w8_f32");
  EXPECT_EQ(kernels(analyze_21(head + halves + tail)).at("Conv"), "tarn_conv2d_w8h_f32");
  EXPECT_EQ(kernels(analyze_21(head + "0.1" + powers.substr(3) + tail)).at("Conv"), "tarn_conv2d_w8s_f32");
  const Analysis a = analyze_21(head + "0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5" + tail);
  EXPECT_EQ(weight_bytes(a), 288 + 4 * 2);
}

// A scale for each input of a product is shared by all outputs, and takes more than it is worth with few of them.
TEST(ModelCodes, AScaleForEachInputIsStoredOnce) {
  const auto text = [](const std::string& outputs, int count) {
    return "g (float[1, 10] x) => (float[1, " + outputs + "] y) <" +
           numbers("int8", "w", "10, " + outputs, count, 7, 255) + ", " + scales("s", "10", 10, 0.1) +
           "> { f = DequantizeLinear <axis = 0> (w, s) y = MatMul (x, f) }";
  };
  EXPECT_EQ(weight_bytes(analyze_21(text("20", 200))), 200 + 10 * 4 * 4);
  EXPECT_EQ(kernels(analyze_21(text("4", 40))).at("MatMul"), "tarn_dense_f32");
}

TEST(ModelCodes, GiveWayToOtherTypesAndToVectors) {
  CompileOptions options;
  options.weight_types = {*weight_rule_from("f32")};
  EXPECT_EQ(kernels(analyze_21(product(), options)).at("MatMul"), "tarn_dense_f32");
  options.weight_types = {*weight_rule_from("int4:block=8")};
  EXPECT_EQ(kernels(analyze_21(product(), options)).at("MatMul"), "tarn_dense_w4_f32");
  options.weight_types.push_back(*weight_rule_from("w=model"));
  EXPECT_EQ(kernels(analyze_21(product(), options)).at("MatMul"), "tarn_dense_w8s_f32");
  options.weight_types = {};
  options.target = "x86-64-v3";
  EXPECT_EQ(kernels(analyze_21(product(), options)).at("MatMul"), "tarn_dense_v8_f32");
}

}  // namespace
}  // namespace tarn
