// Functions of one code as tables of 256 codes.
#pragma once
#include <functional>

#include "passes/integer/work.h"

namespace tarn::passes::integer {

// A table that holds function(the value of each code of x) and reads x; its output is still to be set.
Node table_node(Work& work, const std::vector<const Node*>& from, const Codes& x,
                const std::function<int32_t(float)>& function);

}  // namespace tarn::passes::integer
