#include <algorithm>

#include "emit/sized_numbers.h"
#include "emit/sizes.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using program::TensorId;

// "KWS_N" and "n" of kws_set_n.
std::string c_name(const SizeRange& range) { return prefix_identifier(range.name); }
std::string macro(const Context& c, const SizeRange& range, const char* what) {
  return c.names.macro(upper(c_name(range))) + what;
}
std::string getter(const Context& c, const SizeRange& range) { return cat(c.names.prefix, "_get_", c_name(range)); }

TensorId port_of(const Analysis& analysis, PortKind kind, size_t port) {
  return kind == PortKind::input ? analysis.program.inputs[port] : analysis.program.outputs[port];
}

}  // namespace

SizedNumber place_of_port(const Context& c, PortKind kind, size_t port) {
  // By lines the first one lies at one place at every size.
  if (c.analysis.sizes.empty() || c.analysis.stream) return {};
  const bool input = kind == PortKind::input;
  return of_numbers(
      c.analysis,
      cat(c.names.prefix, input ? "_input_place_" : "_output_place_",
          input ? c.names.inputs[port] : c.names.outputs[port]),
      at_sizes(c.analysis, [&](const Analysis& size) { return address_of(size, port_of(size, kind, port)); }));
}

std::vector<int> sized_axes(const Analysis& analysis, PortKind kind, size_t port) {
  std::vector<int> axes;
  const Shape& most = analysis.program[port_of(analysis, kind, port)].type.shape;
  for (int axis = 0; axis < most.rank(); ++axis) {
    if (std::any_of(analysis.sizes.begin(), analysis.sizes.end(), [&](const Analysis& size) {
          return size.program[port_of(size, kind, port)].type.shape[axis] != most[axis];
        }))
      axes.push_back(axis);
  }
  return axes;
}

std::vector<SizeSetter> size_setters(const Analysis& analysis, const std::string& prefix) {
  std::vector<SizeSetter> setters;
  if (analysis.sizes.empty()) return setters;
  for (const SizeRange& range : analysis.every_size)
    setters.push_back({prefix + "_set_" + c_name(range), range.low, range.count()});
  return setters;
}

namespace {

struct PortAxis {
  std::string name;  // of the function: "kws_dim_x_1"
  std::string port;  // the model's
  int axis = 0;
  SizedNumber length;
};

std::vector<PortAxis> port_axes(const Context& c) {
  std::vector<PortAxis> out;
  const auto add = [&](PortKind kind, size_t port, const std::string& c_name, const std::string& told) {
    for (const int axis : sized_axes(c.analysis, kind, port)) {
      const std::string name = cat(c.names.prefix, "_dim_", c_name, "_", axis);
      if (std::any_of(out.begin(), out.end(), [&](const PortAxis& other) { return other.name == name; })) continue;
      out.push_back({name, told, axis,
                     of_numbers(c.analysis, cat(c.names.prefix, "_lengths_", c_name, "_", axis),
                                at_sizes(c.analysis, [&](const Analysis& size) {
                                  return size.program[port_of(size, kind, port)].type.shape[axis];
                                }))});
    }
  };
  // Outputs first: where an input has the same name, they have it.
  for (size_t i = 0; i < c.report.outputs.size(); ++i)
    add(PortKind::output, i, c.names.outputs[i], c.report.outputs[i].name);
  for (size_t i = 0; i < c.report.inputs.size(); ++i)
    add(PortKind::input, i, c.names.inputs[i], c.report.inputs[i].name);
  return out;
}

}  // namespace

std::string size_api(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  const std::string& p = c.names.prefix;
  const bool several = c.analysis.every_size.size() > 1;
  std::string out;
  for (const SizeRange& range : c.analysis.every_size) {
    const std::string name = c_name(range);
    out += cat(
        "/* '", comment_text(range.name), "' is ", range.low, " to ", range.high,
        ": set it before inputs are filled; it holds for all runs until it is set anew. Of inputs and\n * outputs "
        "the first elements are used, densely; counts above are for the largest. ",
        c.names.macro("ERROR_SIZE"), ", and the size stays, where n is\n * out of range; the same from a run before ",
        several ? "every size is set. */\n" : "any size is set. */\n", "#define ", macro(c, range, "_MIN"), " ",
        range.low, "\n#define ", macro(c, range, "_MAX"), " ", range.high, "\n", p, "_status ", p, "_set_", name, "(",
        arena_parameter(c), ", int32_t n);\n/* The size that is set; -1 where none is. */\nint32_t ", getter(c, range),
        "(", const_arena_parameter(c), ");\n");
  }
  for (const PortAxis& axis : port_axes(c))
    out += cat("/* The length of axis ", axis.axis, " of ", comment_text(axis.port), " at that size. */\nint32_t ",
               axis.name, "(", const_arena_parameter(c), ");\n");
  return out;
}

