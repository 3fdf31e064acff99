// What the text says of a quantised network: which layers work on codes, and what is left in floats.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace tarn::report {

// Two lines at most; none for a network without codes.
std::vector<std::string> integer_lines(const Report& report);

// Steps that compute in floats amid a quantised network, beside those that make codes of floats or floats of codes.
std::vector<const StepRow*> steps_in_floats(const Report& report);

}  // namespace tarn::report
