// Writing a planned network's files where they are to be compiled and run.
#pragma once
#include <string>

#include "cli/options.h"
#include "report/report.h"
#include "support/result.h"
#include "verify/firmware.h"

namespace tarn::cli {

// The emitted files in `folder`, and what a driver must know of them.
Result<verify::Firmware> write_firmware(const Analysis& analysis, const report::Report& report, const Options& options,
                                        const std::string& folder);

}  // namespace tarn::cli
