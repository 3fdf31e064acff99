#include "report/sizes.h"

#include <set>

#include "support/text.h"

namespace tarn::report {

std::optional<Symbolic> sizes_of(const Analysis& analysis) {
  if (analysis.sizes.empty()) return {};
  const SizeRange& range = *analysis.options.run_time;
  const auto fit = [&](const auto& figure) {
    std::vector<int64_t> values;
    for (const Analysis& size : analysis.sizes) values.push_back(figure(size.program));
    return symbolic::fit(range.name, range.low, values);
  };
  const auto everywhere = [&](int64_t value) {
    return std::vector<symbolic::Piece>{{range.low, range.high, cat(value)}};
  };
  Symbolic result;
  result.name = range.name;
  result.low = range.low;
  result.high = range.high;
  result.run_time = true;
  result.arena = everywhere(analysis.plan.arena);
  result.lower_bound = everywhere(analysis.plan.lower_bound);
  result.weights = everywhere(analysis.weight_bytes());
  result.proved = analysis.plan.proof == planner::Proof::optimal ? range.count() : 0;
  result.macs = fit([](const program::Program& program) {
    int64_t macs = 0;
    for (const program::Operation& operation : program.operations) macs += operation.macs;
    return macs;
  });
  std::set<std::string> told;
  for (size_t t = 0; t < analysis.program.tensors.size(); ++t) {
    const program::Tensor& tensor = analysis.program.tensors[t];
    if (!told.insert(tensor.name).second) continue;
    Symbolic::Tensor row{tensor.name, {}, {}};
    for (int axis = 0; axis < tensor.type.shape.rank(); ++axis)
      row.shape.push_back(
          symbolic::to_text(fit([&](const program::Program& program) { return program.tensors[t].type.shape[axis]; })));
    row.bytes = symbolic::to_text(fit([&](const program::Program& program) { return program.tensors[t].bytes(); }));
    result.tensors.push_back(std::move(row));
  }
  return result;
}

}  // namespace tarn::report
