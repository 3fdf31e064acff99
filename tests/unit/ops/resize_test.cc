// Output sizes of Resize and Upsample in all the ways that the standard words them, and what is refused.
#include <gtest/gtest.h>

#include "ops/op.h"

namespace tarn::ops {
namespace {

struct Call {
  std::string op = "Resize";
  int version = 19;
  Shape x{1, 2, 4, 6};
  std::vector<double> roi, scales;
  std::vector<int64_t> sizes;
  graph::Attributes attributes;
  TensorType declared;
  bool known = true;  // the lists are constants

  Answer<Types> infer() const {
    graph::Node node;
    node.op = op;
    node.version = version;
    node.attributes = attributes;
    const bool eleven = op == "Resize" && version >= 11;
    auto floats = [](const std::vector<double>& v) {
      return Constant::floats(DType::float32, Shape{static_cast<int64_t>(v.size())}, v);
    };
    const Constant lists[] = {floats(roi), floats(scales),
                              Constant::ints(DType::int64, Shape{static_cast<int64_t>(sizes.size())}, sizes)};
    Facts facts{node, {{DType::float32, x}}, {nullptr}, {declared}};
    for (size_t i = eleven ? 0 : 1; i < (eleven ? 3u : 2u); ++i) {
      facts.types.push_back(lists[i].type());
      facts.values.push_back(known ? &lists[i] : nullptr);
    }
    return find_entry("", op)->infer(facts);
  }
  std::string result() const {
    const Answer<Types> answer = infer();
    if (const Fault* fault = std::get_if<Fault>(&answer)) return fault->code;
    return to_string(std::get<Types>(answer)[0].shape);
  }
};

TEST(Resize, ScalesRoundDown) {
  EXPECT_EQ((Call{.scales = {1, 1, 2, 0.5}}).result(), "[1,2,8,3]");
  EXPECT_EQ((Call{.scales = {1, 1, 0.6, 1.4}}).result(), "[1,2,2,8]");
  EXPECT_EQ((Call{.x = {1, 1, 10, 10}, .scales = {1, 1, 0.7, 1.1}}).result(), "[1,1,7,11]");
}

TEST(Resize, Sizes) { EXPECT_EQ((Call{.sizes = {1, 2, 5, 7}}).result(), "[1,2,5,7]"); }

TEST(Resize, AxesLeaveTheOthers) {
  EXPECT_EQ((Call{.sizes = {5, 7}, .attributes = {{"axes", std::vector<int64_t>{3, 2}}}}).result(), "[1,2,7,5]");
  EXPECT_EQ((Call{.scales = {2}, .attributes = {{"axes", std::vector<int64_t>{-1}}}}).result(), "[1,2,4,12]");
}

TEST(Resize, AspectRatioIsKept) {
  const std::vector<int64_t> axes{2, 3};
  EXPECT_EQ(
      (Call{.sizes = {6, 6}, .attributes = {{"axes", axes}, {"keep_aspect_ratio_policy", std::string("not_larger")}}})
          .result(),
      "[1,2,4,6]");
  EXPECT_EQ(
      (Call{.sizes = {6, 6}, .attributes = {{"axes", axes}, {"keep_aspect_ratio_policy", std::string("not_smaller")}}})
          .result(),
      "[1,2,6,9]");
}

TEST(Resize, RegionIsScaledToTheSizeOfTheWhole) {
  EXPECT_EQ((Call{.roi = {0, 0, 0.25, 0, 1, 1, 0.75, 1},
                  .scales = {1, 1, 2, 1},
                  .attributes = {{"coordinate_transformation_mode", std::string("tf_crop_and_resize")}}})
                .result(),
            "[1,2,8,6]");
}

TEST(Resize, OlderVersions) {
  EXPECT_EQ((Call{.version = 10, .scales = {1, 1, 2, 2}}).result(), "[1,2,8,12]");
  EXPECT_EQ((Call{.op = "Upsample", .version = 9, .scales = {1, 1, 3, 2}}).result(), "[1,2,12,12]");
}

TEST(Resize, UnknownListsTakeTheDeclaredShape) {
  EXPECT_EQ((Call{.sizes = {1, 2, 5, 7}, .declared = {DType::float32, {1, 2, 9, 9}}, .known = false}).result(),
            "[1,2,9,9]");
  EXPECT_EQ((Call{.sizes = {1, 2, 5, 7}, .declared = {DType::float32, {1, 9}}, .known = false}).result(), "E205");
  const Answer<Types> answer = Call{.sizes = {1, 2, 5, 7}, .known = false}.infer();
  EXPECT_EQ(std::get<Types>(answer)[0].dtype, DType::undefined);
}

TEST(Resize, RefusesWhatMakesNoSense) {
  EXPECT_EQ((Call{.scales = {1, 1, 0, 2}}).result(), "E211");
  EXPECT_EQ((Call{.scales = {1, 1, 2}}).result(), "E205");
  EXPECT_EQ((Call{.scales = {1, 1, 1e30, 2}}).result(), "E207");
  EXPECT_EQ((Call{.sizes = {1, 2, -3, 7}}).result(), "E207");
  EXPECT_EQ((Call{.x = {1, 2, 0, 6}, .sizes = {1, 2, 5, 6}}).result(), "E205");
  EXPECT_EQ((Call{.sizes = {5, 7}, .attributes = {{"axes", std::vector<int64_t>{2, 2}}}}).result(), "E205");
  EXPECT_EQ((Call{.scales = {1, 1, 2, 2}, .attributes = {{"mode", std::string("spline")}}}).result(), "E205");
}

}  // namespace
}  // namespace tarn::ops
