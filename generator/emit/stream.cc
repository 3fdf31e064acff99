#include "emit/stream.h"

#include <algorithm>

#include "emit/call.h"
#include "emit/stream_ports.h"
#include "support/check.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using stream::Actor;

std::string fitting(int64_t most) { return most < 256 ? "uint8_t" : most < 65536 ? "uint16_t" : "uint32_t"; }

// Numbers in lines of at most 118 characters.
std::string number_lines(const std::vector<std::string>& numbers) {
  std::string out, line = "   ";
  for (const std::string& number : numbers) {
    if (line.size() + number.size() + 2 > 118) {
      out += line + "\n";
      line = "   ";
    }
    line += " " + number + ",";
  }
  return out + line + "\n";
}

std::string array(const std::string& type, const std::string& name, const std::vector<std::string>& numbers) {
  return cat("static const ", type, " ", name, "[] = {\n", number_lines(numbers), "};\n");
}

// {times, low and high byte; number of actors; actors} for each word.
std::vector<int64_t> word_entries(const stream::LinePlan& plan) {
  std::vector<int64_t> entries;
  for (const stream::ScheduleLoop& loop : plan.loops) {
    TARN_CHECK(loop.times < 65536 && loop.actors.size() < 65536);
    entries.push_back(loop.times % 256);
    entries.push_back(loop.times / 256);
    entries.push_back(static_cast<int64_t>(loop.actors.size()));
    entries.insert(entries.end(), loop.actors.begin(), loop.actors.end());
  }
  return entries;
}

struct Row {
  int64_t base = 0, pitch = 0, slots = 0, lines = 0, first = 0;
  int64_t table = 0;  // not 0: slots lie where a table of addresses says; one more than where it begins
};

// Where the lines of a tensor lie.
Row row_of(LineText& text, const LineText::Lines& wanted) {
  const stream::LineView& view = text.plan.views[wanted.tensor.pos()];
  const program::Tensor& t = text.c.analysis.program[wanted.tensor];
  const stream::Memory& memory = memory_of(text.plan, wanted.tensor);
  const int64_t lines = wanted.of_memory ? memory.lines : t.geometry.lines;
  if (is_outside(text.c.analysis, wanted.tensor)) {
    const lifetimes::Place& place = text.plan.storage[wanted.tensor];
    if (wanted.of_memory) return {0, memory.line_bytes, lines, lines, 0};
    return {place.offset, place.line_pitch * t.element_bytes(), lines, lines, 0};
  }
  TARN_CHECK(view.memory >= 0);
  if (!wanted.of_memory && !view.by_lines) {
    const std::optional<int64_t> at = resident_address(text.plan, wanted.tensor);
    TARN_CHECK(at);
    return {*at, t.geometry.pixels * view.pixel_pitch * t.element_bytes(), lines, lines, 0};
  }
  if (memory.addressing != stream::Addressing::table) {
    if (wanted.of_memory) return {memory.base, memory.line_bytes, memory.slots, lines, 0};
    return {memory.base + view.offset, memory.line_bytes, memory.slots, lines, view.first_line};
  }
  const auto [at, added] = text.tables.try_emplace(view.memory, text.addresses.size());
  if (added) {
    for (int64_t address : memory.table) text.addresses.push_back(cat(std::max<int64_t>(0, address)));
  }
  return {.base = wanted.of_memory ? 0 : view.offset,
          .slots = memory.slots,
          .lines = lines,
          .first = wanted.of_memory ? 0 : view.first_line,
          .table = static_cast<int64_t>(at->second) + 1};
}

struct LineTable {
  std::string rows, word, place, address, more_fields;
};

