// Arrays as NumPy stores them: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "tensor/constant.h"

namespace tarn::quantize {

// Versions 1 to 3, numbers and bool of either byte order, either order of axes. Nothing when the file is none of these
// or damaged; `why` then says what is wrong.
std::optional<Constant> read_npy(std::string_view file, std::string* why);

}  // namespace tarn::quantize
