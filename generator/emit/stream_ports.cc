#include "emit/stream_ports.h"

#include <algorithm>

#include "emit/call.h"
#include "support/check.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

using stream::Actor;

bool by_calls(const stream::LinePlan& plan) {
  return std::any_of(plan.actors.begin(), plan.actors.end(),
                     [](const Actor& actor) { return actor.what != Actor::What::operation; });
}

bool is_first_pass(const Actor& actor) { return actor.what != Actor::What::operation && actor.pass == 0; }

program::TensorId port_of(const Context& c, const Actor& actor) {
  return actor.what == Actor::What::feed ? c.analysis.program.inputs[actor.port]
                                         : c.analysis.program.outputs[actor.port];
}

int64_t port_count(const Context& c, const Actor& actor) {
  const program::TensorId id = port_of(c, actor);
  return c.analysis.program[id].geometry.count() / actor.lines;
}

int64_t port_bytes(const Context& c, const Actor& actor) {
  return c.analysis.program[port_of(c, actor)].bytes() / actor.lines;
}

std::string io_parameters(const Context& c) {
  std::string out;
  if (!c.analysis.options.caller_io) return out;
  for (size_t i = 0; i < c.report.inputs.size(); ++i)
    out += cat(", const ", c_type(c.report.inputs[i].type.dtype), " *", c.names.inputs[i]);
  for (size_t i = 0; i < c.report.outputs.size(); ++i)
    out += cat(", ", c_type(c.report.outputs[i].type.dtype), " *", c.names.output_parameter(i));
  return out;
}

std::string io_names(const Context& c) {
  std::string out;
  if (!c.analysis.options.caller_io) return out;
  for (size_t i = 0; i < c.report.inputs.size(); ++i) out += ", " + c.names.inputs[i];
  for (size_t i = 0; i < c.report.outputs.size(); ++i) out += ", " + c.names.output_parameter(i);
  return out;
}

std::map<std::string, std::string> stream_holes(const Context& c) {
  const stream::LinePlan& plan = *c.analysis.stream;
  return {{"PREFIX", c.names.prefix},
          {"CAPS", c.names.capitals},
          {"ACTORS", cat(plan.actors.size())},
          {"PARAMETERS", io_parameters(c)},
          {"NAMES", io_names(c)},
          {"DRIVER_AT", cat(plan.memories[static_cast<size_t>(plan.driver)].address(0))},
          {"DRIVER_BYTES", cat(stream::driver_bytes(plan.actors.size(), stream::most_lines(plan.actors), plan.mode,
                                                    c.analysis.program.set_size.valid()))},
          {"ADVANCE", plan.endless ? c.names.prefix + "_next(d);" : c.names.prefix + "_advance(&d->place);"}};
}

