// The statements of a step: kernel calls, loops, branches, and what has to be there before them.
#include <algorithm>

#include "emit/call.h"
#include "emit/literals.h"
#include "emit/parts.h"
#include "emit/poison.h"
#include "emit/sizes.h"
#include "emit/transfers.h"
#include "program/operands.h"
#include "program/spread_forms.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string step_statements(const Context& c, size_t s, int indent);
std::string kernel_statements(const Context& c, size_t s, int indent);

// The statements of the steps inside step `s` that belong to its body `b`.
std::string body_statements(const Context& c, size_t s, size_t b, int indent) {
  const std::vector<program::OperationId>& body = operation_of(c, s).bodies[b];
  const std::string pad(static_cast<size_t>(indent), ' ');
  std::string out;
  for (auto i = s + 1; i < static_cast<size_t>(c.analysis.schedule.steps[s].end); ++i) {
    const schedule::Step& step = c.analysis.schedule.steps[i];
    if (step.parent != static_cast<int64_t>(s) || std::find(body.begin(), body.end(), step.operation) == body.end())
      continue;
    out += cat(pad, "{ /* ", i, ", ", operation_comment(operation_of(c, i)), " */\n",
               poison_line(c, cat(i, "u"), indent + 4), step_statements(c, i, indent + 4), unpoison_line(c, indent + 4),
               pad, "}\n");
  }
  return out;
}

// Does the operation itself store the sizes that this one depends on? Then it cannot be asked for before.
bool makes_size(const Context& c, const program::Operation& operation, const program::Linear& size) {
  for (const program::Linear::Term& term : size.terms) {
    const program::TensorId id = c.analysis.program.symbols[static_cast<size_t>(term.symbol)];
    for (const program::Argument& a : operation.arguments) {
      if (a.role == program::Argument::Role::write && a.tensor == id) return true;
    }
  }
  return false;
}

// The arguments of the kernel that spreads constants out from where they are stored.
std::vector<std::string> spread_words(const program::Weight::Spread& spread, const std::string& from,
                                      const std::string& to) {
  using Form = program::Weight::Spread::Form;
  const std::string bits = std::to_string(spread.bits), c = int_literal(spread.c), m = int_literal(spread.m);
  const std::string count = std::to_string(spread.own.size()), lanes = std::to_string(spread.lanes);
  switch (spread.form) {
    case Form::exponentials: return {from, to};
    case Form::codes: return {from, to, bits, m, c};
    case Form::shorts: return {from, to, count, bits, std::to_string(spread.shift), c};
    case Form::factors: return {from, to, count, lanes, m, c, bits};
    case Form::narrow:
      return {from, to, std::to_string(program::stored_count(spread)), bits,
              cat(static_cast<uint32_t>(spread.c - INT8_MIN) * 0x01010101U, "u")};
    default: return {from, to, count, lanes, m, c};
  }
}

// Before the call: packed weights are unpacked to where it reads them, constants that are alike spread out.
std::string unpack_statements(const Context& c, const program::Operation& operation, int indent) {
  if (!operation.staging || (!operation.staging->made && !c.analysis.program.codes.valid())) return "";
  const program::Staging& staging = *operation.staging;
  std::string out;
  for (const program::Staging::Part& part : staging.parts) {
    const program::Weight& weight = c.analysis.program[part.weight];
    if (weight.spread) {
      const program::Weight::Spread& spread = *weight.spread;
      const bool narrow = spread.form == program::Weight::Spread::Form::narrow;  // whole words of bytes
      const std::string to = cat("(", c_type(narrow ? weight.dtype : weight.plain->dtype), " *)(void *)(",
                                 staged_place(c.names, staging, part.at), ")");
      out += cat(std::string(static_cast<size_t>(indent), ' '),
                 call_text(program::spreading_kernel(spread),
                           spread_words(spread, c.names.weights[part.weight.pos()], to), indent),
                 ";\n");
      continue;
    }
    out += cat(std::string(static_cast<size_t>(indent), ' '),
               call_text("tarn_unpack",
                         {c.names.weights[part.weight.pos()], c.names.weights[c.analysis.program.codes.pos()],
                          staged_place(c.names, staging, part.at), staged_place(c.names, staging, staging.work)},
                         indent),
               ";\n");
  }
  return out;
}

std::string call_statement(const Context& c, size_t s, int indent, const std::string& params) {
  const std::string pad(static_cast<size_t>(indent), ' '), unpack = unpack_statements(c, operation_of(c, s), indent);
  if (!operation_of(c, s).returns_status)
    return cat(unpack, pad, call_text(c.analysis, c.names, s, indent, params), ";\n");
  return cat(unpack, pad, "if (", call_text(c.analysis, c.names, s, indent + 4, params), " != 0) {\n", pad,
             "    status = ", c.names.macro("ERROR_DATA"), ";\n", pad, "}\n");
}

// At some size the loop is asked for more trips than its outputs have room for.
bool may_exceed_room(const Context& c, size_t s) {
  const auto exceeds = [&](const program::Operation& operation) {
    return operation.max_trips && !(operation.trips && *operation.trips <= *operation.max_trips);
  };
  const program::OperationId id = c.analysis.schedule.steps[s].operation;
  return exceeds(operation_of(c, s)) || std::any_of(c.analysis.sizes.begin(), c.analysis.sizes.end(),
                                                    [&](const Analysis& size) { return exceeds(size.program[id]); });
}

