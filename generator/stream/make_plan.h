// From chosen layers to their plan by lines.
#pragma once
#include <optional>
#include <vector>

#include "stream/joining/choose.h"
#include "stream/plan.h"

namespace tarn::stream {

// The layers of a choice joined as they are, with steps of up to `at_once` lines, which takes more memory and less time
// (make_net); nothing where no step gets longer. Packed quickly.
std::optional<JoinedLayers> look_at_longer_steps(const JoinedLayers& choice, const Program& program,
                                                 const Options& options, const SearchLimits& limits, int64_t at_once);

// The same packed thoroughly.
std::optional<JoinedLayers> with_longer_steps(const JoinedLayers& choice, const Program& program,
                                              const Options& options, const SearchLimits& limits, int64_t at_once);

// Turns a choice into a plan with addresses.
LinePlan plan_of(const JoinedLayers& choice, const Options& options, const SearchLimits& limits);

// The storage given, and, where that makes parts of channels within their whole, another that copies them line by line.
// With the given order of layers; copies run where the program has them.
std::vector<Layers> layers_of(const Program& program, const lifetimes::Storage& storage,
                              const std::vector<OperationId>& order, const lifetimes::ShareOptions& share);

// What of a plan cannot be written as C; empty: all can.
std::string not_emitted(const Program& program, const LinePlan& plan);

}  // namespace tarn::stream
