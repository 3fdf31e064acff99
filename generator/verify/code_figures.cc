#include "verify/code_figures.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "support/text.h"
#include "verify/build.h"
#include "verify/files.h"
#include "verify/harness.h"
#include "verify/object_cache.h"
#include "verify/process.h"
#include "verify/stack_bound.h"

namespace tarn::verify {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

void append_all(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

struct CompiledUnit {
  std::string source, stem, cached;  // `cached` without extension; empty: not kept
};

// The harness's stand-in for a C library, where the target's compiler comes without one.
constexpr const char* kStandIns[] = {"string.c", "math.c"};

Result<std::vector<CompiledUnit>> compile_all(const Toolchain& tools, const Arguments& flags, const std::string& folder,
                                              const std::string& scratch, const std::vector<std::string>& sources,
                                              SourceFiles& files) {
  std::vector<CompiledUnit> units;
  std::vector<Command> commands;
  std::vector<size_t> compiled;
  for (const std::string& source : sources) {
    CompiledUnit unit{source, cat(scratch, "/u", units.size()), ""};
    // A network's own files are never met again.
    if (source.starts_with("tarn_")) unit.cached = cached_stem(object_cache_folder(), tools, flags, source, files);
    if (is_cached(tools, unit.cached)) {
      unit.stem = unit.cached;
    } else {
      Command command{.arguments = tools.cc, .folder = folder, .cpu_seconds = 600};
      append_all(command.arguments, flags);
      append_all(command.arguments, {"-c", source, "-o", unit.stem + ".o"});
      commands.push_back(std::move(command));
      compiled.push_back(units.size());
    }
    units.push_back(std::move(unit));
  }
  for (const char* source : kStandIns) {
    if (!tools.own_libc) break;
    units.push_back({source, cat(scratch, "/u", units.size()), ""});
    Command command{.arguments = tools.cc, .folder = scratch + "/harness", .cpu_seconds = 600};
    append_all(command.arguments, flags);
    append_all(command.arguments, {"-c", source, "-o", units.back().stem + ".o"});
    compiled.push_back(units.size() - 1);
    commands.push_back(std::move(command));
  }
  // The place of these headers is not for the fingerprint: it is another one each time.
  for (Command& command : commands) {
    if (tools.own_libc) append_all(command.arguments, {"-isystem", scratch + "/harness/include"});
  }
  const std::vector<Ended> ended = run_all(commands);
  for (size_t i = 0; i < compiled.size(); ++i) {
    const CompiledUnit& unit = units[compiled[i]];
    if (!ended[i].ok()) {
      return Diagnostic{"E403",
                        {},
                        cat("compiling ", unit.source, " with ", tools.cc[0], " fails: ", ended[i].err.substr(0, 1500)),
                        ""};
    }
    keep_cached(tools, unit.stem, unit.cached);
  }
  return units;
}

// The objects with the compiler's library, weights left open: enough to read the machine code.
MachineCode linked_code(const Toolchain& tools, const Arguments& flags, const std::string& scratch,
                        const Objects& objects, const std::string& name) {
  // On hosted systems some functions of the library want its start-up code.
  for (const Arguments& libraries :
       {Arguments{"-nostdlib", "-Wl,--start-group", "-lm", "-lc", "-lgcc", "-Wl,--end-group"}, Arguments{"-lm"},
        Arguments{"-nostdlib", "-lgcc"}}) {
    Command command{.arguments = tools.cc, .folder = scratch, .cpu_seconds = 120};
    append_all(command.arguments, flags);
    append_all(command.arguments, objects.all);
    append_all(command.arguments, {"-static", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-e," + name + "_run"});
    append_all(command.arguments, libraries);
    append_all(command.arguments, {"-o", "image.elf"});
    if (!run(command).ok()) continue;
    const std::optional<Elf> elf = read_elf(read_file(scratch + "/image.elf").value_or(""));
    if (elf) return disassemble(tools, scratch, {"image.elf", *elf});
  }
  return {};
}

// What is measured: sources among `files`, which are written to `folder` and compiled into `scratch`.
struct Code {
  std::string folder, scratch;
  const std::vector<SourceText>& files;
  std::vector<std::string> sources;
  std::string name;
  Arguments entries;  // the functions that the caller calls
};

// All that the figures depend on.
std::string key_of(const Toolchain& tools, const Arguments& flags, const Code& code, SourceFiles& files) {
  const std::string cache = object_cache_folder();
  std::string key =
      cat("figures of ", code.name, " ", join(code.entries, " "), " ", tools.own_libc, "\n", identity(tools.objdump));
  for (const std::string& source : code.sources) key += cat("\n", cached_stem(cache, tools, flags, source, files));
  return key;
}

Result<Done> write_sources(const Code& code) {
  for (const SourceText& file : code.files) {
    const fs::path place = fs::path(code.folder) / file.name;
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    if (!write_file(place.string(), file.text))
      return Diagnostic{"E401", {.file = place.string()}, "cannot be written", "check the free space"};
  }
  return Done{};
}

constexpr const char* kFigures = "tarn code figures 1";

std::string to_text(const CodeFigures& f) {
  return cat(kFigures, "\n", f.code, "\n", f.stack ? std::to_string(*f.stack) : "", "\n", join(f.path, " "), "\n",
             f.why_not, "\n", f.compiler);
}

std::optional<CodeFigures> from_text(const std::string& text) {
  const std::vector<std::string> lines = split(text, '\n');
  if (lines.size() != 6 || lines[0] != kFigures) return {};
  CodeFigures f{.code = std::atoll(lines[1].c_str()), .why_not = lines[4], .compiler = lines[5]};
  if (!lines[2].empty()) f.stack = std::atoll(lines[2].c_str());
  if (!lines[3].empty()) f.path = split(lines[3], ' ');
  return f;
}

// Flags that name no processor, such as -Os or those of a build system that keeps the processor's apart, are beside the
// target's. A compiler for another processor does not take those: then it is the code of that one that is measured.
std::optional<Toolchain> find_compiler(const CompileWith& with, Arguments& machine) {
  const bool names_processor = std::any_of(with.flags.begin(), with.flags.end(), [](const std::string& flag) {
    return flag.starts_with("-mcpu=") || flag.starts_with("-march=") || flag == "-mthumb";
  });
  machine = with.flags;
  if (names_processor) return verify::find_compiler(with.target, with.cc, machine);
  const Arguments processor = cpu_flags(with.target);
  machine.insert(machine.begin(), processor.begin(), processor.end());
  std::optional<Toolchain> tools = verify::find_compiler(with.target, with.cc, machine);
  if (tools || with.flags.empty()) return tools;
  machine = with.flags;
  return verify::find_compiler(with.target, with.cc, machine);
}

// `machine`: the processor's own among the flags.
Result<std::optional<CodeFigures>> measure(const Toolchain& tools, const Arguments& flags, const Arguments& machine,
                                           const Code& measured, SourceFiles& files) {
  if (const Result<Done> written = write_sources(measured); !written) return written.faults();
  const Result<std::vector<CompiledUnit>> units =
      compile_all(tools, flags, measured.folder, measured.scratch, measured.sources, files);
  if (!units) return units.faults();

  Objects objects;
  for (const CompiledUnit& unit : *units) {
    objects.all.push_back(unit.stem + ".o");
    if (tools.call_graphs) add_call_graph(read_file(unit.stem + ".ci").value_or(""), unit.source, objects.calls);
    std::optional<Elf> elf = read_elf(read_file(unit.stem + ".o").value_or(""));
    if (!elf) return std::optional<CodeFigures>();
    const bool own = &unit - units->data() < static_cast<std::ptrdiff_t>(measured.sources.size());
    if (own) objects.firmware.push_back(std::move(*elf));
  }
  CodeFigures figures;
  const Footprint sum = footprint(objects, measured.name);
  figures.code = sum.text + sum.rodata;
  Arguments compiler = tools.cc;
  compiler[0] = fs::path(compiler[0]).filename().string();  // reports hold no paths
  figures.compiler = join(compiler, " ") + (machine.empty() ? "" : " " + join(machine, " "));
  if (!tools.call_graphs || objects.calls.empty()) {
    figures.why_not = "the compiler writes no call graph";
    return std::optional(figures);
  }
  MachineCode code;
  // Library functions, and what kernels push in assembler text, are only seen in the machine code.
  code = linked_code(tools, flags, measured.scratch, objects, measured.name);
  code.isa = tools.isa;
  for (const std::string& root : measured.entries) {
    const Result<StackBound> bound = stack_bound(objects.calls, code, root);
    if (!bound) return bound.faults();
    if (!bound->bytes || (figures.stack && *bound->bytes <= *figures.stack)) {
      if (figures.why_not.empty()) figures.why_not = bound->why_not;
      continue;
    }
    figures.stack = bound->bytes;
    figures.path = bound->path;
  }
  // One entry that cannot be bounded leaves the whole without a bound.
  if (!figures.why_not.empty()) figures.stack.reset();
  return std::optional(figures);
}

}  // namespace

Result<std::optional<CodeFigures>> code_figures(const std::vector<SourceText>& files, const std::string& name,
                                                const CompileWith& with) {
  // Before a compiler is asked: it sweeps what runs that were killed while theirs answered have left.
  const Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.faults();
  Arguments machine;
  std::optional<Toolchain> tools = find_compiler(with, machine);
  if (!tools) return std::optional<CodeFigures>();
  tools->own_libc = with.cc.empty() && tools->isa == Isa::riscv32;
  if (tools->own_libc) {
    const Result<Done> written = write_harness({}, scratch->path() + "/harness");
    if (!written) return written.faults();
  }
  Arguments flags = {"-pipe", "-std=c99", "-O2"};
  append_all(flags, machine);
  append_all(flags, {"-ffunction-sections", "-fdata-sections"});
  if (tools->call_graphs) append_all(flags, {"-fstack-usage", "-fcallgraph-info=su"});
  if (tools->isa == Isa::x86_64) append_all(flags, {"-fno-pie", "-mno-red-zone"});
  Code code{*scratch / "code",
            scratch->path(),
            files,
            {},
            name,
            with.entries.empty() ? Arguments{name + "_run"} : with.entries};
  SourceFiles read({code.scratch + "/harness/include"});
  for (const SourceText& file : files) {
    read.add(file.name, file.text);
    if (file.name.ends_with(".c")) code.sources.push_back(file.name);
  }
  const std::string key = key_of(*tools, flags, code, read);
  if (const std::optional<std::string> known = kept_text(key)) {
    if (std::optional<CodeFigures> figures = from_text(*known)) return figures;
  }
  Result<std::optional<CodeFigures>> figures = measure(*tools, flags, machine, code, read);
  // What is lacking may come with another linker or more memory.
  if (figures && *figures && (*figures)->why_not.empty()) keep_text(key, to_text(**figures));
  return figures;
}

}  // namespace tarn::verify
