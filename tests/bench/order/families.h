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
  Wiring w{std::vector<std::vector<int>>(static_cast<size_t>(n) + 1),
           std::vector<Bytes>(static_cast<size_t>(n) + 1, 1)};
  for (const auto& [from, to] : edges) w.inputs[static_cast<size_t>(to)].push_back(from);
  join_ends(w);
  return w;
}

inline Wiring erdos_renyi(int n, Rng& rng) {  // mean in-degree near 2
  Wiring w{std::vector<std::vector<int>>(static_cast<size_t>(n) + 1),
           std::vector<Bytes>(static_cast<size_t>(n) + 1, 1)};
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

// How much an output may lie over a dying input: not at all; where an elementwise kernel allows it; and, with lives
// counted in rows, under spatial kernels too, all but the rows they still read.
enum class Sharing { none, in_place, rows };

// Adds operators as networks have them: spatial ones that look at a window, and elementwise ones.
class Layers {
 public:
  explicit Layers(Sharing sharing) : sharing_(sharing) {}
  Net net;
  int spatial(Bytes bytes, int input, Bytes scratch = 0) {
    if (sharing_ != Sharing::rows) return net.op(bytes, {input}, scratch);
    return net.over(bytes, {input}, net.bytes(input) / 8 + 1, scratch);
  }
  int elementwise(std::vector<int> inputs) {
    const Bytes bytes = net.bytes(inputs.front());
    return sharing_ == Sharing::none ? net.op(bytes, std::move(inputs)) : net.over(bytes, std::move(inputs));
  }
  int join(const std::vector<int>& inputs) {  // concatenation
    Bytes bytes = 0;
    for (int t : inputs) bytes += net.bytes(t);
    return net.op(bytes, inputs);
  }

 private:
  Sharing sharing_;
};

inline Bytes some_bytes(Rng& rng) { return Bytes{16} * (1 + below(rng, 64)); }

// Random series and parallel composition, `budget` operators or so.
inline int series_parallel(Layers& layers, int from, int budget, Rng& rng) {
  if (budget <= 1) return rng() % 3 == 0 ? layers.elementwise({from}) : layers.spatial(some_bytes(rng), from);
  if (rng() % 2 == 0 || budget < 4) {
    const int first = 1 + below(rng, budget - 1);
    return series_parallel(layers, series_parallel(layers, from, first, rng), budget - first, rng);
  }
  const int branches = 2 + below(rng, std::min(6, budget / 2));
  std::vector<int> ends;
  for (int b = 0; b < branches; ++b) {
    ends.push_back(series_parallel(layers, layers.spatial(some_bytes(rng), from), std::max(1, budget / branches), rng));
  }
  return layers.net.op(some_bytes(rng), ends);
}

inline OrderProblem series_parallel(int budget, Sharing sharing, Rng& rng) {
  Layers layers(sharing);
  series_parallel(layers, layers.net.input(some_bytes(rng)), budget, rng);
  return layers.net.problem();
}

// `modules` one after the other, each `branches` chains of `depth` operators between a fork and a join. Equal branches
// are what unrolled experts, heads and groups look like.
inline OrderProblem fork_join(int modules, int branches, int depth, bool equal, Sharing sharing, Rng& rng) {
  Layers layers(sharing);
  int x = layers.net.input(some_bytes(rng));
  for (int m = 0; m < modules; ++m) {
    std::vector<Bytes> sizes;
    for (int d = 0; d < depth; ++d) sizes.push_back(some_bytes(rng));
    std::vector<int> ends;
    for (int b = 0; b < branches; ++b) {
      int y = x;
      for (int d = 0; d < depth; ++d) y = layers.spatial(equal ? sizes[static_cast<size_t>(d)] : some_bytes(rng), y);
      ends.push_back(layers.elementwise({y}));
    }
    x = layers.spatial(some_bytes(rng), layers.join(ends));
  }
  return layers.net.problem();
}

// Encoder and decoder with skip connections; `nested`: with the dense middle of U-Net++.
inline OrderProblem unet(int depth, bool nested, Sharing sharing) {
  Layers layers(sharing);
  const auto block = [&layers](int x, Bytes bytes) {
    for (int i = 0; i < 2; ++i) x = layers.elementwise({layers.spatial(bytes, x, bytes / 64)});
    return x;
  };
  std::vector<std::vector<int>> grid(1);
  const auto size = [depth](int level) { return Bytes{4096} << (depth - level); };
  int x = layers.net.input(3 * size(0) / 16);
  for (int level = 0; level <= depth; ++level) {
    x = block(level == 0 ? x : layers.spatial(size(level) / 2, x), size(level));
    grid[0].push_back(x);
  }
  for (int column = 1; column <= depth; ++column) {
    grid.emplace_back();
    for (int level = 0; level <= depth - column; ++level) {
      if (!nested && level < depth - column) {
        grid.back().push_back(grid[static_cast<size_t>(column) - 1][static_cast<size_t>(level)]);
        continue;
      }
      const int up = layers.spatial(size(level), grid[static_cast<size_t>(column) - 1][static_cast<size_t>(level) + 1]);
      std::vector<int> inputs{up};
      for (int c = nested ? 0 : column - 1; c < column; ++c)
        inputs.push_back(grid[static_cast<size_t>(c)][static_cast<size_t>(level)]);
      grid.back().push_back(block(layers.join(inputs), size(level)));
    }
  }
  layers.net.keep(layers.spatial(size(0) / 16, grid.back().front()));
  return layers.net.problem();
}

inline OrderProblem densenet(int blocks, int layers_in_block, Sharing sharing) {
  Layers layers(sharing);
  Bytes area = Bytes{1} << (2 * blocks);
  int x = layers.spatial(area * 64, layers.net.input(area * 12));
  for (int b = 0; b < blocks; ++b) {
    std::vector<int> parts{x};
    for (int i = 0; i < layers_in_block; ++i) {
      const int all = parts.size() == 1 ? x : layers.join(parts);
      const int narrow = layers.elementwise({layers.spatial(area * 128, layers.elementwise({all}))});
      parts.push_back(layers.spatial(area * 32, narrow, area));
    }
    area /= 4;
    x = layers.spatial(area * 64, layers.join(parts));
  }
  return layers.net.problem();
}

// Operator (r, c) needs (r - 1, c) and (r, c - 1).
inline OrderProblem lattice(int rows, int columns, bool bytes, Rng& rng) {
  Net net;
  std::vector<int> last(static_cast<size_t>(columns), -1);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      std::vector<int> inputs;
      if (r > 0) inputs.push_back(last[static_cast<size_t>(c)]);
      if (c > 0) inputs.push_back(last[static_cast<size_t>(c) - 1]);
      last[static_cast<size_t>(c)] = net.op(bytes ? some_bytes(rng) : 1, inputs);
    }
  }
  return net.problem();
}

