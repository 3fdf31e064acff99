// Calibration data as users have it, and as they should not.
#include "quantize/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "quantize/npy.h"
#include "unit/model/onnx_text.h"

namespace tarn::quantize {
namespace {

std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  return out + header + data;
}

std::string bytes(const std::vector<float>& values) {
  std::string out(values.size() * sizeof(float), 0);
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::optional<Constant> read(const std::string& file) {
  std::string why;
  std::optional<Constant> array = read_npy(file, &why);
  EXPECT_EQ(array.has_value(), why.empty()) << why;
  return array;
}

TEST(Npy, Floats) {
  const auto array = read(npy("<f4", "(2, 2)", bytes({1, 2, 3, 4})));
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape(), (Shape{2, 2}));
  EXPECT_EQ(array->reals(), (std::vector<double>{1, 2, 3, 4}));
}

TEST(Npy, ColumnsFirst) {
  EXPECT_EQ(read(npy("<f4", "(2, 3)", bytes({1, 4, 2, 5, 3, 6}), true))->reals(),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, BigEndianBytesAndScalars) {
  EXPECT_EQ(read(npy(">i2", "(2,)", std::string("\x01\x00\xff\xff", 4)))->integers(), (std::vector<int64_t>{256, -1}));
  EXPECT_EQ(read(npy("|u1", "()", "\x07"))->integers(), (std::vector<int64_t>{7}));
}

TEST(Npy, HostileHeaders) {
  const std::string good = npy("<f4", "(2,)", bytes({1, 2}));
  for (size_t length = 0; length < good.size(); ++length) EXPECT_FALSE(read(good.substr(0, length))) << length;
  EXPECT_FALSE(read(npy("<f4", "(3,)", bytes({1, 2}))));
  EXPECT_FALSE(read(npy("<f4", "(-2,)", bytes({1, 2}))));
  EXPECT_FALSE(read(npy("<f4", "(4611686018427387904, 4)", bytes({1, 2}))));
  EXPECT_FALSE(read(npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 2)", bytes({1, 2}))));
  EXPECT_FALSE(read(npy("|O", "(1,)", "12345678")));
  EXPECT_FALSE(read(npy("<U4", "(1,)", "0123456789abcdef")));
  std::string version = good;
  version[6] = 9;
  EXPECT_FALSE(read(version));
}

class Folder : public testing::Test {
 protected:
  const model::Model one = model::load_ok(model::parse_graph("g (float[1,2] x) => (float[1,2] y) { y = Relu(x) }"));
  const model::Model two =
      model::load_ok(model::parse_graph("g (float[1,2] a, float[1,2] b) => (float[1,2] y) { y = Add(a, b) }"));
  model::ScratchFolder folder;

  Result<std::vector<std::vector<Constant>>> samples(const model::Model& model, bool channels_last = false,
                                                     Shape shape = Shape{1, 2}) {
    const Result<Data> data = read_data(folder.path("."), model);
    if (!data) return data.faults();
    std::vector<std::string> names;
    for (const auto& input : model.graph.inputs) names.push_back(input.name);
    return fit_samples(*data, names, std::vector<TensorType>(names.size(), {DType::float32, std::move(shape)}),
                       channels_last);
  }
  static std::string told(const Result<std::vector<std::vector<Constant>>>& result) {
    return result ? "no fault" : model::texts(result.faults());
  }
};

TEST_F(Folder, ManySamplesInOneArray) {
  folder.write("all.npy", npy("<f4", "(3, 2)", bytes({1, 2, 3, 4, 5, 6})));
  const auto found = samples(one);
  ASSERT_TRUE(found) << told(found);
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ((*found)[2][0].reals(), (std::vector<double>{5, 6}));
}

TEST_F(Folder, FilesComeInTheOrderOfTheirNumbers) {
  for (const int i : {10, 9, 1}) folder.write("s_" + std::to_string(i) + ".bin", bytes({static_cast<float>(i), 0}));
  const auto found = samples(one);
  ASSERT_TRUE(found) << told(found);
  ASSERT_EQ(found->size(), 3u);
  for (const auto& [at, number] : {std::pair{size_t{0}, 1.0}, {1, 9.0}, {2, 10.0}})
    EXPECT_EQ((*found)[at][0].real(0), number);
}

TEST_F(Folder, InputsByNumberOrName) {
  folder.write("input_0.npy", npy("<f8", "(1, 2)", std::string(16, 0)));
  folder.write("b.bin", bytes({3, 4}));
  const auto found = samples(two);
  ASSERT_TRUE(found) << told(found);
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ((*found)[0][0].dtype(), DType::float32);
  EXPECT_EQ((*found)[0][1].reals(), (std::vector<double>{3, 4}));
}

TEST_F(Folder, ChannelsLast) {
  folder.write("x.npy", npy("<f4", "(1, 1, 2, 2)", bytes({1, 10, 2, 20})));  // two pixels of two channels
  const auto found = samples(one, true, Shape{1, 2, 1, 2});
  ASSERT_TRUE(found) << told(found);
  EXPECT_EQ((*found)[0][0].reals(), (std::vector<double>{1, 2, 10, 20}));
}

TEST_F(Folder, EveryFaultIsTold) {
  folder.write("a.npy", "no array");
  folder.write("b.bin", "123");
  folder.write("c.pb", "no tensor \xff");
  const std::string text = told(samples(one));
  for (const char* name : {"a.npy", "b.bin", "c.pb"}) EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST_F(Folder, NotFinite) {
  folder.write("a.bin", bytes({1, std::numeric_limits<float>::infinity()}));
  folder.write("b.bin", bytes({std::numeric_limits<float>::quiet_NaN(), 1}));
  const std::string text = told(samples(one));
  for (const char* name : {"a.bin", "b.bin"}) EXPECT_NE(text.find(name), std::string::npos) << text;
}

// Numbers that an input of whole numbers cannot hold are told, not cut off.
TEST_F(Folder, NumbersOutsideOfTheType) {
  const std::vector<TensorType> bytes_in{{DType::uint8, Shape{1, 2}}};
  const auto read = [&](const std::vector<float>& values) {
    folder.write("a.npy", npy("<f4", "(1, 2)", bytes(values)));
    return fit_samples(*read_data(folder.path("."), one), {"x"}, bytes_in, false);
  };
  EXPECT_TRUE(read({0, 255}));
  for (const float odd : {0.5f, -1.0f, 256.0f}) {
    const auto samples = read({1, odd});
    ASSERT_FALSE(samples) << odd;
    EXPECT_EQ(samples.faults()[0].code, "E420");
  }
}

TEST_F(Folder, DifferentNumbersOfSamples) {
  folder.write("input_0.npy", npy("<f4", "(2, 2)", bytes({1, 2, 3, 4})));
  folder.write("input_1.npy", npy("<f4", "(3, 2)", bytes({1, 2, 3, 4, 5, 6})));
  EXPECT_NE(told(samples(two)).find("3 samples"), std::string::npos);
}

TEST(Draw, TheSameForTheSameSeed) {
  std::vector<int> all(100);
  for (int i = 0; i < 100; ++i) all[static_cast<size_t>(i)] = i;
  EXPECT_EQ(draw(all, 10, 1), draw(all, 10, 1));
  EXPECT_NE(draw(all, 10, 1), draw(all, 10, 2));
  EXPECT_EQ(draw(all, 200, 1), all);
  std::vector<int> some = draw(all, 50, 3);
  std::sort(some.begin(), some.end());
  EXPECT_EQ(std::unique(some.begin(), some.end()), some.end()) << "one was drawn twice";
}

TEST(Judging, CopiesStayWithinAStepAndZerosStay) {
  const std::vector<std::vector<Constant>> given = {
      {Constant::floats(DType::float32, Shape{3}, {0, 127, -64}), Constant::ints(DType::int64, Shape{1}, {7})}};
  const std::vector<std::vector<Constant>> judges = judging(given, 9);
  ASSERT_EQ(judges.size(), 9u);
  EXPECT_EQ(judges[0][0].reals(), given[0][0].reals());
  for (size_t j = 1; j < judges.size(); ++j) {
    const std::vector<double> numbers = judges[j][0].reals();
    EXPECT_EQ(numbers[0], 0);
    EXPECT_NEAR(numbers[1], 127, 1);
    EXPECT_NEAR(numbers[2], -64, 1);
    EXPECT_NE(numbers, judges[j - 1][0].reals());
    EXPECT_EQ(judges[j][1].bytes(), given[0][1].bytes());
  }
  EXPECT_EQ(judging(given, 9)[8][0].bytes(), judges[8][0].bytes());
  EXPECT_EQ(judging({given[0], given[0]}, 1).size(), 1u);
}

}  // namespace
}  // namespace tarn::quantize
