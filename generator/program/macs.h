// Multiplications of a program.
#pragma once
#include <cstdint>

#include "program/program.h"

namespace tarn::program {

// Of one run, each operation once.
int64_t macs_of(const Program& program);

}  // namespace tarn::program