// Encoder blocks with every head on its own, and a two-layer feed-forward part.
inline OrderProblem transformer(int blocks, int heads, Sharing sharing) {
  Layers layers(sharing);
  const Bytes tokens = 64, width = 64, head = width / heads + 1;
  int x = layers.net.input(tokens * width);
  for (int b = 0; b < blocks; ++b) {
    const int normal = layers.net.op(tokens * width, {x});
    std::vector<int> outputs;
    for (int h = 0; h < heads; ++h) {
      const int q = layers.net.op(tokens * head, {normal}), k = layers.net.op(tokens * head, {normal});
      const int v = layers.net.op(tokens * head, {normal});
      const int scores = layers.elementwise(
          {layers.elementwise({layers.net.op(tokens * tokens, {q, layers.net.op(tokens * head, {k})})})});
      outputs.push_back(layers.net.op(tokens * head, {scores, v}));
    }
    const int attended = layers.elementwise({layers.net.op(tokens * width, {layers.join(outputs)}), x});
    const int wide = layers.elementwise({layers.net.op(tokens * width * 4, {layers.elementwise({attended})})});
    x = layers.elementwise({layers.net.op(tokens * width, {wide}), attended});
  }
  layers.net.keep(x);
  return layers.net.problem();
}

// `width` operators a layer, each reads one to three of the two layers before.
inline OrderProblem layered(int depth, int width, Sharing sharing, Rng& rng) {
  Layers layers(sharing);
  std::vector<int> before, last{layers.net.input(some_bytes(rng))};
  for (int d = 0; d < depth; ++d) {
    std::vector<int> now;
    for (int i = 0; i < width; ++i) {
      std::vector<int> inputs;
      for (int k = 1 + below(rng, 3); k > 0; --k) {
        const std::vector<int>& from = before.empty() || rng() % 3 != 0 ? last : before;
        inputs.push_back(from[static_cast<size_t>(below(rng, static_cast<int>(from.size())))]);
      }
      now.push_back(inputs.size() == 1 && rng() % 2 == 0 ? layers.spatial(some_bytes(rng), inputs.front())
                    : rng() % 2 == 0                     ? layers.elementwise(inputs)
                                                         : layers.net.op(some_bytes(rng), inputs));
    }
    before = last;
    last = now;
  }
  std::vector<int> unread;
  layers.net.op(16, last);
  return layers.net.problem();
}

inline OrderProblem chain(int length, Sharing sharing, Rng& rng) {
  Layers layers(sharing);
  int x = layers.net.input(some_bytes(rng));
  for (int i = 0; i < length; ++i) x = rng() % 2 == 0 ? layers.elementwise({x}) : layers.spatial(some_bytes(rng), x);
  return layers.net.problem();
}

}  // namespace tarn::schedule::families
