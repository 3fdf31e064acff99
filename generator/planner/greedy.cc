// The strategies, and where they come from:
//   greedy_by_size     largest first, lowest gap: the memory planner of TensorFlow Lite for Microcontrollers
//   greedy_by_breadth  instant by instant, the busiest first: Pisarchyk and Lee, "Efficient memory management for deep
//                      neural net inference", 2020
//   first_fit, best_fit  in order of time, as an allocator at run time would do
#include "planner/greedy.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "planner/index.h"
#include "planner/phases.h"
#include "planner/tuning.h"

namespace tarn::planner {

namespace {

// All items, least key first; ties by position.
template <class Key>
std::vector<int> order_by(const Problem& problem, Key key) {
  std::vector<int> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return std::pair(key(problem.items[Z(i)]), i); });
  return order;
}

std::vector<int> by_size(const Problem& problem) {
  return order_by(problem, [](const Item& i) { return std::tuple(-i.size, i.first - i.end, i.first); });
}

std::vector<int> by_time(const Problem& problem) {
  return order_by(problem, [](const Item& i) { return std::tuple(i.first, -i.size, -i.end); });
}

std::vector<int> by_area(const Problem& problem) {
  return order_by(problem, [](const Item& i) {
    return std::tuple(static_cast<double>(i.size) * static_cast<double>(i.first - i.end), -i.size, i.first);
  });
}

std::vector<int> by_life(const Problem& problem) {
  return order_by(problem, [](const Item& i) { return std::tuple(i.first - i.end, -i.size, i.first); });
}

// The instants at which something begins, by bytes alive; at each, the items alive by size.
std::vector<int> by_breadth(const Problem& problem) {
  struct Beginning {
    Bytes breadth;
    Instant at;
    int item;
  };
  const std::vector<int> times = by_time(problem);
  std::vector<int> ends = order_by(problem, [](const Item& i) { return i.end; });
  std::vector<Beginning> beginnings;
  Bytes live = 0;
  size_t ended = 0;
  for (int i : times) {
    const Item& item = problem.items[Z(i)];
    while (ended < ends.size() && problem.items[Z(ends[ended])].end <= item.first) {
      const Item& gone = problem.items[Z(ends[ended++])];
      if (is_alive(gone)) live -= gone.size;
    }
    if (is_alive(item)) live += item.size;
    beginnings.push_back({live, item.first, i});
  }
  // Of the items that begin together the last one sees them all.
  std::vector<Beginning> busiest;
  for (const Beginning& b : beginnings) {
    if (!busiest.empty() && busiest.back().at == b.at) busiest.back() = b;
    else busiest.push_back(b);
  }
  std::sort(busiest.begin(), busiest.end(), [](const Beginning& x, const Beginning& y) {
    return std::tuple(-x.breadth, x.at) < std::tuple(-y.breadth, y.at);
  });
  const std::vector<int> sizes = by_size(problem);
  std::vector<int> order;
  std::vector<bool> taken(problem.items.size(), false);
  // In long problems only the busiest instants are gone through; the rest goes by size.
  const size_t most = std::max<size_t>(20, kGreedyLooks / (problem.items.size() + 1));
  for (size_t k = 0; k < std::min(busiest.size(), most); ++k) {
    for (int i : sizes) {
      const Item& item = problem.items[Z(i)];
      if (taken[Z(i)] || item.first > busiest[k].at || item.end <= busiest[k].at) continue;
      taken[Z(i)] = true;
      order.push_back(i);
    }
  }
  for (int i : sizes) {
    if (!taken[Z(i)]) order.push_back(i);
  }
  return order;
}

// Everything beside everything else.
std::vector<Offset> place_apart(const Problem& problem, const ConflictGraph& conflicts) {
  Placement placement(problem, conflicts);
  Offset top = 0;
  for (const Item& item : problem.items) {
    if (item.offset) top = std::max(top, *item.offset + item.size);
  }
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    if (item.offset) continue;
    const Offset at = placement.find(static_cast<int>(i), Fit::lowest, is_alive(item) ? top : 0);
    placement.place(static_cast<int>(i), at);
    if (is_alive(item)) top = at + item.size;
  }
  return placement.offsets();
}

}  // namespace

