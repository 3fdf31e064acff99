// Entries of the operators with bodies.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<OperatorEntry> control_entries();  // If, Loop, Scan

}  // namespace tarn::ops
