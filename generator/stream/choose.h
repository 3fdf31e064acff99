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

// Packed quickly; the best comes first. What a thorough search brings for lines in tables depends on how little is
// alive as much as on what a quick one found: others may turn out to be better.
std::vector<Choice> choose(const Program& program, const std::vector<Layers>& layers, const Options& options,
                           const SearchLimits& limits);

// The best of them when they are packed thoroughly.
Choice finish(std::vector<Choice> choices, const SearchLimits& limits);

}  // namespace tarn::stream
