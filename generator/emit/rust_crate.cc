#include "emit/rust_crate.h"

#include <set>

#include "emit/parts.h"
#include "emit/stream_ports.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string rust_type(DType dtype) {
  static const std::map<std::string, std::string> types = {
      {"float", "f32"},    {"double", "f64"},  {"int8_t", "i8"},    {"uint8_t", "u8"},  {"int16_t", "i16"},
      {"uint16_t", "u16"}, {"int32_t", "i32"}, {"uint32_t", "u32"}, {"int64_t", "i64"}, {"uint64_t", "u64"}};
  return types.at(c_type(dtype));
}

// Elements smaller than a byte come packed.
int64_t count_of(const TensorType& type) { return bits_of(type.dtype) < 8 ? type.bytes() : type.shape.count(); }

std::string array_of(const TensorType& type) { return cat("[", rust_type(type.dtype), "; ", count_of(type), "]"); }

struct Text {
  std::string constants, declarations, methods;

  void declare(const std::string& name, const std::string& parameters, const std::string& result) {
    declarations += cat("    fn ", name, "(", parameters, ")", result.empty() ? "" : " -> " + result, ";\n");
  }
  void method(const std::string& doc, const std::string& head, const std::string& body) {
    methods += cat("    /// ", doc, "\n    pub fn ", head, " {\n        ", body, "\n    }\n\n");
  }
};

// How memory is handed to C: for functions that write it and that only read it.
struct RustMemory {
  std::string parameter, constant, pass, pass_constant;
};

RustMemory rust_memory_of(const Analysis& analysis) {
  if (analysis.several_arenas())
    return {"arena: *const Pointers", "arena: *const Pointers", "&self.arenas", "&self.arenas"};
  return {"arena: *mut c_void", "arena: *const c_void", "(self.arena as *mut Arena).cast()",
          "(&*self.arena as *const Arena).cast()"};
}

// A tensor that stands in the arena as a whole.
void add_tensor(Text& text, const RustMemory& memory, const std::string& doc, const std::string& method,
                const std::string& function, const TensorType& type, bool writable) {
  const std::string element = rust_type(type.dtype), array = array_of(type);
  if (writable) {
    text.declare(function, memory.parameter, "*mut " + element);
    text.method(doc, cat(method, "(&mut self) -> &mut ", array),
                cat("unsafe { &mut *", function, "(", memory.pass, ").cast() }"));
  } else {
    text.declare(function, memory.constant, "*const " + element);
    text.method(doc, cat(method, "(&self) -> &", array),
                cat("unsafe { &*", function, "(", memory.pass_constant, ").cast() }"));
  }
}

void add_run(const Context& c, Text& text, const RustMemory& memory) {
  const std::string& p = c.names.prefix;
  std::string parameters, arguments, declared;
  for (const bool input : {true, false}) {
    for (const report::Port& port : input ? c.report.inputs : c.report.outputs) {
      if (c.report.io != "caller") continue;
      const std::string name = (input ? "input_" : "output_") + port.c_name;
      parameters += cat(", ", name, input ? ": &" : ": &mut ", array_of(port.type));
      declared += cat(", ", name, input ? ": *const " : ": *mut ", rust_type(port.type.dtype));
      arguments += cat(", ", name, input ? ".as_ptr()" : ".as_mut_ptr()");
    }
  }
  text.declare(p + "_run", memory.parameter + declared, "i32");
  text.declare(p + "_run_step", cat(memory.parameter, ", step: u32", declared), "i32");
  text.method("One inference.", cat("run(&mut self", parameters, ") -> Result<(), Error>"),
              cat("check(unsafe { ", p, "_run(", memory.pass, arguments, ") })"));
  text.method("One step of it: all of them, from 0 to STEPS - 1, are a run.",
              cat("run_step(&mut self, step: u32", parameters, ") -> Result<(), Error>"),
              cat("check(unsafe { ", p, "_run_step(", memory.pass, ", step", arguments, ") })"));
}

