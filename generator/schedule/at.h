// Positions are `int` throughout the order search; containers want `size_t`. This is the one place that converts.
#pragma once
#include <cstddef>

namespace tarn::schedule {

template <class Container>
decltype(auto) at(Container& c, int i) {
  return c[static_cast<size_t>(i)];
}

template <class Container>
int count_of(const Container& c) {
  return static_cast<int>(c.size());
}

}  // namespace tarn::schedule
