// Where weights are placed: in sections of the linker, or in an image whose address is told at run time.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "support/diagnostic.h"

namespace tarn::program {

// Sets the sections of weights: each rule is a pattern, in which * stands for any characters, and a section. A weight
// goes where the last rule says that matches its name, that of the model's weight which it is packed from, or that of a
// node that reads it. E209 for each rule that matches none. `known`: constants by their names, and how the model calls
// what they are made of.
Diagnostics place_weights(Program&, const std::vector<std::pair<std::string, std::string>>& rules,
                          const std::string& file, const std::map<std::string, std::string>& known = {});

// Bytes for the address of an image and its complement, which tells an address from what memory held before.
inline constexpr int64_t kImageAddressBytes = 16;

// The address of the image is a tensor of its own, alive throughout, where there are weights.
void hold_image_address(Program&);

}  // namespace tarn::program