// Ports that move by lines: whole lines in a slice, of which so many are taken or filled as the result says.
void add_lines(const Context& c, Text& text, const RustMemory& memory) {
  const std::string& p = c.names.prefix;
  for (const stream::Actor& actor : c.analysis.stream->actors) {
    if (!is_first_pass(actor)) continue;
    const bool feed = actor.what == stream::Actor::What::feed;
    const report::Port& port = (feed ? c.report.inputs : c.report.outputs)[actor.port];
    const std::string element = rust_type(port.type.dtype), name = port.c_name, line = upper(name) + "_LINE",
                      call = cat(p, feed ? "_push_" : "_pull_", name);
    const int64_t elements = bits_of(port.type.dtype) < 8 ? port_bytes(c, actor) : port_count(c, actor);
    text.constants += cat("/// Elements of a line of ", feed ? "input" : "output", " `", name, "`.\npub const ",
                          feed ? "INPUT_" : "OUTPUT_", line, ": usize = ", elements, ";\n");
    const std::string size = (feed ? "INPUT_" : "OUTPUT_") + line;
    text.declare(call, cat(memory.parameter, ", lines: ", feed ? "*const " : "*mut ", element, ", n: i32"), "i32");
    text.method(
        feed ? "Hands over lines, in order; how many were taken." : "Takes lines, in order; how many there were.",
        cat(feed ? "push_" : "pull_", name, "(&mut self, lines: ", feed ? "&[" : "&mut [", element,
            "]) -> Result<usize, Error>"),
        cat("if lines.len() % ", size,
            " != 0 {\n            return Err(Error::Lines);\n        }\n        "
            "let n = (lines.len() / ",
            size, ").min(i32::MAX as usize) as i32;\n        let moved = unsafe { ", call, "(", memory.pass, ", lines.",
            feed ? "as_ptr" : "as_mut_ptr", "(), n) };\n        check(moved.min(0)).map(|()| moved as usize)"));
    if (!feed) continue;
    text.declare(cat(p, "_lines_wanted_", name), memory.constant, "i32");
    text.method("How many lines the network takes now.", cat("lines_wanted_", name, "(&self) -> usize"),
                cat("unsafe { ", p, "_lines_wanted_", name, "(", memory.pass_constant, ") }.max(0) as usize"));
  }
}

void add_arenas(const Context& c, std::map<std::string, std::string>& holes, const std::string& reset) {
  const std::string align = std::to_string(c.report.alignment);
  const auto arena = [&](const std::string& name, int64_t bytes, const std::string& doc) {
    return cat("/// ", doc, "\n#[repr(C, align(", align, "))]\npub struct ", name, "([u8; ", bytes, "]);\n\nimpl ",
               name, " {\n    pub const fn new() -> Self {\n        ", name, "([0; ", bytes,
               "])\n    }\n}\n\nimpl Default for ", name,
               " {\n    fn default() -> Self {\n        Self::new()\n    }\n}\n\n");
  };
  if (!c.analysis.several_arenas()) {
    holes["ARENAS"] = cat("pub const ARENA_BYTES: usize = ", c.report.arena, ";\n\n") +
                      arena("Arena", c.report.arena, "The memory of one network.");
    holes["FIELDS"] = "    arena: &'a mut Arena,\n";
    holes["NEW_PARAMETERS"] = "arena: &'a mut Arena";
    holes["NEW"] = reset.empty() ? "Network { arena }"
                                 : "let mut network = Network { arena };\n        network.reset();\n        network";
    return;
  }
  std::string pointers = "#[repr(C)]\nstruct Pointers {\n", made, parameters;
  for (const report::BankRow& bank : c.report.banks) {
    const std::string type = "Arena" + upper(bank.name.substr(0, 1)) + bank.name.substr(1);
    pointers += cat("    ", bank.name, ": *mut c_void,\n");
    made += cat(" ", bank.name, ": ");
    if (bank.arena == 0) {
      made += "core::ptr::null_mut(),";
      continue;
    }
    holes["ARENAS"] += arena(type, bank.arena, cat("The memory in the bank `", bank.name, "`."));
    parameters += cat(parameters.empty() ? "" : ", ", bank.name, ": &'a mut ", type);
    made += cat("(", bank.name, " as *mut ", type, ").cast(),");
  }
  holes["ARENAS"] += pointers + "}\n";
  holes["FIELDS"] = "    arenas: Pointers,\n    memory: core::marker::PhantomData<&'a mut [u8]>,\n";
  holes["NEW_PARAMETERS"] = parameters;
  made = cat("Network { arenas: Pointers {", made, " }, memory: core::marker::PhantomData }");
  holes["NEW"] = reset.empty() ? made : cat("let mut network = ", made, ";\n        network.reset();\n        network");
}

}  // namespace

