// The options of analyze, generate and verify with their help, as the command line parser takes them.
#pragma once
#include "cli/command_line.h"
#include "cli/options.h"

namespace tarn::cli {

cxxopts::Options declare(Command);

}  // namespace tarn::cli
