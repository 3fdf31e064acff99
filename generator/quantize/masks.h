// Numbers that a Softmax makes 0 wherever they lie: masks add as much as -3.4e38 to what is left out. They would widen
// a tensor's range until nothing else could be told apart, and any number that is small enough does as well.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "quantize/scheme.h"

namespace tarn::quantize {

// Constants of masks, infinite or not, become numbers that codes can stand for.
void bound_masks(graph::Graph& graph);

class Masks {
 public:
  explicit Masks(const graph::Graph& graph);

  // The values of which add() wants to see what they take.
  std::vector<graph::ValueId> watched() const;
  void add(graph::ValueId id, const std::vector<float>& numbers);

  // Below it all numbers of the value are alike to the Softmax that they end in.
  std::optional<float> floor_of(graph::ValueId id) const;

 private:
  struct Seen {
    float least_of_largest = 0, largest = 0;  // of rows that are not masked as a whole
    bool any = false;
  };
  struct Sum {
    graph::ValueId result, other;
  };

  const graph::Graph& graph_;
  std::map<graph::ValueId, int64_t> rows_;               // values that only a Softmax reads: the length of its rows
  std::map<graph::ValueId, std::vector<Sum>> operands_;  // values that are only added to others, giving one of those
  std::map<graph::ValueId, Seen> seen_;
};

}  // namespace tarn::quantize
