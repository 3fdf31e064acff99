// The program for a signal of another length, for `--stream time`.
#pragma once
#include <string>
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

// So many lines of a tensor for so many frames of the input, in lowest terms.
struct Rate {
  int64_t lines = 0, frames = 1;
  bool operator==(const Rate&) const = default;
};

struct ExtendedSignal {
  Program program;          // as given, with other numbers of lines
  std::vector<Rate> rates;  // by tensor
  std::string obstacle;     // why the network cannot go on without end; empty: it can
};

// The same network on a signal of `frames` lines that goes on afterwards: every tensor has the lines that are final by
// then, which are those that the same network makes of any longer signal. Lines are made of lines before them; what the
// model says of the end of its own signal has no place. Its own outputs must be final, all of them and no more: they
// are the first of the extended ones.
ExtendedSignal extend_signal(const Program& program, int64_t frames);

}  // namespace tarn::stream
