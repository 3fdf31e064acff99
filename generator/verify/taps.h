// Values between the steps of emitted code: it runs step by step, and what each has written is read where the plan has
// it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/taps.h"
#include "support/result.h"
#include "verify/boards.h"
#include "verify/firmware.h"

namespace tarn::verify {

using report::Tap;

// The bytes of each tap, which ascend by step, of one run on a target. E402 a tool is missing, E403 does not compile or
// link, E406 the run failed, E408 no board holds it.
Result<std::vector<std::vector<uint8_t>>> read_taps(const Firmware& firmware, Target target, const Sample& sample,
                                                    const std::vector<Tap>& taps);

}  // namespace tarn::verify
