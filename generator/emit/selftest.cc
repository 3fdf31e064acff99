#include "emit/selftest.h"

#include <cstdio>

#include "emit/ids.h"
#include "emit/image.h"
#include "emit/stream_ports.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string byte_array(const std::string& name, const std::vector<uint8_t>& bytes) {
  std::string text = cat("static const unsigned char ", name, "[", std::max<size_t>(bytes.size(), 1), "] = {");
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += i % 24 == 0 ? "\n    " : "";
    text += std::to_string(bytes[i]) + (i + 1 < bytes.size() ? "," : "");
  }
  return text + (bytes.empty() ? "0" : "") + "};\n";
}

// As templates/selftest.c knows them. Codes that no rounding of a float may have moved are compared byte by byte.
int kind_of(DType dtype, bool moved) {
  switch (dtype) {
    case DType::float64: return 8;
    case DType::float32: return 4;
    case DType::float16: return 2;
    case DType::bfloat16: return 3;
    case DType::int8: return moved ? 1 : 0;
    case DType::uint8: return moved ? 5 : 0;
    case DType::int16: return moved ? 6 : 0;
    case DType::uint16: return moved ? 7 : 0;
    default: return 0;
  }
}

std::string tolerance(const report::Port& port, const SelfTestData::Output& output) {
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "%.9g, %.9g, %.9g", output.relative, output.scaled, output.part);
  return cat("{", kind_of(port.type.dtype, output.part > 0), ", ", numbers, "}");
}

// With --io caller the buffers are the program's; their type only has to align them.
std::string buffer(const std::string& name, int64_t bytes) {
  return cat("static double ", name, "[", bytes / 8 + 1, "];\n");
}

// What the program does with its ports, as text.
struct Parts {
  std::string arrays, buffers, run, compare;
};

std::string element_type(const report::Port& port) { return c_type(port.type.dtype); }

std::string comparison(const report::Port& port, const std::string& place, const std::string& array) {
  return cat("    failed |= differs(", json_string(port.c_name), ", ", place, ", ", array, ", sizeof ", array, ", may_",
             array, ");\n");
}

std::string stored_output(const std::string& array, const report::Port& port, const SelfTestData::Output& output) {
  if (output.bytes.empty()) return byte_array(array, output.bytes);
  return byte_array(array, output.bytes) +
         cat("static const tolerance may_", array, " = ", tolerance(port, output), ";\n");
}

// States are stored as inputs and outputs of the model.
void add_states(const Analysis& analysis, const SelfTestData& data, const std::string& arena, Parts& parts) {
  if (data.states.empty()) return;
  const CNames names = make_names(analysis.name, analysis.program);
  std::string before;
  for (size_t i = 0; i < data.states.size(); ++i) {
    const program::TensorId id = analysis.program.states[i];
    const std::string name = names.tensors[id.pos()], array = cat("state_", i), next = cat("next_state_", i);
    const std::string place = cat(names.prefix, "_state_", name, "(", arena, ")");
    report::Port port;
    port.c_name = name;
    port.type = analysis.program[id].type;
    parts.arrays += byte_array(array, data.states[i].before) + stored_output(next, port, data.states[i].after);
    if (data.states[i].before.empty()) continue;
    before += cat("    copy(", place, ", ", array, ", sizeof ", array, ");\n");
    parts.compare += comparison(port, place, next);
  }
  parts.run = before + parts.run;
}

