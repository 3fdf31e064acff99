#include "emit/stream.h"

#include <algorithm>

#include "emit/call.h"
#include "emit/sized_numbers.h"
#include "emit/stream_ports.h"
#include "emit/stream_rows.h"
#include "emit/stream_sizes.h"
#include "support/check.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using stream::Actor;

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

// What tells a driver that goes on for ever from one that ends.
void ending_holes(const stream::LinePlan& plan, const std::vector<int64_t>& entries, bool sized,
                  std::map<std::string, std::string>& holes) {
  const std::string p = holes["PREFIX"], words = cat(entries.size()), actors = holes["ACTORS"];
  const std::string turn = cat("(uint32_t)", p, "_words[p->word + 3u + p->at]");
  holes["WITHIN"] = plan.endless ? "line >= 0"
                    : sized      ? cat("line >= 0 && line < ", p, "_lines_at(arena, t)")
                                 : "line >= 0 && line < (int32_t)t->lines";
  // With open heights each list of words has an end of its own.
  holes["TURN"] = plan.endless || sized ? turn : cat("p->word < ", words, "u ? ", turn, " : ", actors, "u");
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
  if (text.side_by_side) {
    out += cat(
        "/* Of lines from `first` on and all that follow them `step` by `step`: up to how many of each stand side by "
        "side, or none of them is there. */\nstatic int32_t ",
        p, "_side_by_side(const ", p,
        "_lines *t, int32_t first, int32_t step, int32_t count, int32_t most)\n{\n    const int32_t lines = "
        "(int32_t)t->lines;\n    int32_t n = most;\n    int32_t i;\n    for (i = 0; i < count; ++i) {\n",
        "        int32_t left = n;\n        if (first < 0) {\n            left = -first;\n        } else if (first "
        "< lines) {\n            const int32_t slots = (int32_t)t->slots;\n            left = slots - (first % "
        "slots);\n            if (lines - first < left) {\n                left = lines - first;\n            "
        "}\n        }\n        if (left < n) {\n            n = left;\n        }\n        first += "
        "step;\n    }\n    return n;\n}\n\n");
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

std::string cases(LineText& text, SizedStream& sizes) {
  std::string out;
  for (const size_t i : coded_actors(text.c.analysis)) {
    const Actor& actor = text.plan.actors[i];
    if (actor.what != Actor::What::operation) continue;
    out += cat("    case ", i, "u: { /* ", operation_comment(text.c.analysis.program[actor.operations.front()]),
               " */\n", sizes.statements(text, i), "        break;\n    }\n");
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

// Inputs that nothing reads are handed over all the same, and nothing may lie in the arena.
std::string unused_parameters(const Context& c, const std::string& cases) {
  std::string out;
  for (const std::string& name : split("arena" + io_names(c), ',')) {
    const std::string parameter = name.substr(name.find_first_not_of(' '));
    if (find_name(cases, parameter) == std::string::npos) out += "    (void)" + parameter + ";\n";
  }
  return out;
}

}  // namespace

bool keeps_states_by_lines(const Analysis& analysis) { return analysis.stream && !analysis.program.epilogue.empty(); }

namespace {

// The words of the plan, or of the plans of all heights.
std::vector<int64_t> word_holes(const Context& c, SizedStream& sizes, std::map<std::string, std::string>& holes) {
  const std::string& p = c.names.prefix;
  for (const char* name : {"SIZE_FIELD", "OF_ARENA", "PASSED", "SIZE_OF_RUN", "SIZE_CHECK", "TIMES_OF", "KEEP_SIZE"})
    holes[name] = "";
  holes["FIRST_WORD"] = "0";
  holes["TIMES"] = "(uint32_t)word[0] + 256u * word[1]";
  holes["ENDED"] = c.names.macro("ERROR_STEP");
  holes["SIZE_OF_STEP"] = "";
  if (!sizes.sized()) return word_entries(*c.analysis.stream);
  const SizedWords words = sized_words(c.analysis, p + "_first_words");
  sizes.tables += words.first.table;
  holes["SIZE_FIELD"] = "    int32_t size;                       /* of the run */\n";
  holes["OF_ARENA"] = ", const void *arena";
  holes["PASSED"] = ", arena";
  holes["KEEP_SIZE"] = cat("    d->place.size = ", kSize, ";\n");
  holes["SIZE_OF_RUN"] = cat("    const int32_t ", kSize, " = ", size_getter(c), "(arena);\n");
  holes["FIRST_WORD"] = words.first.varies() ? cat(kSize, " < 0 ? 0u : (uint32_t)(", words.first.text, ")") : "0";
  const std::string missing = cat("->place.size < 0) {\n        return ", c.names.macro("ERROR_SIZE"), ";\n    }\n");
  holes["SIZE_CHECK"] =
      cat("    if ((uintptr_t)arena % ", c.names.macro("ARENA_ALIGN"), " == 0u &&\n        ((const ", p,
          "_driver *)(const void *)((const uint8_t *)arena + ", holes["DRIVER_AT"], "u))", missing);
  holes["SIZE_OF_STEP"] = "    if (d" + missing;
  holes["ENDED"] = cat("(step < ", c.names.macro("STEPS"), " ? ", c.names.macro("OK"), " : ", holes["ENDED"], ")");
  if (words.times.empty()) return words.entries;
  holes["TIMES"] = p + "_times(p)";
  holes["TIMES_OF"] =
      cat("/* How often the word in turn runs. */\nstatic uint32_t ", p, "_times(const ", p,
          "_place *p)\n{\n    const int32_t ", kSize, " = p->size;\n    switch (p->word) {\n", words.times,
          "    default: return (uint32_t)", p, "_words[p->word] + 256u * ", p, "_words[p->word + 1u];\n    }\n}\n\n");
  return words.entries;
}

// What the statements of actors need of the height.
std::string size_in(const Context& c, const std::string& cases) {
  return find_name(cases, kSize) != std::string::npos
             ? cat("    const int32_t ", kSize, " = ", c.names.prefix, "_driver_in(arena)->place.size;\n")
             : "";
}

// How many lines a step of each actor makes, where that is not one everywhere. The last step may make fewer; what the
// counter comes to then is not looked at any more.
void step_holes(const stream::LinePlan& plan, std::map<std::string, std::string>& holes) {
  std::vector<std::string> numbers;
  int64_t most = 1;
  for (const Actor& actor : plan.actors) {
    numbers.push_back(cat(actor.at_once));
    most = std::max(most, actor.at_once);
  }
  const std::string name = holes["PREFIX"] + "_at_once";
  holes["AT_ONCE"] =
      most > 1 ? "/* By actor: the lines that a step makes. */\n" + array(fitting(most), name, numbers) + "\n" : "";
  holes["MADE"] = most > 1 ? cat("d->made[actor] += ", name, "[actor];") : "++d->made[actor];";
}

std::string stream_source(const Context& c, std::string& fault) {
  const stream::LinePlan& plan = *c.analysis.stream;
  LineText text(c);
  SizedStream sizes(c);
  std::map<std::string, std::string> holes = stream_holes(c);
  holes["CASES"] = cases(text, sizes);
  holes["UNUSED"] =
      unused_parameters(c, holes["CASES"] + (sizes.sized() ? " arena " : "")) + size_in(c, holes["CASES"]);
  keeping_holes(c, holes);
  const std::vector<int64_t> entries = word_holes(c, sizes, holes);
  if (by_calls(plan)) {
    holes["RUN"] = sizes.write(
        text, "moving", [&](LineText& at) { return call_functions(at, holes); }, "d->place.size");
    // Parameters of what runs on lines as they come stand in constants.
    for (size_t i = 0; i < plan.actors.size(); ++i) {
      if (plan.actors[i].what == Actor::What::feed && !plan.actors[i].operations.empty()) sizes.check_params(i);
    }
  } else {
    holes["RUN"] = fill_template("templates/stream_run.c", holes);
  }
  holes["HELPERS"] = rows_functions(text);
  std::vector<std::string> numbers;
  for (int64_t entry : entries) numbers.push_back(cat(entry));
  const std::string entry = fitting(*std::max_element(entries.begin(), entries.end()));
  holes["WORD_TABLE"] = array(entry, c.names.prefix + "_words", numbers);
  ending_holes(plan, entries, sizes.sized(), holes);
  holes["ENTRY"] = entry;
  step_holes(plan, holes);
  holes["LINES"] = line_functions(text, sizes, holes);
  if (sizes.sized()) {
    // How many lines there are is told by the driver's state.
    holes["HELPERS"] = holes["LINES"] + holes["HELPERS"];
    holes["LINES"] =
        sizes.tables.empty() ? "" : "/* What no formula of the height gives, by height. */\n" + sizes.tables + "\n";
  }
  fault = sizes.fault;
  return fill_template("templates/stream.c", holes);
}

}  // namespace

std::string stream_source(const Context& c) {
  std::string fault;
  std::string source = stream_source(c, fault);
  if (!fault.empty()) TARN_FAIL(fault);
  return source;
}

std::string sized_obstacle(const Context& c) {
  std::string fault;
  if (c.analysis.stream && !c.analysis.sizes.empty()) stream_source(c, fault);
  return fault;
}

}  // namespace tarn::emit
