#include "emit/sizes.h"

#include <algorithm>
#include <limits>

#include "emit/fields.h"
#include "emit/literals.h"
#include "support/text.h"
#include "symbolic/fit.h"

namespace tarn::emit {

namespace {

using program::TensorId;

// "KWS_N" and "n" of kws_set_n.
std::string c_name(const Analysis& analysis) { return prefix_identifier(analysis.options.run_time->name); }
std::string macro(const Context& c, const char* what) { return c.names.macro(upper(c_name(c.analysis))) + what; }
std::string getter(const CNames& names, const Analysis& analysis) { return names.prefix + "_get_" + c_name(analysis); }

std::string element(const std::string& name, int64_t low) {
  return low == 0 ? cat(name, "[", kSize, "]") : cat(name, "[", kSize, " - ", low, "]");
}

SizedNumber in_table(const std::string& name, const char* type, int64_t low, const std::vector<std::string>& values) {
  std::string rows;
  for (size_t i = 0; i < values.size(); i += 8) {
    const std::vector<std::string> row(values.begin() + static_cast<std::ptrdiff_t>(i),
                                       values.begin() + static_cast<std::ptrdiff_t>(std::min(i + 8, values.size())));
    rows += cat(rows.empty() ? "" : ",\n", "    ", join(row));
  }
  return {element(name, low), cat("static const ", type, " ", name, "[", values.size(), "] = {\n", rows, "\n};\n"),
          false};
}

SizedNumber of_numbers(const Analysis& analysis, const std::string& table, const std::vector<int64_t>& values) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values.front(); }))
    return {cat(values.front()), {}, false};
  const int64_t low = analysis.options.run_time->low;
  if (auto formula = symbolic::to_c(kSize, low, values)) return {*formula, {}, true};
  std::vector<std::string> texts;
  bool wide = false;
  for (const int64_t v : values) {
    texts.push_back(int_literal(v, true));
    wide = wide || v > std::numeric_limits<int32_t>::max() || v < std::numeric_limits<int32_t>::min();
  }
  return in_table(table, wide ? "int64_t" : "int32_t", low, texts);
}

int64_t address_of(const Analysis& size, TensorId id) {
  const lifetimes::Place& place = size.storage[id];
  const int item = size.planning.item_of[place.buffer.pos()];
  return (item < 0 ? 0 : size.plan.offsets[static_cast<size_t>(item)]) + place.offset;
}

template <class Get>
std::vector<int64_t> at_sizes(const Analysis& analysis, Get get) {
  std::vector<int64_t> values;
  for (const Analysis& size : analysis.sizes) values.push_back(get(size));
  return values;
}

std::string literal(const CField& field) {
  if (const auto* single = std::get_if<program::Float32>(&field.number))
    return float_literal(static_cast<float>(single->value));
  if (const auto* real = std::get_if<double>(&field.number)) return double_literal(*real);
  return int_literal(std::get<int64_t>(field.number));
}

}  // namespace

std::vector<SizedField> sized_fields(const Analysis& analysis, const CNames& names, size_t step) {
  if (analysis.sizes.empty()) return {};
  const program::OperationId id = analysis.schedule.steps[step].operation;
  std::vector<std::vector<CField>> fields;  // by size
  for (const Analysis& size : analysis.sizes) fields.push_back(c_fields(size, size.program[id]));
  std::vector<SizedField> out;
  for (size_t f = 0; f < fields.front().size(); ++f) {
    const CField& first = fields.front()[f];
    std::vector<std::string> texts;
    for (const std::vector<CField>& at : fields) texts.push_back(literal(at[f]));
    if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.front(); }))
      continue;
    const std::string table = cat(names.prefix, "_", names.span, "sizes_", step, "_", f);
    if (std::holds_alternative<int64_t>(first.number)) {
      std::vector<int64_t> values;
      for (const std::vector<CField>& at : fields) values.push_back(std::get<int64_t>(at[f].number));
      out.push_back({first.path, of_numbers(analysis, table, values)});
    } else {
      const char* type = std::holds_alternative<double>(first.number) ? "double" : "float";
      out.push_back({first.path, in_table(table, type, analysis.options.run_time->low, texts)});
    }
  }
  return out;
}

namespace {

using Trips = std::optional<int64_t> program::Operation::*;

std::optional<SizedNumber> number_of(const Analysis& analysis, const std::string& table, size_t step, Trips trips) {
  const program::OperationId id = analysis.schedule.steps[step].operation;
  const std::optional<int64_t>& largest = analysis.program[id].*trips;
  if (!largest) return {};
  if (analysis.sizes.empty()) return SizedNumber{cat(*largest), {}, false};
  return of_numbers(analysis, table,
                    at_sizes(analysis, [&](const Analysis& size) { return *(size.program[id].*trips); }));
}

}  // namespace

