// From the lives of lines to the packing problem.
//
// note [pairs]: let line q of memory x lie at X + (q mod Lx) wx, line r of y at Y + (r mod Ly) wy. Where both live at a
// common step they must be disjoint: the difference Y - X of the bases is not in an open interval of length wx + wy.
// When line r is made by the very step that reads q for the last time, it may begin an overlap distance below q instead
// of all of its own length. The union over all pairs of lines is what two memories forbid each other: one interval
// where both are resident, several for rings, because a slot that is empty at times can be shared.
#pragma once
#include <unordered_map>
#include <vector>

#include "planner/problem.h"
#include "stream/schedule/lives.h"

namespace tarn::stream {

// All lines of a memory in a ring of lives.slots lines; or every `step`th of them from `line` on, one in the place of
// the other.
struct Packed {
  int memory = 0;
  int64_t line = -1;  // -1: all
  int64_t step = 1;   // no less than the memory has lines: one
};

// Where the lines of a memory lie. Together: in a ring. Slots: each slot of a short ring anywhere. Apart: each line
// that need not stand beside others anywhere.
enum class Places { together, slots, apart };

struct Packing {
  Places places = Places::together;
  planner::Problem problem;
  std::vector<Packed> items;  // by item
  uint64_t looks = 0;         // at lines of one item that may meet those of another
};

// The pairs of a packing in rings, for others of the same net with the same steps in another order: two memories whose
// lines live as they did forbid each other what they did. It lasts no longer than what it was made of.
class KnownPairs {
 public:
  KnownPairs(const Packing& packing, const std::vector<Step>& steps);

  // By memory: it lives as it did, and where its lines begin and end the steps are the same.
  std::vector<bool> unchanged(const std::vector<Step>& steps, const Lives& lives) const;

  // Of two memories of which both are unchanged and live together; none: the plain rule.
  const std::vector<planner::Forbidden>* find(int x, int y) const;

 private:
  const std::vector<Step>& steps_;
  std::unordered_map<int64_t, const std::vector<planner::Forbidden>*> pairs_;
};

// The items are those that `places` says.
// `endless`: the steps are the beginning of ones that go on for ever. Which slots of two rings meet changes from turn
// to turn, so that only memories of one line each share bytes.
Packing make_packing(const Net& net, const std::vector<Step>& steps, const Lives& lives, Places places,
                     int64_t alignment, bool endless = false, const KnownPairs* known = nullptr);

// Of given items, of which some may have no line that is ever made.
Packing make_packing(const Net& net, const std::vector<Step>& steps, const Lives& lives, std::vector<Packed> items,
                     int64_t alignment);

// Pairs of items that are alive together: what make_packing() would look at.
uint64_t count_meetings(const Net& net, const Lives& lives, Places places);

// What the line that `node` makes may do to the dying line of a memory: the greatest overlap distance of all its reads
// of that line. Absent: they are disjoint.
std::optional<int64_t> overlap_distance_at(const Net& net, const Step& step, int dying, int64_t line, int made);

}  // namespace tarn::stream
