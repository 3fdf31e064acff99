// States and weights in the report: what is kept from run to run, and what is stored in fewer bits.
#pragma once
#include "program/program.h"
#include "report/report.h"

namespace tarn::report {

// Fills in the states, and the weights that are not stored as the model has them.
void describe_stored(const program::Program& program, Report& report);

}  // namespace tarn::report
