// NAME.c: the buffer, the parameters of each call, and the run functions.
#include <algorithm>
#include <functional>
#include <set>

#include "emit/call.h"
#include "emit/ids.h"
#include "emit/image.h"
#include "emit/kernels.h"
#include "emit/parts.h"
#include "emit/poison.h"
#include "emit/sizes.h"
#include "emit/stream.h"
#include "emit/stream_call.h"
#include "emit/transfers.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

const program::Operation& operation_of(const Context& c, size_t step) {
  return c.analysis.program[c.analysis.schedule.steps[step].operation];
}

// Params as C: the initialiser broken at spaces so that lines stay short.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string out, line = indent;
  for (const std::string& word : split(text, ' ')) {
    if (line.size() + word.size() + 1 > 118 && line.size() > indent.size()) {
      out += line + "\n";
      line = indent;
    }
    line += line.size() > indent.size() ? " " + word : word;
  }
  return out + line;
}

std::string params_definitions(const Context& c) {
  std::string out;
  for (size_t s = 0; s < c.analysis.schedule.steps.size(); ++s) {
    const program::Operation& operation = operation_of(c, s);
    out += params_definition(c, operation, operation.params, cat(s), {});
  }
  return out;
}

}  // namespace

std::string params_definition(const Context& c, const program::Operation& operation, const program::Params& params,
                              const std::string& number, const Extent& extent) {
  if (params.type.empty()) return "";
  std::string fields;
  for (const program::Field& field : params.fields) fields += (fields.empty() ? "" : ", ") + field.name;
  return cat("/* ", fields, " */\nstatic const ", params.type, " ", c.names.prefix, "_", c.names.span, "params_",
             number, " =\n", wrapped(params_initialiser(c.analysis, operation, params, extent), "    "), ";\n");
}

std::string operation_comment(const program::Operation& operation) {
  std::string nodes = join(operation.nodes);
  for (char& ch : nodes) {
    if (static_cast<unsigned char>(ch) < 32 || static_cast<unsigned char>(ch) > 126 || ch == '*') ch = '?';
  }
  if (nodes.size() > 90) nodes = nodes.substr(0, 87) + "...";
  return operation.op + ": " + nodes;
}

