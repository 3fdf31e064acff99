// NAME_arena.h and NAME.h.
#include <algorithm>
#include <cstring>
#include <map>

#include "emit/ids.h"
#include "emit/image.h"
#include "emit/literals.h"
#include "emit/parts.h"
#include "emit/sized_numbers.h"
#include "emit/sizes.h"
#include "emit/stream.h"
#include "emit/transfers.h"
#include "support/target_flags.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string comment_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    std::string safe = line;
    for (char& c : safe) {
      if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
    }
    // A name from the model must not end the comment; compilers warn of another's begin and of trigraphs.
    for (const char* mark : {"*/", "/*", "?\?/"}) {
      for (size_t at; (at = safe.find(mark)) != std::string::npos;) safe.insert(at + std::strlen(mark) - 1, " ");
    }
    out += out.empty() ? "" : "\n";
    out += safe.empty() ? " *" : " * " + safe;
  }
  return out;
}

std::map<std::string, std::string> common_holes(const Context& c, const std::string& file) {
  return {{"FILE", file},
          {"VERSION", c.report.version},
          {"MODEL", comment_text(c.report.file)},
          {"CAPS", c.names.capitals},
          {"PREFIX", c.names.prefix}};
}

// The C names of tensors that do not lie in one place at all sizes of run-time dimensions, and whether they do at those
// that make the same calls as the largest.
std::map<std::string, bool> moving(const Context& c) {
  std::map<std::string, bool> names;
  const Analysis& most = c.analysis;
  for (const Analysis& size : most.sizes) {
    for (size_t t = 0, other = 0; t < most.program.tensors.size(); ++t) {
      const std::string& name = most.program.tensors[t].name;
      // Sizes of other calls may have fewer tensors, or more.
      const auto& tensors = size.program.tensors;
      if (other >= tensors.size() || tensors[other].name != name) {
        const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& x) { return x.name == name; });
        if (found == tensors.end()) continue;
        other = static_cast<size_t>(found - tensors.begin());
      }
      const program::TensorId here{t}, there{other++};
      if (address_of(most, here) == address_of(size, there)) continue;
      const bool same_calls = size.options.run_time == most.sizes.back().options.run_time;
      bool& stays = names.emplace(c.names.tensors[t], true).first->second;
      stays = stays && !same_calls;
    }
  }
  return names;
}

// The tensors that --emit arena and the arena header list: all that lie in the arena.
std::string tensor_macros(const Context& c) {
  std::string out;
  const std::map<std::string, bool> moved = moving(c);
  for (const report::TensorRow& row : c.report.tensors) {
    const std::string name = upper(row.c_name);
    out += cat("\n/* ", comment_text(row.name), " ", to_string(row.type), ", ", row.bytes, " bytes, ", row.kind,
               ", steps [", row.first, ", ", row.end, ")");
    if (c.analysis.several_arenas()) out += ", in " + row.bank;
    if (row.shares) {
      const char* how = row.shares->how == "view"       ? "lies in"
                        : row.shares->how == "in_place" ? "in place of"
                                                        : "overlaps";
      out += cat(", ", how, " ", comment_text(row.shares->with));
    }
    const auto other = moved.find(row.c_name);
    const bool stays = other == moved.end() || other->second;
    if (!stays) out += ", at an offset that follows the size";
    else if (other != moved.end()) out += ", elsewhere at some sizes";
    out += " */\n";
    if (stays) {
      out += cat("#define ", c.names.macro("OFFSET_"), name, " ", *row.offset, "u\n");
      out += cat("#define ", c.names.macro("PTR_"), name, "(arena) ((", c_type(row.type.dtype),
                 " *)(void *)((uint8_t *)", bank_pointer(c, row.bank, "(arena)"), " + ", *row.offset, "u))\n");
    }
    out += cat("#define ", c.names.macro("FIRST_"), name, " ", row.first, "u\n");
    out += cat("#define ", c.names.macro("END_"), name, " ", row.end, "u\n");
  }
  return out;
}