std::string port_tables(const Context& c) {
  std::string out;
  for (const PortAxis& axis : port_axes(c)) out += axis.length.table;
  if (c.analysis.sizes.empty() || c.analysis.options.caller_io) return out;
  for (size_t i = 0; i < c.report.inputs.size(); ++i) out += place_of_port(c, PortKind::input, i).table;
  for (size_t i = 0; i < c.report.outputs.size(); ++i) out += place_of_port(c, PortKind::output, i).table;
  return out;
}

std::string size_getter(const Context& c) {
  return c.analysis.every_size.size() > 1 ? c.names.prefix + "_size_of_run" : getter(c, c.analysis.every_size[0]);
}

std::string size_is_missing(const Context& c) { return size_getter(c) + "(arena) < 0"; }

std::string size_of_run(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  return cat("    const int32_t ", kSize, " = ", size_getter(c), "(arena);\n    if (", kSize,
             " < 0) {\n        return ", c.names.macro("ERROR_SIZE"), ";\n    }\n");
}

std::string size_set(const Context& c) {
  const SizeBox& every = c.analysis.every_size;
  return cat("    const int32_t set = ", size_getter(c), "(arena), ", kSize, " = set < 0 ? ",
             every.size() > 1 ? cat(point_count(every) - 1) : macro(c, every[0], "_MAX"), " : set;\n");
}

namespace {

// What is set, and how: the sizes stand side by side.
std::string functions_of(const Context& c, const SizeRange& range, size_t axis) {
  const std::string &p = c.names.prefix, low = macro(c, range, "_MIN"), high = macro(c, range, "_MAX"),
                    first = c.names.macro("OFFSET_") + upper(c.names.tensors[c.analysis.program.set_size.pos()]),
                    at = axis == 0 ? first : cat(first, " + ", 4 * axis, "u");
  return cat("int32_t ", getter(c, range), "(", const_arena_parameter(c),
             ")\n{\n    const int32_t n = *(const int32_t *)(const void *)((const uint8_t *)arena + ", at,
             ");\n    return n < ", low, " || n > ", high, " ? -1 : n;\n}\n\n", p, "_status ", p, "_set_",
             c_name(range), "(", arena_parameter(c), ", int32_t n)\n{\n    if (arena == NULL) {\n        return ",
             c.names.macro("ERROR_NULL"), ";\n    }\n    if ((uintptr_t)arena % ", c.names.macro("ARENA_ALIGN"),
             " != 0u) {\n        return ", c.names.macro("ERROR_ALIGN"), ";\n    }\n    if (n < ", low, " || n > ",
             high, ") {\n        return ", c.names.macro("ERROR_SIZE"),
             ";\n    }\n    *(int32_t *)(void *)((uint8_t *)arena + ", at, ") = n;\n    return ", c.names.macro("OK"),
             ";\n}\n\n");
}

// Of several dimensions the position of their sizes in the list of all, the last dimension's side by side.
std::string position_function(const Context& c) {
  std::string read, missing, position;
  const SizeBox& every = c.analysis.every_size;
  for (size_t axis = 0; axis < every.size(); ++axis) {
    const std::string n = cat("n", axis);
    read += cat("    const int32_t ", n, " = ", getter(c, every[axis]), "(arena);\n");
    missing += cat(axis == 0 ? "" : " || ", n, " < 0");
    const std::string own = cat("(", n, " - ", macro(c, every[axis], "_MIN"), ")");
    position =
        axis == 0 ? own : cat(axis == 1 ? position : cat("(", position, ")"), " * ", every[axis].count(), " + ", own);
  }
  return cat("/* Where the sizes that are set stand among all; -1 where one is not set. */\nstatic int32_t ",
             size_getter(c), "(", const_arena_parameter(c), ")\n{\n", read, "    return ", missing,
             " ? -1 : ", position, ";\n}\n\n");
}

}  // namespace

std::string size_functions(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  std::string out;
  for (size_t axis = 0; axis < c.analysis.every_size.size(); ++axis)
    out += functions_of(c, c.analysis.every_size[axis], axis);
  if (c.analysis.every_size.size() > 1) out += position_function(c);
  for (const PortAxis& axis : port_axes(c)) {
    out += cat("int32_t ", axis.name, "(", const_arena_parameter(c), ")\n{\n", size_set(c), "    return ",
               axis.length.text, ";\n}\n\n");
  }
  return out;
}

}  // namespace tarn::emit