// One call: whole tensors go in and come out.
Parts whole(const Analysis& analysis, const report::Report& report, const SelfTestData& data,
            const std::string& arena) {
  const bool caller = analysis.options.caller_io;
  Parts parts;
  std::string pointers;
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    const report::Port& port = report.inputs[i];
    const std::string array = cat("input_", i), place = caller ? cat("in_", i) : cat(port.accessor, "(", arena, ")");
    parts.arrays += byte_array(array, data.inputs[i]);
    if (caller) parts.buffers += buffer(place, port.type.bytes());
    if (!data.inputs[i].empty()) parts.run += cat("    copy(", place, ", ", array, ", sizeof ", array, ");\n");
    pointers += cat(", (const ", element_type(port), " *)", place);
  }
  for (size_t i = 0; i < data.outputs.size(); ++i) {
    const report::Port& port = report.outputs[i];
    const std::string array = cat("output_", i), place = caller ? cat("out_", i) : cat(port.accessor, "(", arena, ")");
    parts.arrays += stored_output(array, port, data.outputs[i]);
    if (!data.outputs[i].bytes.empty()) parts.compare += comparison(port, place, array);
  }
  for (size_t i = 0; caller && i < report.outputs.size(); ++i) {
    parts.buffers += buffer(cat("out_", i), report.outputs[i].type.bytes());
    pointers += cat(", (", element_type(report.outputs[i]), " *)out_", i);
  }
  parts.run += cat("    status = (int)", report.name, "_run(", arena, caller ? pointers : "", ");\n");
  add_states(analysis, data, arena, parts);
  return parts;
}

// Ports that move by lines: a line of an input is copied to where its elements are aligned, lines of an output gather
// in a buffer. A round gives every port one turn; the first in which none moves is the last.
Parts by_lines(const Analysis& analysis, const report::Report& report, const SelfTestData& data,
               const std::string& arena) {
  const std::string &p = report.name, caps = upper(p);
  Parts parts;
  std::string positions, turns, ends;
  auto move = [&](const std::string& at, const std::string& bytes, const std::string& total, const std::string& ready,
                  const std::string& before, const std::string& call) {
    positions += cat("        unsigned long ", at, " = 0;\n");
    turns +=
        cat("            if (status == 0 && ", at, " < ", total, ready, ") {\n", before, "                n = ", call,
            ";\n                if (n < 0) status = (int)n;\n                if (n > 0) {\n                    ", at,
            " += ", bytes, ";\n                    moved = 1;\n                }\n            }\n");
    ends += cat("        if (status == 0 && ", at, " != ", total, ") status = 1;\n");
  };
  std::vector<bool> pulled(report.outputs.size());
  for (const stream::Actor& actor : analysis.stream->actors) {
    if (!is_first_pass(actor)) continue;
    const size_t i = actor.port;
    const bool feed = actor.what == stream::Actor::What::feed;
    const report::Port& port = feed ? report.inputs[i] : report.outputs[i];
    const std::string line = cat(caps, feed ? "_IN_" : "_OUT_", upper(port.c_name), "_LINE_"), bytes = line + "BYTES";
    const std::string array = cat(feed ? "input_" : "output_", i), place = cat(feed ? "line_" : "lines_", i);
    if (feed) {
      parts.arrays += byte_array(array, data.inputs[i]);
      parts.buffers += cat("static ", element_type(port), " ", place, "[", line, "COUNT];\n");
      move(cat("at_", i), bytes, cat(stream::passes_of(*analysis.stream, i), " * sizeof ", array),
           cat(" && ", p, "_lines_wanted_", port.c_name, "(", arena, ") > 0"),
           cat("                copy(", place, ", ", array, " + at_", i, " % sizeof ", array, ", ", bytes, ");\n"),
           cat(p, "_push_", port.c_name, "(", arena, ", ", place, ", 1)"));
    } else {
      pulled[i] = true;
      parts.buffers += cat("static ", element_type(port), " ", place, "[", actor.lines, " * ", line, "COUNT];\n");
      move(
          cat("got_", i), bytes, cat(actor.lines, " * ", bytes), "", "",
          cat(p, "_pull_", port.c_name, "(", arena, ", ", place, " + got_", i, " / ", bytes, " * ", line, "COUNT, 1)"));
    }
  }
  for (size_t i = 0; i < data.outputs.size(); ++i) {
    const report::Port& port = report.outputs[i];
    parts.arrays += stored_output(cat("output_", i), port, data.outputs[i]);
    if (data.outputs[i].bytes.empty()) continue;
    parts.compare +=
        comparison(port, pulled[i] ? cat("lines_", i) : cat(port.accessor, "(", arena, ")"), cat("output_", i));
  }
  parts.run = cat("    status = 0;\n    ", p, "_reset(", arena, ");\n    {\n", positions,
                  "        int32_t n;\n        int moved = 1;\n        while (moved != 0) {\n            moved = 0;\n",
                  turns, "        }\n", ends, "    }\n");
  return parts;
}