// One pointer for each bank, and each bank's size and bound.
std::string bank_members(const Context& c) {
  std::string out;
  for (const report::BankRow& bank : c.report.banks) {
    out += cat("    void *", bank.name, "; /* ",
               bank.arena == 0 ? std::string("nothing lies there: may be NULL") : cat(bank.arena, " bytes"), " */\n");
  }
  return out;
}

std::string bank_figures(const Context& c) {
  std::string out;
  for (const report::BankRow& bank : c.report.banks) {
    const std::string name = c.names.macro("ARENA_") + upper(bank.name);
    out += cat("#define ", name, "_BYTES ", bank.arena, "u\n#define ", name, "_LOWER_BOUND ", bank.lower_bound, "u\n");
  }
  return out;
}

std::string section_default(const std::string& macro, const std::string& section) {
  return section.empty() ? "" : cat("#ifndef ", macro, "\n#define ", macro, " \"", section, "\"\n#endif\n");
}

std::map<std::string, std::string> bank_holes(const Context& c, const report::BankRow& bank) {
  const std::string name = c.names.macro("ARENA_") + upper(bank.name);
  return {{"BANK", name},
          {"SYMBOL", bank.symbol},
          {"ARENA_ALIGN", std::to_string(c.report.alignment)},
          {"SECTION_DEFAULT", section_default(name + "_SECTION", bank.section)}};
}

// The buffers of several banks, declared and defined.
void fill_buffers(const Context& c, std::map<std::string, std::string>& holes) {
  std::string declarations, definitions, values;
  for (const report::BankRow& bank : c.report.banks) {
    values += (values.empty() ? "" : ", ") + (bank.symbol.empty() ? std::string("0") : bank.symbol);
    if (bank.symbol.empty()) continue;
    declarations += cat("extern uint8_t ", bank.symbol, "[", c.names.macro("ARENA_") + upper(bank.name), "_BYTES];\n");
    definitions += fill_template("templates/bank.h", bank_holes(c, bank));
  }
  holes["DECLARATIONS"] = declarations;
  holes["DEFINITIONS"] = definitions;
  holes["VALUES"] = values;
}

}  // namespace

std::string comment_text(const std::string& text) {
  const std::string line = comment_lines({text});
  return line.substr(std::min<size_t>(3, line.size()));
}

std::string arena_parameter(const Context& c) {
  return c.analysis.several_arenas() ? cat("const ", c.names.prefix, "_arenas *arena") : "void *arena";
}
std::string const_arena_parameter(const Context& c) {
  return c.analysis.several_arenas() ? arena_parameter(c) : "const void *arena";
}
std::string fixed_arena(const Context& c) {
  return (c.analysis.several_arenas() ? "&" : "") + c.names.prefix + "_arena";
}
std::string bank_pointer(const Context& c, const std::string& bank, const std::string& arena) {
  return c.analysis.several_arenas() ? arena + "->" + bank : arena;
}

std::string summary(const Context& c) {
  const report::Report& r = c.report;
  std::vector<std::string> lines;
  lines.push_back(join(r.command, " "));
  lines.push_back("model SHA-256 " + r.sha256);
  lines.push_back(cat("RAM: arena ", r.arena, " bytes = activations ", r.activations, " + scratch ", r.scratch,
                      " + padding ", r.padding));
  std::string proof = cat("lower bound ", r.lower_bound, ", proof: ", r.proof);
  lines.push_back(proof + cat(" (strategy ", r.strategy, ", order ", r.order, ", share ",
                              r.share.empty() ? "none" : join(r.share, ","), ")"));
  for (const report::BankRow& bank : r.banks) {
    lines.push_back(cat("bank ", bank.name, ": ", bank.arena, " of ", bank.bytes, " bytes",
                        bank.section.empty() ? "" : " in " + bank.section, ", lower bound ", bank.lower_bound,
                        ", proof: ", bank.proof));
  }
  if (!c.options.arena_only) {
    lines.push_back(
        cat("flash: weights ", r.weights, " bytes; ", r.macs, " multiply-accumulates, ", r.parameters, " parameters"));
    if (const auto instructions = r.time ? r.time->instructions() : std::nullopt) {
      const auto cycles = r.time->cycles();
      lines.push_back(cat("time of a run on ", r.time->target, ", estimated: ", *instructions, " instructions",
                          cycles ? cat(", about ", *cycles, " cycles") : ""));
    }
    lines.push_back(r.stack ? cat("stack: at most ", *r.stack, " bytes") : "stack: see `tarn verify`");
  }
  if (const std::string flag = target_flag(c.analysis.options.target); !flag.empty() && !c.options.arena_only)
    lines.push_back(cat("compile with ", flag, ": without it the code is right, but slower"));
  return comment_lines(lines);
}

