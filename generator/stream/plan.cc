#include "stream/plan.h"

#include <algorithm>

namespace tarn::stream {

int64_t table_bytes(const LinePlan& plan) {
  int64_t bytes = 0;
  for (const ScheduleLoop& loop : plan.loops) bytes += 3 + static_cast<int64_t>(loop.actors.size());
  for (const Memory& memory : plan.memories) {
    const int64_t entry = plan.arena < (int64_t{1} << 16) ? 2 : 4;
    bytes += entry * static_cast<int64_t>(memory.table.size());
  }
  return bytes;
}

std::vector<int64_t> lines_over(const Memory& memory, program::Span lines, const Memory& other, int64_t line) {
  const int64_t from = other.address(line), end = from + other.line_bytes, bytes = memory.line_bytes;
  std::vector<int64_t> found;
  if (memory.addressing == Addressing::table) {
    for (int64_t l = lines.first; l < lines.end; ++l) {
      if (memory.address(l) < end && from < memory.address(l) + bytes) found.push_back(l);
    }
    return found;
  }
  // Slots stand in a row: those under the bytes, and of each the lines that take turns in it.
  const int64_t first_slot = std::max<int64_t>(0, from - memory.base) / bytes;
  const int64_t end_slot = std::min(memory.slots, (std::max<int64_t>(0, end - memory.base) + bytes - 1) / bytes);
  for (int64_t slot = first_slot; slot < end_slot; ++slot) {
    const int64_t ahead = (slot - lines.first % memory.slots + memory.slots) % memory.slots;
    for (int64_t l = lines.first + ahead; l < lines.end; l += memory.slots) found.push_back(l);
  }
  std::sort(found.begin(), found.end());
  return found;
}

int64_t passes_of(const LinePlan& plan, size_t port) {
  int64_t passes = 0;
  for (const Actor& actor : plan.actors) passes += actor.what == Actor::What::feed && actor.port == port;
  return passes;
}

int64_t counter_bytes(int64_t most_lines, Mode mode) {
  if (mode == Mode::time || most_lines > UINT16_MAX) return 4;
  return most_lines > UINT8_MAX ? 2 : 1;
}

int64_t driver_bytes(size_t actors, int64_t most_lines, Mode mode, bool sized) {
  const int64_t counters = static_cast<int64_t>(actors) * counter_bytes(most_lines, mode);
  return mode == Mode::time ? 12 + counters : (8 + (sized ? 4 : 0) + counters + 3) / 4 * 4;
}

int64_t most_lines(const std::vector<Actor>& actors) {
  int64_t most = 1;
  for (const Actor& actor : actors)
    most = std::max(most, (actor.lines + actor.at_once - 1) / actor.at_once * actor.at_once);
  return most;
}

int64_t lines_of_step(const Actor& actor, int64_t first) {
  return actor.at_once == 1 ? 1 : std::min(actor.at_once, actor.lines - first);
}

bool writes_over_reads(const Actor& actor, size_t position) {
  const LineBuffer& form = *actor.line_buffer;
  // Before the window whole runs stay where they are; behind it a chunk may take the place of the one before.
  if (position < form.mid) return position > 0;
  if (position + 1 == actor.operations.size()) return actor.overlapping;
  return position > form.mid && form.made[position] == form.made[position - 1];
}

std::vector<bool> running_actors(const LinePlan& plan) {
  std::vector<bool> running(plan.actors.size());
  for (const ScheduleLoop& loop : plan.loops) {
    for (const int actor : loop.actors) running[static_cast<size_t>(actor)] = true;
  }
  return running;
}

std::string to_string(Mode mode) {
  switch (mode) {
    case Mode::off: return "off";
    case Mode::resident: return "resident";
    case Mode::fed: return "fed";
    case Mode::time: return "time";
    case Mode::automatic: return "auto";
  }
  return "?";
}

std::string to_string(Lines lines) { return lines == Lines::ring ? "ring" : "table"; }

std::string to_string(Addressing addressing) {
  switch (addressing) {
    case Addressing::resident: return "resident";
    case Addressing::ring: return "ring";
    case Addressing::table: return "table";
  }
  return "?";
}

}  // namespace tarn::stream
