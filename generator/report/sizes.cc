#include "report/sizes.h"

#include <algorithm>
#include <functional>
#include <map>

#include "program/macs.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// `text`: the formula of the values at all sizes.
std::vector<SizedTensor> tensors_of(const Analysis& analysis,
                                    const std::function<std::string(const std::vector<int64_t>&)>& text) {
  // Tensors by name: at other sizes they may stand elsewhere, or not be there.
  std::map<std::string, std::vector<const program::Tensor*>> named;
  for (const Analysis& size : analysis.sizes) {
    for (const program::Tensor& tensor : size.program.tensors) named[tensor.name].push_back(&tensor);
  }
  const auto formula = [&](const std::vector<const program::Tensor*>& at, const auto& figure) {
    std::vector<int64_t> values;
    for (const program::Tensor* tensor : at) values.push_back(figure(*tensor));
    return text(values);
  };
  std::vector<SizedTensor> rows;
  for (const program::Tensor& tensor : analysis.program.tensors) {
    const std::vector<const program::Tensor*>& at = named[tensor.name];
    const int rank = tensor.type.shape.rank();
    if (at.size() != analysis.sizes.size() ||
        !std::all_of(at.begin(), at.end(), [&](const program::Tensor* t) { return t->type.shape.rank() == rank; }))
      continue;
    SizedTensor row{tensor.name, {}, {}};
    for (int axis = 0; axis < rank; ++axis)
      row.shape.push_back(formula(at, [&](const program::Tensor& t) { return t.type.shape[axis]; }));
    row.bytes = formula(at, [](const program::Tensor& t) { return t.bytes(); });
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::optional<Symbolic> sizes_of(const Analysis& analysis) {
  if (analysis.sizes.empty() || analysis.options.run_time.size() > 1) return {};
  const SizeRange& range = analysis.options.run_time[0];
  const auto fit = [&](const std::vector<int64_t>& values) { return symbolic::fit(range.name, range.low, values); };
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
  std::vector<int64_t> macs;
  for (const Analysis& size : analysis.sizes) macs.push_back(program::macs_of(size.program));
  result.macs = fit(macs);
  result.tensors =
      tensors_of(analysis, [&](const std::vector<int64_t>& values) { return symbolic::to_text(fit(values)); });
  return result;
}

std::optional<Grid> grid_of(const Analysis& analysis) {
  const SizeBox& box = analysis.options.run_time;
  if (analysis.sizes.empty() || box.size() < 2) return {};
  Grid grid;
  symbolic::Box whole;
  for (const SizeRange& range : box) {
    grid.axes.push_back({range.name, range.low, range.high});
    whole.from.push_back(range.low);
    whole.to.push_back(range.high);
  }
  const auto everywhere = [&](int64_t value) {
    symbolic::Box same = whole;
    same.expression = cat(value);
    return std::vector<symbolic::Box>{same};
  };
  // Most tensors have one of a few lengths.
  std::map<std::vector<int64_t>, std::string> known;
  grid.run_time = true;
  grid.points = std::ssize(analysis.sizes);
  grid.proved = analysis.plan.proof == planner::Proof::optimal ? grid.points : 0;
  grid.arena = everywhere(analysis.plan.arena);
  grid.lower_bound = everywhere(analysis.plan.lower_bound);
  grid.weights = everywhere(analysis.weight_bytes());
  std::vector<int64_t> macs;
  for (const Analysis& size : analysis.sizes) macs.push_back(program::macs_of(size.program));
  grid.macs = symbolic::fit(grid.axes, macs);
  grid.tensors = tensors_of(analysis, [&](const std::vector<int64_t>& values) {
    const auto [found, first] = known.emplace(values, "");
    if (first) found->second = symbolic::to_text(grid.axes, symbolic::fit(grid.axes, values));
    return found->second;
  });
  return grid;
}

}  // namespace tarn::report