std::string loop_statements(const Context& c, size_t s, int indent) {
  const program::Operation& operation = operation_of(c, s);
  const std::string pad(static_cast<size_t>(indent), ' '), trip = cat("trip_", s), trips = cat("trips_", s);
  const auto [count, condition, number, begun] = program::loop_operands(operation);
  using Role = program::Argument::Role;
  const std::optional<SizedNumber> known = trips_of(c.analysis, c.names, s),
                                   most = max_trips_of(c.analysis, c.names, s);
  const bool may_exceed = may_exceed_room(c, s);
  std::string out = pad + "int64_t " + trip + ";\n";
  std::string test;
  if (known) test = cat(trip, " < ", known->text);
  if (count.role != Role::none) {
    out += pad + "const int64_t " + trips + " = *" + argument_text(c.analysis, c.names, count) + ";\n";
    test = trip + " < " + trips;
  }
  const std::string data_error = c.names.macro("ERROR_DATA"), ok = c.names.macro("OK");
  // More trips than the outputs have room for end the run before they begin.
  if (may_exceed) test += cat(test.empty() ? "" : " && ", trip, " <= ", most->text);
  if (condition.role != Role::none)
    test += cat(test.empty() ? "" : " && ", "*", argument_text(c.analysis, c.names, condition), " != 0");
  test += cat(test.empty() ? "" : " && ", "status == ", ok);
  const std::string made = begun ? "*" + argument_text(c.analysis, c.names, *begun) : "";
  if (!made.empty()) out += cat(pad, made, " = 0;\n");
  out += cat(pad, "for (", trip, " = 0; ", test, "; ++", trip, ") {\n");
  if (may_exceed) {
    out += cat(pad, "    if (", trip, " == ", most->text, ") {\n", pad, "        status = ", data_error, ";\n", pad,
               "        break;\n", pad, "    }\n");
  }
  if (number.role != Role::none)
    out += cat(pad, "    *", argument_text(c.analysis, c.names, number), " = ", trip, ";\n");
  if (!made.empty()) out += cat(pad, "    ", made, " = ", trip, " + 1;\n");
  out += body_statements(c, s, 0, indent + 4) + pad + "}\n";
  if (made.empty() && most && (may_exceed || condition.role != Role::none || !known || known->text != most->text)) {
    // Fewer leave a part of the outputs without a value.
    out += cat(pad, "if (status == ", ok, " && ", trip, " != ", most->text, ") {\n", pad, "    status = ", data_error,
               ";\n", pad, "}\n");
  }
  return out;
}

std::string step_statements(const Context& c, size_t s, int indent) {
  const program::Operation& operation = operation_of(c, s);
  const std::string pad(static_cast<size_t>(indent), ' ');
  if (operation.control == program::Control::loop) return loop_statements(c, s, indent);
  if (operation.control == program::Control::branch) {
    return cat(pad, "if (*", argument_text(c.analysis, c.names, program::branch_condition(operation)), " != 0) {\n",
               body_statements(c, s, 0, indent + 4), pad, "} else {\n", body_statements(c, s, 1, indent + 4), pad,
               "}\n");
  }
  std::string transfers = transfer_statements(c, s, indent);
  if (operation.kernel.empty()) return transfers;
  if (!transfers.empty()) {
    return cat(transfers, pad, "if (status == ", c.names.macro("OK"), ") {\n", kernel_statements(c, s, indent + 4), pad,
               "}\n");
  }
  return kernel_statements(c, s, indent);
}

std::string kernel_statements(const Context& c, size_t s, int indent) {
  const program::Operation& operation = operation_of(c, s);
  const std::string pad(static_cast<size_t>(indent), ' ');
  const LinePointers lines = line_pointers(operation);
  std::string out;
  if (lines.count > 0) out += cat(pad, "const ", lines.c_type, " *lines[", lines.count, "];\n");
  const std::vector<std::string> settings = runtime_settings(c.analysis, c.names, s, "params");
  std::string params;
  if (!settings.empty()) {
    params = "params";
    out += cat(pad, operation.params.type, " params = ", c.names.prefix, "_", c.names.span, "params_", s, ";\n");
    for (const std::string& setting : settings) out += pad + setting + "\n";
  }
  // Kernels are not called for outputs of no elements.
  std::string some;
  for (const program::Argument& a : operation.arguments) {
    if (a.role != program::Argument::Role::write) continue;
    for (const program::RuntimeAxis& axis : c.analysis.program[a.tensor].runtime) {
      if (makes_size(c, operation, axis.size)) continue;
      some += (some.empty() ? "" : " && ") + linear_text(c.analysis, c.names, axis.size) + " > 0";
    }
  }
  if (!some.empty()) {
    return out + cat(pad, "if (", some, ") {\n", call_statement(c, s, indent + 4, params), pad, "}\n");
  }
  return out + call_statement(c, s, indent, params);
}

}  // namespace

std::string step_case(const Context& c, size_t s) {
  const program::Operation& operation = operation_of(c, s);
  std::string out = cat("    case ", s, "u: { /* ", operation_comment(operation), " */\n", step_statements(c, s, 8),
                        "        break;\n    }\n");
  // The steps inside have run with it.
  const auto end = static_cast<size_t>(c.analysis.schedule.steps[s].end);
  for (size_t i = s + 1; i < end; ++i) out += cat("    case ", i, "u:\n");
  if (end > s + 1) out += "        break;\n";
  return out;
}

}  // namespace tarn::emit
