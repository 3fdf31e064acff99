// Random programs with states, views and parts of tensors, and ones whose size the caller sets, for plans by lines.
#pragma once
#include "property/random_flow.h"
#include "stream/plan.h"

namespace tarn::stream {

// The height of a run that the caller sets.
inline void set_size(Program& program) {
  program::Tensor& t = program.tensors.emplace_back();
  t.name = "size";
  t.geometry = {1, 1, 1};
  t.type = {DType::int32, Shape{1}};
  program.set_size = TensorId(program.tensors.size() - 1);
}

// Layers and views of tensors as other lines, each by lines.
inline Program flow_by_lines(uint64_t seed) {
  Program program = testing::RandomFlow(seed, seed % 4 == 0 ? 4 : 0, false).program;
  for (program::Operation& o : program.operations) {
    o.line_form.emplace();
    const program::Argument* first = o.arguments.empty() ? nullptr : &o.arguments[0];
    o.op = first && first->walk && !first->walk->identity ? "Conv" : "Add";
  }
  return program;
}

}  // namespace tarn::stream
