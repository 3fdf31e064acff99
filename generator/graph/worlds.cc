#include "graph/worlds.h"

namespace tarn::graph {

namespace {

// Odd sizes that no model's own dimension is likely to equal, so that nothing broadcasts or folds by chance.
int64_t base_value(size_t symbol) { return 1009 + 66 * static_cast<int64_t>(symbol); }
constexpr int64_t kSteps[] = {10, 24};

}  // namespace

int Worlds::add_symbol(int64_t most) {
  largest_.push_back(most);
  return static_cast<int>(largest_.size()) - 1;
}

std::vector<int64_t> Worlds::values(size_t world) const {
  if (world == 0) return largest_;
  std::vector<int64_t> values;
  for (size_t s = 0; s < largest_.size(); ++s) {
    int64_t value = base_value(s);
    if (is_joint(world)) {
      if (s <= (world - 4) / 3) value += 7 + 4 * static_cast<int64_t>(s);
    } else if (world >= 2 && (world - 2) / 3 == s) {
      value += kSteps[(world - 2) % 3];
    }
    values.push_back(value);
  }
  return values;
}

std::optional<RuntimeDim> Worlds::fit(const std::vector<int64_t>& seen) const {
  RuntimeDim dim;
  dim.scale = 0;
  dim.offset = seen[0];
  for (size_t s = 0; s < largest_.size(); ++s) {
    const int64_t first = seen[stepped(s, 0) - 1] - seen[0], second = seen[stepped(s, 1) - 1] - seen[0];
    if (first == 0 && second == 0) continue;
    if (dim.scale != 0 || first % kSteps[0] != 0 || second * kSteps[0] != first * kSteps[1]) return {};
    dim.symbol = static_cast<int>(s);
    dim.scale = first / kSteps[0];
    dim.offset = seen[0] - dim.scale * base_value(s);
  }
  for (size_t s = 0; s < largest_.size(); ++s) {
    const int64_t value = values(joint(s))[static_cast<size_t>(dim.symbol)];
    if (seen[joint(s) - 1] != dim.offset + dim.scale * value) return {};
  }
  return dim;
}

}  // namespace tarn::graph