LineTable line_table(LineText& text) {
  std::vector<Row> rows;
  int64_t most = 0, first = 0;
  for (const LineText::Lines& wanted : text.lines) {
    const Row row = row_of(text, wanted);
    most = std::max({most, row.base, row.pitch, row.slots, row.lines, row.table});
    first = std::max(first, row.first);
    rows.push_back(row);
  }
  const std::string& p = text.c.names.prefix;
  const bool tables = !text.addresses.empty();
  LineTable table;
  table.word = most < 65536 ? "uint16_t" : "uint32_t";
  table.more_fields = cat(first > 0 ? ", first" : "", tables ? ", table" : "");
  const std::string told = first > 0 ? "(first + l) % slots" : "l % slots";
  table.place = cat("base + ", told, " * pitch",
                    tables ? cat(";\n   with a table, at base + addresses[table - 1 + ", told, "]") : "");
  int64_t furthest = 0;
  for (const stream::Memory& memory : text.plan.memories) {
    for (int64_t address : memory.table) furthest = std::max(furthest, address);
  }
  if (tables) table.rows += array(furthest < 65536 ? "uint16_t" : "uint32_t", p + "_addresses", text.addresses);
  table.rows += cat("static const ", p, "_lines ", p, "_lines_of[] = {\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    table.rows += cat("    {", r.base, ", ", r.pitch, ", ", r.slots, ", ", r.lines, first > 0 ? cat(", ", r.first) : "",
                      tables ? cat(", ", r.table) : "", "},");
    table.rows += cat(" /* ", i, ": ", text.c.names.tensors[text.lines[i].tensor.pos()], " */\n");
  }
  table.rows += "};\n";
  const std::string line = first > 0 ? "((uint32_t)line + t->first)" : "(uint32_t)line";
  const std::string slot = line + " % t->slots";
  table.address = cat("    return (uint8_t *)arena + (t->base + ", slot, " * t->pitch);\n");
  if (tables) {
    table.address =
        cat("    const uint32_t slot = ", slot, ";\n    return (uint8_t *)arena + ((uint32_t)t->base +\n        (",
            "t->table != 0u ? ", p, "_addresses[t->table - 1u + slot] : slot * t->pitch));\n");
  }
  return table;
}

// Where lines lie, and the functions that find them; nothing when all steps are of whole tensors.
std::string line_functions(LineText& text, std::map<std::string, std::string> holes) {
  if (text.lines.empty()) return "";
  const LineTable lines = line_table(text);
  holes["ROWS"] = lines.rows;
  holes["WORD"] = lines.word;
  holes["PLACE"] = lines.place;
  holes["MORE_FIELDS"] = lines.more_fields;
  holes["ADDRESS"] = lines.address;
  return fill_template("templates/stream_lines.c", holes);
}

// What tells a driver that goes on for ever from one that ends.
void ending_holes(const stream::LinePlan& plan, const std::vector<int64_t>& entries,
                  std::map<std::string, std::string>& holes) {
  const std::string p = holes["PREFIX"], words = cat(entries.size()), actors = holes["ACTORS"];
  const std::string turn = cat("(uint32_t)", p, "_words[p->word + 3u + p->at]");
  holes["WITHIN"] = plan.endless ? "line >= 0" : "line >= 0 && line < (int32_t)t->lines";
  holes["TURN"] = plan.endless ? turn : cat("p->word < ", words, "u ? ", turn, " : ", actors, "u");
  const int64_t counter = 8 * stream::counter_bytes(stream::most_lines(plan.actors), plan.mode);
  holes["COUNTERS"] = cat("    uint", counter, "_t made[", actors, "];", std::string(counter < 10 ? 13 : 12, ' '),
                          "/* lines by actor */\n");
  holes["AGAIN"] = holes["BEGIN"] = holes["NEXT"] = "";
  if (!plan.endless) return;
  const stream::Endless& endless = *plan.endless;
  size_t loop = 0;
  for (size_t w = 0; w < endless.prologue; ++w) loop += 3 + plan.loops[w].actors.size();
  holes["COUNTERS"] =
      cat("    uint32_t passes;                    /* of the words that come again and again */\n    uint32_t made[",
          actors, "];            /* lines by actor */\n");
  holes["AGAIN"] =
      cat("            if (p->word == ", words, "u) {\n                p->word = ", loop, "u;\n            }\n");
  holes["BEGIN"] = "    d->passes = 0;\n";
  std::vector<std::string> back;
  int64_t most = 0;
  for (int64_t lines : endless.lines) {
    back.push_back(cat(lines * endless.passes));
    most = std::max(most, lines * endless.passes);
  }
  holes["NEXT"] = cat(
      "\n/* A step is done. When every ring is where it was, the counters go back, so that they never run over. "
      "*/\nstatic void ",
      p, "_next(", p, "_driver *d)\n{\n    static const ", fitting(most), " back[] = {", join(back),
      "};\n    uint32_t i;\n    ", p, "_advance(&d->place);\n", "    if (d->place.word == ", loop,
      "u && d->place.at == 0u && d->place.times == 0u) {\n        if (d->passes == ", endless.passes,
      "u) {\n            d->passes = 0;\n            for (i = 0; i < ", actors,
      "u; ++i) {\n                d->made[i] -= back[i];\n            }\n        }\n        ++d->passes;\n    }\n}\n");
}

