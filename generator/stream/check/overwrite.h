// May the line that a step makes stand over a line that it reads? Pixels are written left to right, so it may as long
// as none is written over what its own or a later pixel needs.
#pragma once
#include <optional>
#include <string>

#include "stream/check/plan_reads.h"

namespace tarn::stream {

// Line `line` of the memory that `read` names against line `made` of the memory of the actor's result: what is
// overwritten too early; nothing: they lie apart, or every pixel is read in time.
std::optional<std::string> overwritten(const program::Program& program, const LinePlan& plan, const Actor& actor,
                                       const Read& read, int64_t line, int64_t made);

}  // namespace tarn::stream
