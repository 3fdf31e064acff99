// note [restarts]: the time a search takes depends wildly on the order of its choices, and no order is good for all
// problems. Short runs with many configurations are worth more than one long run; what a run has refuted stays refuted.
// The first configurations are known ones, later ones are drawn; half of those vary a configuration that came close.
// Every second one tries what was placed where in the run that came closest. Limits follow the sequence 1 1 2 1 1 2 4
// ... (Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
//
// note [joining]: where hardly a byte may be wasted, blocks that fit together belong together. Short searches with
// blocks joined (coarsen.h), each time others, alternate with the search of all blocks, which alone refutes.
#include "planner/decide.h"

#include <algorithm>
#include <numeric>

#include "planner/bounds.h"
#include "planner/coarsen.h"
#include "planner/index.h"
#include "planner/kernel.h"
#include "planner/placement.h"
#include "planner/plan.h"
#include "planner/portfolio.h"
#include "planner/tuning.h"

namespace tarn::planner {

namespace {

uint64_t luby(uint64_t i) {
  for (;;) {
    int k = 0;
    while ((uint64_t{1} << k) - 1 < i) ++k;
    if ((uint64_t{1} << k) - 1 == i) return uint64_t{1} << (k - 1);
    i -= (uint64_t{1} << (k - 1)) - 1;
  }
}

// Whether most of the sections have no byte to spare.
bool is_full(const Strip& strip) {
  std::vector<Bytes> total(Z(strip.section_count), 0);
  Bytes capacity = 0;
  for (const StripBlock& b : strip.blocks) {
    capacity = std::max(capacity, b.max_offset + b.size);
    for (int s = b.first; s <= b.last; ++s) total[Z(s)] += b.size;
  }
  return 2 * std::count(total.begin(), total.end(), capacity) > strip.section_count;
}

// Searches strips of joined blocks, each time other ones: see note [joining].
class JoinedSearch {
 public:
  JoinedSearch(const Strip& strip, uint64_t base, int salt)
      : strip_(strip), base_(base), random_(mix(static_cast<uint64_t>(salt))), drawn_(salt > 0) {}

  // Goes on until `limit` nodes in all.
  bool run_to(uint64_t limit) {
    while (possible_ && nodes_ < limit) {
      if (attempt(std::min(base_ * luby(++attempts_), limit - nodes_))) return true;
    }
    return false;
  }
  uint64_t nodes() const { return nodes_; }
  const std::vector<Offset>& offsets() const { return offsets_; }  // after true

 private:
  bool attempt(uint64_t limit) {
    // First all joints, in both orders. If there are none, there is nothing to try.
    const bool drawn = drawn_ || attempts_ > 2;
    const CoarseStrip coarse = coarsen(strip_, drawn ? draw_joining(random_) : Joining{.sums_first = attempts_ == 2});
    possible_ = drawn || coarse.strip.blocks.size() < strip_.blocks.size();
    if (!possible_) return false;
    ValleySearch search(coarse.strip, random_.next(), kSmallTable);
    Portfolio portfolio(drawn);
    Verdict verdict = Verdict::out_of_nodes;
    for (uint64_t round = 1; verdict == Verdict::out_of_nodes && search.nodes() < limit; ++round) {
      verdict = search.run(portfolio.next(search.random()), std::min(base_ * luby(round), limit - search.nodes()));
    }
    nodes_ += search.nodes() + 1;
    if (verdict != Verdict::found) return false;
    offsets_ = refine(coarse, search.offsets());
    return true;
  }

