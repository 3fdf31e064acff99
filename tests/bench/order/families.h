// Families of ordering problems made by rule: random-wired and cell networks as in the literature, and shapes that are
// hard for one part of the search or the other. The engine is std::mt19937, whose numbers the standard fixes.
#pragma once
#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "schedule/order_problem.h"

namespace tarn::schedule::families {

using Rng = std::mt19937;

inline int below(Rng& rng, int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); }

// A network under construction: every operator makes one tensor, named by its number.
class Net {
 public:
  int input(Bytes bytes) {
    problem_.tensors.push_back({bytes, true, false});
    return static_cast<int>(problem_.tensors.size()) - 1;
  }
  // An operator that reads `inputs` and makes one tensor.
  int op(Bytes bytes, std::vector<int> inputs, Bytes scratch = 0) {
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    problem_.tensors.push_back({bytes, false, false});
    const int made = static_cast<int>(problem_.tensors.size()) - 1;
    problem_.operators.push_back({std::move(inputs), {made}, scratch, {}});
    return made;
  }
  // The same, and the output may lie over any input it fits with, all but `held_back` bytes of it.
  int over(Bytes bytes, std::vector<int> inputs, Bytes held_back = 0, Bytes scratch = 0) {
    const int made = op(bytes, std::move(inputs), scratch);
    OrderOperator& last = problem_.operators.back();
    for (int t : last.inputs) {
      const Bytes saves = std::min(bytes, problem_.tensors[static_cast<size_t>(t)].bytes) - held_back;
      if (saves > 0) last.donations.push_back({t, made, saves});
    }
    return made;
  }
  void keep(int tensor) { problem_.tensors[static_cast<size_t>(tensor)].kept = true; }
  Bytes bytes(int tensor) const { return problem_.tensors[static_cast<size_t>(tensor)].bytes; }
  OrderProblem problem() { return std::move(problem_); }

 private:
  OrderProblem problem_;
};

struct Wiring {  // operators with one output each, by their inputs
  std::vector<std::vector<int>> inputs;
  std::vector<Bytes> bytes;
};

inline OrderProblem problem_of(const Wiring& wiring) {
  Net net;
  for (size_t v = 0; v < wiring.bytes.size(); ++v) net.op(wiring.bytes[v], wiring.inputs[v]);
  return net.problem();
}

// The last operator joins all that nobody reads.
inline void join_ends(Wiring& w) {
  std::vector<char> read(w.bytes.size(), 0);
  for (const auto& inputs : w.inputs) {
    for (int u : inputs) read[static_cast<size_t>(u)] = 1;
  }
  for (size_t v = 0; v + 1 < w.bytes.size(); ++v) {
    if (!read[v]) w.inputs.back().push_back(static_cast<int>(v));
  }
}

// Watts and Strogatz 1998 as used for random-wired networks: a ring of n nodes, k neighbours, rewired with p.
inline Wiring watts_strogatz(int n, int k, double p, Rng& rng) {
  std::set<std::pair<int, int>> edges;
  for (int i = 0; i < n; ++i) {
    for (int j = 1; j <= k / 2; ++j) {
      int other = (i + j) % n;
      if (static_cast<double>(rng() % 10000) / 1e4 < p) {
        int tries = 0;
        do {
          other = below(rng, n);
        } while ((other == i || edges.count(std::minmax(i, other))) && ++tries < 99);
      }
      if (other != i) edges.insert(std::minmax(i, other));
    }
  }
  Wiring w{std::vector<std::vector<int>>(static_cast<size_t>(n) + 1), std::vector<Bytes>(static_cast<size_t>(n) + 1, 1)};
  for (const auto& [from, to] : edges) w.inputs[static_cast<size_t>(to)].push_back(from);
  join_ends(w);
  return w;
}

inline Wiring erdos_renyi(int n, Rng& rng) {  // mean in-degree near 2
  Wiring w{std::vector<std::vector<int>>(static_cast<size_t>(n) + 1), std::vector<Bytes>(static_cast<size_t>(n) + 1, 1)};
  for (int v = 1; v < n; ++v) {
    for (int u = 0; u < v; ++u) {
      if (rng() % 1000 < 4000u / static_cast<unsigned>(n)) w.inputs[static_cast<size_t>(v)].push_back(u);
    }
  }
  join_ends(w);
  return w;
}

inline void give_bytes(Wiring& w, Rng& rng) {
  for (Bytes& b : w.bytes) {
    b = 16 << (rng() % 6);
    b += 16 * static_cast<Bytes>(rng() % 8);
  }
}

// Cells of five blocks over the two cells before, as in NASNet; 18 operators a cell and two for the stem.
inline Wiring cells(int count, Rng& rng) {
  Wiring w;
  const auto add = [&w](Bytes bytes, std::vector<int> inputs) {
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    w.bytes.push_back(bytes);
    w.inputs.push_back(std::move(inputs));
    return static_cast<int>(w.bytes.size()) - 1;
  };
  int before = add(4, {}), last = add(4, {before});
  for (int c = 0; c < count; ++c) {
    std::vector<int> states{add(1, {before}), add(1, {last})};
    std::set<int> unread;
    for (int block = 0; block < 5; ++block) {
      const int x = states[rng() % states.size()], y = states[rng() % states.size()];
      const int u = add(1 + (rng() % 3 == 0), {x});
      const int v = add(1 + (rng() % 3 == 0), {y});
      const int sum = add(1, {u, v});
      unread.erase(x);
      unread.erase(y);
      unread.insert(sum);
      states.push_back(sum);
    }
    before = last;
    last = add(static_cast<Bytes>(unread.size()), {unread.begin(), unread.end()});
  }
  return w;
}

}  // namespace tarn::schedule::families