std::optional<SizedNumber> trips_of(const Analysis& analysis, const CNames& names, size_t step) {
  return number_of(analysis, cat(names.prefix, "_", names.span, "trips_", step), step, &program::Operation::trips);
}

std::optional<SizedNumber> max_trips_of(const Analysis& analysis, const CNames& names, size_t step) {
  return number_of(analysis, cat(names.prefix, "_", names.span, "most_trips_", step), step,
                   &program::Operation::max_trips);
}

SizedNumber place_of(const Analysis& analysis, const CNames& names, TensorId id) {
  if (analysis.sizes.empty()) return {};
  return of_numbers(analysis, cat(names.prefix, "_", names.span, "place_", names.tensors[id.pos()]),
                    at_sizes(analysis, [&](const Analysis& size) { return address_of(size, id); }));
}

SizedNumber outside_place_of(const Analysis& analysis, const CNames& names, TensorId id) {
  if (analysis.sizes.empty()) return {};
  return of_numbers(analysis, cat(names.prefix, "_", names.span, "place_", names.tensors[id.pos()]),
                    at_sizes(analysis, [&](const Analysis& size) {
                      return size.storage[id].offset / size.program[id].element_bytes();
                    }));
}

SizedNumber weight_place_of(const Analysis& analysis, const CNames& names, size_t step, size_t argument) {
  const program::OperationId id = analysis.schedule.steps[step].operation;
  if (analysis.sizes.empty() || !analysis.program[id].arguments[argument].weight.valid()) return {};
  return of_numbers(
      analysis, cat(names.prefix, "_", names.span, "constant_", step, "_", argument),
      at_sizes(analysis, [&](const Analysis& size) { return size.program[id].arguments[argument].weight_offset; }));
}

namespace {

TensorId port_of(const Analysis& analysis, PortKind kind, size_t port) {
  return kind == PortKind::input ? analysis.program.inputs[port] : analysis.program.outputs[port];
}

bool ends_span(const Analysis& analysis, size_t size) {
  return analysis.sizes[size].options.run_time->high == analysis.options.run_time->low + static_cast<int64_t>(size);
}

}  // namespace

std::vector<Analysis> spans_of(const Analysis& analysis) {
  if (span_count(analysis) == 1) return {};
  std::vector<Analysis> spans;
  size_t first = 0;
  for (size_t i = 0; i < analysis.sizes.size(); ++i) {
    if (!ends_span(analysis, i)) continue;
    Analysis span = i + 1 == analysis.sizes.size() ? analysis : analysis.sizes[i];
    span.options.run_time = analysis.sizes[i].options.run_time;
    span.sizes.assign(analysis.sizes.begin() + static_cast<std::ptrdiff_t>(first),
                      analysis.sizes.begin() + static_cast<std::ptrdiff_t>(i + 1));
    spans.push_back(std::move(span));
    first = i + 1;
  }
  return spans;
}

size_t span_count(const Analysis& analysis) {
  size_t count = 0;
  for (size_t i = 0; i < analysis.sizes.size(); ++i) count += ends_span(analysis, i);
  return std::max<size_t>(1, count);
}

size_t most_steps(const Analysis& analysis) {
  size_t steps = analysis.schedule.steps.size();
  for (const Analysis& size : analysis.sizes) steps = std::max(steps, size.schedule.steps.size());
  return steps;
}

Context span_context(const Context& c, const Analysis& span) {
  if (span.sizes.empty() || span.options.run_time->high == c.analysis.options.run_time->high)
    return {span, c.report, c.names, c.options, true};
  CNames names = make_names(c.names.prefix, span.program);
  names.inputs = c.names.inputs;
  names.outputs = c.names.outputs;
  names.weights = c.names.weights;
  names.span = cat("at_", span.options.run_time->high, "_");
  return {span, c.report, std::move(names), c.options, true};
}

