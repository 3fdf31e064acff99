#include "report/live.h"

#include <algorithm>

namespace tarn::report {

namespace {

constexpr int64_t kMostNames = int64_t{1} << 18;  // of all steps together

// How many bytes of an address range are covered, as blocks come and go: each node of a tree over the bounds of blocks
// knows how many cover all of it, and what is covered of it.
class Coverage {
 public:
  explicit Coverage(std::vector<int64_t> bounds) : bounds_(std::move(bounds)) {
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    nodes_.resize(4 * std::max<size_t>(1, bounds_.size()));
  }

  void change(int64_t from, int64_t to, int by) {
    if (from < to) change(1, 0, bounds_.size() - 1, from, to, by);
  }
  int64_t bytes() const { return nodes_[1].bytes; }

 private:
  struct Covered {
    int whole = 0;
    int64_t bytes = 0;
  };

  // Node `at` stands for the bytes from bound `lo` to bound `hi`.
  void change(size_t at, size_t lo, size_t hi, int64_t from, int64_t to, int by) {
    if (to <= bounds_[lo] || bounds_[hi] <= from) return;
    Covered& node = nodes_[at];
    if (from <= bounds_[lo] && bounds_[hi] <= to) {
      node.whole += by;
    } else {
      const size_t middle = (lo + hi) / 2;
      change(2 * at, lo, middle, from, to, by);
      change(2 * at + 1, middle, hi, from, to, by);
    }
    if (node.whole > 0) node.bytes = bounds_[hi] - bounds_[lo];
    else node.bytes = hi - lo > 1 ? nodes_[2 * at].bytes + nodes_[2 * at + 1].bytes : 0;
  }

  std::vector<int64_t> bounds_;
  std::vector<Covered> nodes_;
};

struct Event {
  int64_t step;
  size_t block;
  int by;
};

}  // namespace

std::vector<int64_t> covered_bytes(const std::vector<LiveBlock>& blocks, int64_t steps) {
  std::vector<int64_t> bounds;
  std::vector<Event> events;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const LiveBlock& block = blocks[i];
    if (block.bytes <= 0 || block.first >= block.end) continue;
    bounds.insert(bounds.end(), {block.offset, block.offset + block.bytes});
    events.push_back({block.first, i, 1});
    events.push_back({block.end, i, -1});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.step < b.step; });
  Coverage coverage(std::move(bounds));
  std::vector<int64_t> covered;
  auto next = events.begin();
  for (int64_t step = 0; step < steps; ++step) {
    for (; next != events.end() && next->step <= step; ++next) {
      const LiveBlock& block = blocks[next->block];
      coverage.change(block.offset, block.offset + block.bytes, next->by);
    }
    covered.push_back(coverage.bytes());
  }
  return covered;
}

void list_live(Report& report) {
  const auto steps = static_cast<int64_t>(report.steps.size());
  int64_t names = 0;
  for (const TensorRow& row : report.tensors)
    names += std::max<int64_t>(0, std::min(row.end, steps) - std::max<int64_t>(row.first, 0));
  for (StepRow& step : report.steps) step.live.clear();
  for (const TensorRow& row : report.tensors) {
    for (int64_t s = std::max<int64_t>(row.first, 0); s < std::min(row.end, steps); ++s) {
      if (names <= kMostNames || s == report.peak_step) report.steps[static_cast<size_t>(s)].live.push_back(row.name);
    }
  }
}

}  // namespace tarn::report
