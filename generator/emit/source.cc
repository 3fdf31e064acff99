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
#include "emit/stream_sizes.h"
#include "emit/transfers.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

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
    others.statements += cat("    if (", span_condition(c.analysis), ") {\n        return ", name, "(arena, step",
                             passed, ");\n    }\n");
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
  out += cat(p, "_status ", p, "_run(", arena_parameter(c), io, ")\n{\n");
  if (c.analysis.schedule.steps.empty()) {
    // Nothing to do; the loop's comparison would always be false.
    const std::string unset = c.analysis.sizes.empty() ? "" : cat(size_is_missing(c), " ? ", caps, "_ERROR_SIZE : ");
    return out + cat("    return (", checks, ") ? ", caps, "_ERROR_NULL : ", unset, caps, "_OK;\n}\n");
  }
  return out + cat("    ", p, "_status status = ", caps, "_OK;\n    uint32_t step = 0u;\n    while (step < ", caps,
                   "_STEPS && status == ", caps, "_OK) {\n        status = ", p, "_run_step(arena, step",
                   passed.empty() ? "" : ", " + passed, ");\n        ++step;\n    }\n    return status;\n}\n");
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
  if (moves_columns(c.analysis) || has_image(c.analysis) || keeps_states_by_lines(c.analysis))
    includes += "#include <string.h>\n";
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
  for (const Context& context : c.analysis.stream ? std::vector<Context>() : contexts)
    spans_text += params_definitions(context) + step_tables(context);
  if (c.analysis.stream)
    body += actor_params(c) + "\n" + port_tables(c) + size_functions(c) + port_line_functions(c) + accessors(c) +
            state_functions(c) + stream_source(c);
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
