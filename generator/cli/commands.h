// The commands. Each returns the process' exit code; results go to stdout, everything else to stderr.
#pragma once
#include "cli/options.h"

namespace tarn::cli {

int run_analyze(const Options& options);
int run_generate(const Options& options);
int run_verify(const Options& options);
int run_ops(int argc, char** argv);
int run_explain(int argc, char** argv);
int run_diff(int argc, char** argv);

// Prints diagnostics on stderr, as text or (--diagnostics json) as JSON lines.
void print(const Diagnostics& diagnostics, bool as_json);

}  // namespace tarn::cli
