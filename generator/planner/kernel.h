// What is hard about a packing problem below a capacity: what remains when everything is taken away that always finds a
// place, cut into independent parts, and counted in units of the alignment.
#pragma once
#include <vector>

#include "planner/conflicts.h"
#include "planner/difference_search.h"
#include "planner/valley_search.h"

namespace tarn::planner {

struct Part {
  std::vector<int> items;  // of the problem, ascending
  bool plain = false;      // disjoint while alive, nothing else
};

struct Kernel {
  Bytes unit = 1;            // all offsets are multiples of it
  std::vector<Offset> most;  // by item of the problem: greatest offset below the capacity, in units; -1: none
  std::vector<int> peeled;   // items that find a place whatever the others do, in the order they were taken away
  std::vector<Part> parts;   // largest first
};

Kernel find_kernel(const Problem& problem, const ConflictGraph& conflicts, Bytes capacity);

// A part in the form of one of the searches. `scale` units are one unit of the strip.
struct StripPart {
  Strip strip;
  Bytes scale = 1;
};
StripPart strip_of(const Problem& problem, const Kernel& kernel, const Part& part);
DifferenceProblem differences_of(const Problem& problem, const ConflictGraph& conflicts, const Kernel& kernel,
                                 const Part& part);

}  // namespace tarn::planner
