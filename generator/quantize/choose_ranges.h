// Of several ranges that a tensor could have, the one that does least to the network's outputs.
#pragma once
#include <vector>

#include "quantize/complete.h"
#include "quantize/network.h"
#include "quantize/rewrite.h"

namespace tarn::quantize {

// What runs: the float graph, its program, which has the outputs among the values that it watches, and the data.
struct Trial {
  const graph::Graph& graph;
  const FileFacts& facts;
  const Scheme& scheme;
  const Network& network;
  const std::vector<Sample>& samples;
  const Kept* kept = nullptr;  // weights that have codes already
};

// What the codes of a group could be, one at least. `without`, where they are not fixed: by part of the samples, what
// each of them is where this part is left out, see Seen. A sample is tried with the codes that come from the others: no
// range does well for holding what it was made of.
struct Candidates {
  std::vector<Codes> codes;
  std::vector<std::vector<Codes>> without;
};

// `candidates`: by group of the scheme; those of one place are of one method. The graph is compiled with scales as
// inputs. The best of the methods for all groups alike is where it starts; then each candidate of a group, or of a few
// groups in large networks, is run while all others stay, and what is better by itself is tried together.
Result<std::vector<Codes>> choose_by_outputs(const Trial& trial, const std::vector<Candidates>& candidates,
                                             const Quantisation& start);

}  // namespace tarn::quantize
