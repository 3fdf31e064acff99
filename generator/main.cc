// tarn: from an ONNX model to C99 with one statically planned arena.
//
//   compile.cc   analyze(): load, build, passes, lower, schedule, plan - the pipeline, one value after the other
//   report/      what is told of the result
//   emit/        the C files
//   verify/      runs them on the host and on emulated boards
//
// This file only picks the command.
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/commands.h"
#include "cli/terminal.h"
#include "support/early_end.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "support/standard_streams.h"

namespace {

constexpr const char* kUsage =
    "usage: tarn COMMAND ...\n"
    "\n"
    "  tarn analyze  kws.onnx --ram 64K                does it fit, and if not, what is in the way\n"
    "  tarn generate kws.onnx -o firmware --ram 64K    the same, and the C files\n"
    "  tarn verify   kws.onnx --on host,cortex-m4      compile, run and measure them\n"
    "\n"
    "  tarn quantize kws.onnx --data samples -o kws_int8.onnx   8-bit codes instead of floats\n"
    "  tarn plan PROBLEM.csv      the packer alone\n"
    "  tarn ops                   operators supported\n"
    "  tarn explain CODE          what a diagnostic means\n"
    "  tarn diff OLD.json NEW.json   what changed between two reports, or images\n"
    "  tarn compare NET.json DUMP    a run on a board, step by step, beside the reference\n"
    "  tarn completion bash|zsh|fish   completion for a shell, to be sourced\n"
    "  tarn help [COMMAND]        this text, or a command's\n"
    "\n"
    "`tarn help COMMAND` lists options. Exit codes: 0 ok, 2 usage, 3 invalid model, 4 not supported,\n"
    "5 over budget (proved), 6 over budget (not proved), 7 verification failed, 70 internal error.\n";

// What is said when there is no memory to put it together with.
constexpr const char* kNoMemory =
    "tarn: error E412: out of memory\n  hint: close other programs, raise the limit or use a larger machine\n";
constexpr const char* kNoMemoryJson =
    R"({"code": "E412", "severity": "error", "file": "tarn", "message": "out of memory", "hint": )"
    R"("close other programs, raise the limit or use a larger machine"})"
    "\n";
constexpr int kNoMemoryExit = 2;

int with_options(tarn::cli::Command command, int (*run)(const tarn::cli::Options&), int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
      std::fputs(tarn::cli::help_text(command).c_str(), stdout);
      return 0;
    }
  }
  const auto parsed = tarn::cli::parse_options(command, argc, argv);
  if (const auto* error = std::get_if<tarn::cli::UsageError>(&parsed)) {
    for (const std::string& message : error->messages) std::fprintf(stderr, "tarn: %s\n", message.c_str());
    return 2;
  }
  const auto& options = std::get<tarn::cli::Options>(parsed);
  if (options.json_diagnostics) tarn::end_without_memory(kNoMemoryJson, kNoMemoryExit);
  return run(options);
}

int run_command(const std::string& word, int rest, char** words) {
  using tarn::cli::Command;
  if (word == "analyze") return with_options(Command::analyze, tarn::cli::run_analyze, rest, words);
  if (word == "generate") return with_options(Command::generate, tarn::cli::run_generate, rest, words);
  if (word == "verify") return with_options(Command::verify, tarn::cli::run_verify, rest, words);
  if (word == "plan") return tarn::cli::run_plan(rest, words);
  if (word == "quantize") return tarn::cli::run_quantize(rest, words);
  if (word == "ops") return tarn::cli::run_ops(rest, words);
  if (word == "explain") return tarn::cli::run_explain(rest, words);
  if (word == "diff") return tarn::cli::run_diff(rest, words);
  if (word == "compare") return tarn::cli::run_compare(rest, words);
  if (word == "completion") return tarn::cli::run_completion(rest, words);
  if (word == "--man") return tarn::cli::print_man_page();
  if (word == "--version" || word == "-V") {
    std::printf("tarn %s, ONNX IR 3 to 13, opset 6 to 27\n", TARN_VERSION);
    return 0;
  }
  const bool asked = word == "--help" || word == "-h" || word == "help";
  if (!asked && !word.empty()) {
    const std::string meant = tarn::did_you_mean(word, tarn::cli::command_names());
    std::fprintf(stderr, "tarn: there is no command '%s'%s\n", tarn::printable(word).c_str(), meant.c_str());
  }
  std::fputs(kUsage, asked ? stdout : stderr);
  return asked ? 0 : 2;
}

int run(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  // `tarn help COMMAND` is `tarn COMMAND --help`.
  if (word == "help" && argc > 2) {
    std::string help = "--help";
    char* words[] = {argv[2], help.data(), nullptr};
    return run_command(argv[2], 2, words);
  }
  return run_command(word, argc - 1, argv + 1);
}

// Memory may run out before main(), while objects of other files are made: this one comes first.
struct FromTheStart {
  FromTheStart() { tarn::end_without_memory(kNoMemory, kNoMemoryExit); }
};
[[gnu::init_priority(101)]] const FromTheStart from_the_start;

// A result that did not reach its reader is none, whatever the command made of it.
int with_output(int code) {
  const tarn::Result<tarn::Done> told = tarn::check_standard_output();
  if (told || code != 0) return code;
  tarn::cli::print(told.faults(), false);
  return tarn::exit_code(told.faults());
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Memory that is given back is asked for again by the next large tensor, page by page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
  tarn::set_up_standard_streams();
  try {
    tarn::clear_up_on_signals();
    return with_output(run(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs(kNoMemory, stderr);
    return kNoMemoryExit;
  } catch (const std::system_error& error) {
    // A thread that cannot be started, a folder that cannot be read.
    const bool memory =
        error.code() == std::errc::not_enough_memory || error.code() == std::errc::resource_unavailable_try_again;
    if (memory) std::fputs(kNoMemory, stderr);
    else std::fprintf(stderr, "tarn: internal error: %s\n", error.what());
    return memory ? kNoMemoryExit : 70;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tarn: internal error: %s\nThis is a fault of tarn; please report it, with the model.\n",
                 error.what());
  }
  return 70;
}
