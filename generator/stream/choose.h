// Which of a network's layers are joined into line-buffer operators, and which parts of concatenations are made in
// place: the choices that change what streams, each judged by the arena that follows.
#pragma once
#include <vector>

#include "stream/net.h"
#include "stream/search.h"

namespace tarn::stream {

struct Choice {
  lifetimes::Storage storage;
  std::vector<Chain> chains;
  Net net;
  Candidate best;
};

// Where the layers may lie in: storage with the operations that it leaves, in an order in which they can run.
struct Layers {
  lifetimes::Storage storage;
  std::vector<OperationId> order;
};

Choice choose(const Program& program, const std::vector<Layers>& layers, const Options& options,
              const SearchLimits& limits);

}  // namespace tarn::stream
