// The text that NAME_trace() prints on a board, read back.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace tarn::verify {

struct DumpedRun {
  std::string firmware, plan_id;
  std::map<std::string, std::vector<uint8_t>> inputs;                       // by the C name; states too
  std::map<std::pair<int64_t, std::string>, std::vector<uint8_t>> tensors;  // by step and C name
  std::optional<int64_t> failed;  // the run ended with this status, its sign dropped
  bool complete = false;          // "@end" was read, or "@failed"
};

// All runs of a log. Lines are looked at from their first '@' on, and those of other kinds are passed over: a log holds
// times and other output beside. E415: no run at all, or what is there is damaged - every line of bytes carries its
// sum.
Result<std::vector<DumpedRun>> parse_dump(const std::string& path, const std::string& text);

}  // namespace tarn::verify
