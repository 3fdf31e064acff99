#include "emit/stream_call.h"

#include <algorithm>

#include "emit/call.h"
#include "emit/line_work.h"
#include "program/line_scratch.h"
#include "program/operands.h"
#include "stream/network/grid.h"
#include "stream/network/join_lines.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using program::Argument;
using program::LineArgument;
using program::LineCall;
using program::LineMap;
using program::Operation;
using program::TensorId;
using How = LineArgument::How;

const Operation& operation_of(const LineText& text, const stream::Actor& actor) {
  return text.c.analysis.program[actor.operations.front()];
}

int64_t line_bytes(const LineText& text, TensorId id) {
  const program::Tensor& t = text.c.analysis.program[id];
  const int64_t pitch = text.plan.views[id.pos()].pixel_pitch;
  return ((t.geometry.pixels - 1) * pitch + t.geometry.channels) * t.element_bytes();
}

// "2 * r - 1", "r", "0"; `spelled`: all numbers, as where heights differ in them: "1 * r + (0)".
std::string linear(int64_t scale, int64_t plus, const std::string& variable, bool spelled = false) {
  if (spelled) return cat(scale, " * ", variable, " + (", plus, ")");
  std::string out = scale == 0 ? "" : scale == 1 ? variable : cat(scale, " * ", variable);
  if (out.empty()) return cat(plus);
  if (plus != 0) out += plus > 0 ? cat(" + ", plus) : cat(" - ", -plus);
  return out;
}

std::string plus(const std::string& base, int64_t step, const std::string& variable) {
  if (step == 1) return base + " + " + variable;
  return step >= 0 ? cat(base, " + ", step, " * ", variable) : cat(base, " - ", -step, " * ", variable);
}

// All that writes one call for line r.
struct CallWriter {
  LineText& text;
  const stream::Actor& actor;
  const Operation& operation;
  std::string pad;
  std::string setup = {};      // statements before the call
  std::string variable = "r";  // the number of the line that operands are read for
  bool looped = false;         // the call, or what fills its arrays, stands in a loop over the lines of a step
  bool together = false;       // the call makes all lines of the step, from r on: arguments are arrays by line

  const Argument& argument(const LineArgument& line) const { return operation.arguments[line.argument]; }
  std::string type_of(TensorId id) const { return c_type(text.c.analysis.program[id].type.dtype); }
  int64_t lines_in(TensorId id) const { return text.c.analysis.program[id].geometry.lines; }

  // One of the heights of a range.
  bool sized() const { return !text.c.analysis.every_size.empty(); }

  // The number of the line at place j of a map, before the division.
  std::string number_of(const LineMap& map, const std::string& j) const {
    if (map.table) {
      const Argument& table = operation.arguments[*map.table];
      const program::OperationId id = actor.operations.front();
      const std::string from =
          text.moved_constants.contains({id, *map.table}) ? cat("(", table.weight_offset, ") + ") : "";
      const std::string at =
          cat(text.c.names.weights[table.weight.pos()], "[", from, linear(1, map.table_first, variable), "]");
      return j.empty() ? at : at + " + " + j;
    }
    const bool plain = map.scale == 1 && map.first == 0 && map.count == 1;
    const std::string first = linear(map.scale, map.first, variable, sized() && !plain);
    return j.empty() || map.step == 0 ? first : plus(first, map.step, j);
  }

  // Can the map leave the operand, or miss it?
  bool may_miss(const LineMap& map, TensorId id) const {
    if (map.table) return true;
    if (map.exact) return true;
    if (sized() && (map.count > 1 || map.first != 0 || map.scale > 1)) return true;
    const int64_t last = text.c.analysis.program[output()].geometry.lines - 1;
    const int64_t ends[] = {map.first, map.first + (map.count - 1) * map.step, map.scale * last + map.first,
                            map.scale * last + map.first + (map.count - 1) * map.step};
    const auto [least, most] = std::minmax_element(std::begin(ends), std::end(ends));
    return *least < 0 || *most / map.divide >= lines_in(id);
  }

