// Indices as the standard containers want them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarn {

// Indices and counts are signed here, so that differences are: Z is one as the standard containers want it, 0 or more.
constexpr size_t Z(int64_t i) { return static_cast<size_t>(i); }

}  // namespace tarn
