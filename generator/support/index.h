// Index<Tag>: a position in one particular vector, or none. Indices of different vectors do not mix.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "support/check.h"

namespace tarn {

[[noreturn, gnu::cold, gnu::noinline]] inline void no_position() {
  throw InternalError("the position of an index that is none");
}

template <class Tag>
struct Index {
  int32_t value = -1;  // -1: none

  constexpr Index() = default;
  constexpr explicit Index(size_t v) : value(static_cast<int32_t>(v)) {}
  constexpr bool valid() const { return value >= 0; }
  constexpr explicit operator bool() const { return valid(); }
  // Only of an index that is one: what an operator omits (-1) never reaches the memory before a vector.
  constexpr size_t pos() const {
    if (value < 0) no_position();
    return static_cast<size_t>(value);
  }
  auto operator<=>(const Index&) const = default;
};

}  // namespace tarn

template <class Tag>
struct std::hash<tarn::Index<Tag>> {
  size_t operator()(tarn::Index<Tag> i) const { return std::hash<int32_t>()(i.value); }
};
