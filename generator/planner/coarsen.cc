// note [seams]: where no byte of the capacity is free on either side of a cut, the blocks that cross it leave the same
// holes on both sides. If one block ends there and one starts, both fill the one hole: they sit at one offset and may
// be joined into one block. The same if several start there that all end together: stacked in any order they fill the
// hole. Rectangles that were cut out of a larger one fall back into it piece by piece in this way.
//
// Blocks that live and die together are often best stacked, and a block is often best followed by one of its size,
// although nothing says that they must. A packing found under that assumption is as good as any other. Where nothing is
// wasted such joints are decisive, and a few wrong ones spoil everything: so it is worth while to try many times with
// some of them, drawn at random.
#include "planner/coarsen.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "planner/index.h"
#include "planner/random.h"
#include "planner/tuning.h"

namespace tarn::planner {

namespace {

class Coarsener {
 public:
  Coarsener(const Strip& strip, const Joining& joining)
      : joining_(joining), blocks_(strip.blocks), members_(blocks_.size()) {
    slack_.assign(Z(strip.section_count), 0);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const StripBlock& b = blocks_[i];
      members_[i].push_back({static_cast<int>(i), 0});
      capacity_ = std::max(capacity_, b.max_offset + b.size);
      for (int s = b.first; s <= b.last; ++s) slack_[Z(s)] -= b.size;
    }
    for (Bytes& s : slack_) s += capacity_;
  }

  CoarseStrip run() {
    while (join_seams()) {
    }
    for (bool again = true; again;) {
      again = !joining_.sums_first && stack_alike();
      again = join_seams() || again;
      again = again || join_equals() || (joining_.sums_first && (join_sums() || stack_alike()));
    }
    return compress();
  }

 private:
  bool gone(int i) const { return members_[Z(i)].empty(); }

  std::vector<int> left() const {
    std::vector<int> blocks;
    for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) {
      if (!gone(i)) blocks.push_back(i);
    }
    return blocks;
  }

  bool chosen(int i, int j) const {
    return static_cast<int>(mix(mix(joining_.seed + static_cast<uint64_t>(i)) + static_cast<uint64_t>(j)) & 15) <
           joining_.chance;
  }

  // Puts `upper` on `lower`: both live alike.
  bool stack(int lower, int upper) {
    StripBlock& a = blocks_[Z(lower)];
    const StripBlock& b = blocks_[Z(upper)];
    const Offset most = std::min(a.max_offset, b.max_offset - a.size);
    if (most < 0) return false;
    for (const CoarseStrip::Member& m : members_[Z(upper)]) members_[Z(lower)].push_back({m.block, m.above + a.size});
    members_[Z(upper)].clear();
    a.max_offset = most;
    a.size += b.size;
    return true;
  }

  // Makes one block of two that follow each other in time at one offset.
  void join(int early, int late) {
    StripBlock& a = blocks_[Z(early)];
    const StripBlock& b = blocks_[Z(late)];
    members_[Z(early)].insert(members_[Z(early)].end(), members_[Z(late)].begin(), members_[Z(late)].end());
    members_[Z(late)].clear();
    a.last = b.last;
    a.max_offset = std::min(a.max_offset, b.max_offset);
  }

  bool alike(int i, int j) const {
    return blocks_[Z(i)].first == blocks_[Z(j)].first && blocks_[Z(i)].last == blocks_[Z(j)].last;
  }

  int length(int i) const { return blocks_[Z(i)].last - blocks_[Z(i)].first + 1; }

  bool stack_alike() {
    std::vector<int> order = left();
    std::ranges::sort(order, {}, [&](int i) {
      const StripBlock& b = blocks_[Z(i)];
      return std::tuple(b.first, b.last, -b.size, i);
    });
    bool any = false;
    for (size_t k = 0; k < order.size();) {
      const int lower = order[k];
      const bool stacks = length(lower) >= joining_.least_length;
      for (++k; k < order.size() && alike(lower, order[k]); ++k) {
        if (stacks && chosen(lower, order[k])) any = stack(lower, order[k]) || any;
      }
    }
    return any;
  }

