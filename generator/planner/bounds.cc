#include "planner/bounds.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "planner/phases.h"
#include "planner/plan.h"
#include "support/checked.h"

namespace tarn::planner {

namespace {

struct Event {
  Instant at;
  bool begins;
  int item;
  Bytes bytes;
};

std::vector<Event> events_of(const Problem& problem) {
  std::vector<Event> events;
  events.reserve(problem.items.size() * 2);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const auto add = [&](Instant first, Instant end, Bytes bytes) {
      events.push_back({first, true, static_cast<int>(i), bytes});
      events.push_back({end, false, static_cast<int>(i), bytes});
    };
    const Item& item = problem.items[i];
    if (!is_alive(item)) continue;
    if (is_whole(item)) {
      add(item.first, item.end, item.size);
    } else {
      for (const Phase& p : phases_of(item)) add(p.first, p.end, p.byte_end - p.byte_first);
    }
  }
  std::ranges::sort(events, {}, [](const Event& e) { return std::tie(e.at, e.begins, e.item, e.bytes); });
  return events;
}

// What must be apart at an instant. Offsets are multiples of a unit, so every item but the topmost takes whole units;
// the one that wastes most by that is the best topmost one.
struct Load {
  Bytes bytes = 0;
  std::multiset<Bytes> padding;
};

// Items of a pair may share bytes although they meet. Only one of the two is counted.
std::vector<bool> uncounted(const Problem& problem) {
  std::vector<bool> skip(problem.items.size(), false);
  for (const Pair& pair : problem.pairs) {
    const Item &a = problem.items[static_cast<size_t>(pair.a)], &b = problem.items[static_cast<size_t>(pair.b)];
    if (!is_alive(a) || !is_alive(b) || a.first >= b.end || b.first >= a.end) continue;
    const bool apart = pair.forbidden.size() == 1 && pair.forbidden[0].lo <= -b.size && pair.forbidden[0].hi >= a.size;
    if (apart) continue;
    const size_t x = static_cast<size_t>(pair.a), y = static_cast<size_t>(pair.b);
    if (!skip[x] && !skip[y]) skip[a.size < b.size ? x : y] = true;
  }
  return skip;
}

// A window of an item may begin anywhere and fill what another item wastes.
bool has_windows(const Problem& problem) {
  for (const Item& item : problem.items) {
    for (const Gap& gap : item.gaps) {
      if (gap.window_first || gap.window_end) return true;
    }
  }
  return false;
}

template <class Peak>
Bytes sweep(const Problem& problem, Peak on_peak) {
  const Bytes unit = has_windows(problem) ? 1 : common_alignment(problem);
  const std::vector<bool> skip = uncounted(problem);
  Load load;
  Bytes most = 0;
  for (const Event& e : events_of(problem)) {
    const Item& item = problem.items[static_cast<size_t>(e.item)];
    if (skip[static_cast<size_t>(e.item)]) continue;
    const Bytes pad = is_whole(item) ? (unit - e.bytes % unit) % unit : 0;
    if (e.begins) {
      load.bytes += e.bytes + pad;
      if (pad > 0) load.padding.insert(pad);
      const Bytes needed = load.bytes - (load.padding.empty() ? 0 : *load.padding.rbegin());
      if (needed > most) {
        most = needed;
        on_peak(e.at);
      }
    } else {
      load.bytes -= e.bytes + pad;
      if (pad > 0) load.padding.erase(load.padding.find(pad));
    }
  }
  return most;
}

}  // namespace

Bytes common_alignment(const Problem& problem) {
  Bytes unit = 0;
  for (const Item& item : problem.items) {
    if (is_alive(item)) unit = std::gcd(unit, item.alignment);
  }
  return std::max<Bytes>(unit, 1);
}

namespace {

// The least address >= `arena` at which the item can end; none: INT64_MAX.
Bytes next_end(const Item& item, Bytes arena) {
  if (!is_alive(item)) return INT64_MAX;
  if (item.offset) return *item.offset + item.size >= arena ? *item.offset + item.size : INT64_MAX;
  return round_up(std::max<Bytes>(0, arena - item.size), item.alignment) + item.size;
}

}  // namespace

Bytes reachable_arena(const Problem& problem, Bytes arena) {
  Bytes least = INT64_MAX;
  for (const Item& item : problem.items) least = std::min(least, next_end(item, arena));
  return least == INT64_MAX ? arena : least;
}

Bytes bound_behind(const Problem& problem, const std::vector<int>& core, Bytes capacity) {
  Bytes least = INT64_MAX;
  for (int i : core) least = std::min(least, next_end(problem.items[static_cast<size_t>(i)], capacity + 1));
  return reachable_arena(problem, least == INT64_MAX ? capacity + 1 : least);
}

Bytes lower_bound(const Problem& problem) {
  Bytes bound = std::max(problem.known_bound, sweep(problem, [](Instant) {}));
  for (const Item& item : problem.items) {
    if (is_alive(item)) bound = std::max(bound, item.offset.value_or(0) + item.size);
  }
  return reachable_arena(problem, bound);
}

PeakSet peak_set(const Problem& problem) {
  PeakSet peak;
  peak.bytes = sweep(problem, [&](Instant at) { peak.at = at; });
  const std::vector<bool> skip = uncounted(problem);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (skip[i]) continue;
    for (const Phase& p : phases_of(problem.items[i])) {
      if (p.first <= peak.at && peak.at < p.end) {
        peak.items.push_back(static_cast<int>(i));
        break;
      }
    }
  }
  return peak;
}

}  // namespace tarn::planner
