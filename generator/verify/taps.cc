#include "verify/taps.h"

#include <filesystem>

#include "support/text.h"
#include "verify/build.h"
#include "verify/execute.h"
#include "verify/files.h"
#include "verify/harness.h"
#include "verify/process.h"

namespace tarn::verify {

namespace {

constexpr int64_t kTapStartSeconds = 60;

std::string taps_header(const std::vector<Tap>& taps) {
  std::string text = cat("// What is read after which step.\n#define TARN_TAPS ", taps.size(),
                         "\nstruct tarn_tap {\n  uint32_t step, bank;\n  size_t offset, piece, pieces, stride;\n};\n"
                         "static const struct tarn_tap tarn_taps[TARN_TAPS + 1] = {\n");
  for (const Tap& tap : taps) {
    text += cat("    {", tap.step, ", ", tap.bank, ", ", tap.offset, ", ", tap.piece, ", ", tap.pieces, ", ",
                tap.stride, "},\n");
  }
  return text + "    {0, 0, 0, 0, 0, 0}};\n";
}

struct Program {
  Image image;
  std::optional<Board> board;
};

// On the host, or for the first board that holds it.
Result<Program> link_taps(const Toolchain& tools, const std::string& scratch, const Objects& objects,
                          const BuildOptions& build) {
  std::string overflow;
  std::vector<std::optional<Board>> places;
  if (is_process(tools.target)) places.emplace_back();
  else
    for (const Board& board : boards_of(tools.target)) places.emplace_back(board);
  for (const std::optional<Board>& board : places) {
    Result<std::optional<Image>> image = link(tools, scratch, objects, board ? &*board : nullptr, build, &overflow);
    if (!image) return image.faults();
    if (*image) return Program{std::move(**image), board};
  }
  return Diagnostic{"E408", {}, "the model does not fit its board: " + overflow, "look at its nodes on the host"};
}

}  // namespace

Result<std::vector<std::vector<uint8_t>>> read_taps(const Firmware& firmware, Target target, const Sample& sample,
                                                    const std::vector<Tap>& taps) {
  const Result<Toolchain> tools = find_toolchain(target);
  if (!tools) return tools.faults();
  const Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.faults();
  std::error_code fault;
  std::filesystem::create_symlink(std::filesystem::absolute(firmware.folder), *scratch / "firmware", fault);
  if (const Result<Done> written = write_harness(firmware, *scratch / "harness"); !written) return written.faults();
  RunPlan plan;
  plan.single = {0};
  if (!write_file(*scratch / "harness/tarn_taps.h", taps_header(taps)) ||
      !write_file(*scratch / "in.bin", input_file(plan, {sample})))
    return Diagnostic{"E401", {}, "the scratch folder cannot be written", "Check the free space of TMPDIR."};
  BuildOptions build;
  build.banks = firmware.banks;
  const Result<Objects> objects =
      compile(*tools, scratch->path(), {firmware.name, firmware.sources, harness_sources(*tools, "taps.c")}, build);
  if (!objects) return objects.faults();
  const Result<Program> program = link_taps(*tools, scratch->path(), *objects, build);
  if (!program) return program.faults();
  Command command = run_command(*tools, program->image, program->board,
                                kTapStartSeconds + firmware.macs / macs_per_second(target), {});
  command.folder = scratch->path();
  const Ended ended = run(command);
  if (!ended.ok()) return Diagnostic{"E406", {}, "step by step: " + describe(ended, command), ""};
  const std::string content = read_file(*scratch / "out.bin").value_or("");
  std::vector<std::vector<uint8_t>> values;
  size_t at = 0;
  for (const Tap& tap : taps) {
    const auto bytes = static_cast<size_t>(tap.piece * tap.pieces);
    if (content.size() - at < bytes) return Diagnostic{"E406", {}, "step by step: the program's output is cut off", ""};
    values.emplace_back(content.begin() + static_cast<std::ptrdiff_t>(at),
                        content.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    at += bytes;
  }
  return values;
}

}  // namespace tarn::verify
