// Where the caller finds things in the arena: inputs and outputs, states, lengths known at run time.
#include "emit/call.h"
#include "emit/image.h"
#include "emit/parts.h"
#include "emit/sizes.h"
#include "emit/transfers.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

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

}  // namespace

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

std::string dim_functions(const Context& c) {
  std::string out;
  for (size_t i = 0; i < c.report.outputs.size(); ++i) {
    const program::TensorId id = c.analysis.program.outputs[i];
    for (const program::RuntimeAxis& axis : c.analysis.program[id].runtime) {
      // The pointer macros are for writing too; here the arena is const.
      const std::string text = linear_text(c.analysis, axis.size, [&](program::TensorId id) {
        const std::string name = upper(c.names.tensors[id.pos()]);
        return c.analysis.several_arenas() ? cat("*", c.names.macro("PTR_"), name, "(arena)")
                                           : cat("*(const int64_t *)(const void *)((const uint8_t *)arena + ",
                                                 c.names.macro("OFFSET_"), name, ")");
      });
      out += cat("int32_t ", c.names.prefix, "_dim_", c.names.outputs[i], "_", axis.axis, "(", const_arena_parameter(c),
                 ")\n{\n    return (int32_t)(", text, ");\n}\n\n");
    }
  }
  return out;
}

}  // namespace tarn::emit
