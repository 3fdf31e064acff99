// What the text report says of time.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace tarn::report {

// A total only where every step is modelled; otherwise what is, and how much is not. Then the slowest steps.
void time_lines(const Report& r, std::vector<std::string>& lines);

std::string instruction_line(const Budget& budget);
std::string time_budget_line(const Budget& budget, bool cycles_known);

// "69.1 ms"
std::string milliseconds(double ms);
// Of the change `advice`: "9.1 M instructions, about 12.0 M cycles, "; empty where time is not what it is about.
std::string time_of(const Advice& advice);

}  // namespace tarn::report
