#include "verify/toolchain.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "support/text.h"
#include "verify/files.h"
#include "verify/object_cache.h"
#include "verify/process.h"

namespace tarn::verify {
namespace {

std::string prefix_of(Target target) {
  switch (architecture_of(target)) {
    case Architecture::native: return "";
    case Architecture::aarch64: return "aarch64-linux-gnu-";
    case Architecture::arm: return "arm-none-eabi-";
    case Architecture::riscv: return "riscv64-unknown-elf-";
  }
  return "";
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Looks one tool up; a missing one is added to the faults.
std::string need(const std::string& name, const std::string& package, Diagnostics& faults) {
  std::string path = find_program(name);
  if (path.empty()) {
    faults.push_back({"E402", {}, name + " is not on PATH", "apt-get install " + package});
  }
  return path;
}

// Asked once of each compiler: starting one takes as long as planning a small network.
std::string output_of(std::vector<std::string> compiler, const std::vector<std::string>& arguments) {
  const std::string who = identity(compiler[0]);
  compiler.insert(compiler.end(), arguments.begin(), arguments.end());
  const std::string key = cat("answer of ", who, "\n", join(compiler, "\n"));
  if (!who.empty()) {
    if (std::optional<std::string> known = kept_text(key)) return *known;
  }
  const Ended ended = run({.arguments = compiler, .output_bytes = 1 << 20});
  if (!ended.ok()) return "";
  if (!who.empty()) keep_text(key, ended.out);
  return ended.out;
}

// gcc answers with the bare name when it does not have the file.
bool has_library(const Toolchain& tools, const std::string& name) {
  std::vector<std::string> arguments = cpu_flags(tools.target);
  arguments.push_back("-print-file-name=" + name);
  return output_of(tools.cc, arguments).find('/') != std::string::npos;
}

// For code that runs on this machine without an emulator.
Result<Toolchain> native_toolchain(Target target) {
  Toolchain tools;
  tools.target = target;
  if (!runs_natively(target))
    return Diagnostic{"E402",
                      {},
                      "this processor does not run code for " + to_string(target),
                      "verify with --on and a target that it runs, or that an emulator stands for"};
  tools.cc = find_host_compiler();
  if (tools.cc.empty()) {
    return Diagnostic{
        "E402", {}, "no C compiler for the host: neither $CC nor gcc, clang or cc works", "apt-get install gcc"};
  }
  const std::string macros = output_of(tools.cc, {"-dM", "-E", "-x", "c", "/dev/null"});
  const bool gcc =
      macros.find("#define __GNUC__") != std::string::npos && macros.find("#define __clang__") == std::string::npos;
  if (macros.find("#define __x86_64__") != std::string::npos) tools.isa = Isa::x86_64;
  tools.call_graphs = gcc;
  if (target != Target::host && output_of(tools.cc, with(cpu_flags(target), {"-E", "-x", "c", "/dev/null"})).empty())
    return Diagnostic{"E402", {}, tools.cc[0] + " does not know " + cpu_flags(target)[0], "apt-get install gcc"};
  tools.static_libc = has_library(tools, "libc.a") && has_library(tools, "libm.a");
  tools.objdump = find_program("objdump");
  return tools;
}

// A cross compiler, and the emulator of its processes.
Result<Toolchain> aarch64_toolchain() {
  Toolchain tools;
  Diagnostics faults;
  tools.target = Target::aarch64;
  tools.isa = Isa::other;
  const std::string prefix = prefix_of(tools.target);
  tools.cc = {need(prefix + "gcc", "gcc-aarch64-linux-gnu", faults)};
  tools.objdump = need(prefix + "objdump", "binutils-aarch64-linux-gnu", faults);
  tools.emulator = need(emulator_of(tools.target), "qemu-user", faults);
  if (!tools.cc[0].empty()) tools.static_libc = has_library(tools, "libc.a") && has_library(tools, "libm.a");
  if (faults.empty() && !tools.static_libc)
    faults.push_back({"E402", {}, tools.cc[0] + " has no static C library", "apt-get install libc6-dev-arm64-cross"});
  if (!faults.empty()) return faults;
  return tools;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::string& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

// "arm-none-eabi-objdump" beside "arm-none-eabi-gcc".
std::string objdump_beside(const std::string& compiler) {
  const size_t slash = compiler.rfind('/') + 1;
  const size_t dash = compiler.rfind('-');
  const bool prefixed = dash != std::string::npos && dash >= slash;
  std::string beside = find_program((prefixed ? compiler.substr(0, dash + 1) : compiler.substr(0, slash)) + "objdump");
  return beside.empty() && !prefixed ? find_program("objdump") : beside;
}

}  // namespace

std::optional<Toolchain> find_compiler(Target target, const std::string& cc, const std::vector<std::string>& flags) {
  Toolchain tools;
  tools.target = target;
  if (!cc.empty()) {
    // A path may hold spaces.
    tools.cc = find_program(cc).empty() ? words_of(cc) : std::vector<std::string>{cc};
  } else if (architecture_of(target) == Architecture::native || runs_natively(target)) {
    tools.cc = find_host_compiler();
  } else {
    tools.cc = {find_program(prefix_of(target) + "gcc")};
  }
  if (tools.cc.empty() || tools.cc[0].empty() || find_program(tools.cc[0]).empty()) return {};
  std::vector<std::string> question = flags;
  for (const char* word : {"-dM", "-E", "-x", "c", "/dev/null"}) question.emplace_back(word);
  const std::string macros = output_of(tools.cc, question);
  if (macros.empty()) return {};
  auto defined = [&](const std::string& name) { return macros.find("#define " + name + " ") != std::string::npos; };
  tools.call_graphs = defined("__GNUC__") && !defined("__clang__");
  tools.isa = defined("__x86_64__")                        ? Isa::x86_64
              : defined("__thumb__")                       ? Isa::thumb
              : defined("__riscv") && !defined("__LP64__") ? Isa::riscv32
                                                           : Isa::other;
  tools.objdump = objdump_beside(tools.cc[0]);
  return tools;
}

std::vector<std::string> find_host_compiler() {
  std::vector<std::string> candidates = {"gcc", "clang", "cc"};
  if (const char* cc = std::getenv("CC"); cc != nullptr && *cc != 0) candidates.insert(candidates.begin(), cc);
  for (const std::string& candidate : candidates) {
    std::vector<std::string> words = words_of(candidate);
    if (!words.empty() && !find_program(words[0]).empty() && !output_of(words, {"--version"}).empty()) return words;
  }
  return {};
}

namespace {

Result<Toolchain> look_for(Target target) {
  if (architecture_of(target) == Architecture::native || runs_natively(target)) return native_toolchain(target);
  if (target == Target::aarch64) return aarch64_toolchain();
  Toolchain tools;
  Diagnostics faults;
  tools.target = target;
  tools.call_graphs = true;
  const bool arm = architecture_of(target) == Architecture::arm;
  const std::string prefix = prefix_of(target);
  tools.cc = {need(prefix + "gcc", arm ? "gcc-arm-none-eabi" : "gcc-riscv64-unknown-elf", faults)};
  tools.objdump = need(prefix + "objdump", arm ? "binutils-arm-none-eabi" : "binutils-riscv64-unknown-elf", faults);
  tools.emulator = need(emulator_of(target), arm ? "qemu-system-arm" : "qemu-system-misc", faults);
  tools.isa = arm ? Isa::thumb : Isa::riscv32;
  tools.own_libc = !arm;
  if (arm && !tools.cc[0].empty() && !has_library(tools, "libc.a")) {
    faults.push_back({"E402",
                      {},
                      "arm-none-eabi-gcc has no C library for " + to_string(target),
                      "apt-get install libnewlib-arm-none-eabi"});
  }
  if (!faults.empty()) return faults;
  return tools;
}

// What the answers of compilers depend on.
std::string surroundings() {
  std::string text;
  for (const char* name : {"CC", "PATH"}) {
    const char* value = std::getenv(name);
    text += cat(value == nullptr ? "" : value, "\n");
  }
  return text;
}

}  // namespace

Result<Toolchain> find_toolchain(Target target) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<Target, std::string>, Toolchain> known;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const std::pair<Target, std::string> key{target, surroundings()};
  if (const auto found = known.find(key); found != known.end()) return found->second;
  Result<Toolchain> tools = look_for(target);
  if (tools) known.emplace(key, *tools);
  return tools;
}

}  // namespace tarn::verify