  TensorId output() const {
    for (const Argument& a : operation.arguments) {
      if (a.role == Argument::Role::write) return a.tensor;
    }
    TARN_FAIL("an operation without output");
  }

  // C text of the pointer to one line of an operand or result; null at run time where the line lies outside the
  // operand.
  std::string line_text(const LineArgument& line) {
    const TensorId id = argument(line).tensor;
    const bool constant = argument(line).role == Argument::Role::read;
    if (constant && actor.what == stream::Actor::What::feed) return "lines";
    if (actor.flat) return (constant ? "(const " : "(") + line_pointer(text, id, variable, true).substr(1);
    if (!constant && actor.accumulate) return line_pointer(text, id, "0");
    const std::string type =
        cat("(", constant ? "const " : "", type_of(id), " *)(", constant ? "const " : "", "void *)");
    std::string number = number_of(line.map, "");
    if (line.map.divide != 1) number = cat("(", number, ") / ", line.map.divide);
    if (line.number != 0) number = cat("tarn_pad_source(", line.number, ", ", lines_in(id), ", ", number, ")");
    const char* function = constant && line.number == 0 && may_miss(line.map, id) ? "_row" : "_line";
    const std::string within =
        line.map.within == 0 ? "" : cat(" + ", line.map.within, " * (", variable, " % ", line.map.divide, ")");
    std::string pointer = cat(type, text.c.names.prefix, function, "(", base_of(text, id), ", ", lines_of(text, id),
                              ", ", number, ")", within);
    if (!together) return pointer;
    std::string name = cat("lines_", line.argument);
    setup += cat(pad, constant ? "const " : "", type_of(id), " *", name, "[", actor.at_once, "];\n");
    fills += cat(pad, "    ", name, "[", variable, " - r] = ", pointer, ";\n");
    return name;
  }

  std::string rows_text(const LineArgument& line) {
    const TensorId id = argument(line).tensor;
    const std::string type = type_of(id);
    std::string name = cat("rows_", line.argument);
    const LineMap& map = line.map;
    (map.exact ? text.divided_types : text.row_types).insert(type);
    setup += cat(pad, "const ", type, " *", name, "[", map.count * (together ? actor.at_once : 1), "];\n");
    fills += cat(pad, looped ? "    " : "", text.c.names.prefix, map.exact ? "_rows_of_" : "_rows_", type, "(",
                 base_of(text, id), ", ", lines_of(text, id), ", ", number_of(map, ""), ", ", map.table ? 1 : map.step,
                 ", ", map.exact ? cat(map.divide, ", ") : "", map.count, ", ", name,
                 together ? cat(" + ", map.count, " * (", variable, " - r)") : "", ");\n");
    return name;
  }
  std::string fills = {};  // of the line `variable`

  // The bytes from the first to the end that all lines of a tensor keep to; false when they are anywhere.
  bool bytes_of(TensorId id, int64_t& first, int64_t& end) const {
    const stream::LineView& view = text.plan.views[id.pos()];
    const stream::Memory& memory = text.plan.memories[static_cast<size_t>(view.memory)];
    if (memory.addressing == stream::Addressing::table) {
      first = *std::min_element(memory.table.begin(), memory.table.end());
      end = *std::max_element(memory.table.begin(), memory.table.end()) + memory.line_bytes;
      return first >= 0;
    }
    first = memory.base;
    end = memory.base + memory.slots * memory.line_bytes;
    return true;
  }

  bool always_apart(TensorId x, TensorId y) const {
    if (is_outside(text.c.analysis, x) || is_outside(text.c.analysis, y)) return true;
    if (text.plan.views[x.pos()].memory < 0) return true;  // never made
    int64_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    return bytes_of(x, x0, x1) && bytes_of(y, y0, y1) && (x1 <= y0 || y1 <= x0);
  }

