// Tensors that are kept from one run to the next.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "support/result.h"

namespace tarn::program {

// For each pair (output, input) of the model's names: the input stops being one; it becomes memory that lives
// throughout. The step that makes the output writes it there, after all that reads the old state, where its kernel
// allows that; else the last thing a run does is to copy the output into it, and the copy's note says why.
// `all_copied`: if not empty, why none may be written in place. E209, all of them, for names that are none or whose
// types differ; `file` is the model, for the message.
Diagnostics keep_states(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs,
                        const std::string& file, const std::string& all_copied = {});

}  // namespace tarn::program
