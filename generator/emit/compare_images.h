// tarn diff of two images of weights.
#pragma once
#include <string>

#include "support/result.h"

namespace tarn::emit {

bool is_image(const std::string& path);

// Whether one can stand for the other, what they are made from, and how many of their bytes differ. E307 for a file
// that is no whole and undamaged image.
Result<std::string> compare_images(const std::string& old_path, const std::string& new_path);

}  // namespace tarn::emit
