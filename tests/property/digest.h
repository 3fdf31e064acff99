// One number for the results of many fixed runs. The searches count their work and read no clock, so that a run is the
// same everywhere: a number that has changed says that a search goes another way than before. When that is meant, the
// new numbers, which the failure prints, replace the old ones.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace tarn::test {

class Digest {
 public:
  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) Digest& add(T value) {
    state_ = (state_ ^ static_cast<uint64_t>(value)) * 0x9E3779B97F4A7C15u;
    state_ ^= state_ >> 29;
    return *this;
  }
  template <class T>
  Digest& add(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
    return *this;
  }
  Digest& add(const std::string& text) {
    add(text.size());
    for (char c : text) add(c);
    return *this;
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 1469598103934665603u;
};

}  // namespace tarn::test