namespace {

std::string layer_io_parameters(const Context& c) {
  if (c.report.io != "caller") return "";
  std::string out;
  for (size_t i = 0; i < c.report.inputs.size(); ++i)
    out += cat(", const ", c_type(c.report.inputs[i].type.dtype), " *", c.names.inputs[i]);
  for (size_t i = 0; i < c.report.outputs.size(); ++i) {
    out += cat(", ", c_type(c.report.outputs[i].type.dtype), " *", c.names.output_parameter(i));
  }
  return out;
}

std::vector<std::string> layer_io_names(const Context& c) {
  std::vector<std::string> names;
  if (c.report.io != "caller") return names;
  for (size_t i = 0; i < c.report.inputs.size(); ++i) names.push_back(c.names.inputs[i]);
  for (size_t i = 0; i < c.report.outputs.size(); ++i) names.push_back(c.names.output_parameter(i));
  return names;
}

std::string accessors(const Context& c) {
  std::string out;
  if (c.report.io == "caller") return out;
  // A port that lies elsewhere at each size is where it is at the size that is set.
  const auto moved = [&](PortKind kind, size_t port) -> std::string {
    const SizedNumber at = place_of_port(c, kind, port);
    return at.varies() ? at.text : "";
  };
  for (size_t i = 0; i < c.report.inputs.size() && has_input_accessors(c); ++i) {
    const report::Port& port = c.report.inputs[i];
    const program::TensorId id = c.analysis.program.inputs[i];
    const std::string at = moved(PortKind::input, i), type = c_type(port.type.dtype);
    out +=
        cat(type, " *", port.accessor, "(", arena_parameter(c), ")\n{\n", at.empty() ? "" : size_set(c), "    return ",
            at.empty() ? cat(c.names.macro("PTR_"), upper(c.names.tensors[id.pos()]), "(arena)")
                       : cat("(", type, " *)(void *)((uint8_t *)arena + ", at, ")"),
            ";\n}\n\n");
  }
  for (size_t i = 0; i < c.report.outputs.size() && has_output_accessors(c); ++i) {
    const report::Port& port = c.report.outputs[i];
    const program::TensorId id = c.analysis.program.outputs[i];
    const std::string at = moved(PortKind::output, i), type = c_type(port.type.dtype);
    out +=
        cat("const ", type, " *", port.accessor, "(", const_arena_parameter(c), ")\n{\n", at.empty() ? "" : size_set(c),
            "    return (const ", type, " *)(const void *)((const uint8_t *)", bank_pointer(c, port.bank, "arena"),
            " + ", at.empty() ? c.names.macro("OFFSET_") + upper(c.names.tensors[id.pos()]) : at, ");\n}\n\n");
  }
  return out;
}

// Copies all states from or into one block of bytes, in the header's order.
std::string state_copies(const Context& c, bool save) {
  std::string moves;
  for (program::TensorId id : c.analysis.program.states) {
    const std::string name = upper(c.names.tensors[id.pos()]), pointer = c.names.macro("PTR_") + name + "(arena)";
    const std::string place = !save ? cat("(uint8_t *)(void *)", pointer)
                              : c.analysis.several_arenas()
                                  ? cat("(const uint8_t *)(const void *)", pointer)
                                  : cat("(const uint8_t *)arena + ", c.names.macro("OFFSET_"), name);
    moves += cat("    bytes = ", place, ";\n    for (i = 0; i < ", c.analysis.program[id].bytes(),
                 save ? "u; i++) *at++ = bytes[i];\n" : "u; i++) bytes[i] = *at++;\n");
  }
  const std::string& p = c.names.prefix;
  if (save)
    return cat("void ", p, "_state_save(", const_arena_parameter(c),
               ", void *block)\n{\n    uint8_t *at = (uint8_t *)block;\n    const uint8_t *bytes;\n    uint32_t i;\n",
               moves, "}\n\n");
  return cat("void ", p, "_state_restore(", arena_parameter(c),
             ", const void *block)\n{\n    const uint8_t *at = (const uint8_t *)block;\n    uint8_t *bytes;\n"
             "    uint32_t i;\n",
             moves, "}\n\n");
}

// kws_state_<name>, kws_reset, kws_state_save and kws_state_restore.
std::string state_functions(const Context& c) {
  const program::Program& program = c.analysis.program;
  std::string out, values;
  bool any_first = false;
  for (size_t k = 0; k < program.states.size(); ++k) {
    const program::TensorId id = program.states[k];
    const std::string &name = c.names.tensors[id.pos()], &p = c.names.prefix;
    const std::string pointer = c.names.macro("PTR_") + upper(name) + "(arena)";
    out += cat(c_type(program[id].type.dtype), " *", p, "_state_", name, "(", arena_parameter(c), ")\n{\n    return ",
               pointer, ";\n}\n\n");
    const program::WeightId first = program.kept[k].first;
    values += cat("    bytes = (uint8_t *)(void *)", pointer, ";\n");
    if (first.valid() && reads_weights(c.analysis)) {
      // What cannot be read is zero, as where there are no first values.
      values += cat("    if (", read_statement(c, first, "bytes"), " != ", c.names.macro("OK"), " || ", p,
                    "_weights_wait() != ", c.names.macro("OK"), ") {\n        for (i = 0; i < ", program[id].bytes(),
                    "u; i++) bytes[i] = 0;\n    }\n");
      continue;
    }
    if (first.valid()) values += cat("    from = (const uint8_t *)(const void *)", c.names.weights[first.pos()], ";\n");
    values +=
        cat("    for (i = 0; i < ", program[id].bytes(), "u; i++) bytes[i] = ", first.valid() ? "from[i]" : "0", ";\n");
    any_first = any_first || first.valid();
  }
  if (values.empty()) return out;
  const bool from_image = any_first && has_image(c.analysis);
  return out +
         cat("void ", c.names.prefix, "_reset(", arena_parameter(c), ")\n{\n    uint8_t *bytes;\n",
             any_first ? "    const uint8_t *from;\n" : "", from_image ? "    const uint8_t *weights_image;\n" : "",
             "    uint32_t i;\n", from_image ? image_pointer(c, 4, "return;") : "", values, "}\n\n") +
         state_copies(c, true) + state_copies(c, false);
}

// kws_dim_<output>_<axis>: the actual length of an axis that is known only at run time.
std::string dim_functions(const Context& c) {
  std::string out;
  for (size_t i = 0; i < c.report.outputs.size(); ++i) {
    const program::TensorId id = c.analysis.program.outputs[i];
    for (const program::RuntimeAxis& axis : c.analysis.program[id].runtime) {
      std::string text = linear_text(c.analysis, c.names, axis.size);
      for (const program::Linear::Term& term : axis.size.terms) {
        if (c.analysis.several_arenas()) break;
        // The pointer macros are for writing too; here the arena is const.
        const std::string name =
            upper(c.names.tensors[c.analysis.program.symbols[static_cast<size_t>(term.symbol)].pos()]);
        const std::string from = "*" + c.names.macro("PTR_") + name + "(arena)";
        const std::string to =
            "*(const int64_t *)(const void *)((const uint8_t *)arena + " + c.names.macro("OFFSET_") + name + ")";
        text.replace(text.find(from), from.size(), to);
      }
      out += cat("int32_t ", c.names.prefix, "_dim_", c.names.outputs[i], "_", axis.axis, "(", const_arena_parameter(c),
                 ")\n{\n    return (int32_t)(", text, ");\n}\n\n");
    }
  }
  return out;
}

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

// Before the call: packed weights are unpacked to where it reads them.
std::string unpack_statements(const Context& c, const program::Operation& operation, int indent) {
  if (!operation.staging || !c.analysis.program.codes.valid()) return "";
  const program::Staging& staging = *operation.staging;
  std::string out;
  for (const program::Staging::Part& part : staging.parts) {
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

std::string loop_statements(const Context& c, size_t s, int indent) {
  const program::Operation& operation = operation_of(c, s);
  const std::string pad(static_cast<size_t>(indent), ' '), trip = cat("trip_", s), trips = cat("trips_", s);
  const program::Argument &count = operation.arguments[0], &condition = operation.arguments[1],
                          &number = operation.arguments[2];
  using Role = program::Argument::Role;
  std::string out = pad + "int64_t " + trip + ";\n";
  std::string test;
  if (count.role != Role::none) {
    out += pad + "const int64_t " + trips + " = *" + argument_text(c.analysis, c.names, count) + ";\n";
    test = trip + " < " + trips;
  }
  const std::string data_error = c.names.macro("ERROR_DATA"), ok = c.names.macro("OK");
  // More trips than the outputs have room for end the run before they begin.
  if (operation.max_trips) test += cat(test.empty() ? "" : " && ", trip, " <= ", *operation.max_trips);
  if (condition.role != Role::none)
    test += cat(test.empty() ? "" : " && ", "*", argument_text(c.analysis, c.names, condition), " != 0");
  test += cat(test.empty() ? "" : " && ", "status == ", ok);
  const std::string made =
      operation.arguments.size() > 3 ? "*" + argument_text(c.analysis, c.names, operation.arguments[3]) : "";
  if (!made.empty()) out += cat(pad, made, " = 0;\n");
  out += cat(pad, "for (", trip, " = 0; ", test, "; ++", trip, ") {\n");
  if (operation.max_trips) {
    out += cat(pad, "    if (", trip, " == ", *operation.max_trips, ") {\n", pad, "        status = ", data_error,
               ";\n", pad, "        break;\n", pad, "    }\n");
  }
  if (number.role != Role::none)
    out += cat(pad, "    *", argument_text(c.analysis, c.names, number), " = ", trip, ";\n");
  if (!made.empty()) out += cat(pad, "    ", made, " = ", trip, " + 1;\n");
  out += body_statements(c, s, 0, indent + 4) + pad + "}\n";
  if (made.empty() && operation.max_trips) {
    // Fewer leave a part of the outputs without a value.
    out += cat(pad, "if (status == ", ok, " && ", trip, " != ", *operation.max_trips, ") {\n", pad,
               "    status = ", data_error, ";\n", pad, "}\n");
  }
  return out;
}

std::string step_statements(const Context& c, size_t s, int indent) {
  const program::Operation& operation = operation_of(c, s);
  const std::string pad(static_cast<size_t>(indent), ' ');
  if (operation.control == program::Control::loop) return loop_statements(c, s, indent);
  if (operation.control == program::Control::branch) {
    return cat(pad, "if (*", argument_text(c.analysis, c.names, operation.arguments[0]), " != 0) {\n",
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

// note [many steps]: what compilers do to one function grows with more than its size: five thousand cases took gcc
// forty seconds. Above kMostCases steps stand in functions of a few hundred, which other files could call: those that
// only one place can call would be put back together there.
constexpr size_t kMostCases = 1000, kCasesOfEach = 250;

struct Cases {
  std::string functions;   // what the steps were moved into
  std::string statements;  // of kws_run_step, which set its `status`
};

// The weights' address, where it is told at run time.
std::string image_variable(const Context& c) {
  return has_image(c.analysis) ? "    const uint8_t *weights_image;\n" : "";
}
std::string find_image(const Context& c) {
  return image_pointer(c, 4, cat("return ", c.names.capitals, "_ERROR_WEIGHTS;"));
}

// `most`: of all sizes of a run-time dimension.
Cases all_cases(const Context& c, const std::string& io, size_t most) {
  const std::vector<schedule::Step>& steps = c.analysis.schedule.steps;
  const std::string& p = c.names.prefix;
  // At some sizes a run may have fewer steps than at others.
  const std::string last = steps.size() < most ? cat("        if (step >= ", c.names.capitals, "_STEPS) {\n    ") : "",
                    unknown = cat(last, "        status = ", c.names.capitals, "_ERROR_STEP;\n",
                                  last.empty() ? "" : "        }\n");
  const auto cases = [&](size_t first, size_t end) {
    std::string out = "    switch (step) {\n";
    for (size_t s = first; s < end; s = static_cast<size_t>(steps[s].end)) out += step_case(c, s);
    return cat(out, "    default:\n", unknown, "        break;\n    }\n");
  };
  if (steps.size() <= kMostCases) return {"", cases(0, steps.size())};
  Cases parts;
  std::string passed = join(layer_io_names(c));
  if (!passed.empty()) passed = ", " + passed;
  for (size_t first = 0, end = 0; first < steps.size(); first = end) {
    while (end < steps.size() && end < first + kCasesOfEach) end = static_cast<size_t>(steps[end].end);
    const std::string name = cat(p, "_", c.names.span, "run_steps_", first),
                      head = cat(p, "_status ", name, "(", arena_parameter(c), ", uint32_t step", io, ")");
    parts.functions +=
        cat(head, ";\n", head, "\n{\n    ", p, "_status status = ", c.names.capitals, "_OK;\n", image_variable(c),
            find_image(c), size_of_run(c), cases(first, end), "    return status;\n}\n\n");
    parts.statements += cat("    if (", first == 0 ? "" : cat("step >= ", first, "u && "), "step < ", end,
                            "u) {\n        status = ", name, "(arena, step", passed, ");\n    }\n");
  }
  parts.statements += cat("    if (step >= ", steps.size(), "u) {\n", unknown, "    }\n");
  return parts;
}

// The steps at sizes whose calls are not those of the largest, as functions of their own; and where they are called.
Cases other_spans(const std::vector<Context>& spans, const std::string& io, size_t most) {
  Cases others;
  for (size_t i = 0; i + 1 < spans.size(); ++i) {
    const Context& c = spans[i];
    const std::string &p = c.names.prefix, name = cat(p, "_", c.names.span, "run_step");
    const Cases cases = all_cases(c, io, most);
    std::string passed = join(layer_io_names(c));
    if (!passed.empty()) passed.insert(0, ", ");
    others.functions += cat(cases.functions, "static ", p, "_status ", name, "(", arena_parameter(c), ", uint32_t step",
                            io, ")\n{\n    ", p, "_status status = ", c.names.capitals, "_OK;\n", size_of_run(c),
                            cases.statements, "    return status;\n}\n\n");
    others.statements += cat("    if (", kSize, " <= ", c.analysis.options.run_time->high, ") {\n        return ", name,
                             "(arena, step", passed, ");\n    }\n");
  }
  return others;
}

std::string run_functions(const Context& c, const std::vector<Context>& spans) {
  const std::string &p = c.names.prefix, &caps = c.names.capitals, io = layer_io_parameters(c);
  std::string checks = "arena == NULL", misplaced;
  for (const report::BankRow& bank : c.report.banks) {
    if (!c.analysis.several_arenas() || bank.arena == 0) continue;
    checks += " || arena->" + bank.name + " == NULL";
    misplaced +=
        cat(misplaced.empty() ? "" : " || ", "(uintptr_t)arena->", bank.name, " % ", caps, "_ARENA_ALIGN != 0u");
  }
  if (!c.analysis.several_arenas()) misplaced = cat("(uintptr_t)arena % ", caps, "_ARENA_ALIGN != 0u");
  for (const std::string& name : layer_io_names(c)) checks += " || " + name + " == NULL";
  const size_t most = most_steps(c.analysis);
  const Cases cases = all_cases(spans.back(), io, most), others = other_spans(spans, io, most);
  const bool whole = cases.functions.empty();  // the steps stand in this function
  std::string out =
      cat(others.functions, cases.functions, p, "_status ", p, "_run_step(", arena_parameter(c), ", uint32_t step", io,
          ")\n{\n    ", p, "_status status = ", caps, "_OK;\n", whole ? image_variable(c) : "", "    if (", checks,
          ") {\n        return ", caps, "_ERROR_NULL;\n    }\n",
          misplaced.empty() ? "" : cat("    if (", misplaced, ") {\n        return ", caps, "_ERROR_ALIGN;\n    }\n"),
          whole ? find_image(c) : "", size_of_run(c), "    TARN_TRACE(step);\n", others.statements,
          poison_line(c, "step", 4), cases.statements, unpoison_line(c, 4), "    return status;\n}\n\n");
  const std::string passed = join(layer_io_names(c));
  out += cat(p, "_status ", p, "_run(", arena_parameter(c), io, ")\n{\n    ", p, "_status status = ", caps,
             "_OK;\n    uint32_t step = 0u;\n    while (step < ", caps, "_STEPS && status == ", caps,
             "_OK) {\n        status = ", p, "_run_step(arena, step", passed.empty() ? "" : ", " + passed,
             ");\n        ++step;\n    }\n    return status;\n}\n");
  if (c.analysis.schedule.steps.empty()) {
    // Nothing to do; the loop's comparison would always be false.
    const size_t at = out.rfind("{\n    " + p + "_status status");
    const std::string unset = c.analysis.sizes.empty() ? "" : cat(size_is_missing(c), " ? ", caps, "_ERROR_SIZE : ");
    out = out.substr(0, at) + cat("{\n    return (", checks, ") ? ", caps, "_ERROR_NULL : ", unset, caps, "_OK;\n}\n");
  }
  return out;
}

// Kernels pasted into one file: their own includes of tarn headers go, each text once, headers before what needs them.
std::string pasted_kernels(const Context& c) {
  const std::map<std::string, std::string> files = kernel_texts(kernel_sources(c.analysis));
  std::set<std::string> done;
  std::string out;
  std::function<void(const std::string&)> paste = [&](const std::string& name) {
    if (!done.insert(name).second) return;
    std::string own;
    for (const std::string& line : split(files.at(name), '\n')) {
      if (line.starts_with("#include \"tarn")) paste(line.substr(10, line.find('"', 10) - 10));
      else own += line + "\n";
    }
    out += own;
  };
  for (const auto& [name, text] : files) {
    if (name.ends_with(".h")) paste(name);
  }
  for (const auto& [name, text] : files) {
    if (name.ends_with(".c")) paste(name);
  }
  return out;
}

}  // namespace

std::string model_source(const Context& c, bool with_kernels) {
  std::string includes, body;
  if (moves_columns(c.analysis) || has_image(c.analysis)) includes += "#include <string.h>\n";
  if (with_kernels) {
    includes += "\n#define TARN_SINGLE_FILE 1\n";
    body += pasted_kernels(c);
    write_weight_arrays(c, true, [&](std::string_view piece) { body += piece; });
    if (weights_as_binary(c)) includes += weights_include(c);
  } else {
    if (!c.analysis.program.weights.empty() && !reads_weights(c.analysis)) includes += weights_include(c);
    std::vector<std::string> headers = {"tarn.h"};
    for (const std::string& kernel : kernel_sources(c.analysis)) headers.push_back(kernel + ".h");
    includes += kernel_includes(headers);
  }
  const std::vector<Analysis> spans = spans_of(c.analysis);
  std::vector<Context> contexts;
  for (const Analysis& span : spans) contexts.push_back(span_context(c, span));
  if (contexts.empty()) contexts.push_back(c);
  std::string spans_text;
  for (const Context& context : contexts) spans_text += params_definitions(context) + step_tables(context);
  if (c.analysis.stream) body += actor_params(c) + "\n" + accessors(c) + stream_source(c);
  else
    body += spans_text + "\n" + port_tables(c) + image_source(c) + transfer_source(c) + size_functions(c) +
            accessors(c) + state_functions(c) + dim_functions(c) + poison_definitions(c) + run_functions(c, contexts);
  return fill_template("templates/model.c", {{"FILE", c.names.prefix + ".c"},
                                             {"VERSION", c.report.version},
                                             {"MODEL", c.report.file},
                                             {"CAPS", c.names.capitals},
                                             {"PREFIX", c.names.prefix},
                                             {"CHECK", own_id_check(c, plan_ids(c.names.capitals).header, ".h")},
                                             {"INCLUDES", includes},
                                             {"BODY", body}});
}

}  // namespace tarn::emit
