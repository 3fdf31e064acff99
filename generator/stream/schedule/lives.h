// When each line of each memory lives, how many slots its ring needs, and the most that is alive at once.
#pragma once
#include <limits>
#include <vector>

#include "stream/network/net.h"

namespace tarn::stream {

constexpr int kNever = std::numeric_limits<int>::max();  // born: never made. last: alive after the last step

struct LineLife {
  int born = kNever;  // the step that makes it; -1: before the first
  int last = -2;      // the last step that uses it
};

struct Lives {
  std::vector<std::vector<LineLife>> lines;  // by memory, by line
  std::vector<int64_t> slots;   // by memory: a ring of this length holds every line as long as it lives; 0: unused
  std::vector<bool> ascending;  // by memory: no line is born before one above it
  std::vector<int64_t> alive;   // by step: bytes of lines that must be apart
  int64_t bound = 0;            // the most of these: bytes of lines that must be apart
  int bound_step = 0;
  uint64_t touches = 0;  // of lines by steps
};

// Calls visit(memory, line, written) for all that a step touches.
template <class Visit>
void for_each_touch(const Net& net, const Step& step, Visit visit) {
  const NetNode& node = net.nodes[static_cast<size_t>(step.actor)];
  const int64_t r = step.first_line, end = r + step.lines;
  for (const Access& access : node.reads) {
    for (int64_t made = r; made < end; ++made) {
      const Span span = access.at(made);
      for (int64_t l = span.first; l < span.end; ++l) visit(access.memory, l, false);
      if (access.lines.empty()) break;
    }
  }
  const bool one = !node.actor.whole && !node.actor.accumulate;
  for (int64_t made = r; node.memory >= 0 && one && made < end; ++made)
    visit(node.memory, node.made.first + made, true);
  if (!one && r == node.lines - 1) {
    for (int64_t l = node.made.first; l < node.made.end; ++l) visit(node.memory, l, true);
  }
  for (int memory : node.also) {
    for (int64_t l = 0; l < net.memories[static_cast<size_t>(memory)].lines; ++l) visit(memory, l, true);
  }
  for (int memory : node.helpers) visit(memory, r, true);
  for (int memory : node.states) visit(memory, 0, true);
}

Lives find_lives(const Net& net, const std::vector<Step>& steps);

}  // namespace tarn::stream
