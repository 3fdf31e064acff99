#include "report/sizes.h"

#include <algorithm>
#include <map>

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
  // Tensors by name: at other sizes they may stand elsewhere, or not be there.
  std::map<std::string, std::vector<const program::Tensor*>> named;
  for (const Analysis& size : analysis.sizes) {
    for (const program::Tensor& tensor : size.program.tensors) named[tensor.name].push_back(&tensor);
  }
  const auto text = [&](const std::vector<const program::Tensor*>& at, const auto& figure) {
    std::vector<int64_t> values;
    for (const program::Tensor* tensor : at) values.push_back(figure(*tensor));
    return symbolic::to_text(symbolic::fit(range.name, range.low, values));
  };
  for (const program::Tensor& tensor : analysis.program.tensors) {
    const std::vector<const program::Tensor*>& at = named[tensor.name];
    const int rank = tensor.type.shape.rank();
    if (at.size() != analysis.sizes.size() ||
        !std::all_of(at.begin(), at.end(), [&](const program::Tensor* t) { return t->type.shape.rank() == rank; }))
      continue;
    SizedTensor row{tensor.name, {}, {}};
    for (int axis = 0; axis < rank; ++axis)
      row.shape.push_back(text(at, [&](const program::Tensor& t) { return t.type.shape[axis]; }));
    row.bytes = text(at, [](const program::Tensor& t) { return t.bytes(); });
    result.tensors.push_back(std::move(row));
  }
  return result;
}

}  // namespace tarn::report
