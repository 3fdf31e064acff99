// What the text says of a quantised network: which layers work on codes, and what is left in floats.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace tarn::report {

// Two lines at most; none for a network without codes.
std::vector<std::string> integer_lines(const Report& report);

}  // namespace tarn::report
