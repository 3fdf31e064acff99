// The right class of each sample, as users have it in a file beside the data.
#pragma once
#include <string>
#include <vector>

#include "support/result.h"

namespace tarn::quantize {

// Whole numbers of 0 or more, one for each of `samples` in the order of the data, with white space or commas between
// them. E420: a file that cannot be read, words that are no such numbers, and another count.
Result<std::vector<size_t>> read_labels(const std::string& path, size_t samples);

}  // namespace tarn::quantize
