// Packed weights against the decoder that emitted code has.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "program/pack_weights.h"
#include "program/place_weights.h"
#include "program/prefix_code.h"
#include "tarn_unpack.h"

namespace tarn::program {
namespace {

using Bytes = std::vector<uint8_t>;

struct Layers {
  Program program;
  std::vector<Bytes> contents;

  // In pieces of an odd size, as weights may come.
  void add(DType dtype, Bytes content, const std::string& kernel = "tarn_none") {
    Weight weight;
    weight.name = "w" + std::to_string(contents.size());
    weight.dtype = dtype;
    weight.count = static_cast<int64_t>(content.size()) / (bits_of(dtype) / 8);
    weight.write = [content](const std::function<void(std::span<const uint8_t>)>& sink) {
      constexpr size_t kPiece = 333;
      for (size_t at = 0; at < content.size(); at += kPiece)
        sink(std::span(content).subspan(at, std::min(kPiece, content.size() - at)));
    };
    Operation operation;
    operation.kernel = kernel;
    Argument argument;
    argument.role = Argument::Role::weight;
    argument.weight = WeightId(contents.size());
    operation.arguments.push_back(argument);
    program.weights.push_back(std::move(weight));
    program.operations.push_back(std::move(operation));
    contents.push_back(std::move(content));
  }
  int64_t bytes() const {
    int64_t sum = 0;
    for (const Weight& weight : program.weights) sum += weight.bytes();
    return sum;
  }
  int64_t plain_bytes() const {
    int64_t sum = 0;
    for (const Bytes& content : contents) sum += static_cast<int64_t>(content.size());
    return sum;
  }
};

Bytes written(const Weight& weight) {
  Bytes all;
  weight.write([&](std::span<const uint8_t> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); });
  EXPECT_EQ(static_cast<int64_t>(all.size()), weight.bytes()) << weight.name;
  return all;
}

// What each operation finds where its kernel reads, with garbage all around.
void expect_unpacked(const Layers& layers) {
  const Program& program = layers.program;
  const Bytes codes = program.codes.valid() ? written(program[program.codes]) : Bytes();
  for (size_t i = 0; i < layers.contents.size(); ++i) {
    const Bytes packed = written(program.weights[i]);
    if (!program.weights[i].plain) {
      EXPECT_EQ(packed, layers.contents[i]);
      continue;
    }
    const Staging& staging = *program.operations[i].staging;
    ASSERT_EQ(staging.parts.size(), 1u);
    EXPECT_EQ(program.operations[i].arguments[0].tensor, staging.buffer);
    Bytes buffer(static_cast<size_t>(program[staging.buffer].bytes()), 0xa5);
    tarn_unpack(packed.data(), codes.data(), buffer.data() + staging.parts[0].at, buffer.data() + staging.work);
    buffer.resize(layers.contents[i].size());
    EXPECT_EQ(buffer, layers.contents[i]) << i;
  }
}

Bytes normal_codes(size_t count, double width, unsigned seed, double zeros = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, width);
  std::uniform_real_distribution<double> uniform(0, 1);
  Bytes codes;
  for (size_t i = 0; i < count; ++i) {
    const double code = std::clamp(std::round(normal(random)), -128.0, 127.0);
    codes.push_back(uniform(random) < zeros ? 0 : static_cast<uint8_t>(static_cast<int8_t>(code)));
  }
  return codes;
}

double entropy_of(const Bytes& content) {
  Histogram counts{};
  for (const uint8_t byte : content) ++counts[byte];
  return entropy_bits(counts) / 8;
}

TEST(PackedWeights, ComeBackWithinThreePercentOfTheEntropy) {
  Layers layers;
  double entropy = 0;
  for (unsigned i = 1; i < 9; ++i) {
    Bytes codes = normal_codes(2000 * i + i, 12 + 3 * i, i);
    entropy += entropy_of(codes);
    layers.add(DType::int8, std::move(codes));
  }
  pack_weights(layers.program);
  ASSERT_TRUE(layers.program.codes.valid());
  EXPECT_LT(static_cast<double>(layers.bytes()), 1.03 * entropy);
  expect_unpacked(layers);
}

TEST(PackedWeights, OfManyZerosAreRuns) {
  for (const double zeros : {0.55, 0.9, 0.999}) {
    Layers layers;
    layers.add(DType::int8, normal_codes(30001, 9, 3, zeros));
    const double entropy = entropy_of(layers.contents[0]);
    pack_weights(layers.program);
    // A code stands for at most fifteen zeros, and has a bit at least.
    EXPECT_LT(static_cast<double>(layers.bytes()), 1.06 * entropy + 150 + 30001.0 / 15 / 8) << zeros;
    expect_unpacked(layers);
  }
}

TEST(PackedWeights, OfSeveralBytesArePackedByteForByte) {
  Layers layers;
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 0.1F);
  Bytes floats, words;
  for (int i = 0; i < 6000; ++i) {
    const float value = normal(random);
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    floats.insert(floats.end(), bytes, bytes + sizeof value);
    const auto word = static_cast<int32_t>(random() % 2000) - 1000;
    const auto* of = reinterpret_cast<const uint8_t*>(&word);
    words.insert(words.end(), of, of + sizeof word);
  }
  layers.add(DType::float32, floats);
  layers.add(DType::int32, words);
  layers.add(DType::int32, Bytes(4000, 7));  // constant
  pack_weights(layers.program);
  EXPECT_LT(layers.program.weights[0].bytes(), 21000);
  EXPECT_LT(layers.program.weights[1].bytes(), 12500);
  EXPECT_LT(layers.program.weights[2].bytes(), 50);
  expect_unpacked(layers);
}

