#include "stream/schedule/segment_cuts.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "planner/index.h"
#include "stream/schedule/lives.h"
#include "stream/schedule/pull.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

struct Costs {
  int64_t lines = 0, rings = 0;
};

// Measures the most that is alive in one segment.
class Meter {
 public:
  explicit Meter(const Net& net)
      : net_(net),
        lines_(net.memories.size()),
        first_made_(net.memories.size(), kNever),
        last_used_(net.memories.size(), -1),
        crossing_(net.nodes.size() + 1, 0) {
    for (size_t m = 0; m < net.memories.size(); ++m) {
      lines_[m].resize(Z(net.memories[m].lines));
      if (net.given[m]) first_made_[m] = -1;
      if (net.kept[m]) last_used_[m] = kNever;
    }
    for (size_t n = 0; n < net.nodes.size(); ++n) {
      const int at = static_cast<int>(n);
      for_each_memory(n, [&](int m, bool made) {
        if (made) first_made_[Z(m)] = std::min(first_made_[Z(m)], at);
        last_used_[Z(m)] = std::max(last_used_[Z(m)], at);
      });
    }
    const auto count = static_cast<int>(net.nodes.size());
    for (size_t m = 0; m < net.memories.size(); ++m) {
      if (first_made_[m] >= std::min(count, last_used_[m])) continue;
      crossing_[Z(first_made_[m] + 1)] += whole(m);
      if (last_used_[m] < count) crossing_[Z(last_used_[m] + 1)] -= whole(m);
    }
    std::partial_sum(crossing_.begin(), crossing_.end(), crossing_.begin());
  }

  // Bytes that are kept whole where a segment ends before node n.
  int64_t crossing(size_t n) const { return crossing_[n]; }

  // Steps and touched lines looked at so far.
  uint64_t looks() const { return looks_; }

  Costs measure(size_t first, size_t end, const std::vector<Step>& steps) {
    const int64_t across = prepare(first, end);
    const auto count = static_cast<int>(steps.size());
    for (int s = 0; s < count; ++s) {
      for_each_touch(net_, steps[Z(s)], [&](int memory, int64_t line, bool written) {
        LineLife& life = lines_[Z(memory)][Z(line)];
        if (written) life.born = std::min(life.born, s);
        life.last = std::max(life.last, s);
        ++looks_;
      });
    }
    looks_ += steps.size();
    change_.assign(Z(count) + 2, 0);
    single_.assign(Z(count) + 1, 0);
    ring_change_ = change_;
    for (int m : touched_) count_memory(m, end, count);
    Costs costs;
    int64_t lines = across, rings = across;
    for (int s = 0; s <= count; ++s) {
      lines += change_[Z(s)];
      rings += ring_change_[Z(s)];
      const int64_t born = s > 0 ? single_[Z(s - 1)] : 0;
      costs.lines = std::max(costs.lines, lines + born);
      costs.rings = std::max(costs.rings, lines + rings - across + born);
    }
    return costs;
  }

 private:
  bool crosses(size_t m, size_t n) const {
    return first_made_[m] < static_cast<int>(n) && last_used_[m] >= static_cast<int>(n);
  }

  int64_t whole(size_t m) const { return net_.outside[m] ? 0 : net_.memories[m].lines * net_.memories[m].line_bytes; }

  template <class Visit>
  void for_each_memory(size_t n, Visit visit) const {
    const NetNode& node = net_.nodes[n];
    for (const Access& access : node.reads) visit(access.memory, false);
    if (node.memory >= 0) visit(node.memory, true);
    for (int m : node.also) visit(m, true);
    for (int m : node.helpers) visit(m, true);
    for (int m : node.states) visit(m, true);
  }

  // Bytes that cross the segment untouched; the lives of what it touches are set up.
  int64_t prepare(size_t first, size_t end) {
    touched_.clear();
    for (size_t n = first; n < end; ++n) for_each_memory(n, [&](int m, bool) { touched_.push_back(m); });
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    int64_t across = crossing_[first];
    for (int touched : touched_) {
      const size_t m = Z(touched);
      const bool before = crosses(m, first);
      std::fill(lines_[m].begin(), lines_[m].end(), before ? LineLife{-1, -1} : LineLife{});
      looks_ += lines_[m].size();
      if (before) across -= whole(m);
    }
    return across;
  }

  void count_memory(int memory, size_t end, int count) {
    const size_t m = Z(memory);
    if (net_.outside[m]) return;
    const bool stays = last_used_[m] >= static_cast<int>(end);
    const int64_t bytes = net_.memories[m].line_bytes;
    int slots = 1, first = kNever, last = -2;
    size_t oldest = 0;
    bool ring = !stays && !net_.contiguous[m] && net_.memories[m].holds == Memory::Holds::tensor;
    for (size_t r = 0; ring && r < lines_[m].size(); ++r) {
      const LineLife& life = lines_[m][r];
      if (life.born == kNever) continue;
      if (life.born < 0) ring = false;
      while (oldest < r && lines_[m][oldest].last < life.born) ++oldest;  // those never made end before all
      slots = std::max(slots, static_cast<int>(r - oldest) + 1);
      first = std::min(first, life.born);
      last = std::max(last, life.last);
    }
    if (ring && slots > 1) {
      // In the sum by rings the lines of this memory are replaced by its slots.
      ring_change_[Z(first) + 1] += bytes * slots;
      ring_change_[Z(std::min(last, count - 1)) + 1] -= bytes * slots;
    }
    for (const LineLife& life : lines_[m]) {
      if (life.born == kNever) continue;
      const int until = stays ? count : life.last;
      if (until > life.born) {
        add(change_, life.born + 1, until + 1, bytes);
        if (ring && slots > 1) add(ring_change_, life.born + 1, until + 1, -bytes);
      } else if (life.born >= 0) {
        single_[Z(life.born)] += bytes;
      }
    }
  }

