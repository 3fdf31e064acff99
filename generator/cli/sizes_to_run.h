// At which sizes of run-time dimensions `tarn verify` runs the firmware.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "size_box.h"

namespace tarn::cli {

// As positions in the list of all: of each dimension both ends, two sizes beside each, a third and the middle, of
// several in most combinations of these, and those of the data. The largest first: the first run is the one that is
// counted, and what is told elsewhere is of the largest.
std::vector<size_t> sizes_to_run(const SizeBox& box, const std::vector<SizePoint>& stored);

// The point at which data are, where they tell each of the dimensions.
std::optional<SizePoint> stored_point(const SizeBox& box, const std::map<std::string, int64_t>& dims);

}  // namespace tarn::cli