std::string rows_functions(const LineText& text) {
  const std::string& p = text.c.names.prefix;
  std::string out;
  for (const std::string& type : text.row_types) {
    out += cat("static void ", p, "_rows_", type, "(void *arena, const ", p,
               "_lines *t, int32_t first, int32_t step, int32_t count,\n    const ", type,
               " **rows)\n{\n    int32_t i;\n    for (i = 0; i < count; ++i) {\n        rows[i] = (const ", type,
               " *)(const void *)", p, "_row(arena, t, first);\n        first += step;\n    }\n}\n\n");
  }
  for (const std::string& type : text.divided_types) {
    out += cat("static void ", p, "_rows_of_", type, "(void *arena, const ", p,
               "_lines *t, int32_t first, int32_t step, int32_t divide,\n    int32_t count, const ", type,
               " **rows)\n{\n    int32_t i;\n    for (i = 0; i < count; ++i) {\n        const int32_t line = first % "
               "divide != 0 ? -1 : first / divide;\n",
               "        rows[i] = (const ", type, " *)(const void *)", p,
               "_row(arena, t, line);\n        first += step;\n    }\n}\n\n");
  }
  if (text.chains) {
    out += cat("static TARN_UNUSED int32_t ", p,
               "_clip(int32_t v, int32_t most)\n{\n    return v < 0 ? 0 : v > most ? most : v;\n}\n\n");
    out += cat("/* n bytes, downwards at most. */\nstatic TARN_UNUSED void ", p,
               "_move(uint8_t *to, const uint8_t *from, int32_t n)\n{\n    int32_t i = 0;\n",
               "    for (; i + 16 <= n; i += 16) {\n        uint32_t a;\n        uint32_t b;\n        uint32_t c;\n    "
               "    uint32_t d;\n",
               "        memcpy(&a, from + i, 4);\n        memcpy(&b, from + i + 4, 4);\n        memcpy(&c, from + i + "
               "8, 4);\n        memcpy(&d, from + i + 12, 4);\n",
               "        memcpy(to + i, &a, 4);\n        memcpy(to + i + 4, &b, 4);\n        memcpy(to + i + 8, &c, "
               "4);\n        memcpy(to + i + 12, &d, 4);\n    }\n",
               "    for (; i < n; ++i) {\n        to[i] = from[i];\n    }\n}\n\n");
  }
  if (text.apart || !text.apart_rows.empty()) {
    out +=
        cat("/* Do a bytes of x and b bytes of y lie apart, or, if that will do, at one place? */\nstatic int32_t ", p,
            "_apart(const void *x, uint32_t a, const void *y, uint32_t b, int32_t same)\n{\n    const uintptr_t from = "
            "(uintptr_t)x;\n",
            "    const uintptr_t to = (uintptr_t)y;\n    return from + a <= to || to + b <= from || (same != 0 && from "
            "== to);\n}\n\n");
  }
  for (const std::string& type : text.apart_rows) {
    out += cat(
        "static int32_t ", p, "_rows_apart_", type, "(const ", type,
        " *const *rows, int32_t count, uint32_t a, const void *y, uint32_t b)\n{\n",
        "    int32_t i;\n    int32_t apart = 1;\n    for (i = 0; i < count; ++i) {\n        if (rows[i] != NULL && ", p,
        "_apart(rows[i], a, y, b, 0) == 0) {\n            apart = 0;\n        }\n    }\n    return apart;\n}\n\n");
  }
  return out;
}

