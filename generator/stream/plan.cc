#include "stream/plan.h"

namespace tarn::stream {

int64_t table_bytes(const Plan& plan) {
  int64_t bytes = 0;
  for (const Word& word : plan.words) bytes += 3 + static_cast<int64_t>(word.actors.size());
  for (const Memory& memory : plan.memories) {
    const int64_t entry = plan.arena < (int64_t{1} << 16) ? 2 : 4;
    bytes += entry * static_cast<int64_t>(memory.table.size());
  }
  return bytes;
}

int64_t passes_of(const Plan& plan, size_t port) {
  int64_t passes = 0;
  for (const Actor& actor : plan.actors) passes += actor.what == Actor::What::feed && actor.port == port;
  return passes;
}

int64_t driver_bytes(size_t actors, Mode mode) {
  const auto count = static_cast<int64_t>(actors);
  return mode == Mode::time ? 12 + 4 * count : (8 + 2 * count + 3) / 4 * 4;
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
