// A fingerprint of what a compiler makes of a kernel: estimates hold as long as it is the same, however the text
// changes.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/kernels.h"
#include "support/sha256.h"
#include "support/text.h"
#include "time/lines.h"
#include "verify/boards.h"
#include "verify/files.h"
#include "verify/process.h"
#include "verify/toolchain.h"

namespace tarn::timing {

// Compiles kernels for one target, with the flags of `tarn verify`, each file once.
class KernelCode {
 public:
  // Nothing where the compiler is not there.
  static std::optional<KernelCode> make(const std::string& target) {
    const std::optional<verify::Target> parsed = verify::parse_target(target);
    if (!parsed) return {};
    auto tools = verify::find_compiler(*parsed, "", verify::cpu_flags(*parsed));
    Result<verify::Scratch> scratch = verify::Scratch::make();
    if (!tools || !scratch) return {};
    return KernelCode(std::move(*tools), std::move(*scratch));
  }

  // "12.2.1"
  const std::string& compiler() const { return compiler_; }

  // Of the kernel's files and of all whose headers they include; empty where one does not compile.
  std::string hash(const std::string& kernel) {
    if (kernel == kLineDriver) return driver_hash();
    if (kernel == kLoop || kernel == kBranch) return control_hash();
    const std::map<std::string, std::string> files = emit::kernel_texts({file_of(kernel)});
    std::vector<std::string> fresh;
    for (const auto& [name, text] : files) {
      if (written_.insert(name).second) verify::write_file(scratch_ / name, text);
      if (name.ends_with(".c") && !code_.contains(name)) fresh.push_back(name);
    }
    std::vector<verify::Command> commands;
    for (const std::string& name : fresh) commands.push_back(compile(name));
    verify::run_all(commands);
    for (const std::string& name : fresh) code_[name] = assembly(name);
    std::string all;
    for (const auto& [name, text] : files) {
      if (!name.ends_with(".c")) continue;
      if (code_[name].empty()) return "";
      all += name + "\n" + code_[name];
    }
    return sha256_hex({reinterpret_cast<const uint8_t*>(all.data()), all.size()}).substr(0, 16);
  }

 private:
  // Of the function that writes the statements of loops; those of branches stand behind it.
  static std::string control_hash() {
    const std::string all = verify::read_file(TARN_SOURCE_DIR "/generator/emit/steps.cc").value_or("");
    const size_t begin = all.find("std::string loop_statements("),
                 end = all.find("std::string kernel_statements(", begin);
    const std::string text = begin < end ? all.substr(begin, end - begin) : "";
    return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()}).substr(0, 16);
  }

  // Of the text that its code is made from.
  static std::string driver_hash() {
    std::string all;
    for (const char* name : {"stream.c", "stream_run.c", "stream_lines.c", "stream_feed.c", "stream_push.c",
                             "stream_pull.c", "stream_passes.c", "stream_take.c"})
      all += verify::read_file(std::string(TARN_SOURCE_DIR "/templates/") + name).value_or("");
    return sha256_hex({reinterpret_cast<const uint8_t*>(all.data()), all.size()}).substr(0, 16);
  }

  KernelCode(verify::Toolchain tools, verify::Scratch scratch)
      : tools_(std::move(tools)), scratch_(std::move(scratch)) {
    std::vector<std::string> arguments = tools_.cc;
    arguments.emplace_back("-dumpfullversion");
    compiler_ = first_line(verify::run({.arguments = arguments}).out);
  }

  verify::Command compile(const std::string& file) const {
    verify::Command command{.arguments = tools_.cc, .folder = scratch_.path()};
    const auto add = [&](const std::vector<std::string>& words) {
      command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    };
    add(verify::cpu_flags(tools_.target));
    add({"-std=c99", "-O2", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections", "-w"});
    if (tools_.own_libc) add({"-I", TARN_SOURCE_DIR "/templates/verify/include"});
    add({"-S", "-o", file + ".s", file});
    return command;
  }

  // "@ 93 \"tarn_int_mve.c\" 1", or with another sign for comments.
  static bool is_place(const std::string& line) {
    return (line.starts_with("@ ") || line.starts_with("# ")) && line.ends_with("\" 1");
  }

  // Without the names of files and of the compiler, and without the lines of the file that assembly comes from.
  std::string assembly(const std::string& file) const {
    std::string code;
    for (const std::string& line : split(verify::read_file(scratch_ / (file + ".s")).value_or(""), '\n')) {
      if (!line.starts_with("\t.file") && !line.starts_with("\t.ident") && !is_place(line)) code += line + "\n";
    }
    return code;
  }

  verify::Toolchain tools_;
  verify::Scratch scratch_;
  std::string compiler_;
  std::set<std::string> written_;            // files that stand there
  std::map<std::string, std::string> code_;  // by file
};

}  // namespace tarn::timing
