// Which outputs and inputs are one state by their names.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"

namespace tarn::program {

struct StatePairs {
  std::vector<std::pair<std::string, std::string>> pairs;  // output, input, in the order of the outputs
  std::vector<std::string> near;  // pairs by name that are none, each with the reason, as a sentence's part
};

// Do the names of an output and an input say that these are one state?
bool is_state_by_name(const std::string& out, const std::string& in);

// The pairs that `given` does not name already in whole or half: names that are equal once the words that only say
// which of the two it is (past, present, in, out, h0, hn ...) are dropped from at least one of them, with one element
// type and shape, but for an axis along which the output may be longer. A name that fits several others is not paired.
StatePairs pair_states(const Program& program, const std::vector<std::pair<std::string, std::string>>& given);

}  // namespace tarn::program
