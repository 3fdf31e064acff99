// Explicit states of signals that go on without end (--stream time): histories of lines.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "compile.h"
#include "model/model.h"

namespace tarn {

// A state that Concat puts in front of a signal, and whose next one is the last steps of both, is what the signal was
// before. Where it goes on without end these steps are lines that are kept anyway, in the rings of the plan: the state
// begins with zeroes, so the signal has as many zeroes in front (Pad), and input and output are gone. Models of one
// step become such of two, which may go on. The states of `options` that are taken; a fault for those named that are
// none.
Result<std::vector<History>> take_histories(const CompileOptions& options, model::Model& model);

// The options without the states that have become histories.
CompileOptions without_histories(CompileOptions options, const std::vector<History>& taken);

}  // namespace tarn