TEST(PackedWeights, StayAsTheyAreWhereNothingIsGained) {
  Layers layers;
  std::mt19937 random(7);
  Bytes noise(50000);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
  layers.add(DType::int8, noise);
  layers.add(DType::int8, {1});
  layers.add(DType::int8, {});
  layers.add(DType::int8, normal_codes(300, 1, 1));                       // less than the decoder's code
  layers.add(DType::int8, normal_codes(40000, 3, 1), "tarn_gather_f32");  // of which a run reads little
  pack_weights(layers.program);
  EXPECT_EQ(layers.bytes(), layers.plain_bytes());
  for (const Weight& weight : layers.program.weights) EXPECT_FALSE(weight.plain) << weight.name;
  expect_unpacked(layers);
}

TEST(PackedWeights, AreNeverLarger) {
  for (unsigned seed = 1; seed < 40; ++seed) {
    std::mt19937 random(seed);
    Layers layers;
    for (unsigned i = 0; i < 1 + seed % 6; ++i)
      layers.add(DType::int8, normal_codes(random() % 5000, static_cast<double>(1 + random() % 90), seed + i,
                                           static_cast<double>(random() % 3) * 0.4));
    pack_weights(layers.program);
    EXPECT_LE(layers.bytes(), layers.plain_bytes()) << seed;
    expect_unpacked(layers);
  }
}

TEST(PrefixCode, IsTheBestOfItsLongest) {
  Histogram fibonacci{};  // the deepest trees: limited to 11 bits
  uint64_t a = 1, b = 1;
  for (size_t s = 0; s < 30; ++s) {
    fibonacci[s] = a;
    b = a + b;
    a = b - a;
  }
  const CodeLengths lengths = best_lengths(fibonacci);
  double space = 0;
  for (size_t s = 0; s < 30; ++s) {
    EXPECT_GE(lengths[s], 1);
    EXPECT_LE(lengths[s], 11);
    space += std::ldexp(1.0, -lengths[s]);
  }
  EXPECT_EQ(space, 1);
  EXPECT_LT(static_cast<double>(coded_bits(fibonacci, lengths)), 1.05 * entropy_bits(fibonacci));
}

TEST(PlacedWeights, GoWhereTheLastRuleSays) {
  Layers layers;
  for (int i = 0; i < 3; ++i) layers.add(DType::int8, {1, 2, static_cast<uint8_t>(i)});
  layers.program.operations[0].nodes = {"conv1"};
  layers.program.operations[1].nodes = {"conv2", "relu"};
  layers.program.operations[2].nodes = {"dense"};
  EXPECT_TRUE(place_weights(layers.program, {{"conv*", ".qspi"}, {"*v2", ".fast"}}, "m.onnx").empty());
  EXPECT_EQ(layers.program.weights[0].section, ".qspi");
  EXPECT_EQ(layers.program.weights[1].section, ".fast");
  EXPECT_EQ(layers.program.weights[2].section, "");
  EXPECT_TRUE(place_weights(layers.program, {{"w2", ".own"}}, "m.onnx").empty());
  EXPECT_EQ(layers.program.weights[2].section, ".own");
  const Diagnostics faults = place_weights(layers.program, {{"conf*", ".qspi"}, {"*", ".all"}}, "m.onnx");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code, "E209");
  // The names of the model, of which packing makes longer ones.
  layers.program.weights[0].name = "a/b_w/dots_y/nibbles";
  layers.program.weights[1].name = "a/b_w2";
  EXPECT_TRUE(place_weights(layers.program, {{"codes", ".named"}}, "m.onnx",
                            {{"a", "a"}, {"a/b_w", "codes"}, {"a/b_w2", "a/b_w2"}})
                  .empty());
  EXPECT_EQ(layers.program.weights[0].section, ".named");
  EXPECT_EQ(layers.program.weights[1].section, ".all");
  const Diagnostics unknown = place_weights(layers.program, {{"zzz", ".named"}}, "m.onnx", {{"a/b_w", "codes"}});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_NE(unknown[0].hint.find("codes,"), std::string::npos) << unknown[0].hint;
  EXPECT_EQ(unknown[0].hint.find("dots"), std::string::npos) << unknown[0].hint;
}

// Many stars against a long name that nearly fits: trying all ways takes longer than anyone waits.
TEST(PlacedWeights, ManyStarsTakeNoTime) {
  Layers layers;
  layers.add(DType::int8, Bytes(8, 1));
  layers.program.weights[0].name = std::string(2000, 'a');
  std::string stars = "*";
  for (int i = 0; i < 40; ++i) stars += "a*";
  EXPECT_TRUE(place_weights(layers.program, {{stars, ".many"}}, "m.onnx").empty());
  EXPECT_EQ(layers.program.weights[0].section, ".many");
  for (const std::string& other : std::vector<std::string>{stars + "b", "b" + stars, std::string(2001, 'a'), "*ab*"}) {
    EXPECT_EQ(place_weights(layers.program, {{other, ".other"}}, "m.onnx").size(), 1u) << other;
  }
  for (const std::string& fits : std::vector<std::string>{"**", "a*", "*a", std::string(2000, 'a') + "*"}) {
    EXPECT_TRUE(place_weights(layers.program, {{fits, ".fits"}}, "m.onnx").empty()) << fits;
  }
}

}  // namespace
}  // namespace tarn::program
