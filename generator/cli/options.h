// The command line of analyze, generate and verify, as data.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile.h"
#include "emit/emit.h"
#include "emit/layout.h"
#include "support/result.h"
#include "symbolic/grid.h"

namespace tarn::cli {

enum class Command { analyze, generate, verify };
const char* name_of(Command);

struct Options {
  Command command = Command::analyze;
  CompileOptions compile;
  emit::EmitOptions emit;
  std::string output;                         // -o
  std::optional<int64_t> ram, flash;          // bytes
  std::optional<int64_t> clock;               // Hz
  std::optional<int64_t> time, instructions;  // budgets of a run: nanoseconds, and a count
  std::vector<std::string> reports;           // files, format by extension
  std::string depfile;
  std::string
      depfile_target;  // --depfile-target: the rule's target, such as a build system's stamp; empty: the files written
  std::string quantize;   // --quantize: the folder of the data
  bool selftest = false;  // --selftest: also NAME_selftest.c
  bool trace = false;     // --trace: also NAME_trace.c
  emit::Layout layout = emit::Layout::plain;
  bool compare = false;
  bool sparsity = false;
  bool pareto = false;        // --pareto: RAM against time
  bool named_stream = false;  // --stream stands on the command line
  bool json_diagnostics = false;
  std::string cc;  // --cc: the user's compiler, for code size and stack; "none" leaves them out
  std::vector<std::string> cflags;
  std::map<std::string, std::vector<int64_t>> sweep;  // dimensions that were given several values (analyze)
  // --dim NAME=LOW..HIGH (analyze): formulas over the range; compile.dims holds the value of the report: its largest,
  // of an open dimension its least.
  struct Range {
    std::string name;
    int64_t low = 0, high = 0;
    bool open = false;  // not on the command line: the model leaves the dimension open
  };
  std::optional<Range> range;
  // Ranges of several dimensions (analyze): formulas over the grid; compile.dims holds its largest sizes, of open
  // dimensions the least.
  std::vector<symbolic::Axis> grid;
  std::vector<std::vector<std::string>> tied;  // dimensions that are equal at each point of it; the first is an axis
  bool open_grid = false;
  bool trial = false;             // one of many sizes, looked at for whether it fits: nothing is told of it
  std::vector<std::string> data;  // --data: test_data_set_N folders
  std::string reference;          // data, naive, ort; empty: data, else naive
  std::vector<std::string> targets{"host"};
  std::string run;                        // --run: the command that runs the self-test on a board
  bool nodes = false;                     // --nodes: every step compared
  std::vector<std::string> command_line;  // as it stands in emitted files: no paths
};

// Usage faults are told on one line each; all of them.
struct UsageError {
  std::vector<std::string> messages;
};
std::variant<Options, UsageError> parse_options(Command command, int argc, char** argv);

std::string help_text(Command command);

}  // namespace tarn::cli
