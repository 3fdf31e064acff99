// One line on stderr that says what a long command is doing: only on a terminal, only after the first second, and gone
// again when the work is done.
#pragma once

namespace tarn::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  static void clear();  // before anything else is written to stderr
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
};

}  // namespace tarn::cli
