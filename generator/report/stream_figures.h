// What a report tells of a network that runs by lines.
#pragma once
#include <optional>

#include "report/report.h"

namespace tarn::report {

// Replaces the figures of whole layers by those of the plan by lines. Tensors live as long as the segments that use
// them run; `live_bytes` of a step covers all that its segment has in memory.
void describe_stream(const Analysis& analysis, Report& report);

// Bytes that no plan by lines can be below, whatever its order and segments: the largest of the tensors that are there
// as a whole.
int64_t floor_by_lines(const Analysis& analysis, const stream::Options& options);

// In the order of the actors that run them.
std::vector<program::OperationId> operations_of(const stream::LinePlan& plan);

// Those of a report's steps, by layers or by lines.
std::vector<program::OperationId> operations_in_order(const Analysis& analysis);

// Where a tensor, or its first line, lies.
std::optional<int64_t> address_of(const stream::LinePlan& plan, program::TensorId tensor);

}  // namespace tarn::report