std::string cases(LineText& text) {
  std::string out;
  for (size_t i = 0; i < text.plan.actors.size(); ++i) {
    const Actor& actor = text.plan.actors[i];
    if (actor.what != Actor::What::operation) continue;
    out += cat("    case ", i, "u: { /* ", operation_comment(text.c.analysis.program[actor.operations.front()]),
               " */\n", actor_statements(text, i, 8), "        break;\n    }\n");
  }
  return out;
}

// Behind the last step what follows a state is copied into it.
void keeping_holes(const Context& c, std::map<std::string, std::string>& holes) {
  const program::Program& program = c.analysis.program;
  holes["STATUS"] = holes["KEEP"] = "";
  holes["END"] = "return";
  if (program.epilogue.empty()) return;
  holes["STATUS"] = cat("    ", c.names.prefix, "_status status;\n");
  holes["END"] = "status =";
  std::string copies;
  for (const program::OperationId id : program.epilogue) {
    const std::vector<program::Argument>& a = program[id].arguments;
    copies += cat("        memcpy(", argument_text(c.analysis, c.names, a[1]), ", ",
                  argument_text(c.analysis, c.names, a[0]), ", ", program[a[1].tensor].bytes(), "u);\n");
  }
  holes["KEEP"] = cat("    if (status == ", c.names.macro("OK"), " && step == ", c.names.macro("STEPS"), " - 1u) {\n",
                      copies, "    }\n    return status;\n");
}

}  // namespace

bool moves_columns(const Analysis& analysis) {
  if (!analysis.stream) return false;
  return std::any_of(analysis.stream->actors.begin(), analysis.stream->actors.end(),
                     [](const Actor& actor) { return actor.line_buffer.has_value(); });
}

namespace {

bool mentions(const std::string& text, const std::string& name) {
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    if (begins && (end == text.size() || !is_name_character(text[end]))) return true;
  }
  return false;
}

// Inputs that nothing reads are handed over all the same, and nothing may lie in the arena.
std::string unused_parameters(const Context& c, const std::string& cases) {
  std::string out;
  for (const std::string& name : split("arena" + io_names(c), ',')) {
    const std::string parameter = name.substr(name.find_first_not_of(' '));
    if (!mentions(cases, parameter)) out += "    (void)" + parameter + ";\n";
  }
  return out;
}

}  // namespace

bool keeps_states_by_lines(const Analysis& analysis) { return analysis.stream && !analysis.program.epilogue.empty(); }

std::string stream_source(const Context& c) {
  const stream::LinePlan& plan = *c.analysis.stream;
  LineText text(c);
  std::map<std::string, std::string> holes = stream_holes(c);
  holes["CASES"] = cases(text);
  holes["UNUSED"] = unused_parameters(c, holes["CASES"]);
  keeping_holes(c, holes);
  holes["RUN"] = by_calls(plan) ? call_functions(text) : fill_template("templates/stream_run.c", holes);
  holes["HELPERS"] = rows_functions(text);
  const std::vector<int64_t> entries = word_entries(plan);
  std::vector<std::string> numbers;
  for (int64_t entry : entries) numbers.push_back(cat(entry));
  const std::string entry = fitting(*std::max_element(entries.begin(), entries.end()));
  holes["WORD_TABLE"] = array(entry, c.names.prefix + "_words", numbers);
  ending_holes(plan, entries, holes);
  holes["ENTRY"] = entry;
  holes["LINES"] = line_functions(text, holes);
  return fill_template("templates/stream.c", holes);
}

}  // namespace tarn::emit
