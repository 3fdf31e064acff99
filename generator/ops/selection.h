// Entries of operators whose result's size depends on data.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<OperatorEntry> selection_entries();  // operators whose result's size depends on data: NonZero ...

}  // namespace tarn::ops
