// The dependency file of --depfile, in Make syntax.
#pragma once
#include <string>
#include <vector>

namespace tarn::emit {

// A rule in Make syntax: every target depends on every dependency. Blanks, '#', '$' and ':' in names are escaped the
// way make and ninja both read them.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& dependencies);

}  // namespace tarn::emit
