// Values between the steps of emitted code: it runs step by step, and what each has written is read where the plan has
// it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/boards.h"
#include "verify/firmware.h"

namespace tarn::verify {

// A tensor once a step has written it: `pieces` of `piece` bytes, `stride` bytes from one to the next.
struct Tap {
  int64_t step = 0;
  std::string tensor;
  TensorType type;
  size_t bank = 0;     // of Firmware::banks; 0 with one arena
  int64_t offset = 0;  // bytes from the bank's first one
  int64_t piece = 0, pieces = 1, stride = 0;
};

// The bytes of each tap, which ascend by step, of one run on a target. E402 a tool is missing, E403 does not compile or
// link, E406 the run failed, E408 no board holds it.
Result<std::vector<std::vector<uint8_t>>> read_taps(const Firmware& firmware, Target target, const Sample& sample,
                                                    const std::vector<Tap>& taps);

}  // namespace tarn::verify