  static void add(std::vector<int64_t>& change, int first, int end, int64_t bytes) {
    change[Z(first)] += bytes;
    if (Z(end) < change.size()) change[Z(end)] -= bytes;
  }

  const Net& net_;
  std::vector<std::vector<LineLife>> lines_;
  std::vector<int> first_made_, last_used_;  // by memory: nodes
  std::vector<int> touched_;
  std::vector<int64_t> crossing_;  // by node
  std::vector<int64_t> change_, single_, ring_change_;
  uint64_t looks_ = 0;
};

// Minimax paths: the least possible greatest edge, and among equals the least sum of edges, counted coarsely.
struct Path {
  std::vector<int64_t> worst, total;
  std::vector<size_t> from;

  explicit Path(size_t count) : worst(count + 1, kUnknown), total(count + 1, 0), from(count + 1, 0) { worst[0] = 0; }

  void edge(size_t i, size_t j, int64_t cost) {
    if (worst[i] == kUnknown) return;
    const int64_t most = std::max(worst[i], cost), sum = total[i] + cost / 64;
    if (most < worst[j] || (most == worst[j] && sum < total[j])) {
      worst[j] = most;
      total[j] = sum;
      from[j] = i;
    }
  }

  std::vector<bool> cuts() const {
    std::vector<bool> cuts(worst.size(), false);
    for (size_t j = worst.size() - 1; j > 0; j = from[j]) cuts[j] = true;
    cuts.back() = false;
    return cuts;
  }
};

// Extends the paths by one segment after the other.
class Looker {
 public:
  explicit Looker(const Net& net) : net_(net), meter_(net), lines_(net.nodes.size()), rings_(net.nodes.size()) {}

  // Segments of one node each.
  void step_by_step() {
    Progress before(net_.nodes.size(), 0);
    for (size_t i = 0; i < net_.nodes.size(); ++i) {
      edge(i, i + 1, before);
      before[i] = net_.nodes[i].lines;
    }
  }

  // All segments between cuts that at most `most` bytes cross, until `work_limit` steps have been looked at in all:
  // then not the longest.
  void look(int64_t most, uint64_t work_limit) {
    const size_t count = net_.nodes.size();
    std::vector<bool> useful;
    for (size_t j = 0; j <= count; ++j) useful.push_back(j == 0 || j == count || meter_.crossing(j) <= most);
    auto left = static_cast<uint64_t>(std::count(useful.begin(), useful.end(), true));
    complete_ = true;
    Progress before(count, 0);
    for (size_t i = 0; i < count; ++i) {
      if (useful[i]) {
        // Every start has its share, so that no part of a long network is left without segments.
        const uint64_t share = work_ + (work_limit - std::min(work_limit, work_)) / left;
        if (lines_.worst[i] <= most) look_from(i, useful, before, share);
        --left;
      }
      // Lines that no result asks for are never made, but the node counts as finished.
      before[i] = net_.nodes[i].lines;
    }
  }

  bool complete() const { return complete_; }
  // The greatest edge of the best paths known so far, by lines and by rings.
  int64_t most() const { return std::max(lines_.worst.back(), rings_.worst.back()); }

  SegmentCuts result() const { return {lines_.cuts(), rings_.cuts(), lines_.worst.back(), work_, complete_}; }

 private:
  void look_from(size_t i, const std::vector<bool>& useful, const Progress& before, uint64_t share) {
    const size_t end = std::min(net_.nodes.size(), i + kLongestSegmentTried);
    for (size_t j = i + 1; j <= end; ++j) {
      if (!useful[j]) continue;
      edge(i, j, before);
      if (work_ <= share) continue;
      complete_ = complete_ && j == end;
      break;
    }
  }

  void edge(size_t i, size_t j, const Progress& before) {
    Progress progress = before;
    steps_.clear();
    pull_segment(net_, i, j, progress, steps_);
    const uint64_t before_looks = meter_.looks();
    const Costs costs = meter_.measure(i, j, steps_);
    lines_.edge(i, j, costs.lines);
    rings_.edge(i, j, costs.rings);
    // Steps that touch many lines count for several.
    work_ += std::max(steps_.size() + (j - i) + 8, (meter_.looks() - before_looks) / kUsualLooks);
  }

  const Net& net_;
  Meter meter_;
  Path lines_, rings_;
  std::vector<Step> steps_;
  uint64_t work_ = 0;
  bool complete_ = false;
};

}  // namespace

SegmentCuts find_segment_cuts(const Net& net, uint64_t work_limit, int64_t most) {
  Looker looker(net);
  looker.step_by_step();
  looker.look(std::min(most, looker.most()), work_limit / 3);
  // The first result bounds the bytes that may cross a cut. Fewer cuts remain, so longer segments can be measured.
  if (!looker.complete()) looker.look(std::min(most, looker.most()), work_limit);
  return looker.result();
}

}  // namespace tarn::stream