std::string crate_name(const std::string& prefix) {
  static const std::set<std::string> taken = {
      "as",         "async", "await",    "box",      "break",       "const",   "continue", "crate",   "do",
      "dyn",        "else",  "enum",     "extern",   "false",       "final",   "fn",       "for",     "if",
      "impl",       "in",    "let",      "loop",     "macro",       "match",   "mod",      "move",    "mut",
      "priv",       "pub",   "ref",      "return",   "self",        "static",  "struct",   "super",   "trait",
      "true",       "try",   "type",     "typeof",   "unsafe",      "unsized", "use",      "virtual", "where",
      "while",      "yield", "abstract", "become",   "override",    "core",    "std",      "alloc",   "test",
      "proc_macro", "build", "deps",     "examples", "incremental", "con",     "prn",      "aux",     "nul"};
  const std::string name = lower_case(prefix);
  const bool good = !taken.contains(name) && name[0] >= 'a' && name[0] <= 'z';
  return (good ? name : "tarn_" + name).substr(0, 63);
}

std::map<std::string, std::string> rust_holes(const Analysis& analysis, const report::Report& report) {
  const Context c{analysis, report, make_names(analysis.name, analysis.program), {}};
  const std::string& p = c.names.prefix;
  const bool calls = analysis.stream && by_calls(*analysis.stream);
  const program::Program& program = analysis.program;
  const RustMemory memory = rust_memory_of(analysis);
  Text text;
  for (const report::Port& port : report.inputs) {
    if (report.io != "caller" && has_input_accessors(c))
      add_tensor(text, memory, "Fill it before each run, which it does not survive.", "input_" + port.c_name,
                 port.accessor, port.type, true);
  }
  for (const report::Port& port : report.outputs) {
    if (report.io != "caller" && has_output_accessors(c))
      add_tensor(text, memory, "Valid after a run, until the next one.", "output_" + port.c_name, port.accessor,
                 port.type, false);
  }
  for (program::TensorId id : program.states) {
    const std::string& name = c.names.tensors[id.pos()];
    add_tensor(text, memory, "Kept from run to run.", "state_" + name, cat(p, "_state_", name), program[id].type, true);
  }
  const std::string reset = calls || !program.states.empty() ? p + "_reset" : "";
  if (!reset.empty()) {
    text.declare(reset, memory.parameter, "");
    text.method("Forgets all that was run before.", "reset(&mut self)",
                cat("unsafe { ", reset, "(", memory.pass, ") }"));
  }
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    for (const program::RuntimeAxis& axis : program[program.outputs[i]].runtime) {
      const std::string name = cat("dim_", c.names.outputs[i], "_", axis.axis);
      text.declare(cat(p, "_", name), memory.constant, "i32");
      text.method(cat("The actual length of axis ", axis.axis, " after a run."), name + "(&self) -> usize",
                  cat("unsafe { ", p, "_", name, "(", memory.pass_constant, ") }.max(0) as usize"));
    }
  }
  if (calls) add_lines(c, text, memory);
  else add_run(c, text, memory);
  std::map<std::string, std::string> holes = {
      {"CRATE", crate_name(p)},
      {"STEPS", std::to_string(analysis.stream ? analysis.stream->steps.size() : report.steps.size())},
      {"ARENAS_DOC", analysis.several_arenas() ? " per bank" : ""},
      {"CONSTANTS", text.constants},
      {"EXTERN", text.declarations},
      {"METHODS", text.methods.substr(0, text.methods.empty() ? 0 : text.methods.size() - 1)}};
  add_arenas(c, holes, reset);
  return holes;
}

}  // namespace tarn::emit