  // One hole on both sides of the cut: makes one block of the blocks on each side, and of these.
  bool join_hole(std::vector<int>& ending, std::vector<int>& starting) {
    const auto all_alike = [&](const std::vector<int>& some) {
      return std::all_of(some.begin(), some.end(), [&](int i) { return alike(i, some[0]); });
    };
    if (ending.size() != 1 && starting.size() != 1) return false;
    if (!all_alike(ending) || !all_alike(starting)) return false;
    for (std::vector<int>* side : {&ending, &starting}) {
      const bool any_order = std::all_of(side->begin(), side->end(), [&](int i) {
        return blocks_[Z(i)].max_offset + blocks_[Z(i)].size == capacity_;
      });
      if (side->size() > 1 && !any_order) return false;
    }
    for (std::vector<int>* side : {&ending, &starting}) {
      for (size_t k = 1; k < side->size(); ++k) {
        if (!stack((*side)[0], (*side)[k])) return false;
      }
    }
    join(ending[0], starting[0]);
    return true;
  }

  // Joins blocks to blocks of their size that follow them: the largest, which are the least likely to be equal by
  // accident, and those half as large.
  bool join_equals() {
    sort_by_cut();
    struct Equals {
      Bytes size;
      int early, late;
    };
    std::vector<Equals> found;
    const auto by_size = [&](int i, int j) {
      return std::pair(blocks_[Z(i)].size, i) < std::pair(blocks_[Z(j)].size, j);
    };
    const Bytes least = joining_.least_share > 0 ? capacity_ / joining_.least_share : 0;
    for (size_t cut = 1; cut < slack_.size(); ++cut) {
      std::vector<int>&early = ending_[cut - 1], &late = starting_[cut];
      std::sort(early.begin(), early.end(), by_size);
      std::sort(late.begin(), late.end(), by_size);
      for (size_t i = 0, j = 0; i < early.size() && j < late.size();) {
        const Bytes x = blocks_[Z(early[i])].size, y = blocks_[Z(late[j])].size;
        if (x == y && x >= least) found.push_back({x, early[i], late[j]});
        i += x <= y;
        j += y <= x;
      }
    }
    std::sort(found.begin(), found.end(), [](const Equals& x, const Equals& y) {
      return std::tuple(-x.size, x.early, x.late) < std::tuple(-y.size, y.early, y.late);
    });
    for (const Equals& e : found) {
      if (e.size < found[0].size / 2) break;
      if (!gone(e.early) && !gone(e.late)) join(e.early, e.late);
    }
    return !found.empty();
  }

  // Two blocks that live alike and are together as large as one on the other side of a cut: stacks them, all such.
  bool join_sums() {
    sort_by_cut();
    bool any = false;
    for (size_t cut = slack_.size(); --cut > 0;) {
      // What ends here is touched by no later cut; below, each side is kept without what is joined.
      std::erase_if(starting_[cut], [&](int i) { return gone(i); });
      for (const bool ends : {true, false}) {
        std::vector<int>&ones = ends ? ending_[cut - 1] : starting_[cut],
        &twos = ends ? starting_[cut] : ending_[cut - 1];
        if (ones.size() * twos.size() * twos.size() > kMostSums) continue;
        for (int one : ones) {
          any = join_sum(one, twos, ends) || any;
        }
        std::erase_if(ones, [&](int i) { return gone(i) || crosses(i, static_cast<int>(cut)); });
      }
    }
    return any;
  }

  bool crosses(int i, int cut) const { return blocks_[Z(i)].last >= cut; }

