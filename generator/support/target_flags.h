// Compiler flags that code for a --target is written for, where they do not follow from the core itself.
#pragma once
#include <string>
#include <string_view>

namespace tarn {

// "-march=x86-64-v3"; empty for targets whose users name the core anyway. Without it the same code is right, and
// slower.
inline std::string target_flag(std::string_view target) {
  if (target.starts_with("x86-64-")) return "-march=" + std::string(target);
  return target == "aarch64" ? "-march=armv8-a" : "";
}

}  // namespace tarn