SizedNumber place_of_port(const Context& c, PortKind kind, size_t port) {
  if (c.analysis.sizes.empty()) return {};
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

std::string size_setter(const Analysis& analysis, const std::string& prefix) {
  return analysis.sizes.empty() ? "" : prefix + "_set_" + c_name(analysis);
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
  const SizeRange& range = *c.analysis.options.run_time;
  const std::string name = c_name(c.analysis), &p = c.names.prefix;
  std::string out = cat(
      "/* '", comment_text(range.name), "' is ", range.low, " to ", range.high,
      ": set it before inputs are filled; it holds for all runs until it is set anew. Of inputs and\n * outputs the "
      "first elements are used, densely; counts above are for the largest. ",
      c.names.macro("ERROR_SIZE"),
      ", and the size stays, where n is\n * out of range; the same from a run before "
      "any size is set. */\n#define ",
      macro(c, "_MIN"), " ", range.low, "\n#define ", macro(c, "_MAX"), " ", range.high, "\n", p, "_status ", p,
      "_set_", name, "(", arena_parameter(c), ", int32_t n);\n/* The size that is set; -1 where none is. */\nint32_t ",
      getter(c.names, c.analysis), "(", const_arena_parameter(c), ");\n");
  for (const PortAxis& axis : port_axes(c))
    out += cat("/* The length of axis ", axis.axis, " of ", comment_text(axis.port), " at that size. */\nint32_t ",
               axis.name, "(", const_arena_parameter(c), ");\n");
  return out;
}

std::string step_tables(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  std::string out;
  for (size_t s = 0; s < c.analysis.schedule.steps.size(); ++s) {
    for (const SizedField& field : sized_fields(c.analysis, c.names, s)) out += field.number.table;
    for (const auto& number : {trips_of(c.analysis, c.names, s), max_trips_of(c.analysis, c.names, s)})
      out += number ? number->table : "";
    const size_t arguments = c.analysis.program[c.analysis.schedule.steps[s].operation].arguments.size();
    for (size_t a = 0; a < arguments; ++a) out += weight_place_of(c.analysis, c.names, s, a).table;
  }
  for (size_t t = 0; t < c.analysis.program.tensors.size(); ++t) {
    const TensorId id(t);
    out += (is_outside(c.analysis, id) ? outside_place_of(c.analysis, c.names, id) : place_of(c.analysis, c.names, id))
               .table;
  }
  return out.empty() ? out : "/* What no formula of the size gives, by size. */\n" + out + "\n";
}

std::string port_tables(const Context& c) {
  std::string out;
  for (const PortAxis& axis : port_axes(c)) out += axis.length.table;
  if (c.analysis.sizes.empty() || c.analysis.options.caller_io) return out;
  for (size_t i = 0; i < c.report.inputs.size(); ++i) out += place_of_port(c, PortKind::input, i).table;
  for (size_t i = 0; i < c.report.outputs.size(); ++i) out += place_of_port(c, PortKind::output, i).table;
  return out;
}

std::string size_is_missing(const Context& c) { return cat(getter(c.names, c.analysis), "(arena) < 0"); }

std::string size_of_run(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  return cat("    const int32_t ", kSize, " = ", getter(c.names, c.analysis), "(arena);\n    if (", kSize,
             " < 0) {\n        return ", c.names.macro("ERROR_SIZE"), ";\n    }\n");
}

std::string size_set(const Context& c) {
  return cat("    const int32_t set = ", getter(c.names, c.analysis), "(arena), ", kSize, " = set < 0 ? ",
             macro(c, "_MAX"), " : set;\n");
}

std::string size_functions(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  const std::string &p = c.names.prefix, name = c_name(c.analysis), low = macro(c, "_MIN"), high = macro(c, "_MAX"),
                    set = c.names.macro("OFFSET_") + upper(c.names.tensors[c.analysis.program.set_size.pos()]);
  std::string out =
      cat("int32_t ", getter(c.names, c.analysis), "(", const_arena_parameter(c),
          ")\n{\n    const int32_t n = *(const int32_t *)(const void *)((const uint8_t *)arena + ", set,
          ");\n    return n < ", low, " || n > ", high, " ? -1 : n;\n}\n\n", p, "_status ", p, "_set_", name, "(",
          arena_parameter(c), ", int32_t n)\n{\n    if (arena == NULL) {\n        return ", c.names.macro("ERROR_NULL"),
          ";\n    }\n    if ((uintptr_t)arena % ", c.names.macro("ARENA_ALIGN"), " != 0u) {\n        return ",
          c.names.macro("ERROR_ALIGN"), ";\n    }\n    if (n < ", low, " || n > ", high, ") {\n        return ",
          c.names.macro("ERROR_SIZE"), ";\n    }\n    *(int32_t *)(void *)((uint8_t *)arena + ", set,
          ") = n;\n    return ", c.names.macro("OK"), ";\n}\n\n");
  for (const PortAxis& axis : port_axes(c)) {
    out += cat("int32_t ", axis.name, "(", const_arena_parameter(c), ")\n{\n", size_set(c), "    return ",
               axis.length.text, ";\n}\n\n");
  }
  return out;
}

}  // namespace tarn::emit
