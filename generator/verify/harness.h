// The program around the emitted code: its C files from the templates, its input file, and what its output file says.
#pragma once
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/boards.h"
#include "verify/files.h"
#include "verify/firmware.h"

namespace tarn::verify {

// The text of templates/verify/<name>.
std::string_view harness_template(std::string_view name);

// Replaces every @hole@ that `values` names.
std::string fill(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values);

// The generated header tarn_firmware.h.
std::string firmware_header(const Firmware& firmware);

// Assembly that links a file of weights with the program as `tarn_image`.
std::string linked_image(const std::string& file);

// The link script of a board.
std::string link_script(const Board& board, const std::vector<BankMemory>& banks);
std::string bank_section(const BankMemory& bank);  // where a bank without a section of its own is placed

// Writes the harness's files into a folder of the scratch folder. E401.
Result<Done> write_harness(const Firmware& firmware, const std::string& folder);

// Which samples run, in this order: every sample once and (with `repeat`) the first one twice, by lines three times,
// then (with `interleave`) the first and the last one interleaved step by step.
struct RunPlan {
  std::vector<size_t> single;  // indices of samples
  std::vector<std::pair<size_t, size_t>> interleaved;
};
RunPlan plan_runs(size_t samples, bool repeat, bool interleave, bool by_lines = false);

std::string input_file(const RunPlan& plan, const std::vector<Sample>& samples);

// The outputs of every run in the file's order, interleaved ones in pairs; empty when the file is too short or names
// impossible dimensions.
std::optional<std::vector<std::vector<Output>>> parse_output_file(const std::string& content, const Firmware& firmware,
                                                                  const RunPlan& plan);

}  // namespace tarn::verify
