// Tensors that are kept from one run to the next.
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "support/result.h"

namespace tarn::program {

// For each pair (output, input) of the model's names: the input stops being one; it becomes memory that goes from run
// to run. The one step that makes the output writes it there, after all that reads the old state, where its kernel
// allows that; several that copy it together become one (see shift_window.h). Else the output is made elsewhere and
// copied there once nobody reads the old one, and the copy's note says why. `all_copied`: if not empty, why none may be
// written in place: all are copied as the last thing that a run does. E209, all of them, for names that are none or
// whose types differ; `file` is the model, for the message. `inside`: outputs that will be none (drop_outputs()), for
// which `all_copied` does not count.
Diagnostics keep_states(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs,
                        const std::string& file, const std::string& all_copied = {},
                        const std::set<std::string>& inside = {});

// Where one step writes the state and reads something smaller that was made before: a copy of that in front of the
// step, which may lie in the state's own bytes. False: there is no such step.
bool stage_update(Program& program, size_t state);

// The outputs of these names are none any more: what they hold is told as a state alone.
void drop_outputs(Program& program, const std::vector<std::string>& names);

}  // namespace tarn::program
