#include "ops/einsum.h"

#include <gtest/gtest.h>

#include "unit/ops/question.h"

namespace tarn::ops::testing {
namespace {

std::string type_of(const std::string& equation, const std::vector<Shape>& shapes) {
  Question q("Einsum");
  for (const Shape& shape : shapes) q.input(DType::float32, shape);
  return q.with("equation", equation).type();
}

TEST(Einsum, Shapes) {
  EXPECT_EQ(type_of("ij,jk->ik", {{2, 3}, {3, 4}}), "float32[2,4]");
  EXPECT_EQ(type_of(" b i j , b j k -> b i k ", {{5, 2, 3}, {5, 3, 4}}), "float32[5,2,4]");
  EXPECT_EQ(type_of("ij->ji", {{2, 3}}), "float32[3,2]");
  EXPECT_EQ(type_of("...ii->...i", {{7, 3, 3}}), "float32[7,3]");
  EXPECT_EQ(type_of("ij->", {{2, 3}}), "float32[]");
}

TEST(Einsum, ImpliedOutputIsInOrderOfLetters) {
  EXPECT_EQ(type_of("ba", {{2, 3}}), "float32[3,2]");
  EXPECT_EQ(type_of("ij,jh", {{2, 3}, {3, 4}}), "float32[4,2]");
  EXPECT_EQ(type_of("...k,k...", {{2, 3}, {3, 5}}), "fault: E205");
  EXPECT_EQ(type_of("...k,k...", {{5, 3}, {3, 5}}), "float32[5]");
}

TEST(Einsum, EllipsesBroadcast) { EXPECT_EQ(type_of("...i,...i->...", {{4, 1, 3}, {5, 3}}), "float32[4,5]"); }

TEST(Einsum, MalformedEquationsAreFaults) {
  for (const char* equation :
       {"ij,jk->il", "ij,jk->iik", "ij", "ij,jk,kl", "i1,jk->ik", "ij,j......->i", "ij,jk->i-k", "ijk,jk->i"}) {
    EXPECT_EQ(type_of(equation, {{2, 3}, {3, 4}}), "fault: E205") << equation;
  }
  EXPECT_EQ(type_of("ij,jk->ik", {{2, 3}, {4, 5}}), "fault: E205");
}

TEST(Einsum, SumsWithoutElementsAreZero) {
  Question q("Einsum");
  q.input(DType::float32, {2, 0}).input(DType::float32, {0, 2}).with("equation", std::string("ij,jk->ik"));
  EXPECT_EQ(q.reals(), (std::vector<double>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace tarn::ops::testing
