// What emitted code takes beside arena and weights, without running it: code bytes and the stack's bound, by compiling
// it with the target's compiler, or the user's.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/boards.h"

namespace tarn::verify {

struct CodeFigures {
  int64_t code = 0;               // bytes of instructions and of constants that are no weights
  std::optional<int64_t> stack;   // bytes, a bound for <name>_run
  std::vector<std::string> path;  // the chain of calls that the bound follows
  std::string why_not;            // when there is no bound
  std::string compiler;           // "arm-none-eabi-gcc -mcpu=cortex-m4 -O2"
};

struct CompileWith {
  Target target = Target::host;
  std::string cc;                    // the user's compiler; empty: the target's, if it is on PATH
  std::vector<std::string> flags;    // the user's flags, behind the target's where they name no processor
  std::vector<std::string> entries;  // the functions that the caller calls; empty: NAME_run
};

struct SourceText {
  std::string name, text;
};

// `files`: sources (*.c) and what they include, weights left out; written out where this code was not measured before.
// Nothing when there is no compiler; E403 when it refuses the code. Objects of kernels are kept in the cache folder
// (TARN_CACHE_DIR, else ~/.cache/tarn), because every model has the same ones.
Result<std::optional<CodeFigures>> code_figures(const std::vector<SourceText>& files, const std::string& name,
                                                const CompileWith& with);

}  // namespace tarn::verify
