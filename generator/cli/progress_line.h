// What a long command is doing, on stderr. On a terminal: one line, after the first second, gone again when the work is
// done. Elsewhere: a line every ten seconds.
#pragma once
#include <chrono>

namespace tarn::cli {

class ProgressLine {
 public:
  // `lines`: also without a terminal, where stderr is for people (not with --diagnostics json).
  explicit ProgressLine(bool lines = true, std::chrono::milliseconds between = std::chrono::seconds(10));
  ~ProgressLine();
  static void clear();  // before anything else is written to stderr
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
};

}  // namespace tarn::cli