size_t place_from(const Problem& problem, Placement& placement, const std::vector<int>& order, size_t from, Fit fit,
                  Bytes most) {
  for (; from < order.size(); ++from) {
    const int i = order[from];
    if (placement.at(i) == kUnplaced) placement.place(i, placement.find(i, fit));
    if (placement.at(i) + problem.items[Z(i)].size > most && is_alive(problem.items[Z(i)])) return from + 1;
  }
  return from;
}

size_t place_again(const Problem& problem, const ConflictGraph& conflicts, const std::vector<Offset>& before,
                   const std::vector<int>& moved, Placement& placement, const std::vector<int>& order, size_t from,
                   Bytes most, std::vector<char>& stale) {
  stale.assign(problem.items.size(), 0);
  // What an item forbids from above the place of another leaves that place the lowest.
  const auto spoil = [&](int i, Offset low, Offset high) {
    const Offset least = std::min(low, high);
    for (const Conflict& c : conflicts.of(i)) stale[Z(c.other)] |= static_cast<char>(least - c.hi < before[Z(c.other)]);
  };
  for (int i : moved) {
    stale[Z(i)] = 1;
    spoil(i, before[Z(i)], before[Z(i)]);
  }
  for (; from < order.size(); ++from) {
    const int i = order[from];
    if (placement.at(i) == kUnplaced) {
      const Offset was = before[Z(i)], now = stale[Z(i)] ? placement.find(i, Fit::lowest) : was;
      placement.place(i, now);
      if (now != was) spoil(i, was, now);
    }
    if (placement.at(i) + problem.items[Z(i)].size > most && is_alive(problem.items[Z(i)])) return from + 1;
  }
  return from;
}

std::vector<Offset> place_in_order(const Problem& problem, const ConflictGraph& conflicts,
                                   const std::vector<int>& order, Fit fit) {
  Placement placement(problem, conflicts);
  place_from(problem, placement, order, 0, fit, INT64_MAX);
  return placement.offsets();
}

std::vector<Offset> place_near_hints(const Problem& problem, const ConflictGraph& conflicts, Bytes goal) {
  if (std::none_of(problem.items.begin(), problem.items.end(), [](const Item& i) { return i.hint.has_value(); }))
    return {};
  std::vector<int> order = order_by(problem, [](const Item& i) { return i.hint.value_or(INT64_MAX); });
  // As they stand above each other, but closer.
  std::vector<Offset> best = place_in_order(problem, conflicts, order, Fit::lowest);
  // Those that can lie where they should do, the others where there is room; of two that cannot both, first the lower
  // one does.
  for (int way = 0; way < 2 && arena_of(problem, best) > goal; ++way) {
    Placement placement(problem, conflicts);
    const Bytes top = arena_of(problem, best);
    for (int i : order) {
      const std::optional<Offset> hint = problem.items[Z(i)].hint;
      if (!hint || *hint < 0 || *hint > top - problem.items[Z(i)].size) continue;
      if (placement.at(i) == kUnplaced && placement.find(i, Fit::lowest, *hint) == *hint) placement.place(i, *hint);
    }
    place_from(problem, placement, order, 0, Fit::lowest, INT64_MAX);
    if (arena_of(problem, placement.offsets()) < arena_of(problem, best)) best = placement.offsets();
    std::reverse(order.begin(), order.end());
  }
  return best;
}

std::vector<std::vector<int>> promising_orders(const Problem& problem) {
  std::vector<int> backwards = by_time(problem);
  std::reverse(backwards.begin(), backwards.end());
  return {by_size(problem), by_breadth(problem), by_area(problem), by_life(problem), by_time(problem), backwards};
}

std::vector<int> greedy_order(const Problem& problem, Strategy strategy) {
  switch (strategy) {
    case Strategy::greedy_by_breadth: return by_breadth(problem);
    case Strategy::first_fit:
    case Strategy::best_fit: return by_time(problem);
    default: return by_size(problem);
  }
}

Fit greedy_fit(Strategy strategy) {
  return strategy == Strategy::greedy_by_breadth || strategy == Strategy::best_fit ? Fit::snuggest : Fit::lowest;
}

std::vector<Offset> place_greedily(const Problem& problem, const ConflictGraph& conflicts, Strategy strategy) {
  if (strategy == Strategy::naive) return place_apart(problem, conflicts);
  return place_in_order(problem, conflicts, greedy_order(problem, strategy), greedy_fit(strategy));
}

}  // namespace tarn::planner
