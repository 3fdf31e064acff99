#include "stream/packing.h"

#include <algorithm>
#include <tuple>

namespace tarn::stream {

namespace {

using planner::Forbidden;

size_t Z(int64_t i) { return static_cast<size_t>(i); }

// The lives of one memory's lines, ready to be searched.
struct Track {
  int memory = 0;
  int64_t slots = 0, bytes = 0;
  const std::vector<Life>* lines = nullptr;
  bool ascending = true;
  std::vector<int> latest;  // by line: the last use of it and all above it
  int first = kNever, last = -2;
};

Track track_of(const Net& net, const Lives& lives, int memory) {
  Track t;
  t.memory = memory;
  t.slots = lives.slots[Z(memory)];
  t.bytes = net.memories[Z(memory)].line_bytes;
  t.lines = &lives.lines[Z(memory)];
  t.ascending = lives.ascending[Z(memory)];
  int latest = -2;
  for (const Life& life : *t.lines) {
    if (life.born != kNever) {
      latest = std::max(latest, life.last);
      t.first = std::min(t.first, life.born);
      t.last = std::max(t.last, life.last);
    }
    t.latest.push_back(latest);
  }
  return t;
}

class Pairing {
 public:
  Pairing(const Net& net, const std::vector<Step>& steps, const Track& x, const Track& y) : net_(net), steps_(steps), x_(x), y_(y) {}

  std::vector<Forbidden> run() {
    for (int64_t r = 0; r < static_cast<int64_t>(y_.lines->size()); ++r) {
      const Life& y = (*y_.lines)[Z(r)];
      if (y.born != kNever) meet(r, y);
    }
    return join_forbidden(std::move(all_));
  }

 private:
  // All lines of x that live together with line r of y; neighbouring slots under the same rule make one interval.
  void meet(int64_t r, const Life& y) {
    int64_t q = 0;
    const auto count = static_cast<int64_t>(x_.lines->size());
    if (x_.ascending) q = std::lower_bound(x_.latest.begin(), x_.latest.end(), y.born) - x_.latest.begin();
    int64_t run_first = -1, run_last = -1;
    const auto flush = [&] {
      if (run_first >= 0) forbid(run_first, run_last, r, y_.bytes, x_.bytes);
      run_first = -1;
    };
    for (; q < count; ++q) {
      const Life& x = (*x_.lines)[Z(q)];
      if (x.born == kNever) continue;
      if (x.born > y.last) {
        if (x_.ascending) break;
        continue;
      }
      if (x.last < y.born) continue;
      if (const auto reach = special(q, x, r, y)) {
        flush();
        forbid(slot(q), slot(q), r, reach->first, reach->second);
        continue;
      }
      const int64_t s = slot(q);
      if (run_first < 0 || s != run_last + 1) {
        flush();
        run_first = s;
      }
      run_last = s;
    }
    flush();
  }

  int64_t slot(int64_t q) const { return q % x_.slots; }

  // How far below and above x's line y's line may not begin, when one of them is made where the other dies.
  std::optional<std::pair<int64_t, int64_t>> special(int64_t q, const Life& x, int64_t r, const Life& y) const {
    if (x.last == y.born && x.born < y.born && y.born >= 0) {
      const auto lag = lag_at(net_, steps_[Z(y.born)], x_.memory, q, y_.memory);
      if (lag && *lag < y_.bytes) return std::pair(*lag, x_.bytes);
    }
    if (y.last == x.born && y.born < x.born && x.born >= 0) {
      const auto lag = lag_at(net_, steps_[Z(x.born)], y_.memory, r, x_.memory);
      if (lag && *lag < x_.bytes) return std::pair(y_.bytes, *lag);
    }
    return {};
  }

  void forbid(int64_t first_slot, int64_t last_slot, int64_t r, int64_t below, int64_t above) {
    const int64_t y = r % y_.slots * y_.bytes;
    const Forbidden f{first_slot * x_.bytes - y - below, last_slot * x_.bytes - y + above};
    if (f.lo < f.hi && (all_.empty() || all_.back() != f)) all_.push_back(f);
  }

  const Net& net_;
  const std::vector<Step>& steps_;
  const Track &x_, &y_;
  std::vector<Forbidden> all_;
};

planner::Item item_of(const Net& net, const Track& track, int64_t steps, int64_t alignment) {
  planner::Item item;
  item.id = net.names[Z(track.memory)];
  item.size = track.slots * track.bytes;
  item.alignment = alignment;
  // Instant 0 is before the first step.
  item.first = track.first + 1;
  item.end = track.last == kNever ? steps + 2 : track.last + 2;
  return item;
}

}  // namespace

std::vector<Forbidden> join_forbidden(std::vector<Forbidden> all) {
  std::sort(all.begin(), all.end(), [](const Forbidden& a, const Forbidden& b) { return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi); });
  std::vector<Forbidden> joined;
  for (const Forbidden& f : all) {
    if (!joined.empty() && f.lo < joined.back().hi) joined.back().hi = std::max(joined.back().hi, f.hi);
    else joined.push_back(f);
  }
  return joined;
}

std::optional<int64_t> lag_at(const Net& net, const Step& step, int dying, int64_t line, int made) {
  const Node& node = net.nodes[Z(step.actor)];
  if (node.memory != made || node.actor.whole || node.actor.accumulate) return {};
  std::optional<int64_t> lag;
  for (const Access& access : node.reads) {
    if (access.memory != dying) continue;
    const Span span = access.at(step.first_line);
    if (line < span.first || line >= span.end) continue;
    if (!access.lag || (lag && *lag < 0)) return {};
    lag = std::max(lag.value_or(0), *access.lag);
  }
  return lag;
}

Packing make_packing(const Net& net, const std::vector<Step>& steps, const Lives& lives, int64_t alignment) {
  Packing packing;
  std::vector<Track> tracks;
  for (size_t m = 0; m < net.memories.size(); ++m) {
    if (net.outside[m] || lives.slots[m] == 0 || net.memories[m].line_bytes == 0) continue;
    tracks.push_back(track_of(net, lives, static_cast<int>(m)));
    packing.memories.push_back(static_cast<int>(m));
    packing.problem.items.push_back(item_of(net, tracks.back(), static_cast<int64_t>(steps.size()), alignment));
  }
  for (size_t a = 0; a < tracks.size(); ++a) {
    for (size_t b = a + 1; b < tracks.size(); ++b) {
      if (tracks[a].first > tracks[b].last || tracks[b].first > tracks[a].last) continue;
      std::vector<Forbidden> forbidden = Pairing(net, steps, tracks[a], tracks[b]).run();
      const planner::Item &x = packing.problem.items[a], &y = packing.problem.items[b];
      const bool plain = forbidden.size() == 1 && forbidden[0] == Forbidden{-y.size, x.size};
      if (!plain) packing.problem.pairs.push_back({static_cast<int>(a), static_cast<int>(b), std::move(forbidden)});
    }
  }
  packing.problem.known_bound = lives.bound;
  return packing;
}

}  // namespace tarn::stream
