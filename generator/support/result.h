// Result<T>: a value, or the diagnostics that say why there is none. The library never prints and never exits;
// it hands these up to main.
#pragma once
#include <utility>
#include <variant>
#include <vector>

#include "support/check.h"
#include "support/diagnostic.h"

namespace tarn {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostics faults) : state_(std::in_place_index<1>, std::move(faults)) {
    TARN_CHECK(!std::get<1>(state_).empty());
  }
  Result(Diagnostic fault) : Result(Diagnostics{std::move(fault)}) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const Diagnostics& faults() const { return std::get<1>(state_); }

 private:
  std::variant<T, Diagnostics> state_;
};

// Result<Done>: success carries nothing.
struct Done {};

}  // namespace tarn