  // Those of `twos` that are joined are taken out.
  bool join_sum(int one, std::vector<int>& twos, bool ends) {
    for (size_t i = 0; i < twos.size(); ++i) {
      for (size_t j = i + 1; j < twos.size(); ++j) {
        const int a = twos[i], b = twos[j];
        if (!alike(a, b) || blocks_[Z(a)].size + blocks_[Z(b)].size != blocks_[Z(one)].size || !stack(a, b)) continue;
        join(ends ? one : a, ends ? a : one);
        twos.erase(twos.begin() + static_cast<std::ptrdiff_t>(j));
        twos.erase(twos.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    }
    return false;
  }

  void sort_by_cut() {
    starting_.assign(slack_.size(), {});
    ending_.assign(slack_.size(), {});
    for (int i : left()) {
      starting_[Z(blocks_[Z(i)].first)].push_back(i);
      ending_[Z(blocks_[Z(i)].last)].push_back(i);
    }
  }

  bool join_seams() {
    sort_by_cut();
    bool any = false;
    // From right to left: what a join makes longer ends further right.
    for (size_t cut = slack_.size(); --cut > 0;) {
      std::vector<int>&early = ending_[cut - 1], &late = starting_[cut];
      for (std::vector<int>* side : {&early, &late}) std::erase_if(*side, [&](int i) { return gone(i); });
      const bool full = slack_[cut - 1] == 0 && slack_[cut] == 0;  // then as much ends as begins
      if (full && !early.empty() && join_hole(early, late)) any = true;
    }
    return any;
  }

  // Leaves out the sections whose blocks are all alive in a neighbour.
  CoarseStrip compress() {
    const std::vector<int> blocks = left();
    std::vector<char> starts(slack_.size() + 1, 0), ends(slack_.size() + 1, 0);  // at the cut before
    for (int i : blocks) {
      starts[Z(blocks_[Z(i)].first)] = 1;
      ends[Z(blocks_[Z(i)].last) + 1] = 1;
    }
    // A section of the new strip closes where a block ends after one has started since the last one closed.
    std::vector<int> position(slack_.size() + 1, 0);
    int now = 0;
    bool started = false;
    for (size_t cut = 0; cut <= slack_.size(); ++cut) {
      if (ends[cut] && started) {
        ++now;
        started = false;
      }
      position[cut] = now;
      started = started || starts[cut];
    }
    CoarseStrip out;
    out.strip.section_count = now;
    for (int i : blocks) {
      StripBlock b = blocks_[Z(i)];
      b.first = position[Z(b.first)];
      b.last = position[Z(b.last) + 1] - 1;
      out.strip.blocks.push_back(b);
      out.members.push_back(std::move(members_[Z(i)]));
    }
    return out;
  }

  const Joining& joining_;
  Bytes capacity_ = 0;
  std::vector<StripBlock> blocks_;
  std::vector<std::vector<CoarseStrip::Member>> members_;  // empty: joined into another
  std::vector<std::vector<int>> starting_, ending_;        // blocks left, by their first and last section
  std::vector<Bytes> slack_;                               // of the capacity, by section
};

}  // namespace

Joining draw_joining(Random& random) {
  constexpr int kChance[] = {1, 3, 6, 10}, kLength[] = {1, 2, 4, 6};
  constexpr Bytes kShare[] = {1, 8, 32, 128};
  const uint64_t r = random.next();
  return {kChance[r & 3], kLength[r >> 2 & 3], kShare[r >> 4 & 3], (r >> 6 & 7) == 0, r >> 9};
}

CoarseStrip coarsen(const Strip& strip, const Joining& joining) { return Coarsener(strip, joining).run(); }

std::vector<Offset> refine(const CoarseStrip& coarse, const std::vector<Offset>& offsets) {
  size_t count = 0;
  for (const auto& members : coarse.members) count += members.size();
  std::vector<Offset> out(count, 0);
  for (size_t k = 0; k < offsets.size(); ++k) {
    for (const CoarseStrip::Member& m : coarse.members[k]) out[Z(m.block)] = offsets[k] + m.above;
  }
  return out;
}

}  // namespace tarn::planner
