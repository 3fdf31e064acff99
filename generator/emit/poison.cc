#include "emit/poison.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "emit/sizes.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

struct LivingBytes {
  int64_t first = 0, end = 0, first_step = 0, end_step = 0;
  bool operator<(const LivingBytes& o) const {
    return std::tie(first, end, first_step, end_step) < std::tie(o.first, o.end, o.first_step, o.end_step);
  }
};

// The buffers of one memory, by address; `bank` is -1 where there is one arena.
std::vector<LivingBytes> lives_in(const Analysis& analysis, int bank) {
  std::vector<LivingBytes> lives;
  for (size_t i = 0; i < analysis.planning.items.size(); ++i) {
    if (bank >= 0 && analysis.banked->bank_of[i] != bank) continue;
    const lifetimes::BufferId buffer = analysis.planning.items[i];
    const int64_t base = bank < 0 ? 0 : analysis.banked->plans[static_cast<size_t>(bank)].base;
    const int64_t first = analysis.plan.offsets[i] - base, bytes = analysis.storage[buffer].bytes;
    const lifetimes::Life& life = analysis.planning.lives[buffer.pos()];
    if (bytes > 0) lives.push_back({first, first + bytes, life.first, life.end});
  }
  std::sort(lives.begin(), lives.end());
  return lives;
}

// Where buffers lie at any of several sizes: from the first byte that one has to the last.
std::vector<LivingBytes> lives_at_sizes(const Analysis& analysis) {
  std::vector<LivingBytes> lives;
  for (size_t i = 0; i < analysis.planning.items.size(); ++i) {
    const lifetimes::BufferId buffer = analysis.planning.items[i];
    const lifetimes::Life& life = analysis.planning.lives[buffer.pos()];
    LivingBytes all{INT64_MAX, 0, life.first, life.end};
    for (const Analysis& size : analysis.sizes) {
      const int64_t bytes = size.storage[buffer].bytes;
      if (bytes == 0) continue;
      all.first = std::min(all.first, size.plan.offsets[i]);
      all.end = std::max(all.end, size.plan.offsets[i] + bytes);
    }
    if (all.first < all.end) lives.push_back(all);
  }
  std::sort(lives.begin(), lives.end());
  return lives;
}

struct Memory {
  std::string suffix, pointer, bytes;  // "_dtcm", "arena->dtcm", "KWS_ARENA_DTCM_BYTES"
  std::vector<LivingBytes> lives;
};

std::vector<Memory> memories_of(const Context& c) {
  std::vector<Memory> memories;
  if (!c.analysis.several_arenas()) {
    memories.push_back({"", "arena", c.names.macro("ARENA_BYTES"),
                        c.analysis.sizes.empty() ? lives_in(c.analysis, -1) : lives_at_sizes(c.analysis)});
  }
  for (size_t b = 0; c.analysis.several_arenas() && b < c.report.banks.size(); ++b) {
    const std::string& name = c.report.banks[b].name;
    memories.push_back({"_" + name, bank_pointer(c, name, "arena"), c.names.macro("ARENA_") + upper(name) + "_BYTES",
                        lives_in(c.analysis, static_cast<int>(b))});
  }
  std::erase_if(memories, [](const Memory& memory) { return memory.lives.empty(); });
  return memories;
}

bool poisons(const Context& c) {
  return !c.analysis.stream && !c.one_span && span_count(c.analysis) == 1 && !c.analysis.schedule.steps.empty() &&
         !memories_of(c).empty();
}

}  // namespace

std::string poison_definitions(const Context& c) {
  if (!poisons(c)) return "";
  const std::string& p = c.names.prefix;
  std::string tables, poison, unpoison;
  for (const Memory& memory : memories_of(c)) {
    const std::string table = p + "_lives" + memory.suffix;
    tables += cat("static const ", p, "_life ", table, "[] = {\n");
    for (const LivingBytes& l : memory.lives) {
      tables += cat("    {", l.first, "u, ", l.end, "u, ", l.first_step, "u, ", l.end_step, "u},\n");
    }
    tables += "};\n";
    poison += cat("        ", p, "_poison_bytes((uint8_t *)", memory.pointer, ", ", memory.bytes, ", ", table,
                  ",\n            (uint32_t)(sizeof ", table, " / sizeof ", table, "[0]), step);\n");
    unpoison += cat("    __asan_unpoison_memory_region(", memory.pointer, ", ", memory.bytes, ");\n");
  }
  return fill_template("templates/poison.c", {{"CAPS", c.names.capitals},
                                              {"PREFIX", p},
                                              {"ARENA_PARAMETER", arena_parameter(c)},
                                              {"LIVES", tables},
                                              {"POISON", poison},
                                              {"UNPOISON", unpoison}});
}

std::string poison_line(const Context& c, const std::string& step, int indent) {
  return poisons(c) ? cat(std::string(static_cast<size_t>(indent), ' '), c.names.capitals, "_POISON(", step, ");\n")
                    : "";
}

std::string unpoison_line(const Context& c, int indent) {
  return poisons(c) ? cat(std::string(static_cast<size_t>(indent), ' '), c.names.capitals, "_UNPOISON();\n") : "";
}

}  // namespace tarn::emit