namespace {

// What becomes of a line that comes in, at `lines`: it is kept as it is, or something is made of it at once.
std::string take(LineText& text, size_t number) {
  const Context& c = text.c;
  const Actor& actor = text.plan.actors[number];
  const std::string made = cat("(int32_t)d->made[", number, "]");
  if (!actor.operations.empty())
    return cat("        const int32_t r = ", made, ";\n", actor_statements(text, number, 8));
  const program::TensorId id = actor.tensor;
  const program::Tensor& t = c.analysis.program[id];
  TARN_CHECK(t.geometry.pixels == 1 || text.plan.views[id.pos()].pixel_pitch == t.geometry.channels);
  const int64_t count = is_packed(t.type.dtype) ? port_bytes(c, actor) : t.geometry.count() / actor.lines;
  return fill_template("templates/stream_take.c",
                       {{"TYPE", c_type(t.type.dtype)},
                        {"LINE", line_pointer(text, id, made, actor.lines != t.geometry.lines)},
                        {"COUNT", cat(count)}});
}

std::map<std::string, std::string> port_holes(LineText& text, size_t number) {
  const Context& c = text.c;
  const Actor& actor = text.plan.actors[number];
  const program::Tensor& t = c.analysis.program[port_of(c, actor)];
  std::map<std::string, std::string> holes = stream_holes(c);
  holes["PORT"] = actor.what == Actor::What::feed ? c.names.inputs[actor.port] : c.names.outputs[actor.port];
  holes["TYPE"] = c_type(t.type.dtype);
  holes["ACTOR"] = cat(number);
  // In elements of the C type.
  holes["COUNT"] = cat(is_packed(t.type.dtype) ? port_bytes(c, actor) : port_count(c, actor));
  return holes;
}

// The line that is handed out.
std::string drained_line(LineText& text, size_t number) {
  const Actor& actor = text.plan.actors[number];
  const program::TensorId id = actor.tensor;
  const program::Geometry& g = text.c.analysis.program[id].geometry;
  TARN_CHECK(g.pixels == 1 || text.plan.views[id.pos()].pixel_pitch == g.channels);
  return line_pointer(text, id, cat("(int32_t)d->made[", number, "]"), actor.lines != g.lines);
}

// The actors that take in an input: one for each pass.
std::vector<size_t> passes_of(const LineText& text, size_t port) {
  std::vector<size_t> passes;
  for (size_t i = 0; i < text.plan.actors.size(); ++i) {
    const Actor& actor = text.plan.actors[i];
    if (actor.what == Actor::What::feed && actor.port == port) passes.push_back(i);
  }
  return passes;
}

// How many lines a push may bring before anything else has to happen.
std::string wanted(const LineText& text, size_t port) {
  const std::vector<size_t> passes = passes_of(text, port);
  size_t waiting = 0;
  int64_t lines = 0;
  std::string made, turn;
  for (const Actor& actor : text.plan.actors) waiting += actor.what != Actor::What::operation;
  for (size_t number : passes) {
    lines += text.plan.actors[number].lines;
    made += cat(made.empty() ? "" : " - ", "(int32_t)d->made[", number, "]");
    turn += cat(turn.empty() ? "" : " || ", "actor == ", number, "u");
  }
  const std::string unset =
      text.c.analysis.every_size.empty() ? "" : "    if (d->place.size < 0) {\n        return 0;\n    }\n";
  if (waiting == passes.size() && !text.plan.endless) return cat(unset, "    return ", lines, " - ", made, ";\n");
  const std::string& p = text.c.names.prefix;
  return cat(unset, "    ", p, "_place place = d->place;\n    uint32_t actor = ", p,
             "_turn(&place);\n    int32_t wanted = 0;\n    while (", turn, " || ", p,
             "_waits(actor) == 0) {\n        wanted += ", turn, ";\n        ", p,
             "_advance(&place);\n        actor = ", p, "_turn(&place);\n    }\n    return wanted;\n");
}

// What each pass keeps of a line, and of which of its columns.
std::string pass_cases(LineText& text, size_t port) {
  std::string out;
  for (size_t number : passes_of(text, port)) {
    const Actor& actor = text.plan.actors[number];
    const int64_t channels = text.c.analysis.program[port_of(text.c, actor)].geometry.channels;
    out += cat("    case ", number, "u: {\n");
    if (actor.first_column > 0) out += cat("        lines += ", actor.first_column * channels, ";\n");
    out += take(text, number) + "        break;\n    }\n";
  }
  return out;
}

}  // namespace

std::string call_functions(LineText& text, const std::map<std::string, std::string>& open) {
  std::map<std::string, std::string> holes = stream_holes(text.c);
  for (const char* name : {"PASSED", "SIZE_CHECK"}) holes[name] = open.at(name);
  std::string waiting, ports;
  for (size_t i = 0; i < text.plan.actors.size(); ++i) {
    const Actor& actor = text.plan.actors[i];
    if (actor.what == Actor::What::operation) continue;
    waiting += cat("    case ", i, "u:\n");
    if (!is_first_pass(actor)) continue;
    std::map<std::string, std::string> port = port_holes(text, i);
    const bool feed = actor.what == Actor::What::feed;
    const bool again = feed && passes_of(text, actor.port).size() > 1;
    if (feed) port["WANTED"] = wanted(text, actor.port);
    if (again) port["PASSES"] = pass_cases(text, actor.port);
    else if (feed) port["TAKE"] = take(text, i);
    else port["LINE"] = drained_line(text, i);
    ports += fill_template(again  ? "templates/stream_passes.c"
                           : feed ? "templates/stream_push.c"
                                  : "templates/stream_pull.c",
                           port);
  }
  // Where lines only come in and go out, compilers see that nothing is left to work on alone.
  const bool ports_only = std::none_of(text.plan.actors.begin(), text.plan.actors.end(),
                                       [](const Actor& a) { return a.what == Actor::What::operation; });
  holes["WAITING"] = waiting;
  holes["OTHERS"] = ports_only ? "1" : "0";
  return fill_template("templates/stream_feed.c", holes) + ports;
}

}  // namespace tarn::emit
