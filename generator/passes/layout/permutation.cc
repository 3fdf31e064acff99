#include "passes/layout/permutation.h"

#include <algorithm>

#include "ops/op.h"

namespace tarn::passes {

std::optional<Constant> permuted(const Constant& constant, const Shape& shape, const Perm& perm) {
  graph::Node node;
  node.op = "Transpose";
  node.attributes["perm"] = std::vector<int64_t>(perm.begin(), perm.end());
  const Constant source = constant.reshaped(shape);
  const ops::Facts facts{node, {{constant.dtype(), shape}}, {&source}, {TensorType{}}};
  auto folded = ops::find_entry("", "Transpose")->fold(facts, {{constant.dtype(), permuted(shape, perm)}});
  if (!folded) return {};
  return std::move((*folded)[0]);
}

std::optional<ReshapeOrder> reshape_order(const Shape& source, const Perm& perm, const Shape& result) {
  // Runs of axes on either side with equal products: {axes of the source, axes of the result}.
  struct Run {
    std::vector<int> from, to;
  };
  std::vector<Run> runs;
  int b = 0;
  for (size_t a = 0; a < perm.size();) {
    Run run{{perm[a]}, {}};
    int64_t from = source[perm[a++]], to = 1;
    while (from != to) {
      if (from < to && a < perm.size()) {
        run.from.push_back(perm[a]);
        from *= source[perm[a++]];
      } else if (to < from && b < result.rank()) {
        run.to.push_back(b);
        to *= result[b++];
      } else {
        return {};
      }
    }
    if (run.to.empty() && b < result.rank() && result[b] == 1) run.to.push_back(b++);
    runs.push_back(std::move(run));
  }
  if (runs.empty()) return {};
  // Axes of one element at the end of the result belong to the last run.
  for (; b < result.rank(); ++b) runs.back().to.push_back(b);
  // Runs follow each other as their first axes of more than one element do in the source.
  auto place = [&](const Run& run) {
    int first = -1;
    for (int axis : run.from) {
      if (source[axis] != 1 && (first < 0 || axis < first)) first = axis;
    }
    return first;
  };
  std::vector<size_t> order;
  for (size_t r = 0; r < runs.size(); ++r) order.push_back(r);
  for (size_t r = 0; r < runs.size(); ++r) {
    // A run of ones stays behind the run before it.
    if (place(runs[r]) >= 0 || r == 0) continue;
    runs[r - 1].from.insert(runs[r - 1].from.end(), runs[r].from.begin(), runs[r].from.end());
    runs[r - 1].to.insert(runs[r - 1].to.end(), runs[r].to.begin(), runs[r].to.end());
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(r--));
    order.pop_back();
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return place(runs[x]) < place(runs[y]); });
  ReshapeOrder answer;
  Perm made;
  for (size_t r : order) {
    answer.gather.insert(answer.gather.end(), runs[r].from.begin(), runs[r].from.end());
    made.insert(made.end(), runs[r].to.begin(), runs[r].to.end());
  }
  answer.after = inverse(made);
  return answer;
}

}  // namespace tarn::passes
