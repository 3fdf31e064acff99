// The options of analyze, generate and verify with their help, as the command line parser takes them.
#pragma once
#include "cli/command_line.h"
#include "cli/options.h"

namespace tarn::cli {

cxxopts::Options declare(Command);

// The groups of its --help in their order: first what is used most.
std::vector<std::string> option_groups();
// The long names of all options.
std::vector<std::string> option_names(const cxxopts::Options& options);

}  // namespace tarn::cli