std::string arena_header(const Context& c) {
  std::map<std::string, std::string> holes = common_holes(c, c.names.prefix + "_arena.h");
  holes["SUMMARY"] = summary(c);
  holes["ID"] = own_id(c, plan_ids(c.names.capitals).arena);
  holes["ARENA_BYTES"] = std::to_string(c.report.arena);
  // C has no arrays of no elements.
  holes["ARENA_ARRAY"] = c.report.arena > 0 ? c.names.macro("ARENA_BYTES") : "1";
  holes["ARENA_ALIGN"] = std::to_string(c.report.alignment);
  holes["LOWER_BOUND"] = std::to_string(c.report.lower_bound);
  holes["TENSORS"] = c.analysis.stream ? stream_macros(c) : tensor_macros(c);
  if (c.analysis.several_arenas()) {
    holes["BANKS"] = bank_figures(c);
    holes["MEMBERS"] = bank_members(c);
    fill_buffers(c, holes);
    return fill_template("templates/arenas.h", holes);
  }
  holes["SECTION_DEFAULT"] =
      section_default(c.names.macro("ARENA_SECTION"), c.report.banks.empty() ? "" : c.report.banks[0].section);
  return fill_template("templates/arena.h", holes);
}

namespace {

// How large each port is, and what its codes mean.
std::string counts(const Context& c) {
  std::string counts;
  auto count = [&](const report::Port& port, const char* kind) {
    const std::string name = c.names.macro(kind) + upper(port.c_name);
    const std::string axes = report::axes_of(port);
    const std::string order =
        axes.empty() ? "" : cat(" (", axes, "), in the model ", to_string(report::model_shape(port)));
    counts += cat("#define ", name, "_COUNT ", port.type.shape.count(), "u /* ", to_string(port.type), order, " */\n");
    counts += cat("#define ", name, "_BYTES ", port.type.bytes(), "u\n");
    if (!port.codes) return;
    counts += cat("#define ", name, "_SCALE ", float_literal(static_cast<float>(port.codes->scale)),
                  " /* times (code - zero point) */\n");
    counts += cat("#define ", name, "_ZERO_POINT (", port.codes->zero, ")\n");
  };
  for (const report::Port& port : c.report.inputs) count(port, "IN_");
  for (const report::Port& port : c.report.outputs) count(port, "OUT_");
  if (c.analysis.stream) counts += stream_counts(c);
  return counts;
}

// Where inputs and outputs stand in the arena.
std::string port_api(const Context& c) {
  std::string api;
  if (c.report.io == "caller") return api;
  for (size_t i = 0; i < c.report.inputs.size() && has_input_accessors(c); ++i) {
    const report::Port& port = c.report.inputs[i];
    api += cat("/* ", comment_text(port.name), ": fill before each run; it does not survive the run. */\n",
               c_type(port.type.dtype), " *", port.accessor, "(", arena_parameter(c), ");\n");
  }
  for (size_t i = 0; i < c.report.outputs.size() && has_output_accessors(c); ++i) {
    const report::Port& port = c.report.outputs[i];
    api += cat("/* ", comment_text(port.name), ": valid until the next run. */\nconst ", c_type(port.type.dtype), " *",
               port.accessor, "(", const_arena_parameter(c), ");\n");
  }
  return api;
}

// The caller's inputs and outputs, as further parameters of a run.
std::string caller_parameters(const Context& c) {
  std::string parameters;
  if (c.report.io != "caller") return parameters;
  for (size_t i = 0; i < c.report.inputs.size(); ++i) {
    parameters += cat(", const ", c_type(c.report.inputs[i].type.dtype), " *", c.names.inputs[i]);
  }
  for (size_t i = 0; i < c.report.outputs.size(); ++i) {
    parameters += cat(", ", c_type(c.report.outputs[i].type.dtype), " *", c.names.output_parameter(i));
  }
  return parameters;
}

std::string state_api(const Context& c) {
  std::string api;
  const std::string& p = c.names.prefix;
  for (program::TensorId id : c.analysis.program.states) {
    api += cat("/* ", comment_text(c.analysis.program[id].name), ": kept from run to run. */\n",
               c_type(c.analysis.program[id].type.dtype), " *", p, "_state_", c.names.tensors[id.pos()], "(",
               arena_parameter(c), ");\n");
  }
  if (!c.analysis.program.states.empty()) {
    int64_t bytes = 0;
    for (program::TensorId id : c.analysis.program.states) bytes += c.analysis.program[id].bytes();
    api +=
        cat("/* Sets what is kept from run to run to its first values, zeroes where the model has none: call it before "
            "the first\n * run. */\nvoid ",
            p, "_reset(", arena_parameter(c), ");\n/* All of it as one block, in the order above, without padding: ",
            "to go on later, or elsewhere, from there. */\n#define ", c.names.macro("STATE_BYTES"), " ", bytes,
            "u\nvoid ", p, "_state_save(", const_arena_parameter(c), ", void *block);\nvoid ", p, "_state_restore(",
            arena_parameter(c), ", const void *block);\n");
  }
  return api;
}

// Lengths of axes that are known only at run time.
std::string axis_api(const Context& c) {
  std::string api;
  for (size_t i = 0; i < c.report.outputs.size(); ++i) {
    for (const program::RuntimeAxis& axis : c.analysis.program[c.analysis.program.outputs[i]].runtime) {
      api += cat("/* The actual length of axis ", axis.axis, " of ", comment_text(c.report.outputs[i].name),
                 " after a run; the counts above are for the largest. */\nint32_t ", c.names.prefix, "_dim_",
                 c.names.outputs[i], "_", axis.axis, "(", const_arena_parameter(c), ");\n");
    }
  }
  return api;
}

std::string run_api(const Context& c) {
  const std::string &p = c.names.prefix, parameters = caller_parameters(c);
  return cat(
      "\n/* One inference. The arena is the only state: calls on different arenas may run at the same time. */\n", p,
      "_status ", p, "_run(", arena_parameter(c), parameters, ");\n\n/* The same in steps, 0 <= step < ",
      c.names.macro("STEPS"), ", in order. */\n", p, "_status ", p, "_run_step(", arena_parameter(c), ", uint32_t step",
      parameters, ");\n");
}

}  // namespace

