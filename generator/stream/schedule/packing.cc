#include "stream/schedule/packing.h"

#include <algorithm>

#include "planner/conflicts.h"
#include "planner/index.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

using planner::Forbidden;

// The lives of an item's lines, prepared for searches. Line i of the item is the memory's line first_line + i * step.
struct Track {
  int memory = 0;
  int64_t first_line = 0, step = 1;
  int64_t slots = 0, bytes = 0;
  const std::vector<LineLife>* all = nullptr;  // of the memory
  std::vector<LineLife> some;                  // of every `step`th line; empty: all of them
  bool ascending = true;                       // no line is born before one below it
  bool orderly = true;                         // every line is made, and no line lives longer than one above it
  std::vector<int> latest;                     // by line: the last use of it and all above it
  int first = kNever, last = -2;

  const std::vector<LineLife>& lines() const { return some.empty() ? *all : some; }
  int64_t count() const { return static_cast<int64_t>(lines().size()); }
  int64_t number(int64_t i) const { return first_line + i * step; }
  int64_t slot(int64_t i) const { return i % slots; }
};

Track track_of(const Net& net, const Lives& lives, const Packed& packed) {
  Track t;
  t.memory = packed.memory;
  t.bytes = net.memories[Z(t.memory)].line_bytes;
  t.all = &lives.lines[Z(t.memory)];
  t.ascending = lives.ascending[Z(t.memory)];
  t.slots = packed.line < 0 ? lives.slots[Z(t.memory)] : 1;
  if (packed.line >= 0) {
    t.first_line = packed.line;
    t.step = packed.step;
    for (int64_t l = packed.line; l < static_cast<int64_t>(t.all->size()); l += packed.step)
      t.some.push_back((*t.all)[Z(l)]);
  }
  int latest = -2;
  for (const LineLife& life : t.lines()) {
    t.orderly = t.orderly && life.born != kNever && life.last >= latest;
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
  Pairing(const Net& net, const std::vector<Step>& steps, const Track& x, const Track& y)
      : net_(net), steps_(steps), x_(x), y_(y) {}

  std::vector<Forbidden> run() {
    for (int64_t r = 0; r < y_.count(); ++r) {
      const LineLife& y = y_.lines()[Z(r)];
      if (y.born == kNever) continue;
      if (x_.ascending && x_.orderly) meet_neighbours(r, y);
      else meet(r, y);
    }
    return planner::join_forbidden(std::move(all_));
  }

 private:
  // Forbids what the lines of x that live together with line r of y forbid.
  void meet(int64_t r, const LineLife& y) {
    for (int64_t q = first_alive(y); q < x_.count(); ++q) {
      const LineLife& x = x_.lines()[Z(q)];
      if (x.last < y.born) continue;
      if (x.born <= y.last) meet_line(q, r, y);
      else if (x_.ascending) break;
    }
  }

  // The same where the lines of x that live together with r are neighbours: those that may be written over while r is
  // made come first, those made where r may be written over come last, and all between need no look.
  void meet_neighbours(int64_t r, const LineLife& y) {
    const std::vector<LineLife>& lines = x_.lines();
    int64_t q = first_alive(y);
    int64_t end = std::upper_bound(lines.begin(), lines.end(), y.last,
                                   [](int last, const LineLife& x) { return last < x.born; }) -
                  lines.begin();
    if (may_overlap(y.born)) {
      for (; q < end && lines[Z(q)].last == y.born; ++q) meet_line(q, r, y);
    }
    if (may_overlap(y.last)) {
      for (; q < end && lines[Z(end - 1)].born == y.last; --end) meet_line(end - 1, r, y);
    }
    if (q >= end) return;
    const int64_t first = x_.slot(q), last = x_.slot(end - 1);
    if (end - q >= x_.slots) {
      forbid(0, x_.slots - 1, r, y_.bytes, x_.bytes);
    } else if (first <= last) {
      forbid(first, last, r, y_.bytes, x_.bytes);
    } else {
      forbid(first, x_.slots - 1, r, y_.bytes, x_.bytes);
      forbid(0, last, r, y_.bytes, x_.bytes);
    }
  }

  void meet_line(int64_t q, int64_t r, const LineLife& y) {
    const auto reach = special(q, x_.lines()[Z(q)], r, y).value_or(std::pair(y_.bytes, x_.bytes));
    forbid(x_.slot(q), x_.slot(q), r, reach.first, reach.second);
  }

  // The first line of x that may not have died before y is made.
  int64_t first_alive(const LineLife& y) const {
    return std::lower_bound(x_.latest.begin(), x_.latest.end(), y.born) - x_.latest.begin();
  }

  // May what a step makes lie over what dies in it? Of tensors that are made as a whole all lines meet all: they are
  // not looked at one by one.
  bool may_overlap(int step) const {
    return step >= 0 && step != kNever && !net_.nodes[Z(steps_[Z(step)].actor)].actor.whole;
  }

  // How far below and above x's line y's line may not begin. Less than a whole line if one of them is made in the step
  // in which the other dies.
  std::optional<std::pair<int64_t, int64_t>> special(int64_t q, const LineLife& x, int64_t r, const LineLife& y) const {
    if (x.last == y.born && y.born >= 0) {
      const auto distance = overlap_distance_at(net_, steps_[Z(y.born)], x_.memory, x_.number(q), y_.memory);
      if (distance && *distance < y_.bytes) return std::pair(*distance, x_.bytes);
    }
    if (y.last == x.born && x.born >= 0) {
      const auto distance = overlap_distance_at(net_, steps_[Z(x.born)], y_.memory, y_.number(r), x_.memory);
      if (distance && *distance < x_.bytes) return std::pair(y_.bytes, *distance);
    }
    return {};
  }

  void forbid(int64_t first_slot, int64_t last_slot, int64_t r, int64_t below, int64_t above) {
    const int64_t y = y_.slot(r) * y_.bytes;
    const Forbidden f{first_slot * x_.bytes - y - below, last_slot * x_.bytes - y + above};
    if (f.lo >= f.hi) return;
    // Neighbouring lines forbid nearly the same differences: most intervals join the one before.
    if (all_.empty() || f.lo >= all_.back().hi || f.hi <= all_.back().lo) all_.push_back(f);
    else all_.back() = {std::min(f.lo, all_.back().lo), std::max(f.hi, all_.back().hi)};
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
  // Single lines are aligned like the lines of a ring.
  while (!track.some.empty() && item.size % item.alignment != 0) item.alignment /= 2;
  if (track.first == kNever) return item;  // never alive
  // Instant 0 is before the first step.
  item.first = track.first + 1;
  item.end = track.last == kNever ? steps + 2 : track.last + 2;
  return item;
}

int64_t key_of(int x, int y) { return (static_cast<int64_t>(x) << 32) + y; }

std::vector<Packed> pieces(const Net& net, const Lives& lives, Places places) {
  std::vector<Packed> pieces;
  for (size_t m = 0; m < net.memories.size(); ++m) {
    const int64_t slots = lives.slots[m], lines = static_cast<int64_t>(lives.lines[m].size());
    if (net.outside[m] || slots == 0 || net.memories[m].line_bytes == 0) continue;
    const int memory = static_cast<int>(m);
    const bool together = places == Places::together || net.contiguous[m] || net.memories[m].unit > 0 ||
                          net.memories[m].holds != Memory::Holds::tensor || lines == 1 ||
                          (places == Places::slots && (slots == 1 || slots == lines || slots > kShortRing));
    if (together) {
      pieces.push_back({memory});
      continue;
    }
    const int64_t step = places == Places::slots ? slots : lines;
    for (int64_t l = 0; l < step; ++l) {
      bool made = false;
      for (int64_t k = l; k < lines; k += step) made = made || lives.lines[m][Z(k)].born != kNever;
      if (made) pieces.push_back({memory, l, step});
    }
  }
  return pieces;
}

}  // namespace

std::optional<int64_t> overlap_distance_at(const Net& net, const Step& step, int dying, int64_t line, int made) {
  const NetNode& node = net.nodes[Z(step.actor)];
  if (node.memory != made || node.actor.whole || node.actor.accumulate) return {};
  std::optional<int64_t> distance;
  for (const Access& access : node.reads) {
    if (access.memory != dying) continue;
    const Span span = access.at(step.first_line);
    if (line < span.first || line >= span.end) continue;
    if (!access.overlap_distance) return {};
    distance = std::max(distance.value_or(0), *access.overlap_distance);
  }
  return distance;
}

KnownPairs::KnownPairs(const Packing& packing, const std::vector<Step>& steps) : steps_(steps) {
  for (const planner::Pair& pair : packing.problem.pairs)
    pairs_.emplace(key_of(packing.items[Z(pair.a)].memory, packing.items[Z(pair.b)].memory), &pair.forbidden);
}

// Both orders have the same steps, and before and behind some of them they are the same. A line whose life neither
// begins nor ends between lived so before: what begins or ends it between in one order does so in the other.
std::vector<bool> KnownPairs::unchanged(const std::vector<Step>& steps, const Lives& lives) const {
  if (steps.size() != steps_.size()) return std::vector<bool>(lives.lines.size(), false);
  const auto same = [](const Step& x, const Step& y) { return x.actor == y.actor && x.first_line == y.first_line; };
  const auto before = std::mismatch(steps.begin(), steps.end(), steps_.begin(), same).first - steps.begin();
  const auto behind = steps.rend() - std::mismatch(steps.rbegin(), steps.rend(), steps_.rbegin(), same).first;
  const auto apart = [&](int step) { return step < before || step >= behind; };
  std::vector<bool> unchanged;
  for (const std::vector<LineLife>& lines : lives.lines) {
    unchanged.push_back(
        std::all_of(lines.begin(), lines.end(), [&](const LineLife& x) { return apart(x.born) && apart(x.last); }));
  }
  return unchanged;
}

const std::vector<Forbidden>* KnownPairs::find(int x, int y) const {
  const auto at = pairs_.find(key_of(x, y));
  return at == pairs_.end() ? nullptr : at->second;
}

uint64_t count_meetings(const Net& net, const Lives& lives, Places places) {
  std::vector<int> born, last;
  for (const Packed& packed : pieces(net, lives, places)) {
    const std::vector<LineLife>& lines = lives.lines[Z(packed.memory)];
    LineLife whole;
    for (size_t l = Z(std::max<int64_t>(0, packed.line)); l < lines.size(); l += Z(packed.step)) {
      if (lines[l].born == kNever) continue;
      whole = {std::min(whole.born, lines[l].born), std::max(whole.last, lines[l].last)};
    }
    born.push_back(whole.born);
    last.push_back(whole.last);
  }
  std::sort(born.begin(), born.end());
  std::sort(last.begin(), last.end());
  uint64_t meetings = 0;
  for (size_t i = 0, ended = 0; i < born.size(); ++i) {
    while (last[ended] < born[i]) ++ended;
    meetings += i - ended;
  }
  return meetings;
}

namespace {

Packing pack(const Net& net, const std::vector<Step>& steps, const Lives& lives, Packing packing, int64_t alignment,
             bool endless, const KnownPairs* known) {
  std::vector<Track> tracks;
  std::vector<int> by_time;
  for (const Packed& packed : packing.items) {
    by_time.push_back(static_cast<int>(tracks.size()));
    tracks.push_back(track_of(net, lives, packed));
    packing.problem.items.push_back(item_of(net, tracks.back(), static_cast<int64_t>(steps.size()), alignment));
  }
  std::stable_sort(by_time.begin(), by_time.end(),
                   [&](int a, int b) { return tracks[Z(a)].first < tracks[Z(b)].first; });
  std::vector<bool> unchanged(net.memories.size(), false);
  if (known) unchanged = known->unchanged(steps, lives);
  std::vector<int> alive;
  for (int later : by_time) {
    std::erase_if(alive, [&](int other) { return tracks[Z(other)].last < tracks[Z(later)].first; });
    packing.looks += alive.size();
    for (int earlier : alive) {
      const int a = std::min(earlier, later), b = std::max(earlier, later);
      const int of_a = tracks[Z(a)].memory, of_b = tracks[Z(b)].memory;
      if (unchanged[Z(of_a)] && unchanged[Z(of_b)]) {
        if (const std::vector<Forbidden>* same = known->find(of_a, of_b))
          packing.problem.pairs.push_back({a, b, *same});
        continue;
      }
      packing.looks += 4 + static_cast<uint64_t>(tracks[Z(b)].count());
      std::vector<Forbidden> forbidden = Pairing(net, steps, tracks[Z(a)], tracks[Z(b)]).run();
      const planner::Item &x = packing.problem.items[Z(a)], &y = packing.problem.items[Z(b)];
      if (endless && !forbidden.empty() && (tracks[Z(a)].slots > 1 || tracks[Z(b)].slots > 1))
        forbidden = {{-y.size, x.size}};
      const bool plain = forbidden.size() == 1 && forbidden[0] == Forbidden{-y.size, x.size};
      if (!plain) packing.problem.pairs.push_back({a, b, std::move(forbidden)});
    }
    alive.push_back(later);
  }
  packing.problem.known_bound = lives.bound;
  return packing;
}

}  // namespace

Packing make_packing(const Net& net, const std::vector<Step>& steps, const Lives& lives, Places places,
                     int64_t alignment, bool endless, const KnownPairs* known) {
  Packing packing;
  packing.places = places;
  packing.items = pieces(net, lives, places);
  return pack(net, steps, lives, std::move(packing), alignment, endless, known);
}

Packing make_packing(const Net& net, const std::vector<Step>& steps, const Lives& lives, std::vector<Packed> items,
                     int64_t alignment) {
  Packing packing;
  packing.places = Places::slots;
  packing.items = std::move(items);
  return pack(net, steps, lives, std::move(packing), alignment, false, nullptr);
}

}  // namespace tarn::stream