  // Blocks of pixels are safe: see LineArgument::How::apart.
  std::string apart_text(const LineCall& call) {
    if (!actor.overlapping || actor.what == stream::Actor::What::feed) return "1";
    const TensorId y = output();
    const std::string to =
        cat(text.c.names.prefix, "_line(arena, ", lines_of(text, y), ", r), ", line_bytes(text, y), "u");
    std::vector<std::string> tests;
    for (const LineArgument& line : call.arguments) {
      if (line.how != How::line && line.how != How::rows) continue;
      const Argument& a = argument(line);
      if (a.role != Argument::Role::read || always_apart(a.tensor, y)) continue;
      if (line.how == How::rows) {
        text.apart_rows.insert(type_of(a.tensor));
        tests.push_back(cat(text.c.names.prefix, "_rows_apart_", type_of(a.tensor), "(rows_", line.argument, ", ",
                            line.map.count, ", ", line_bytes(text, a.tensor), "u, ", to, ")"));
      } else {
        text.apart = true;
        tests.push_back(cat(text.c.names.prefix, "_apart(", text.c.names.prefix, "_line(arena, ",
                            lines_of(text, a.tensor), ", r), ", line_bytes(text, a.tensor), "u, ", to, ", ",
                            a.walk->read_before_write ? 1 : 0, ")"));
      }
    }
    if (tests.empty()) return "1";
    return tests.size() == 1 ? tests[0] : "(int32_t)(" + join(tests, " != 0 && ") + " != 0)";
  }

  std::string scratch_text(const LineArgument& line) const {
    const stream::Memory& memory = text.plan.memories[static_cast<size_t>(actor.scratch)];
    const std::vector<int64_t> offsets = program::line_scratch_offsets(text.c.analysis.program, operation);
    return cat("(", type_of(argument(line).tensor), " *)(void *)((uint8_t *)arena + ",
               memory.address(0) + offsets[line.argument], "u)");
  }

  // The lines of a step are one to the kernel: it has the pixels of all.
  int64_t lines_joined() const { return actor.joined ? actor.at_once : 1; }

  // The end of the columns, which is that of the line.
  bool ends_columns(const LineArgument& line, const LineCall& call) const {
    const size_t range = range_of(call, text.c.analysis.program[output()].geometry.pixels);
    return range + 1 < call.arguments.size() && &line == &call.arguments[range + 1];
  }

  std::string argument_of(const LineArgument& line, const LineCall& call) {
    switch (line.how) {
      case How::line: return line_text(line);
      case How::rows: return rows_text(line);
      case How::number:
        if (looped && actor.joined && ends_columns(line, call)) return "n";
        return cat(line.number * (ends_columns(line, call) ? lines_joined() : 1));
      case How::lines: return "end - r";
      case How::pixels: return cat(text.c.analysis.program[argument(line).tensor].geometry.pixels * lines_joined());
      case How::apart: return apart_text(call);
      case How::part: {
        const std::string from = linear(line.map.scale, line.number, variable, sized());
        const Argument& whole = argument(line);
        const bool constant = whole.role == Argument::Role::weight;
        const std::string base = constant ? operand_text(text, actor.operations.front(), line.argument)
                                          : argument_text(text.c.analysis, text.c.names, whole);
        return from == "0" ? base : base + " + (" + from + ")";
      }
      case How::sums: {
        const int held = actor.gathered > 0 ? actor.scratch : actor.accumulator;
        const stream::Memory& memory = text.plan.memories[static_cast<size_t>(held)];
        const int64_t within = actor.gathered > 0 ? program::gathered_sums_offset(*operation.line_form) : 0;
        return cat("(", line.c_type, " *)(void *)((uint8_t *)arena + ", memory.address(0) + within, "u)");
      }
      case How::same: break;
    }
    const Argument& a = argument(line);
    if (a.role == Argument::Role::scratch && !actor.whole) return scratch_text(line);
    if (a.role == Argument::Role::lines) {
      setup += cat(pad, "const ", a.c_type, " *lines[", a.count, "];\n");
      return "lines";
    }
    return operand_text(text, actor.operations.front(), line.argument);
  }
};