std::string model_header(const Context& c) {
  std::map<std::string, std::string> holes = common_holes(c, c.names.prefix + ".h");
  holes["SUMMARY"] = summary(c);
  const PlanIds ids = plan_ids(c.names.capitals);
  holes["ID"] = own_id(c, ids.header);
  // One file less when everything is to stand in two.
  holes["ARENA_INCLUDE"] = c.options.single_file ? arena_header(c) + "\n"
                                                 : "#include \"" + c.names.prefix + "_arena.h\"\n" +
                                                       own_id_check(c, ids.arena, "_arena.h") + "\n";
  holes["WEIGHTS_BYTES"] = std::to_string(c.report.weights);
  holes["STEPS"] = std::to_string(most_steps(c.analysis));
  holes["COUNTS"] = counts(c);
  holes["SIZE_STATUS"] = c.analysis.sizes.empty() ? ""
                                                  : cat("    ", c.names.macro("ERROR_SIZE"),
                                                        " = -7,  /* no size is set, or it is out of range */\n");

  holes["AFTER_DATA"] = has_image(c.analysis) || reads_weights(c.analysis) ? ", " : "  ";
  holes["STATUSES"] = image_statuses(c);
  holes["API"] = size_api(c) + port_api(c) + state_api(c) + axis_api(c) +
                 (c.analysis.stream ? stream_api(c) : run_api(c)) + image_api(c) + transfer_api(c);
  return fill_template("templates/model.h", holes);
}

}  // namespace tarn::emit
