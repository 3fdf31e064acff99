// Numbers that no argument sets, only a bench: TARN_TUNED(type, name, value) defines a constant, TARN_TUNED_LIST
// several of one name. In a build with -DTARN_TUNING=ON each is multiplied by the factor that the environment gives by
// its name (TARN_TUNE="kGlanceWork=0.5"), so that tests/bench/tuning/move.py sees what every one of them does. A number
// that must not move without its code (a format, a bit width, a proof's condition) is no tuned one.
#pragma once

#include <array>

#ifdef TARN_TUNING
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace tarn {

inline double tuned_factor(const char* name) {
  const char* tune = std::getenv("TARN_TUNE");
  const char* equals = tune == nullptr ? nullptr : std::strchr(tune, '=');
  if (equals == nullptr || std::strlen(name) != static_cast<size_t>(equals - tune)) return 1;
  return std::strncmp(tune, name, std::strlen(name)) == 0 ? std::strtod(equals + 1, nullptr) : 1;
}

// Whole numbers stay at least 1.
template <typename T>
T tuned(const char* name, T value) {
  const double moved = static_cast<double>(value) * tuned_factor(name);
  return std::is_floating_point_v<T> ? static_cast<T>(moved) : std::max(T{1}, static_cast<T>(moved));
}

template <typename T, size_t N>
std::array<T, N> tuned(const char* name, std::array<T, N> values) {
  for (T& value : values) value = tuned(name, value);
  return values;
}

}  // namespace tarn

#define TARN_TUNED(type, name, value) inline const type name = ::tarn::tuned<type>(#name, value)
#define TARN_TUNED_LIST(type, count, name, ...) \
  inline const std::array<type, count> name = ::tarn::tuned(#name, std::array<type, count>{__VA_ARGS__})
#else
#define TARN_TUNED(type, name, value) inline constexpr type name = value
#define TARN_TUNED_LIST(type, count, name, ...) inline constexpr std::array<type, count> name = {__VA_ARGS__}
#endif
