#include "verify/instructions.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "support/text.h"
#include "verify/files.h"
#include "verify/harness.h"
#include "verify/process.h"

namespace tarn::verify {
namespace {

// "QEMU emulator version 7.2.22 (...)" -> 7; 0 when it says something else.
int major_version(const std::string& text) {
  const size_t at = text.find("version ");
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + 8);
}

}  // namespace

Result<Done> build_counter(const std::string& scratch, const std::string& emulator) {
  const std::vector<std::string> cc = find_host_compiler();
  if (cc.empty()) {
    return Diagnostic{"E402", {}, "counting instructions needs a C compiler for the host", "apt-get install gcc"};
  }
  // QEMU 9 left the first version of the interface behind; what is used here has stayed the same.
  const int version = major_version(run({.arguments = {emulator, "--version"}}).out) >= 9 ? 2 : 1;
  Command command{.arguments = cc, .folder = scratch};
  for (const std::string& argument : {std::string("-O2"), std::string("-fPIC"), std::string("-shared"),
                                      std::string("-w"), cat("-DTARN_PLUGIN_VERSION=", version), std::string("-o"),
                                      std::string("counter.so"), std::string("counter.c")}) {
    command.arguments.push_back(argument);
  }
  if (!write_file(scratch + "/counter.c", harness_template("count_instructions.c"))) {
    return Diagnostic{"E401", {}, "the scratch folder cannot be written", "Check the free space of TMPDIR."};
  }
  const Ended ended = run(command);
  if (!ended.ok())
    return Diagnostic{"E403", {}, "compiling the instruction counter fails:\n" + ended.err.substr(0, 1000), ""};
  return Done{};
}

std::vector<std::string> counter_options(uint64_t start, uint64_t end, bool profile) {
  std::string plugin = cat("./counter.so,start=", start, ",end=", end, ",out=counts.txt");
  if (profile) plugin += ",profile=profile.txt";
  return {"-plugin", plugin};
}

std::vector<uint64_t> read_counts(const std::string& scratch) {
  std::istringstream in(read_file(scratch + "/counts.txt").value_or(""));
  std::vector<uint64_t> counts;
  for (uint64_t count = 0; in >> count;) counts.push_back(count);
  return counts;
}

}  // namespace tarn::verify
