// Which of a network's layers are joined into line-buffer operators, and which parts of concatenations are made in
// place: the choices that change what streams, each judged by the arena that follows.
#pragma once
#include <vector>

#include "stream/network/net.h"
#include "stream/schedule/search.h"

namespace tarn::stream {

struct JoinedLayers {
  lifetimes::Storage storage;
  std::vector<OperationId> order;
  std::vector<Chain> chains;
  Net net;
  PackedCuts best;
};

// One way to lay out tensors: a storage, and the operations it leaves, in an order in which they can run.
struct Layers {
  lifetimes::Storage storage;
  std::vector<OperationId> order;
};

// Choices with a quick packing, the best first. For lines in tables there are several, because a thorough packing may
// order them differently: it depends on the bytes alive as much as on the quick result. Where work may be done twice
// (Options::recompute), those that recompute lines follow, however much that is (recompute.h).
std::vector<JoinedLayers> choose(const Program& program, const std::vector<Layers>& layers, const Options& options,
                                 const SearchLimits& limits);

// Packs the choices thoroughly and returns the best.
JoinedLayers finish(std::vector<JoinedLayers> choices, const SearchLimits& limits);

}  // namespace tarn::stream
