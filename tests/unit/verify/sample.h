// The hand-written firmware in sample/, its data, and what it must compute.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/text.h"
#include "verify/verify.h"

namespace tarn::verify {

inline const std::string kSampleFolder = std::string(TARN_SOURCE_DIR) + "/tests/unit/verify/sample";

inline Port float_port(const std::string& name, const std::string& accessor, Shape shape) {
  return {name, name, accessor, {DType::float32, std::move(shape)}, {}};
}

inline Firmware sample_firmware() {
  Firmware firmware;
  firmware.name = "kws";
  firmware.folder = kSampleFolder;
  firmware.sources = {"kws.c", "kws_weights.c", "tarn_gemm_f32.c", "tarn_logistic_f32.c"};
  firmware.inputs = {float_port("mfcc", "kws_input_mfcc", {1, 16})};
  firmware.outputs = {float_port("scores", "kws_output_scores", {1, 4})};
  firmware.macs = 160;
  firmware.arena_bytes = 96;
  firmware.static_bytes = 0;
  return firmware;
}

inline std::vector<uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::vector<float> floats_of(const std::vector<uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// The sample network in double, with its weights by the formulas that sample/kws_weights.c was written from.
inline std::vector<float> sample_scores(const std::vector<float>& x) {
  std::vector<double> hidden(8);
  for (int o = 0; o < 8; ++o) {
    double sum = (o - 4) / 8.0;
    for (int i = 0; i < 16; ++i)
      sum += ((o * 16 + i) * 37 % 17 - 8) / 16.0 * static_cast<double>(x[static_cast<size_t>(i)]);
    hidden[static_cast<size_t>(o)] = std::max(0.0, sum);
  }
  std::vector<float> scores;
  for (int o = 0; o < 4; ++o) {
    double sum = (2 - o) / 4.0;
    for (int i = 0; i < 8; ++i) sum += ((o * 8 + i) * 23 % 13 - 6) / 8.0 * hidden[static_cast<size_t>(i)];
    scores.push_back(static_cast<float>(1 / (1 + std::exp(-sum))));
  }
  return scores;
}

inline std::vector<Sample> sample_data(size_t count) {
  std::vector<Sample> samples;
  for (size_t s = 0; s < count; ++s) {
    std::vector<float> x(16);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(static_cast<int>((i * 7 + s * 5) % 11) - 5) / 4.0f;
    samples.push_back({{bytes_of(x)}, {{bytes_of(sample_scores(x)), {1, 4}}}});
  }
  return samples;
}

inline std::string texts(const Diagnostics& faults) {
  std::string all;
  for (const Diagnostic& fault : faults) all += to_text(fault) + "\n";
  return all;
}

// A missing tool skips the test that needs it, visibly.
#define SKIP_WITHOUT_TOOLS(result)                             \
  if (!(result).ok() && (result).faults()[0].code == "E402") { \
    GTEST_SKIP() << texts((result).faults());                  \
  }                                                            \
  ASSERT_TRUE((result).ok()) << texts((result).faults())

}  // namespace tarn::verify
