// Entries of the operators with bodies.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> control_rooms();  // If, Loop, Scan

}  // namespace tarn::ops
