// A complete search for offsets under any set of forbidden differences: overlaps, gaps, fixed offsets, mixed
// alignments. See note [differences] in difference_search.cc.
#pragma once
#include <cstdint>
#include <vector>

#include "planner/index.h"
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

  const std::vector<Offset>& offsets() const { return offsets_; }  // after found
  uint64_t nodes() const { return nodes_; }
  uint64_t work() const {
    return ticks_ / kTicksPerUnit;
  }  // comparable with nodes of ValleySearch: about a microsecond

 private:
  struct Span {
    Offset least = 0, most = 0;  // of an item, as far as it is known
    Bytes size = 0, step = 1;
  };
  struct GapsLeft {  // of a pair: which of the gaps between its forbidden intervals are left
    int first = 0, last = 0;
  };
  // A pair with its choice. `lo`, `hi`: the ends of what is left as a whole; `first_hi`, `last_lo`: the inner ends of
  // the outer gaps.
  struct PairState {
    int a = 0, b = 0;
    GapsLeft choice;
    Bytes lo = 0, hi = 0, first_hi = 0, last_lo = 0;
    const Forbidden* forbidden = nullptr;
    size_t count = 0;
  };
  struct AddressRange {  // of addresses that a body lies in
    Offset first = 0, end = 0;
    Bytes length = 0;
  };
  struct Undo {
    enum class What { least, most, choice } what;
    int index;
    Offset value;
    GapsLeft choice;
  };
  struct Decision {
    int pair;
    GapsLeft other;  // the alternative not yet tried
    size_t undo_first;
    bool last;  // there is no alternative any more
  };
  // Numbers by item, in one piece.
  struct Lists {
    std::vector<size_t> first;
    std::vector<int> numbers;
    explicit Lists(const std::vector<std::vector<int>>& lists);
    const int* begin(int item) const { return numbers.data() + first[Z(item)]; }
    const int* end(int item) const { return numbers.data() + first[Z(item) + 1]; }
  };
  static constexpr uint64_t kTicksPerUnit = 128;

  bool raise(int item, Offset to);
  bool lower(int item, Offset to);
  void set_choice(int pair, GapsLeft to);
  bool narrow(int pair, GapsLeft to);
  bool settle(int pair);
  bool settle_apart(int index);
  bool propagate();
  void clear_queues();
  bool choose(int pair, GapsLeft choice);
  void touch(int item);
  void undo(size_t first);
  int pick_pair() const;
  bool decide(int pair);
  bool backtrack();

  DifferenceProblem problem_;
  Lists pairs_of_, aparts_of_;
  std::vector<Span> spans_;
  std::vector<PairState> pairs_;
  std::vector<uint64_t> open_;  // a bit for each pair that has a choice left
  std::vector<double> pair_weight_;
  std::vector<int> queue_;
  std::vector<char> queued_, apart_queued_;
  std::vector<int> apart_queue_;
  std::vector<AddressRange> ranges_;
  std::vector<Undo> trail_;
  std::vector<Decision> decisions_;
  std::vector<Offset> offsets_;
  uint64_t nodes_ = 0, ticks_ = 0;
};

}  // namespace tarn::planner
