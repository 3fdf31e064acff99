// A complete search for a placement below a capacity, for blocks under the plain rule (sharing a section = disjoint).
// See note [valley search] in valley_search.cc.
#pragma once
#include <cstdint>
#include <vector>

#include "planner/index.h"
#include "planner/problem.h"
#include "planner/random.h"
#include "planner/verdict.h"
#include "planner/window_nogoods.h"

namespace tarn::planner {

// A block lives in sections first..last (both included) and may not lie above `max_offset`.
struct StripBlock {
  int first = 0, last = 0;
  Bytes size = 0;
  Offset max_offset = 0;
};

struct Strip {
  int section_count = 0;
  std::vector<StripBlock> blocks;
};

// How one run of the search orders its choices. Never changes what can be found or proved, only how soon.
struct SearchConfig {
  enum class Key { area, busiest, size, width };
  enum class Tie { lowest, tightest, nearest, widest };
  Key key = Key::area;             // candidates: greatest first
  Tie tie = Tie::lowest;           // between corners with equally many branches
  double waste_weight = 8;         // a branch that leaves the corner empty counts as this many
  double height_weight = 10;       // low corners first
  bool prefer_full_width = false;  // candidates that span the valley
  bool prefer_level = false;       // ... whose top is level with a wall
  bool avoid_overtopping = true;   // ... whose top rises above a wall go last
  bool noise = false;              // keys times 1 to 1.5
  bool as_before = false;          // candidates that sat here when a run left least unplaced go first
  // Inferences; all but in tests and measurements.
  bool use_nogoods = true;  // states of a window that were refuted before fail at once
  bool skip_alike = true;   // of blocks that are alike one is tried
  bool jump_back = true;    // a choice that has no part in a failure has no alternatives
};

// How often each inference decided something, over all runs.
struct ValleyUse {
  uint64_t nogoods = 0, alike = 0, jumps = 0;
  uint64_t raises = 0;  // floors of corners without candidates
};

class ValleySearch {
 public:
  // `table_bits`: of the number of refuted states remembered.
  explicit ValleySearch(const Strip& strip, uint64_t seed = 1, int table_bits = 16);

  // One run from the empty strip; what was learnt in earlier runs is used.
  Verdict run(const SearchConfig& config, uint64_t node_limit);

  const std::vector<Offset>& offsets() const { return offset_; }  // after found
  uint64_t nodes() const { return nodes_; }
  double least_left() const { return least_left_; }  // sizes times lives unplaced, at the best point of the last run
  const ValleyUse& use() const { return use_; }
  Random& random() { return random_; }

 private:
  static constexpr Offset kNever = INT64_MAX / 2;  // a level
  static constexpr int kWaste = -1;                // a choice that is no block
  struct Corner {
    int first = 0, last = 0;  // the valley
    int section = 0;          // its first or its last section
    bool left = true;
    int candidates = 0;
    Offset level = 0;  // the section can be used again from here if nothing sits at its floor; kNever
  };
  struct Cached {
    int first = -1, last = -1;
    int candidates = 0;
    Offset level = 0;
    uint64_t time = 0;
  };
  struct Span {
    int first, last;
    bool meets(int a, int b) const { return first <= b && a <= last; }
    void join(int a, int b) {
      if (a < first) first = a;
      if (b > last) last = b;
    }
  };
  // Sections at one height, none of whose neighbours is lower.
  struct Valley {
    int first, last;
    Offset floor;
    Span around;      // with the neighbours that wall it in
    uint64_t newest;  // change of any of these
  };
  struct Raise {
    int section;
    Offset old_floor;
    Span span;  // what it rests on
  };
  struct Frame {
    Corner corner;
    Offset floor;
    size_t choice_first, next_choice;  // in choices_, whose end is that of the newest frame's
    size_t raise_first;                // forced raises of this node, in raises_
    Span reason;                       // what the failures so far rest on
    int near_section;
    int applied = kWaste;  // the choice being tried: a block or kWaste
  };
  enum class Step { descend, solved, failed, stopped };

  void reset(const SearchConfig& config);
  void order_blocks();
  void set_floor(int section, Offset level);
  void note_best();
  void place(int block, Offset at);
  void unplace(int block, Offset floor);
  void raise(int section, Offset level);
  Offset waste_level(int first, int last, int section, bool left, Bytes slack) const;
  void evaluate(Corner& corner, Cached& cached);
  bool next_valley(int& s, Valley& valley) const;
  double score_of(const Corner& corner, Offset floor) const;
  bool settle_forced(Corner& best);
  void collect(const Corner& corner);
  void join_raises(Span& span, size_t raise_first) const;
  void undo_raises(size_t raise_first);
  void compute_prefixes();
  uint64_t window_key(int first, int last) const;
  Step enter(int changed_first, int changed_last);
  Step try_next();
  Step give_up();
  Step retreat();
  bool left_wall(int first) const { return crossing_[Z(first)] == 0; }
  bool right_wall(int last) const { return crossing_[Z(last) + 1] == 0; }

  Strip strip_;
  int section_count_, block_count_;
  SearchConfig config_;
  Random random_;
  WindowNogoods nogoods_;

  Bytes capacity_ = 0;
  std::vector<Bytes> total_;
  std::vector<Offset> floor_, offset_;
  std::vector<Bytes> rest_;               // sizes of unplaced blocks over a section
  std::vector<int> unplaced_, crossing_;  // counts: over a section; over the cut before it, 0 at both ends
  std::vector<char> placed_;
  std::vector<uint64_t> hash_, floor_hash_, over_hash_, start_hash_, floor_prefix_, start_prefix_;
  std::vector<std::vector<int>> starting_, ending_;  // blocks by first and last section, best first
  std::vector<uint64_t> changed_;
  std::vector<Cached> cache_[2];
  std::vector<double> section_noise_[2];
  uint64_t time_ = 0;

  std::vector<Frame> frames_;
  std::vector<int> choices_;
  std::vector<Raise> raises_;
  Span failure_{0, 0}, change_{0, 0};
  int left_count_ = 0, near_section_ = 0;
  double left_area_ = 0, least_left_ = 0, least_ever_ = 1e300;
  std::vector<Offset> best_;  // where blocks were when least_ever_ was left; -1: unplaced
  uint64_t nodes_ = 0, limit_ = 0;
  ValleyUse use_;
};

}  // namespace tarn::planner
