// What a network that runs by lines is estimated to take, layer by layer.
#pragma once
#include <map>
#include <string>

#include "compile.h"
#include "emit/line_work.h"
#include "time/lines.h"

namespace tarn::report {

// What a call is to the models of time.
timing::LineCallOf timed_call(const Analysis& analysis, const emit::LineKernelCall& call);

// The terms of the work around the calls of a step.
timing::Terms driver_terms(const std::string& target, const emit::LineStep& step);

// By operation, all its lines together, with the driver's work for them; lines that come in count for the first layer
// that reads them, those that go out for the one that makes them.
std::map<program::OperationId, timing::Prediction> line_times(const Analysis& analysis, const std::string& target);

}  // namespace tarn::report
