// What kws.h and kws_arena.h say of a network by lines.
#include "emit/stream.h"
#include "emit/stream_ports.h"
#include "emit/stream_sizes.h"
#include "support/text.h"

namespace tarn::emit {

using stream::Actor;

namespace {

// Whoever calls what other networks have is told why it is not there, by the compiler and here.
std::string no_run(const Context& c) {
  const report::StreamFigures& figures = *c.report.stream;
  const std::string& p = c.names.prefix;
  const std::string instead = cat(p, "_run_is_not_there_use_", figures.calls.empty() ? p : figures.calls.front());
  return cat(
      "\n/* There is no ", p, "_run and no ", p, "_run_step: this network runs by lines (--stream ", figures.mode,
      figures.for_budget ? cat(", chosen because whole layers exceed\n * the budget of --ram; --stream off, or a "
                               "larger budget, brings ",
                               p, "_run back")
                         : "",
      "), in calls\n * of ", join(figures.calls), ". */\n#define ", p, "_run(...) ", instead, "\n#define ", p,
      "_run_step(...) ", instead, "\n");
}

std::string extents(const std::vector<int64_t>& dims) {
  std::string out;
  for (const int64_t extent : dims) out += cat("[", extent, "]");
  return out;
}

// In which order a line has its elements, of what type they are and what they stand for.
std::string line_order(const Context& c, const report::Port& port, bool feed) {
  const std::string type = to_string(port.type.dtype), axes = report::axes_of(port);
  std::string out = cat("\n * A line is ", type, port.line.empty() ? " alone" : extents(port.line));
  if (port.columns) {
    out +=
        " = [H][C]: a column of the image, the leftmost first, from top to bottom, the channels of a pixel side by "
        "side";
  } else if (!axes.empty() && port.type.shape.rank() == 4 && port.line.size() == 2) {
    out +=
        " = [W][C]: a row of the image, the uppermost first, from left to right, the channels of a pixel side by side";
  } else if (!axes.empty() && port.line.size() == 1) {
    out += " = [C]: a step of the signal, its channels side by side";
  }
  out += cat(";\n * all lines are ", to_string(port.type));
  if (axes.empty()) out += ", in the model's own order";
  else out += cat(" (", axes, "), the model has ", to_string(report::model_shape(port)));
  if (port.columns && is_float(port.type.dtype))
    out += ".\n * Floats are added in another order than by rows, which may move their last bits";
  if (port.codes) {
    const std::string name = c.names.macro(feed ? "IN_" : "OUT_") + upper(port.c_name);
    out += cat(".\n * An element is a code: ", name, "_SCALE * (code - ", name, "_ZERO_POINT)");
  }
  return out + ".";
}

}  // namespace

std::string stream_api(const Context& c) {
  const stream::LinePlan& plan = *c.analysis.stream;
  const std::string& p = c.names.prefix;
  if (!by_calls(plan)) {
    return cat(
        "\n/* One inference, line by line. The arena is the only state: calls on different arenas may run at the same "
        "time. */\n",
        p, "_status ", p, "_run(void *arena", io_parameters(c), ");\n\n/* The same in steps, 0 <= step < ",
        c.names.macro("STEPS"), ", in order. */\n", p, "_status ", p, "_run_step(void *arena, uint32_t step",
        io_parameters(c), ");\n");
  }
  std::string out = no_run(c);
  for (const PortLines& port : port_lines(c)) {
    out += cat("\n/* How many lines ", port.name, " has at the size that is set; ", port.macro,
               "_LINES is the most. */\nint32_t ", port.function, "(const void *arena);\n");
  }
  out +=
      cat("\n/* The network runs as far as the lines that it has got allow, and keeps its place in the arena: the only "
          "state. Before each\n * ",
          plan.endless ? "signal, which then goes on without end" : "inference",
          c.analysis.sizes.empty()
              ? ""
              : "; the size that is set then holds for all\n * of it, one that is set later for the next",
          ": */\nvoid ", p, "_reset(void *arena);\n");
  for (const Actor& actor : plan.actors) {
    if (!is_first_pass(actor)) continue;
    const bool feed = actor.what == Actor::What::feed;
    const std::string& name = feed ? c.names.inputs[actor.port] : c.names.outputs[actor.port];
    const std::string type = c_type(c.analysis.program[port_of(c, actor)].type.dtype);
    const std::string line = line_order(c, feed ? c.report.inputs[actor.port] : c.report.outputs[actor.port], feed);
    if (feed) {
      const int64_t passes = stream::passes_of(plan, actor.port);
      const std::string again = passes > 1 ? cat(" It takes ", passes, " passes: behind the last line of ", name,
                                                 " its\n * first one follows again, ",
                                                 c.names.macro(upper(name) + "_PASSES"), " times in all.")
                                           : "";
      out += cat("\n/* Hands over the next n lines of ", name, ", each ", c.names.macro("IN_"), upper(name),
                 "_LINE_COUNT elements. Returns how many were taken, fewer when something else\n",
                 " * has to come first, or a negative status.", again, line, " */\nint32_t ", p, "_push_", name,
                 "(void *arena, const ", type, " *lines, int32_t n);\n",
                 "/* How many of them can be taken now; 0: another port's turn, or the end. */\nint32_t ", p,
                 "_lines_wanted_", name, "(const void *arena);\n");
    } else {
      out += cat("\n/* Fetches the next lines of ", name, ", at most max, each ", c.names.macro("OUT_"), upper(name),
                 "_LINE_COUNT elements. Returns how many there were, or a negative\n", " * status.", line,
                 " */\nint32_t ", p, "_pull_", name, "(void *arena, ", type, " *lines, int32_t max);\n");
    }
  }
  return out;
}

std::string stream_counts(const Context& c) {
  const stream::LinePlan& plan = *c.analysis.stream;
  std::string out;
  for (const Actor& actor : plan.actors) {
    if (!is_first_pass(actor)) continue;
    const bool feed = actor.what == Actor::What::feed;
    const std::string name =
        c.names.macro(feed ? "IN_" : "OUT_") + upper(feed ? c.names.inputs[actor.port] : c.names.outputs[actor.port]);
    if (!plan.endless) out += cat("#define ", name, "_LINES ", actor.lines, "u\n");
    out += cat("#define ", name, "_LINE_COUNT ", port_count(c, actor), "u\n#define ", name, "_LINE_BYTES ",
               port_bytes(c, actor), "u\n");
    if (feed)
      out += cat("#define ", c.names.macro(upper(c.names.inputs[actor.port]) + "_PASSES"), " ",
                 stream::passes_of(plan, actor.port), "u\n");
  }
  return out;
}

std::string stream_macros(const Context& c) {
  const stream::LinePlan& plan = *c.analysis.stream;
  std::string out;
  for (size_t i = 0; i < c.analysis.program.tensors.size(); ++i) {
    const program::Tensor& t = c.analysis.program.tensors[i];
    const stream::LineView& view = plan.views[i];
    if (view.memory < 0) continue;
    const stream::Memory& memory = plan.memories[static_cast<size_t>(view.memory)];
    const std::string name = upper(c.names.tensors[i]);
    const std::optional<int64_t> at = resident_address(plan, program::TensorId(i));
    out += cat("\n/* ", c.names.tensors[i], " ", to_string(t.type), ", ", t.bytes(), " bytes, ",
               program::to_string(t.kind));
    if (view.by_lines && t.geometry.lines > 1 &&
        t.geometry.pixels * view.pixel_pitch * t.element_bytes() != memory.line_bytes) {
      out += cat(", columns of lines of ", memory.line_bytes, " bytes */\n");
      continue;
    }
    if (!at) {
      out += cat(", by lines: ", t.geometry.lines, " of ", memory.line_bytes, " bytes in ",
                 memory.addressing == stream::Addressing::ring ? cat("a ring of ", memory.slots, " at ", memory.base)
                                                               : "a table of addresses",
                 " */\n");
      continue;
    }
    out += cat(" */\n#define ", c.names.macro("OFFSET_"), name, " ", *at, "u\n#define ", c.names.macro("PTR_"), name,
               "(arena) ((", c_type(t.type.dtype), " *)(void *)((uint8_t *)(arena) + ", *at, "u))\n");
  }
  return out;
}

}  // namespace tarn::emit
