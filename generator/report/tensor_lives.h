// When each tensor is alive, whatever buffer it lies in.
#pragma once
#include <vector>

#include "compile.h"

namespace tarn::report {

// Own lives of tensors within their buffer's, by tensor: from the step that makes them to the last that reads them, of
// `operations` by step. First -1: never.
std::vector<lifetimes::Life> tensor_lives(const Analysis& analysis,
                                          const std::vector<program::OperationId>& operations);

}  // namespace tarn::report
