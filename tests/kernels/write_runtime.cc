// Writes the runtime as emitted code gets it: every kernel of a folder, and the headers that the generator makes; and
// the float kernels that are made of expressions, which may stand in one file with the others.
//   write_runtime RUNTIME_FOLDER OUTPUT_FOLDER [KERNEL...]   only these
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "emit/kernels.h"
#include "ops/op.h"

// All that a folder of the runtime stands for.
std::set<std::string> kernels_of(const char* folder) {
  std::set<std::string> kernels;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".c") continue;
    const std::string name = entry.path().stem().string();
    if (tarn::emit::has_kernel(name)) kernels.insert(name);
    // Kernels of coded weights are written for 8 bits, those over vectors for 8 lanes.
    const auto derive = [&](const std::string& written, std::initializer_list<const char*> others) {
      const size_t at = name.find(written);
      if (at == std::string::npos) return;
      for (const char* other : others) kernels.insert(std::string(name).replace(at, written.size(), other));
    };
    derive("_v8_", {"_v4_", "_v16_"});
    derive("_w8_", {"_w4_", "_w16_"});
    for (const char* layer : {"conv2d_dsp_s8", "conv2d_dsp_line_s8", "conv2d_dsp_long_s8", "conv2d_dsp_groups_s8"})
      if (name == std::string("tarn_int_") + layer) derive("_dsp_", {"_dsp_halves_", "_dsp4_", "_dsp2_"});
    for (const char* layer : {"conv2d_mve_s8", "conv2d_mve_line_s8", "dense_mve_s8"})
      if (name == std::string("tarn_int_") + layer) derive("_mve_", {"_mve4_", "_mve2_"});
    if (name == "tarn_int_depthwise2d_dsp_s8") derive("_dsp_", {"_few_"});
    if (name == "tarn_int_resize_s8") derive("_s8", {"_s16"});
    derive("_w8_f32", {"_w2_f32", "_w8h_f32", "_w4s_f32", "_w2s_f32"});
    derive("_w8_s8", {"_w2_s8", "_w8h_s8", "_w4s_s8", "_w2s_s8"});
    // Drivers over whole images of the vector extension's kernels are those of _f32.
    derive("_line_mve_f32", {"2d_mve_f32"});
    // Those of depthwise layers are those of convolutions, and so on (emit/kernels.cc).
    if (name == "tarn_conv2d_f32" || name == "tarn_conv2d_w8_f32") derive("_conv2d_", {"_depthwise2d_"});
    if (name == "tarn_conv_ring_f32") derive("_conv_", {"_depthwise_"});
    if (name == "tarn_maxpool_f32") derive("_maxpool_", {"_lppool_"});
  }
  for (const tarn::ops::OperatorEntry& entry : tarn::ops::all_entries()) {
    for (const char* suffix : {"_f32", "_f64"}) {
      std::string name = "tarn_" + entry.op + suffix;
      for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      if (entry.domain.empty() && tarn::emit::has_kernel(name)) kernels.insert(name);
    }
  }
  return kernels;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::set<std::string> kernels = argc == 3 ? kernels_of(argv[1]) : std::set<std::string>(argv + 3, argv + argc);
  std::filesystem::remove_all(argv[2]);
  std::filesystem::create_directories(argv[2]);
  for (const auto& [name, text] : tarn::emit::kernel_files(kernels)) {
    std::ofstream file(std::filesystem::path(argv[2]) / name, std::ios::binary);
    file << text;
    if (!file) return 1;
  }
  std::cout << kernels.size() << " kernels\n";
}
