// One model through everything that `tarn generate` and its reports do, in memory, with what is promised of any model
// checked: no exception, memory and time within the limits, diagnostics that are in the catalogue.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tarn::fuzz {

struct Outcome {
  bool emitted = false;      // accepted, and all files were made
  std::string code;          // of the first error, where it was refused
  std::string finding;       // what is a fault of tarn; empty: nothing
  int64_t output_bytes = 0;  // of all emitted files
  int64_t memory_bytes = 0;  // most of the heap at once
  double seconds = 0;        // processor time
};

// The file stands in scratch_folder() while it runs, beside weights.bin, which external data may lie in. Options are
// taken from the doc_string of the model where that begins with "--" ("--stream fed --align 4"); --effort 0 is the
// default here.
Outcome run_pipeline(std::span<const uint8_t> model);

// A model where it lies, with its external data beside it and as `tarn generate` plans it without options.
Outcome run_model(const std::string& path);

// The folder with model.onnx: what was run last, also when the process died over it.
const std::string& scratch_folder();

// The words of a doc_string that are taken as options; those that name files or programs are left out.
std::string option_text(std::span<const uint8_t> model);

}  // namespace tarn::fuzz
