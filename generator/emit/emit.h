// Analysis -> C files, exactly those of the documented interface.
#pragma once
#include <string>
#include <vector>

#include "compile.h"
#include "emit/files.h"
#include "report/report.h"

namespace tarn::emit {

struct EmitOptions {
  bool arena_only = false;   // --emit arena
  bool single_file = false;  // --files single
  bool libm = false;         // --libm: the platform's mathematical functions
  bool cpp = false;          // --cpp: also NAME.hpp
  // The code as it is, but weights in C only declared: for figures of the code without them.
  bool weights_apart = false;
};

// What tells the files of this emission from those of any other: an id of all their text and weights. It is the same
// wherever and whenever it is asked for. Put into report.plan_id before emit(), it is in every file.
std::string plan_id(const Analysis& analysis, const report::Report& report, const EmitOptions& options);

// E104 when a weight's external file is missing: all of them. The files refer to both arguments until they are written.
Result<std::vector<OutputFile>> emit(const Analysis& analysis, const report::Report& report,
                                     const EmitOptions& options);

}  // namespace tarn::emit
