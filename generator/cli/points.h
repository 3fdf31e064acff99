// What formulas are made of: the figures of a model planned at one size of each of its dimensions.
#pragma once
#include <string>
#include <vector>

#include "compile.h"

namespace tarn::cli {

// The figures of one point.
struct Point {
  int64_t arena = 0, lower_bound = 0, macs = 0, weights = 0;
  bool proved = false;
  struct Tensor {
    std::string name;
    std::vector<int64_t> dims;
    int64_t bytes = 0;
  };
  std::vector<Tensor> tensors;
};

Point point_of(const Analysis& analysis);

// The tensor of this name and rank at each point; empty where one of them has none, or several.
std::vector<const Point::Tensor*> everywhere(const Point::Tensor& wanted, const std::vector<Point>& points);

}  // namespace tarn::cli
