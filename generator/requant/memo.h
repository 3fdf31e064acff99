// Forms that were found before: a network at many sizes, or planned in many ways, has the same layers each time.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <type_traits>

#include "requant/requant.h"

namespace tarn::requant {

// All numbers that a search of a form is given, as bytes.
class Given {
 public:
  template <class T>
  Given& operator<<(const T& number) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct Memo {
  std::map<std::string, std::optional<Form>> forms;  // by Given::bytes()
};

}  // namespace tarn::requant
