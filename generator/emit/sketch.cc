#include "emit/sketch.h"

#include "emit/literals.h"
#include "emit/stream_ports.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string buffer(const report::Port& port, const std::string& name, const std::string& count) {
  return cat("static ", c_type(port.type.dtype), " ", name, "[", count, " > 0 ? ", count, " : 1];\n");
}

std::string print(const report::Port& port, const std::string& place, const std::string& count) {
  return cat("  for (unsigned long i = 0; i < ", count, "; i++) {\n    Serial.print(\"", port.c_name,
             " \");\n    Serial.println((double)", place, "[i]);\n  }\n");
}

std::string zero(const std::string& place, const std::string& count) {
  return cat("  for (unsigned long i = 0; i < ", count, "; i++) ", place, "[i] = 0;\n");
}

const std::string kTook = "  Serial.print(\"microseconds \");\n  Serial.println(micros() - start);\n";

// One call: whole tensors go in and come out.
Sketch whole_sketch(const Analysis& analysis, const report::Report& report, const std::string& arena) {
  const std::string &p = report.name, caps = upper(p);
  const bool caller = analysis.options.caller_io;
  Sketch sketch;
  std::string arguments, results;
  for (const report::Port& port : report.inputs) {
    const std::string place = "in_" + port.c_name, count = cat(caps, "_IN_", upper(port.c_name), "_COUNT");
    if (caller) sketch.buffers += buffer(port, place, count);
    else sketch.run += cat("  ", c_type(port.type.dtype), " *", place, " = ", port.accessor, "(", arena, ");\n");
    sketch.run += zero(place, count);
    arguments += ", " + place;
  }
  for (const report::Port& port : report.outputs) {
    const std::string place = "out_" + port.c_name, count = cat(caps, "_OUT_", upper(port.c_name), "_COUNT");
    if (caller) sketch.buffers += buffer(port, place, count);
    else results += cat("  const ", c_type(port.type.dtype), " *", place, " = ", port.accessor, "(", arena, ");\n");
    results += print(port, place, count);
    arguments += ", " + place;
  }
  if (!analysis.program.states.empty()) sketch.setup = cat("  ", p, "_reset(", arena, ");\n");
  sketch.run += cat("  const int status = (int)", p, "_run(", arena, caller ? arguments : "",
                    ");\n  if (status != 0) {\n    Serial.print(\"status \");\n    Serial.println(status);\n    "
                    "return;\n  }\n",
                    kTook, results);
  return sketch;
}

// Ports that move by lines: every call of loop() gives each of them one turn. The turn in which none moves is the end
// of an inference; then what stands in the arena as a whole is printed.
Sketch sketch_by_lines(const Analysis& analysis, const report::Report& report, const std::string& arena) {
  const std::string &p = report.name, caps = upper(p);
  Sketch sketch;
  std::vector<bool> fed(report.inputs.size()), pulled(report.outputs.size());
  std::string turns, fill, results;
  for (const stream::Actor& actor : analysis.stream->actors) {
    if (!is_first_pass(actor)) continue;
    const bool feed = actor.what == stream::Actor::What::feed;
    const report::Port& port = feed ? report.inputs[actor.port] : report.outputs[actor.port];
    (feed ? fed : pulled)[actor.port] = true;
    const std::string place = (feed ? "in_" : "out_") + port.c_name;
    const std::string count = cat(caps, feed ? "_IN_" : "_OUT_", upper(port.c_name), "_LINE_COUNT");
    sketch.buffers += buffer(port, place, count);
    if (feed) {
      turns += cat("  if (", p, "_lines_wanted_", port.c_name, "(", arena, ") > 0) {\n  ", zero(place, count),
                   "    moved += ", p, "_push_", port.c_name, "(", arena, ", ", place, ", 1);\n  }\n");
    } else {
      turns += cat("  if (", p, "_pull_", port.c_name, "(", arena, ", ", place, ", 1) > 0) {\n    moved++;\n",
                   print(port, place, count), "  }\n");
    }
  }
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    if (fed[i]) continue;
    const report::Port& port = report.inputs[i];
    fill += zero(cat(port.accessor, "(", arena, ")"), cat(caps, "_IN_", upper(port.c_name), "_COUNT"));
  }
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    if (pulled[i]) continue;
    const report::Port& port = report.outputs[i];
    results +=
        "  " + print(port, cat(port.accessor, "(", arena, ")"), cat(caps, "_OUT_", upper(port.c_name), "_COUNT"));
  }
  sketch.setup = cat("  ", p, "_reset(", arena, ");\n", fill);
  sketch.run = cat("  int moved = 0;\n", turns, kTook, "  if (moved == 0) {\n", results, "  ", p, "_reset(", arena,
                   ");\n", fill, "  }\n");
  return sketch;
}

}  // namespace

Sketch make_sketch(const Analysis& analysis, const report::Report& report) {
  const std::string arena = (analysis.several_arenas() ? "&" : "") + report.name + "_arena";
  return (analysis.stream && by_calls(*analysis.stream) ? sketch_by_lines : whole_sketch)(analysis, report, arena);
}

}  // namespace tarn::emit
