#include "verify/profile.h"

#include <sstream>

#include "verify/core_timing.h"
#include "verify/files.h"

namespace tarn::verify {

uint64_t Profile::instructions() const {
  uint64_t sum = 0;
  for (const Block& block : blocks) sum += block.length * block.times;
  return sum;
}

std::vector<Profile> read_profiles(const std::string& path) {
  std::istringstream in(read_file(path).value_or(""));
  std::vector<Profile> profiles;
  std::string word;
  while (in >> word) {
    if (word == "window") {
      profiles.emplace_back();
      in >> profiles.back().reads >> profiles.back().read_bytes;
    } else if (word == "block" && !profiles.empty()) {
      Profile::Block block;
      in >> std::hex >> block.address >> std::dec >> block.length >> block.times;
      profiles.back().blocks.push_back(block);
    } else if (word == "edge" && !profiles.empty()) {
      Profile::Edge edge;
      in >> std::hex >> edge.last >> edge.to >> std::dec >> edge.times;
      profiles.back().edges.push_back(edge);
    } else {
      return {};
    }
    if (!in) return {};
  }
  return profiles;
}

Profile joined(const std::vector<Profile>& windows) {
  Profile all;
  for (const Profile& window : windows) {
    all.blocks.insert(all.blocks.end(), window.blocks.begin(), window.blocks.end());
    all.edges.insert(all.edges.end(), window.edges.begin(), window.edges.end());
    all.reads += window.reads;
    all.read_bytes += window.read_bytes;
  }
  return all;
}

namespace {

uint64_t size_of(const MachineCode& code, size_t at) {
  const bool known = at + 1 < code.instructions.size() && code.instructions[at + 1].follows;
  const uint64_t bytes = known ? code.instructions[at + 1].address - code.instructions[at].address : 4;
  return bytes == 2 ? 2 : 4;
}

}  // namespace

RunCost cost_of(const MachineCode& code, const Profile& profile, Target core) {
  RunCost cost;
  cost.instructions = static_cast<double>(profile.instructions());
  cost.reads = static_cast<double>(profile.reads);
  cost.read_bytes = static_cast<double>(profile.read_bytes);
  const bool timed = has_timing(core);
  for (const Profile::Block& block : profile.blocks) {
    const std::optional<size_t> first = instruction_at(code, block.address);
    if (!first) continue;
    std::vector<Decoded> decoded;
    uint64_t bytes = 0;
    for (size_t i = *first; i < *first + block.length && i < code.instructions.size(); ++i) {
      bytes += size_of(code, i);
      if (timed) decoded.push_back(decode_thumb(code.instructions[i], size_of(code, i)));
    }
    const auto times = static_cast<double>(block.times);
    cost.code_bytes += times * static_cast<double>(bytes);
    if (timed) cost.cycles += times * straight_cycles(core, decoded);
  }
  for (const Profile::Edge& edge : profile.edges) {
    const std::optional<size_t> last = instruction_at(code, edge.last);
    if (!last || edge.to == edge.last + size_of(code, *last)) continue;
    const auto times = static_cast<double>(edge.times);
    cost.jumps += times;
    if (!timed) continue;
    const std::optional<size_t> to = instruction_at(code, edge.to);
    const bool split = to && edge.to % 4 != 0 && size_of(code, *to) == 4;
    cost.cycles += times * jump_cycles(core, decode_thumb(code.instructions[*last], size_of(code, *last)), split);
  }
  return cost;
}

}  // namespace tarn::verify
