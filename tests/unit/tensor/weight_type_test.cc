// How --weight-type is written.
#include "tensor/weight_type.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(WeightType, IsWrittenAsItIsRead) {
  for (const char* text : {"f16", "int8:channel", "int4:tensor", "int4:block=32", "int8:block=7,asymmetric"}) {
    const auto type = weight_type_from(text);
    ASSERT_TRUE(type) << text;
    EXPECT_EQ(to_string(*type), text);
  }
  EXPECT_EQ(to_string(*weight_type_from("int8")), "int8:channel");
}

TEST(WeightType, LayersMayBeNamed) {
  const auto rule = weight_rule_from("/body/conv:0=int4:block=16");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->layer, "/body/conv:0");
  EXPECT_EQ(rule->type.block, 16);
  const auto odd = weight_rule_from("a=b=f16");
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->layer, "a=b");
}

TEST(WeightType, RefusesWhatItDoesNotKnow) {
  for (const char* text :
       {"", "int2", "int8:", "int8:block", "int8:block=", "int8:block=0", "int8:block=-1", "int8:rows", "f16:tensor",
        "f16,asymmetric", "=int8", "int8,asym", "int4:block=99999999999999999999"})
    EXPECT_FALSE(weight_rule_from(text)) << text;
}

}  // namespace
}  // namespace tarn