// Several lines in a step: made by one call, or one after the other.
std::string together_statements(LineText& text, size_t number, int indent) {
  const stream::Actor& actor = text.plan.actors[number];
  const Operation& operation = operation_of(text, actor);
  const program::LineForm& form = *operation.line_form;
  const std::string pad(static_cast<size_t>(indent), ' '), inner = pad + "    ";
  const LineCall& call = form.together ? *form.together : form.calls.front();
  CallWriter writer{text, actor, operation, pad};
  writer.variable = "l";
  writer.looped = true;
  writer.together = form.together.has_value();
  std::vector<std::string> arguments;
  if (!form.params.type.empty()) arguments.push_back("&" + params_text(text, cat(number)));
  for (const LineArgument& line : call.arguments) arguments.push_back(writer.argument_of(line, call));
  const int at = indent + (writer.together ? 0 : 4);
  const std::string statement =
      cat(std::string(static_cast<size_t>(at), ' '), call_text(call.kernel, arguments, at), ";\n");
  return cat(pad, "const int32_t end = r < ", actor.lines - actor.at_once, " ? r + ", actor.at_once, " : ", actor.lines,
             ";\n", writer.setup, pad, "int32_t l;\n", pad, "for (l = r; l < end; ++l) {\n", writer.fills,
             writer.together ? "" : statement, pad, "}\n", writer.together ? statement : "");
}

// Lines of a step that are one to the kernel, but for windows: those stand side by side as far as no ring begins again
// and none leaves the image. From one to the next all taps of a window move on by as many lines.
std::string joined_windows(LineText& text, size_t number, int indent) {
  const stream::Actor& actor = text.plan.actors[number];
  const Operation& operation = operation_of(text, actor);
  const LineCall& call = operation.line_form->calls.front();
  const std::string pad(static_cast<size_t>(indent), ' '), inner = pad + "    ";
  CallWriter writer{text, actor, operation, pad};
  writer.variable = "l";
  writer.looped = true;
  std::vector<std::string> arguments;
  if (!operation.line_form->params.type.empty()) arguments.push_back("&" + params_text(text, cat(number)));
  std::string runs;
  for (const LineArgument& line : call.arguments) {
    arguments.push_back(writer.argument_of(line, call));
    if (line.how != How::rows) continue;
    text.side_by_side = true;
    // Where windows move on by s lines, n of them span (n - 1) * s + 1.
    const int64_t s = line.map.scale;
    const std::string most = s == 1 ? "n" : cat("((n - 1) * ", s, ") + 1");
    const std::string stand =
        cat(text.c.names.prefix, "_side_by_side(", lines_of(text, writer.argument(line).tensor), ", ",
            writer.number_of(line.map, ""), ", ", line.map.step, ", ", line.map.count, ", ", most, ")");
    runs += cat(inner, "n = ", s == 1 ? stand : cat("(", stand, " + ", s - 1, ") / ", s), ";\n");
  }
  return cat(pad, "const int32_t end = r + ", actor.at_once, ";\n", writer.setup, pad, "int32_t l = r;\n", pad,
             "while (l < end) {\n", inner, "int32_t n = end - l;\n", runs, writer.fills, inner,
             call_text(call.kernel, arguments, indent + 4), ";\n", inner, "l += n;\n", pad, "}\n");
}

