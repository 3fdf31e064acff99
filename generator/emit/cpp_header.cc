// NAME.hpp: a class of inline functions over those of NAME.h.
#include "emit/ids.h"
#include "emit/parts.h"
#include "emit/stream_ports.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string span_of(const report::Port& port, bool constant, const std::string& size) {
  return cat("span<", constant ? "const " : "", c_type(port.type.dtype), ", ", size, ">");
}

// "    int f(int x) const noexcept { return kws_f(arena_, x); }"
std::string method(const std::string& type, const std::string& name, const std::string& parameters,
                   const std::string& body) {
  return cat("    ", type, " ", name, "(", parameters, ") const noexcept { ", body, " }\n");
}

// Elements of a whole tensor, "image_count" for an input.
std::string count_of(const report::Port& port, const char* kind) { return cat(kind, port.c_name, "_count"); }

struct Members {
  std::string constants, methods;

  void constant(const std::string& name, const std::string& macro) {
    constants += cat("    static constexpr std::size_t ", name, " = ", macro, ";\n");
  }
};

// Where whole tensors stand in the arena, or what run() is handed.
void add_ports(const Context& c, Members& members, std::string& parameters, std::string& arguments) {
  const bool caller = c.report.io == "caller";
  for (const bool input : {true, false}) {
    const bool accessors = !caller && (input ? has_input_accessors(c) : has_output_accessors(c));
    for (const report::Port& port : input ? c.report.inputs : c.report.outputs) {
      const char* kind = input ? "input_" : "output_";
      const std::string count = count_of(port, kind), type = span_of(port, input == caller, count);
      members.constant(count, c.names.macro(input ? "IN_" : "OUT_") + upper(port.c_name) + "_COUNT");
      if (caller) {
        parameters += cat(parameters.empty() ? "" : ", ", type, " ", kind, port.c_name);
        arguments += cat(", ", kind, port.c_name, ".data()");
      } else if (accessors) {
        members.methods +=
            method(type, kind + port.c_name, "", cat("return ", type, "(", port.accessor, "(arena_), ", count, ");"));
      }
    }
  }
}

// Ports that move by lines.
void add_lines(const Context& c, Members& members) {
  const std::string& p = c.names.prefix;
  for (const stream::Actor& actor : c.analysis.stream->actors) {
    if (!is_first_pass(actor)) continue;
    const bool feed = actor.what == stream::Actor::What::feed;
    const report::Port& port = (feed ? c.report.inputs : c.report.outputs)[actor.port];
    const std::string name = port.c_name, type = c_type(port.type.dtype);
    members.constant(cat(feed ? "input_" : "output_", name, "_line_count"),
                     c.names.macro(feed ? "IN_" : "OUT_") + upper(name) + "_LINE_COUNT");
    if (feed) {
      members.methods += method("std::int32_t", "push_" + name, cat("const ", type, " *lines, std::int32_t n"),
                                cat("return ", p, "_push_", name, "(arena_, lines, n);"));
      members.methods +=
          method("std::int32_t", "lines_wanted_" + name, "", cat("return ", p, "_lines_wanted_", name, "(arena_);"));
    } else {
      members.methods += method("std::int32_t", "pull_" + name, cat(type, " *lines, std::int32_t max"),
                                cat("return ", p, "_pull_", name, "(arena_, lines, max);"));
    }
  }
}

}  // namespace

std::string cpp_header(const Context& c) {
  const std::string& p = c.names.prefix;
  const bool calls = c.analysis.stream && by_calls(*c.analysis.stream), several = c.analysis.several_arenas();
  const program::Program& program = c.analysis.program;
  Members members;
  std::string parameters, arguments;
  add_ports(c, members, parameters, arguments);
  for (program::TensorId id : program.states) {
    const std::string& name = c.names.tensors[id.pos()];
    members.methods += method(cat(c_type(program[id].type.dtype), " *"), "state_" + name, "",
                              cat("return ", p, "_state_", name, "(arena_);"));
  }
  if (calls || !program.states.empty()) members.methods += method("void", "reset", "", cat(p, "_reset(arena_);"));
  if (!program.states.empty()) {
    members.methods += method("void", "state_save", "void *block", cat(p, "_state_save(arena_, block);"));
    members.methods += method("void", "state_restore", "const void *block", cat(p, "_state_restore(arena_, block);"));
  }
  for (size_t i = 0; i < c.report.outputs.size(); ++i) {
    for (const program::RuntimeAxis& axis : program[program.outputs[i]].runtime) {
      const std::string name = cat("dim_", c.names.outputs[i], "_", axis.axis);
      members.methods += method("std::int32_t", name, "", cat("return ", p, "_", name, "(arena_);"));
    }
  }
  if (calls) {
    add_lines(c, members);
  } else {
    members.methods += method("status", "run", parameters, cat("return ", p, "_run(arena_", arguments, ");"));
    members.methods +=
        method("status", "run_step", cat("std::uint32_t step", parameters.empty() ? "" : ", ", parameters),
               cat("return ", p, "_run_step(arena_, step", arguments, ");"));
  }
  return fill_template("templates/model.hpp", {{"FILE", p + ".hpp"},
                                               {"VERSION", c.report.version},
                                               {"MODEL", comment_text(c.report.file)},
                                               {"CAPS", c.names.capitals},
                                               {"PREFIX", p},
                                               {"CHECK", own_id_check(c, plan_ids(c.names.capitals).header, ".h")},
                                               {"CONSTANTS", members.constants},
                                               {"ARENA", several ? cat("const ", p, "_arenas &arenas") : "void *arena"},
                                               {"TAKEN", several ? "&arenas" : "arena"},
                                               {"FIXED", fixed_arena(c)},
                                               {"POINTER", several ? cat("const ", p, "_arenas *") : "void *"},
                                               {"METHODS", members.methods}});
}

}  // namespace tarn::emit