  const Strip& strip_;
  uint64_t base_, attempts_ = 0, nodes_ = 0;
  Random random_;
  bool drawn_, possible_ = true;
  std::vector<Offset> offsets_;
};

// Answers for one part. Found: writes its offsets.
Verdict decide_strip(const Problem& problem, const Kernel& kernel, const Part& part, uint64_t limit, int salt,
                     Placement& placement, Decision& decision) {
  const StripPart part_strip = strip_of(problem, kernel, part);
  for (const StripBlock& b : part_strip.strip.blocks) {
    if (b.max_offset < 0) return Verdict::refuted;
  }
  const uint64_t base = std::max<uint64_t>(kFirstRun, kFirstRunPerItem * part.items.size());
  const bool full = is_full(part_strip.strip);
  if (full) limit /= kJoinedShare + 1;
  ValleySearch search(part_strip.strip, static_cast<uint64_t>(salt) + 1);
  JoinedSearch joined(part_strip.strip, base, salt);
  Portfolio portfolio(salt > 0);
  Verdict verdict = Verdict::out_of_nodes;
  std::vector<Offset> offsets;
  for (uint64_t run = 1; verdict == Verdict::out_of_nodes && search.nodes() < limit; ++run) {
    if (joined.run_to(base + (full ? search.nodes() * kJoinedShare : search.nodes() / kUnjoinedPerJoined))) {
      verdict = Verdict::found;
      offsets = joined.offsets();
      break;
    }
    const SearchConfig config = portfolio.next(search.random());
    verdict = search.run(config, std::min(base * luby(run), limit - search.nodes()));
    portfolio.learn(config, search.least_left());
    if (verdict == Verdict::found) offsets = search.offsets();
  }
  decision.nodes += search.nodes() + joined.nodes();
  decision.work += search.nodes() + joined.nodes();
  if (verdict == Verdict::found) {
    for (size_t k = 0; k < part.items.size(); ++k)
      placement.place(part.items[k], offsets[k] * kernel.unit * part_strip.scale);
  }
  return verdict;
}

Verdict decide_differences(const Problem& problem, const ConflictGraph& conflicts, const Kernel& kernel,
                           const Part& part, uint64_t limit, Placement& placement, Decision& decision) {
  DifferenceSearch search(differences_of(problem, conflicts, kernel, part));
  Verdict verdict = Verdict::out_of_nodes;
  // A run that ends is one that learnt where to begin; what a proof takes is spent in the last run then, not in all
  // before it.
  for (uint64_t share = kFirstDifferenceRun; verdict == Verdict::out_of_nodes && search.work() < limit; share *= 3) {
    verdict = search.run(std::min(share, limit - search.work()));
  }
  decision.nodes += search.nodes();
  decision.work += search.work();
  if (verdict == Verdict::found) {
    for (size_t k = 0; k < part.items.size(); ++k) placement.place(part.items[k], search.offsets()[k] * kernel.unit);
  }
  return verdict;
}

}  // namespace

Decision decide(const Problem& problem, const ConflictGraph& conflicts, Bytes capacity, uint64_t work_limit, int salt) {
  Decision decision;
  const Kernel kernel = find_kernel(problem, conflicts, capacity);
  Placement placement(problem, conflicts);
  bool all_found = true;
  for (const Part& part : kernel.parts) {
    if (decision.work >= work_limit && part.items.size() > 1) {
      all_found = false;
      continue;
    }
    const uint64_t left = work_limit - std::min(work_limit, decision.work);
    const Verdict verdict = part.plain
                                ? decide_strip(problem, kernel, part, left, salt, placement, decision)
                                : decide_differences(problem, conflicts, kernel, part, left, placement, decision);
    if (verdict == Verdict::refuted) {
      decision.verdict = verdict;
      decision.core = part.items;
      return decision;
    }
    all_found = all_found && verdict == Verdict::found;
  }
  if (!all_found) return decision;
  decision.verdict = Verdict::found;
  for (size_t k = kernel.peeled.size(); k > 0; --k) {
    const int i = kernel.peeled[k - 1];
    if (placement.at(i) == kUnplaced) placement.place(i, placement.find(i, Fit::lowest));
  }
  decision.offsets = placement.offsets();
  return decision;
}

namespace {

// The items of `some` and what holds between them, as a problem of its own.
Problem part_of(const Problem& problem, const std::vector<int>& some) {
  Problem part;
  std::vector<std::pair<int, int>> position;  // item, where it is in the part
  for (int i : some) {
    position.emplace_back(i, static_cast<int>(part.items.size()));
    part.items.push_back(problem.items[Z(i)]);
  }
  std::sort(position.begin(), position.end());
  const auto find = [&](int i) {
    const auto at = std::lower_bound(position.begin(), position.end(), std::pair(i, 0));
    return at != position.end() && at->first == i ? at->second : -1;
  };
  for (const Pair& p : problem.pairs) {
    const int a = find(p.a), b = find(p.b);
    if (a >= 0 && b >= 0) part.pairs.push_back({a, b, p.forbidden});
  }
  return part;
}

}  // namespace

std::vector<int> shrink_core(const Problem& problem, std::vector<int> core, Bytes capacity, uint64_t work_limit) {
  // Small items last: they are the likeliest to be superfluous.
  std::ranges::sort(core, {}, [&](int i) { return std::pair(-problem.items[Z(i)].size, i); });
  const auto first_of = [&](size_t count) {
    return std::vector<int>(core.begin(), core.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const auto too_many = [&](const std::vector<int>& some) { return lower_bound(part_of(problem, some)) > capacity; };
  if (too_many(core)) {  // the fewest of the largest that are too many already
    size_t few = 0, enough = core.size();
    while (enough - few > 1) {
      const size_t middle = few + (enough - few) / 2;
      (too_many(first_of(middle)) ? enough : few) = middle;
    }
    core = first_of(enough);
  }
  uint64_t spent = 0;
  int open = 0;  // tries in a row that proved nothing
  const auto refuted = [&](const std::vector<int>& some) {
    spent += 1 + some.size();
    if (too_many(some)) return true;
    const Problem part = part_of(problem, some);
    const Decision decision =
        decide(part, ConflictGraph::build(part), capacity, std::max<uint64_t>(1000, work_limit / (core.size() + 1)));
    spent += decision.work;
    open = decision.verdict == Verdict::out_of_nodes ? open + 1 : 0;
    return decision.verdict == Verdict::refuted;
  };
  for (size_t k = core.size(); k > 0 && spent < work_limit && open < kMostOpenTries; --k) {
    std::vector<int> fewer = core;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k - 1));
    if (refuted(fewer)) core = std::move(fewer);
  }
  std::sort(core.begin(), core.end());
  return core;
}

}  // namespace tarn::planner
