#include "verify/build.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "support/text.h"
#include "verify/files.h"
#include "verify/harness.h"
#include "verify/object_cache.h"
#include "verify/process.h"

namespace tarn::verify {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kCompilerMemory = int64_t{16} << 30;

using Arguments = std::vector<std::string>;

void append(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

// Flags that every file shares.
Arguments common_flags(const Toolchain& tools, const BuildOptions& options) {
  Arguments flags = cpu_flags(tools.target);
  append(flags, {"-pipe", "-std=c99", "-O2", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections"});
  if (tools.call_graphs) append(flags, {"-fstack-usage", "-fcallgraph-info=su"});
  if (tools.own_libc) append(flags, {"-Iharness/include"});
  if (is_process(tools.target)) flags.push_back("-fno-pie");
  // The red zone is stack that no figure of the compiler's covers.
  if (is_process(tools.target) && tools.isa == Isa::x86_64) flags.push_back("-mno-red-zone");
  if (options.sanitize) append(flags, {"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
  return flags;
}

// The symbols of the fixed buffers.
std::vector<std::string> arenas_of(const std::string& name, const std::vector<BankMemory>& banks) {
  if (banks.empty()) return {name + "_arena"};
  std::vector<std::string> symbols;
  for (const BankMemory& bank : banks) {
    if (!bank.symbol.empty()) symbols.push_back(bank.symbol);
  }
  return symbols;
}

Arguments kernel_flags(const BuildOptions& options) {
  Arguments flags = {"-Wall", "-Wextra"};
  if (options.strict) append(flags, {"-Werror", "-pedantic-errors"});
  append(flags, options.firmware_flags);
  return flags;
}

// Those of the network's own files: where its memory lies.
Arguments section_flags(const Toolchain& tools, const Parts& parts, const BuildOptions& options) {
  Arguments flags;
  if (!is_process(tools.target) && options.banks.empty())
    flags.push_back("-D" + upper(parts.name) + "_ARENA_SECTION=\".bss.tarn_arena\"");
  for (const BankMemory& bank : options.banks) {
    if (is_process(tools.target) || !bank.section.empty()) continue;
    flags.push_back("-D" + upper(parts.name) + "_ARENA_" + upper(bank.name) + "_SECTION=\"" + bank_section(bank) +
                    "\"");
  }
  return flags;
}

Arguments harness_flags(const Toolchain& tools, const BuildOptions& options) {
  Arguments flags = {"-iquote", "firmware"};
  flags.push_back(is_process(tools.target) ? "-pthread" : "-DTARN_BOARD");
  if (options.sanitize) flags.push_back("-DTARN_NO_PAINT");
  if (is_process(tools.target) && tools.call_graphs && tools.isa == Isa::x86_64)
    flags.push_back("-maccumulate-outgoing-args");
  append(flags, options.harness_flags);
  return flags;
}

// The first lines of a compiler's complaint.
std::string first_words(const std::string& text) {
  std::string result;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    result += (result.empty() ? "" : "\n") + line;
    if (result.size() > 1500) break;
  }
  return result.substr(0, 2000);
}

Diagnostic refused(const Toolchain& tools, const std::string& what, const Ended& ended, const Command& command) {
  const std::string words = first_words(ended.err);
  return {"E403",
          {},
          cat(what, " fails for ", to_string(tools.target),
              words.empty() ? ": " + describe(ended, command) : ":\n" + words),
          ""};
}

// "region `code' overflowed by 39032 bytes" -> "code by 39032 bytes", all of them.
std::string overflow_text(const std::string& linker) {
  std::vector<std::string> parts;
  for (const std::string& line : split(linker, '\n')) {
    const size_t region = line.find("region `"), by = line.find("' overflowed by ");
    if (region == std::string::npos || by == std::string::npos) continue;
    parts.push_back(line.substr(region + 8, by - region - 8) + " by " + line.substr(by + 16));
  }
  return join(parts);
}

struct Unit {
  std::string source, stem;  // below the scratch folder; the stem without ".o"
  bool firmware = false;

  std::string name() const { return source.substr(source.find('/') + 1); }
};

Arguments flags_of(const Toolchain& tools, const Parts& parts, const BuildOptions& options, const Unit& unit) {
  Arguments flags = common_flags(tools, options);
  append(flags, unit.firmware ? kernel_flags(options) : harness_flags(tools, options));
  if (unit.firmware && !unit.name().starts_with("tarn_")) append(flags, section_flags(tools, parts, options));
  if (unit.source.ends_with(".S")) flags.push_back("-Ifirmware");  // for .incbin
  return flags;
}

std::vector<Unit> units_of(const Parts& parts) {
  std::vector<Unit> units;
  for (const std::string& source : parts.firmware) {
    units.push_back({"firmware/" + source, cat("objects/f", units.size()), true});
  }
  for (const std::string& source : parts.harness) {
    units.push_back({"harness/" + source, cat("objects/h", units.size()), false});
  }
  return units;
}

// Kernels, and what stands below the harness's main.
bool is_met_again(const Parts& parts, const Unit& unit) {
  return unit.firmware ? unit.name().starts_with("tarn_") : unit.name() != parts.harness.front();
}

// The folder that keeps a unit's object; empty where none does.
std::string cache_of(const Parts& parts, const BuildOptions& options, const Unit& unit) {
  if (is_met_again(parts, unit)) return object_cache_folder();
  return unit.source.ends_with(".c") ? options.own_objects : "";  // what assembler files include is not known
}

// The stems of the units' objects: below the scratch folder when compiled now, absolute when an earlier run did.
Result<std::vector<std::string>> compile_or_fetch(const Toolchain& tools, const std::string& scratch,
                                                  const Parts& parts, const BuildOptions& options,
                                                  const std::vector<Unit>& units) {
  std::vector<std::string> stems, places;
  std::vector<Command> commands;
  std::vector<size_t> compiled;
  for (const Unit& unit : units) {
    const Arguments flags = flags_of(tools, parts, options, unit);
    Arguments folders = {scratch + "/firmware", scratch + "/harness/include"};
    if (!unit.firmware) folders.insert(folders.begin(), scratch + "/harness");
    places.push_back(cached_stem(cache_of(parts, options, unit), tools, flags, unit.source, folders));
    const bool fetched = is_cached(tools, places.back());
    stems.push_back(fetched ? places.back() : unit.stem);
    if (fetched) continue;
    Command command{.arguments = tools.cc, .folder = scratch, .cpu_seconds = 600, .memory_bytes = kCompilerMemory};
    append(command.arguments, flags);
    append(command.arguments, {"-c", unit.source, "-o", unit.stem + ".o"});
    commands.push_back(std::move(command));
    compiled.push_back(stems.size() - 1);
  }
  const std::vector<Ended> ended = run_all(commands);
  for (size_t i = 0; i < compiled.size(); ++i) {
    const Unit& unit = units[compiled[i]];
    if (!ended[i].ok()) return refused(tools, "compiling " + unit.name(), ended[i], commands[i]);
    keep_cached(tools, cat(scratch, "/", unit.stem), places[compiled[i]]);
  }
  return stems;
}

// Compiles several files and adds what comes of them.
Result<Done> compile_units(const Toolchain& tools, const std::string& scratch, const Parts& parts,
                           const BuildOptions& options, const std::vector<Unit>& units, Objects& objects) {
  const Result<std::vector<std::string>> stems = compile_or_fetch(tools, scratch, parts, options, units);
  if (!stems) return stems.faults();
  for (size_t i = 0; i < units.size(); ++i) {
    const std::string& stem = (*stems)[i];
    objects.all.push_back(stem + ".o");
    const std::string path = fs::path(scratch) / stem;  // an absolute one stays as it is
    if (tools.call_graphs) add_call_graph(read_file(path + ".ci").value_or(""), units[i].source, objects.calls);
    if (!units[i].firmware) continue;
    const std::optional<Elf> elf = read_elf(read_file(path + ".o").value_or(""));
    if (!elf)
      return Diagnostic{
          "E403", {}, units[i].name() + ": the compiler wrote no ELF object", "Only ELF hosts are supported."};
    objects.firmware.push_back(*elf);
  }
  return Done{};
}

// Does emitted code call anything but itself, memcpy and its kin, and what the compiler brings along?
bool needs_math(const Objects& objects) {
  std::set<std::string> defined, used;
  for (const Elf& elf : objects.firmware) {
    for (const ElfSymbol& symbol : elf.symbols) {
      if (symbol.global) (symbol.section >= 0 || symbol.common ? defined : used).insert(symbol.name);
    }
  }
  return std::any_of(used.begin(), used.end(), [&](const std::string& name) {
    return !defined.contains(name) && !name.starts_with("__") && !name.starts_with("mem");
  });
}

}  // namespace

std::vector<std::string> harness_sources(const Toolchain& tools, const std::string& main) {
  Arguments sources = {main, is_process(tools.target) ? "platform_host.c" : "platform_board.c"};
  if (!is_process(tools.target)) sources.push_back("startup.c");
  if (tools.own_libc) append(sources, {"string.c"});
  return sources;
}

Result<Objects> compile(const Toolchain& tools, const std::string& scratch, const Parts& parts,
                        const BuildOptions& options) {
  std::error_code fault;
  std::filesystem::create_directories(scratch + "/objects", fault);
  if (fault)
    return Diagnostic{
        "E401", {}, "the scratch folder cannot be written: " + fault.message(), "Check the free space of TMPDIR."};
  Objects objects;
  const Result<Done> done = compile_units(tools, scratch, parts, options, units_of(parts), objects);
  if (!done) return done.faults();
  if (tools.own_libc && needs_math(objects)) {
    const Result<Done> more =
        compile_units(tools, scratch, parts, options, {{"harness/math.c", "objects/math", false}}, objects);
    if (!more) return more.faults();
  }
  return objects;
}

Result<std::optional<Image>> link(const Toolchain& tools, const std::string& scratch, const Objects& objects,
                                  const Board* board, const BuildOptions& options, std::string* overflow) {
  Image image{"image.elf", {}};
  Command command{.arguments = tools.cc, .folder = scratch, .cpu_seconds = 600, .memory_bytes = kCompilerMemory};
  Arguments& arguments = command.arguments;
  append(arguments, cpu_flags(tools.target));
  append(arguments, objects.all);
  append(arguments, {"-Wl,--gc-sections", "-o", image.path});
  std::error_code ignored;
  std::filesystem::remove(scratch + "/" + image.path, ignored);
  if (board != nullptr) {
    if (!write_file(scratch + "/board.ld", link_script(*board, options.banks))) {
      return Diagnostic{"E401", {}, "the scratch folder cannot be written", "Check the free space of TMPDIR."};
    }
    append(arguments, {"-T", "board.ld", "-nostartfiles", "-static"});
    append(arguments, tools.own_libc ? Arguments{"-nostdlib", "-lgcc"} : Arguments{"-lm"});
  } else {
    append(arguments, {"-no-pie", "-pthread", "-lm"});
    if (options.sanitize) arguments.push_back("-fsanitize=address,undefined");
    // Emulated processes have no libraries to load.
    const bool whole = options.whole_program || !tools.emulator.empty();
    if (whole && !options.sanitize && tools.static_libc) arguments.push_back("-static");
  }
  const Ended ended = run(command);
  const bool too_large = ended.err.find(" overflowed by ") != std::string::npos ||
                         ended.err.find("will not fit in region") != std::string::npos;
  if (!ended.ok() && board != nullptr && too_large) {
    *overflow = overflow_text(ended.err);
    return std::optional<Image>();
  }
  if (!ended.ok()) return refused(tools, "linking", ended, command);
  const std::optional<Elf> elf = read_elf(read_file(scratch + "/" + image.path).value_or(""));
  if (!elf) return Diagnostic{"E403", {}, "the linker wrote no ELF image", "Only ELF hosts are supported."};
  image.elf = *elf;
  return std::optional<Image>(std::move(image));
}

MachineCode disassemble(const Toolchain& tools, const std::string& scratch, const Image& image) {
  if (tools.objdump.empty()) return {};
  const Ended ended = run({.arguments = {tools.objdump, "-d", "--no-show-raw-insn", image.path},
                           .folder = scratch,
                           .output_bytes = size_t{1} << 28});
  return parse_disassembly(ended.out, tools.isa, image.elf);
}

Footprint footprint(const Objects& objects, const std::string& name, const std::vector<BankMemory>& banks) {
  Footprint sum;
  for (const Elf& elf : objects.firmware) {
    for (const ElfSection& section : elf.sections) {
      if (!section.allocated()) continue;
      const auto bytes = static_cast<int64_t>(section.bytes);
      const bool unwinding = section.name.starts_with(".eh_frame") || section.name.starts_with(".ARM.ex") ||
                             section.name.starts_with(".note");
      if (section.executable()) {
        sum.text += bytes;
      } else if (section.writable() && !section.name.starts_with(".data.rel.ro")) {
        sum.data += bytes;
      } else if (!unwinding) {
        sum.rodata += bytes;
      }
    }
    for (const ElfSymbol& symbol : elf.symbols) {
      if (symbol.common) sum.data += static_cast<int64_t>(symbol.bytes);
    }
    for (const std::string& symbol : arenas_of(name, banks)) {
      if (const ElfSymbol* arena = find_symbol(elf, symbol)) {
        sum.arena += static_cast<int64_t>(arena->bytes);
        sum.data -= static_cast<int64_t>(arena->bytes);
      }
    }
  }
  return sum;
}

}  // namespace tarn::verify
