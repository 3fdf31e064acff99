// States of which a run hands on more than the next one takes: caches that grow by a step.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"

namespace tarn::program {

// The axis along which `out` is longer than `in`, all else being equal.
std::optional<int> grown_axis(const TensorType& out, const TensorType& in);

// For each pair (output, input) of one type but a longer axis of the output: the input becomes as long, and the run
// works with the last steps of it. What that means, by the input's name.
std::vector<std::pair<std::string, std::string>> keep_windows(
    Program& program, const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace tarn::program
