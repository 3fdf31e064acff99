// Small networks of lines without a program: a feed, and layers one after the other.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "planner/random.h"
#include "stream/network/net.h"

namespace tarn::stream::testing {

// A feed, and layers that each read three lines of the one before and now and then a line of one further back.
inline Net chain_of(int layers, int64_t height, planner::Random& random) {
  Net net;
  for (int n = 0; n <= layers; ++n) {
    Memory memory;
    memory.lines = height;
    memory.line_bytes = 8 * (1 + random.below(9));
    net.memories.push_back(memory);
    net.names.push_back("memory" + std::to_string(n));
    NetNode node;
    node.lines = height;
    node.memory = n;
    node.made = {0, height};
    if (n == 0) node.actor.what = Actor::What::feed;
    const auto read = [&](int memory_read, int64_t reach) {
      Access access;
      access.memory = memory_read;
      access.producers = {memory_read};
      access.overlap_distance = random.below(3) * 4;
      for (int64_t r = 0; r < height; ++r)
        access.lines.push_back({std::max<int64_t>(0, r - reach), std::min(height, r + reach + 1)});
      net.last_reader[static_cast<size_t>(memory_read)] = n;
      node.reads.push_back(access);
    };
    if (n > 0) read(n - 1, 1);
    if (n > 3 && random.below(3) == 0) read(n - 3, 0);
    net.nodes.push_back(node);
    net.last_reader.push_back(-1);
  }
  const size_t count = net.memories.size();
  net.eager.resize(count);
  net.contiguous.assign(count, false);
  net.outside.assign(count, false);
  net.given.assign(count, false);
  net.kept.assign(count, false);
  net.kept.back() = true;
  return net;
}

// Memory of a layer's own, `scratch` or `window`, as many lines as the layer has.
inline void add_helper(Net& net, NetNode& node, Memory::Holds holds, int64_t line_bytes) {
  node.helpers.push_back(static_cast<int>(net.memories.size()));
  Memory memory;
  memory.holds = holds;
  memory.lines = node.lines;
  memory.line_bytes = line_bytes;
  net.memories.push_back(memory);
  net.names.push_back("helper" + std::to_string(net.memories.size()));
  for (std::vector<bool>* flags : {&net.contiguous, &net.outside, &net.given, &net.kept}) flags->push_back(false);
}

}  // namespace tarn::stream::testing
