// Parameter structs of calls, held against the structs that the runtime's headers declare.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace tarn::emit {

// The members of the struct of this name, in their order; none if `header` does not define it.
std::optional<std::vector<std::string>> struct_members(std::string_view header, const std::string& name);

// Calls are given their parameters by position. For each operation, and its form by lines: the fields, and those of
// structs within, are named as the members in the kernels' headers (`texts`: file name to text), and as many. A
// difference is a fault of ours. Structs that no header declares are left to the C compiler.
void check_params(const program::Program& program, const std::map<std::string, std::string>& texts);

}  // namespace tarn::emit
