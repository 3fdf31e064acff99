// The bytes of a weight in one piece.
#pragma once
#include <cstdint>
#include <vector>

#include "program/program.h"

namespace tarn::program {

// As they are stored; none where they are not there (a file that is missing).
std::vector<uint8_t> bytes_of(const Weight& weight);

}  // namespace tarn::program
