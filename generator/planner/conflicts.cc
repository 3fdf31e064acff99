#include "planner/conflicts.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "planner/phases.h"

namespace tarn::planner {

namespace {

struct Edge {
  int a, b;
  Bytes lo, hi;  // of offset(b) - offset(a)
};

// Visits every two items whose lives meet, the earlier one first; stops when `visit` says so.
template <class Visit>
void for_each_meeting(const Problem& problem, Visit visit) {
  std::vector<int> order;
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (is_alive(problem.items[i])) order.push_back(static_cast<int>(i));
  }
  const auto item = [&](int i) -> const Item& { return problem.items[static_cast<size_t>(i)]; };
  std::ranges::sort(order, {}, [&](int i) { return std::pair(item(i).first, i); });
  std::vector<int> alive;
  for (int i : order) {
    std::erase_if(alive, [&](int j) { return item(j).end <= item(i).first; });
    for (int j : alive) {
      if (!visit(j, i)) return;
    }
    alive.push_back(i);
  }
}

}  // namespace

std::vector<Forbidden> join_forbidden(std::vector<Forbidden> all) {
  std::ranges::sort(all, {}, [](const Forbidden& f) { return std::tie(f.lo, f.hi); });
  std::vector<Forbidden> joined;
  for (const Forbidden& f : all) {
    // Open intervals that only touch leave the difference between them allowed.
    if (!joined.empty() && f.lo < joined.back().hi) joined.back().hi = std::max(joined.back().hi, f.hi);
    else joined.push_back(f);
  }
  return joined;
}

std::vector<Forbidden> forbidden_by_lives(const Item& a, const Item& b) {
  if (!is_alive(a) || !is_alive(b) || a.first >= b.end || b.first >= a.end) return {};
  if (is_whole(a) && is_whole(b)) return {{-b.size, a.size}};
  std::vector<Forbidden> all;
  for (const Phase& x : phases_of(a)) {
    for (const Phase& y : phases_of(b)) {
      if (x.first < y.end && y.first < x.end) all.push_back({x.byte_first - y.byte_end, x.byte_end - y.byte_first});
    }
  }
  return join_forbidden(std::move(all));
}

std::optional<std::pair<int, int>> find_collision(const Problem& fixed) {
  const auto forbids = [&](int a, int b, const std::vector<Forbidden>& forbidden) {
    const Bytes difference = *fixed.items[static_cast<size_t>(b)].offset - *fixed.items[static_cast<size_t>(a)].offset;
    return std::any_of(forbidden.begin(), forbidden.end(),
                       [&](const Forbidden& f) { return f.lo < difference && difference < f.hi; });
  };
  std::vector<std::pair<int, int>> paired;
  for (const Pair& pair : fixed.pairs) {
    if (forbids(pair.a, pair.b, pair.forbidden)) return std::pair(pair.a, pair.b);
    paired.push_back(std::minmax(pair.a, pair.b));
  }
  std::sort(paired.begin(), paired.end());
  std::optional<std::pair<int, int>> found;
  for_each_meeting(fixed, [&](int a, int b) {
    const Item &x = fixed.items[static_cast<size_t>(a)], &y = fixed.items[static_cast<size_t>(b)];
    if (*x.offset >= *y.offset + y.size || *y.offset >= *x.offset + x.size) return true;
    if (std::binary_search(paired.begin(), paired.end(), std::pair(std::min(a, b), std::max(a, b)))) return true;
    if (forbids(a, b, forbidden_by_lives(x, y))) found = std::pair(a, b);
    return !found;
  });
  return found;
}

ConflictGraph ConflictGraph::build(const Problem& problem) {
  std::vector<std::vector<int>> partners(problem.items.size());
  std::vector<Edge> edges;
  for (const Pair& pair : problem.pairs) {
    partners[static_cast<size_t>(pair.a)].push_back(pair.b);
    partners[static_cast<size_t>(pair.b)].push_back(pair.a);
    for (const Forbidden& f : pair.forbidden) edges.push_back({pair.a, pair.b, f.lo, f.hi});
  }
  std::vector<int> partner_of(problem.items.size(), -1);  // the last item looked at that has a pair with this one
  int last = -1;
  for_each_meeting(problem, [&](int a, int b) {
    if (b != last) {
      for (int other : partners[static_cast<size_t>(b)]) partner_of[static_cast<size_t>(other)] = b;
    }
    last = b;
    if (partner_of[static_cast<size_t>(a)] == b) return true;
    const Item &x = problem.items[static_cast<size_t>(a)], &y = problem.items[static_cast<size_t>(b)];
    if (is_whole(x) && is_whole(y)) {
      edges.push_back({a, b, -y.size, x.size});
    } else {
      for (const Forbidden& f : forbidden_by_lives(x, y)) edges.push_back({a, b, f.lo, f.hi});
    }
    return true;
  });

  ConflictGraph graph;
  graph.first_.assign(problem.items.size() + 1, 0);
  for (const Edge& e : edges) {
    ++graph.first_[static_cast<size_t>(e.a) + 1];
    ++graph.first_[static_cast<size_t>(e.b) + 1];
  }
  std::partial_sum(graph.first_.begin(), graph.first_.end(), graph.first_.begin());
  graph.conflicts_.resize(edges.size() * 2);
  std::vector<size_t> next = graph.first_;  // place of each item's next conflict
  for (const Edge& e : edges) {
    graph.conflicts_[next[static_cast<size_t>(e.b)]++] = {e.a, e.lo, e.hi};
    graph.conflicts_[next[static_cast<size_t>(e.a)]++] = {e.b, -e.hi, -e.lo};
  }
  // Taken item by item, conflicts arrive at each other item in order.
  std::vector<Conflict> sorted(graph.conflicts_.size());
  next = graph.first_;
  for (size_t i = 0; i < problem.items.size(); ++i) {
    for (const Conflict& c : graph.of(static_cast<int>(i)))
      sorted[next[static_cast<size_t>(c.other)]++] = {static_cast<int>(i), -c.hi, -c.lo};
  }
  graph.conflicts_ = std::move(sorted);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const auto end = graph.conflicts_.begin() + static_cast<std::ptrdiff_t>(graph.first_[i + 1]);
    for (auto at = graph.conflicts_.begin() + static_cast<std::ptrdiff_t>(graph.first_[i]); at != end;) {
      const auto first = at;
      while (at != end && at->other == first->other) ++at;
      std::sort(first, at, [](const Conflict& x, const Conflict& y) { return x.lo < y.lo; });
    }
  }
  return graph;
}

}  // namespace tarn::planner
