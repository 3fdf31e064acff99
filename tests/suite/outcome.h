// What became of one model on one target, as a line that passes from a worker to the suite.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "support/diagnostic.h"

namespace tarn::suite {

enum class Verdict { passed, refused, failed };
std::string to_string(Verdict verdict);

struct Outcome {
  std::string name;  // "node/test_add"
  std::string on;    // "host", "cortex-m4"; "analyze" when nothing was run
  Verdict verdict = Verdict::failed;
  // Why it did not pass: a diagnostic's code, or one of "internal" (a fault of tarn's), "crash", "time", and "rule"
  // (outputs outside the suite's own tolerance that verification accepts).
  std::string code;
  std::string op;
  std::string message;
  int64_t arena = 0, lower_bound = 0, naive = 0, macs = 0, parameters = 0, nodes = 0;
  std::string proof;
  std::optional<int64_t> stack, stack_bound, instructions;
  std::string fixed;  // inputs whose values decide shapes, fixed to the stored ones as --const would
  int64_t variants = 0, same_text = 0, not_possible = 0;  // see without_passes.h
  double error = 0;    // largest difference, relative to the largest element of its output
  double seconds = 0;  // wall time of this model
};

// Refused: tarn says before it emits anything, or before it runs, that it cannot. Everything else that is no pass is a
// failure.
bool is_refusal(const std::string& code);

// A verdict from the first error of a list of diagnostics.
void judge(Outcome& outcome, const Diagnostics& faults);

std::string to_line(const Outcome& outcome);
std::optional<Outcome> from_line(const std::string& line);

// The message without what differs from model to model: quoted names and numbers.
std::string kind_of(const Outcome& outcome);

}  // namespace tarn::suite