// Each memory with the fixed buffer's size.
struct Memories {
  std::string paint, tell;
};

Memories memories(const Analysis& analysis, const report::Report& report) {
  const std::string &p = report.name, caps = upper(p);
  Memories all;
  auto add = [&](const std::string& symbol, const std::string& bytes) {
    all.paint += cat("    paint(", symbol, ", ", bytes, ");\n");
    all.tell += cat("    tell_arena(\"", symbol, "\", ", symbol, ", ", bytes, ");\n");
  };
  if (!analysis.several_arenas()) add(p + "_arena", caps + "_ARENA_BYTES");
  for (const report::BankRow& bank : report.banks) {
    if (analysis.several_arenas() && !bank.symbol.empty())
      add(bank.symbol, cat(caps, "_ARENA_", upper(bank.name), "_BYTES"));
  }
  // Painted states are no states.
  if (!analysis.program.states.empty())
    all.paint += cat("    ", p, "_reset(", analysis.several_arenas() ? "&" : "", p, "_arena);\n");
  if (has_image(analysis))
    all.paint +=
        cat("    (void)", p, "_weights_set(", analysis.several_arenas() ? "&" : "", p, "_arena, weights.bytes);\n");
  return all;
}

// The image, linked with the program.
std::string image_array(const Analysis& analysis, const report::Report& report) {
  if (!has_image(analysis)) return "";
  const Context c{analysis, report, make_names(analysis.name, analysis.program), {}};
  std::vector<uint8_t> bytes;
  image_file(c).write([&](std::string_view piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  std::string text = byte_array("bytes", bytes);
  // A union, for the alignment.
  return cat("static const union {\n    ",
             text.substr(std::string("static const ").size(), text.find(" = ") - std::string("static const ").size()),
             ";\n    double aligned;\n} weights = {", text.substr(text.find('{'), text.rfind('}') + 1 - text.find('{')),
             "};\n");
}

// Room beyond the bound for what interrupts put there.
constexpr int64_t kBelowBound = 256, kUnknownStack = 1024;

}  // namespace

std::string selftest_source(const Analysis& analysis, const report::Report& report, const SelfTestData& data) {
  const std::string& p = report.name;
  const std::string arena = (analysis.several_arenas() ? "&" : "") + p + "_arena";
  const bool calls = analysis.stream && by_calls(*analysis.stream);
  const Memories memory = memories(analysis, report);
  const Parts parts = (calls ? by_lines : whole)(analysis, report, data, arena);
  return fill_template("templates/selftest.c",
                       {{"FILE", p + "_selftest.c"},
                        {"VERSION", report.version},
                        {"MODEL", report.file},
                        {"PREFIX", p},
                        {"CHECK", id_check(plan_ids(upper(p)).header, report.plan_id, p + ".h")},
                        {"ID", report.plan_id},
                        {"STACK", cat(report.stack ? *report.stack + kBelowBound : kUnknownStack, "u")},
                        {"PAINT", memory.paint},
                        {"ARENAS", memory.tell},
                        {"DATA", image_array(analysis, report) + parts.arrays},
                        {"BUFFERS", parts.buffers.empty() ? "" : parts.buffers + "\n"},
                        {"RUN", parts.run},
                        {"ENTRY", p + (calls ? " by lines" : "_run")},
                        {"COMPARE", parts.compare}});
}

}  // namespace tarn::emit
