// A complete search for offsets under any set of forbidden differences: overlaps, gaps, fixed offsets, mixed alignments.
// See note [differences] in difference_search.cc.
#pragma once
#include <cstdint>
#include <vector>

#include "planner/problem.h"
#include "planner/verdict.h"

namespace tarn::planner {

// Offsets are counted in any unit; an offset is a multiple of `step` between `least` and `most`.
struct FreeItem {
  Bytes size = 0, step = 1;
  Offset least = 0, most = 0;
};

struct FreePair {
  int a = 0, b = 0;
  std::vector<Forbidden> forbidden;  // of offset(b) - offset(a); ascending, disjoint, not empty
};

// Bodies that are apart from each other: single items, or two items that may overlap and take `length` together.
struct Body {
  int a = 0, b = -1;
  Bytes length = 0;
};
using Apart = std::vector<Body>;

struct DifferenceProblem {
  std::vector<FreeItem> items;
  std::vector<FreePair> pairs;
  std::vector<Apart> aparts;  // what is implied by the pairs; only speeds up
};

class DifferenceSearch {
 public:
  explicit DifferenceSearch(DifferenceProblem problem);

  // The limit is one of work(), for this run alone. What earlier runs learnt about hard pairs is used.
  Verdict run(uint64_t work_limit);

  const std::vector<Offset>& offsets() const { return least_; }  // after found
  uint64_t nodes() const { return nodes_; }
  uint64_t work() const { return ticks_ / kTicksPerUnit; }  // comparable with nodes of ValleySearch: about a microsecond

 private:
  struct Choice {  // of a pair: which of the stretches between its forbidden intervals are left
    int first = 0, last = 0;
  };
  struct Undo {
    enum class What { least, most, choice } what;
    int index;
    Offset value;
    Choice choice;
  };
  struct Decision {
    int pair;
    Choice other;  // the alternative not yet tried
    size_t undo_first;
    bool last;     // there is no alternative any more
  };
  static constexpr uint64_t kTicksPerUnit = 128;
  static size_t Z(int i) { return static_cast<size_t>(i); }

  bool raise(int item, Offset to);
  bool lower(int item, Offset to);
  bool narrow(int pair, Choice to);
  bool settle(int pair);
  bool settle_apart(const Apart& apart, size_t index);
  bool propagate();
  void clear_queues();
  bool choose(int pair, Choice choice);
  void touch(int item);
  void undo(size_t first);
  Bytes low_end(int pair, int stretch) const;
  Bytes high_end(int pair, int stretch) const;
  int pick_pair() const;
  bool decide(int pair);
  bool backtrack();

  DifferenceProblem problem_;
  std::vector<std::vector<int>> pairs_of_, aparts_of_;
  std::vector<Offset> least_, most_;
  std::vector<Choice> choices_;
  std::vector<double> pair_weight_, apart_weight_;
  std::vector<int> queue_;
  std::vector<char> queued_, apart_queued_;
  std::vector<int> apart_queue_;
  std::vector<Undo> trail_;
  std::vector<Decision> decisions_;
  uint64_t nodes_ = 0, ticks_ = 0;
};

}  // namespace tarn::planner
