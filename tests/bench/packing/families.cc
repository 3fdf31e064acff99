#include "families.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "planner/random.h"

namespace tarn::bench {

namespace {
using planner::Bytes;
using planner::Instant;
using planner::Item;
using planner::Problem;
using planner::Random;

Item make_item(size_t id, Instant first, Instant end, Bytes size) {
  Item item;
  item.id = std::to_string(id);
  item.first = first;
  item.end = end;
  item.size = size;
  return item;
}

// Log-uniform, piecewise linear: unit * [2^k, 2^(k+1)) for k below `doublings`.
Bytes log_uniform(Random& random, Bytes unit, int doublings) {
  const int64_t k = random.below(doublings);
  return unit * (int64_t{1} << k) + unit * random.below(int64_t{1} << k);
}

// Exponential with the given mean, to within a few percent: -log2 of a uniform number, linear between powers of two.
int64_t exponential(Random& random, int64_t mean) {
  const uint64_t u = random.next() | 1;
  const int zeros = std::countl_zero(u);
  const uint64_t mantissa = zeros == 63 ? 0 : (u << (zeros + 1)) >> 44;  // 20 bits
  const int64_t log2_fixed = (int64_t{zeros} << 20) + ((int64_t{1} << 20) - static_cast<int64_t>(mantissa));
  return std::max<int64_t>(1, (mean * log2_fixed / 1513) >> 10);  // ln 2 = 1024 * 1024 / 1513 / 1000, nearly
}
}  // namespace

Problem guillotine(int count, uint64_t seed) {
  Random random(seed * 7919 + static_cast<uint64_t>(count));
  struct Piece {
    Instant first, end;
    Bytes low, high;
  };
  const Instant length = 4 * count;
  const Bytes height = 1024 * 1024;
  std::vector<Piece> pieces = {{0, length, 0, height}};
  while (pieces.size() < static_cast<size_t>(count)) {
    const size_t at = static_cast<size_t>(random.below(static_cast<int64_t>(pieces.size())));
    Piece& p = pieces[at];
    const bool in_time = random.below(2) == 0;
    const int64_t extent = in_time ? p.end - p.first : (p.high - p.low) / 1024;
    if (extent < 2) continue;
    const int64_t cut = 1 + random.below(extent - 1);
    Piece rest = p;
    if (in_time) p.end = rest.first = p.first + cut;
    else p.high = rest.low = p.low + cut * 1024;
    pieces.push_back(rest);
  }
  Problem problem;
  for (const Piece& p : pieces)
    problem.items.push_back(make_item(problem.items.size(), p.first, p.end, p.high - p.low));
  return problem;
}

Problem cnn_like(int count, uint64_t seed) {
  Random random(seed * 104729 + static_cast<uint64_t>(count));
  Problem problem;
  Bytes area = 96 * 96, channels = 8;
  Instant now = 0;
  const auto add = [&](Bytes size) {
    problem.items.push_back(make_item(problem.items.size(), now, now + 1, size));
    return problem.items.size() - 1;
  };
  const auto use = [&](size_t tensor) { problem.items[tensor].end = std::max(problem.items[tensor].end, now + 1); };
  size_t top = add(area * 3);
  while (static_cast<int>(problem.items.size()) < count) {
    const int64_t kind = random.below(8);
    const int64_t branches = kind < 3 ? 1 : kind < 6 ? 2 : 2 + random.below(3);
    if (kind == 0 && area > 16) {
      area /= 4;
      channels *= 2;
    }
    std::vector<size_t> ends;
    for (int64_t b = 0; b < branches; ++b) {
      size_t at = top;
      const int64_t depth = kind >= 3 && b == 0 && random.below(2) ? 0 : 1 + random.below(3);
      for (int64_t d = 0; d < depth; ++d) {
        ++now;
        use(at);
        const Bytes width = std::max<Bytes>(4, channels * (2 + random.below(7)) / 4);
        at = add(area * width);
      }
      ends.push_back(at);
    }
    if (branches > 1) {
      ++now;
      Bytes joined = 0, largest = 0;
      for (size_t e : ends) {
        use(e);
        joined += problem.items[e].size;
        largest = std::max(largest, problem.items[e].size);
      }
      top = add(random.below(2) ? joined : largest);
    } else {
      top = ends[0];
    }
  }
  return problem;
}

Problem uniform(int count, uint64_t seed, int64_t mean_life) {
  Random random(seed * 15485863 + static_cast<uint64_t>(count));
  Problem problem;
  const Instant horizon = 2 * count;
  for (int i = 0; i < count; ++i) {
    const Instant one = random.below(horizon), other = random.below(horizon), first = std::min(one, other);
    const Instant end = std::min(std::max(one, other), first + exponential(random, mean_life));
    problem.items.push_back(
        make_item(problem.items.size(), first, std::max(end, first + 1), log_uniform(random, 16, 10)));
  }
  return problem;
}

Problem bursty(int count, uint64_t seed, int64_t mean_life, int bursts) {
  Problem problem = uniform(count, seed, mean_life);
  const Instant horizon = 2 * count, period = std::max<Instant>(1, horizon / bursts),
                width = std::max<Instant>(1, period / 16);
  for (Item& item : problem.items) {
    const Instant life = item.end - item.first;
    item.first = item.first / period * period + item.first % width;
    item.end = item.first + life;
  }
  return problem;
}

Problem heavy_tailed(int count, uint64_t seed, int64_t mean_life) {
  Problem problem = uniform(count, seed, mean_life);
  Random random(seed + 17);
  for (Item& item : problem.items) {
    const int k = std::min(20, std::countl_zero(random.next() | 1));
    item.size = 16 * ((int64_t{1} << k) + random.below(int64_t{1} << k));
  }
  return problem;
}

Problem nested(int count, uint64_t seed) {
  Random random(seed * 32452843 + static_cast<uint64_t>(count));
  Problem problem;
  std::vector<size_t> open;
  Instant now = 0;
  while (static_cast<int>(problem.items.size()) < count) {
    while (!open.empty() && (open.size() > 60 || random.below(2) == 0)) {
      problem.items[open.back()].end = ++now;
      open.pop_back();
    }
    for (int64_t k = random.below(3); k >= 0 && static_cast<int>(problem.items.size()) < count; --k) {
      open.push_back(problem.items.size());
      problem.items.push_back(make_item(problem.items.size(), now++, 0, log_uniform(random, 16, 10)));
    }
  }
  for (size_t i : open) problem.items[i].end = now + 1;
  return problem;
}

}  // namespace tarn::bench