std::string line_statements(LineText& text, size_t number, int indent) {
  const stream::Actor& actor = text.plan.actors[number];
  if (actor.joined && stream::reads_windows(operation_of(text, actor))) return joined_windows(text, number, indent);
  if (actor.at_once > 1 && !actor.joined) return together_statements(text, number, indent);
  const Operation& operation = operation_of(text, actor);
  const program::LineForm& form = *operation.line_form;
  const std::string pad(static_cast<size_t>(indent), ' ');
  std::string out, declared;
  if (actor.gathered > 0) declared = pad + "int32_t i;\n";
  for (const LineCall& call : form.calls) {
    const bool always = call.when == LineCall::When::each, looped = actor.gathered > 0;
    const int inner = always == looped ? indent + 4 : indent;
    CallWriter writer{text, actor, operation, pad};
    if (always && looped) writer.variable = "r + i";
    std::vector<std::string> arguments;
    if (!form.params.type.empty()) arguments.push_back("&" + params_text(text, cat(number)));
    for (const LineArgument& line : call.arguments) arguments.push_back(writer.argument_of(line, call));
    declared += writer.setup;
    const std::string statement =
        cat(std::string(static_cast<size_t>(inner), ' '), call_text(call.kernel, arguments, inner), ";\n");
    if (looped && always) {
      out += cat(pad, "for (i = 0; i < ", actor.gathered, "; ++i) {\n", statement, pad, "}\n");
      continue;
    }
    if (looped || always) {
      out += writer.fills + statement;
      continue;
    }
    const int64_t lines = text.c.analysis.program[source_operand(operation).tensor].geometry.lines;
    out += cat(pad, "if (r == ", call.when == LineCall::When::first ? 0 : lines - 1, ") {\n", writer.fills, statement,
               pad, "}\n");
  }
  return declared + out;
}

std::string whole_statements(LineText& text, size_t number, int indent) {
  const stream::Actor& actor = text.plan.actors[number];
  const Operation& operation = operation_of(text, actor);
  const std::string pad(static_cast<size_t>(indent), ' ');
  CallWriter writer{text, actor, operation, pad};
  std::vector<std::string> arguments;
  if (!operation.params.type.empty()) arguments.push_back("&" + params_text(text, cat(number)));
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    LineArgument same;
    same.argument = i;
    arguments.push_back(writer.argument_of(same, {}));
  }
  if (!operation.returns_status) return writer.setup + pad + call_text(operation.kernel, arguments, indent) + ";\n";
  return cat(writer.setup, pad, "if (", call_text(operation.kernel, arguments, indent + 4), " != 0) {\n", pad,
             "    status = ", text.c.names.macro("ERROR_DATA"), ";\n", pad, "}\n");
}

}  // namespace

std::string sized_params(const std::string& number) { return "sized_" + number; }

std::string params_text(const LineText& text, const std::string& number) {
  return text.sized_params.count(number) > 0 ? sized_params(number) : cat(text.c.names.prefix, "_params_", number);
}

std::string operand_text(const LineText& text, program::OperationId id, size_t argument) {
  const Argument& a = text.c.analysis.program[id].arguments[argument];
  const std::string plain = argument_text(text.c.analysis, text.c.names, a);
  return text.moved_constants.contains({id, argument}) ? cat(plain, " + ", a.weight_offset) : plain;
}

std::string lines_of(LineText& text, TensorId id, bool of_memory) {
  const LineText::Lines wanted{id, of_memory};
  const auto found = std::find(text.lines.begin(), text.lines.end(), wanted);
  const auto at = static_cast<size_t>(found - text.lines.begin());
  if (found == text.lines.end()) text.lines.push_back(wanted);
  return cat("&", text.c.names.prefix, "_lines_of[", at, "]");
}

std::string base_of(const LineText& text, TensorId id) {
  return is_outside(text.c.analysis, id) ? "(void *)(uintptr_t)" + outside_buffer(text.c.analysis, text.c.names, id)
                                         : "arena";
}

const stream::Memory& memory_of(const stream::LinePlan& plan, TensorId id) {
  const int memory = plan.views[id.pos()].memory;
  return plan.memories[memory >= 0 ? static_cast<size_t>(memory) : plan.storage[id].buffer.pos()];
}

std::string line_pointer(LineText& text, TensorId id, const std::string& line, bool of_memory) {
  return cat("(", c_type(text.c.analysis.program[id].type.dtype), " *)(void *)", text.c.names.prefix, "_line(",
             base_of(text, id), ", ", lines_of(text, id, of_memory), ", ", line, ")");
}

std::string actor_statements(LineText& text, size_t number, int indent) {
  if (text.plan.actors[number].line_buffer) return chain_statements(text, number);
  return text.plan.actors[number].whole ? whole_statements(text, number, indent)
                                        : line_statements(text, number, indent);
}

}  // namespace tarn::emit
