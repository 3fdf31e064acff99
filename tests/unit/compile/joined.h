// Networks whose layers can be joined, and their chains.
#pragma once
#include <string>
#include <vector>

#include "stream/network/chains.h"
#include "unit/compile/analysed.h"

namespace tarn {

// An initializer of `count` ones.
inline std::string ones(const std::string& name, const std::string& shape, int count) {
  std::string text = "float[" + shape + "] " + name + " = {1";
  for (int i = 1; i < count; ++i) text += ", 1";
  return text + "}";
}

inline Analysis fed_by_pixels(const std::string& text) {
  CompileOptions options;
  options.stream.mode = stream::Mode::fed;
  options.nhwc_inputs = options.nhwc_outputs = true;
  return analyze_ok(text, options);
}

inline std::vector<stream::Chain> chains_of(const Analysis& analysis) {
  std::vector<stream::OperationId> order;
  for (const schedule::Step& step : analysis.schedule.steps) order.push_back(step.operation);
  return stream::find_chains(analysis.program, analysis.storage, order);
}

}  // namespace tarn
