// The commands. Each returns the process' exit code; results go to stdout, everything else to stderr.
#pragma once
#include "cli/options.h"
#include "emit/files.h"
#include "report/report.h"

namespace tarn::cli {

int run_analyze(const Options& options);
int run_generate(const Options& options);
int run_verify(const Options& options);
int run_ops(int argc, char** argv);
int run_explain(int argc, char** argv);
int run_diff(int argc, char** argv);
int run_compare(int argc, char** argv);
int run_plan(int argc, char** argv);
int run_quantize(int argc, char** argv);
// Completion for bash, zsh or fish, made of the options that each command declares.
int run_completion(int argc, char** argv);
int print_man_page();

// The words that may stand behind `tarn`.
std::vector<std::string> command_names();

// What their --help prints.
std::string plan_help();
std::string diff_help();
std::string compare_help();
std::string quantize_help();

// The files of --report, named by their absolute paths.
std::vector<emit::OutputFile> report_files(const std::vector<std::string>& paths, const report::Report& report);

}  // namespace tarn::cli
