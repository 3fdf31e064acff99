#include "program/share_weights.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/sha256.h"

namespace tarn::program {

namespace {

// Of 64 KiB at a time, the same however the bytes come in pieces. Those that repeat are hashed once.
class Digest {
 public:
  void add(std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
      const size_t taken = std::min(bytes.size(), kLength - block_.size());
      block_.insert(block_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
      bytes = bytes.subspan(taken);
      if (block_.size() == kLength) end_block();
    }
  }

  std::string finish() {
    if (!block_.empty()) end_block();
    return sha256_hex({reinterpret_cast<const uint8_t*>(hashes_.data()), hashes_.size()});
  }

 private:
  static constexpr size_t kLength = size_t{1} << 16;

  void end_block() {
    if (last_.empty() || block_ != before_) last_ = sha256_hex(block_);
    hashes_ += last_;
    std::swap(before_, block_);
    block_.clear();
  }

  std::vector<uint8_t> block_, before_;
  std::string last_, hashes_;
};

std::string digest(const Weight& weight) {
  Digest all;
  weight.write([&](std::span<const uint8_t> bytes) { all.add(bytes); });
  return all.finish();
}

// Of the first bytes in each kilobyte: tells most weights apart in a fraction of the time; the same however the bytes
// come in pieces.
uint64_t quick_hash(const Weight& weight) {
  constexpr size_t kEvery = 1024, kTaken = 64;
  uint64_t hash = 0;
  size_t seen = 0;  // bytes of earlier pieces
  weight.write([&](std::span<const uint8_t> bytes) {
    for (size_t at = 0; at < bytes.size();) {
      const size_t within = (seen + at) % kEvery;
      if (within >= kTaken) {
        at += kEvery - within;
        continue;
      }
      const size_t end = std::min(bytes.size(), at + kTaken - within);
      for (; at < end; ++at) hash = (hash ^ bytes[at]) * 0x9e3779b97f4a7c15u;
    }
    seen += bytes.size();
  });
  return hash;
}

}  // namespace

void share_weights(Program& program) {
  std::map<std::tuple<DType, int64_t, std::string>, WeightId> first;
  std::map<std::pair<DType, int64_t>, size_t> alike;
  for (const Weight& weight : program.weights) ++alike[{weight.dtype, weight.count}];
  const auto has_data = [&](const Weight& weight) {
    return weight.missing.empty() && weight.write && alike[{weight.dtype, weight.count}] > 1;
  };
  std::map<std::tuple<DType, int64_t, uint64_t>, size_t> twins;
  std::vector<uint64_t> hashes(program.weights.size());
  for (size_t i = 0; i < program.weights.size(); ++i) {
    const Weight& weight = program.weights[i];
    if (!has_data(weight)) continue;
    hashes[i] = quick_hash(weight);
    ++twins[{weight.dtype, weight.count, hashes[i]}];
  }
  std::vector<WeightId> kept(program.weights.size());
  std::vector<Weight> weights;
  for (size_t i = 0; i < program.weights.size(); ++i) {
    Weight& weight = program.weights[i];
    const WeightId next(weights.size());
    if (has_data(weight) && twins[{weight.dtype, weight.count, hashes[i]}] > 1) {
      const auto [found, added] = first.try_emplace({weight.dtype, weight.count, digest(weight)}, next);
      kept[i] = found->second;
      if (!added) {
        // The same bytes may hold lanes of nobody's for one of them only.
        std::optional<Weight::Spread>& spread = weights[found->second.pos()].spread;
        if (spread && weight.spread != spread) spread.reset();
        continue;
      }
    } else {
      kept[i] = next;
    }
    weights.push_back(std::move(weight));
  }
  program.weights = std::move(weights);
  for (Operation& operation : program.operations) {
    for (Argument& argument : operation.arguments) {
      if (argument.weight.valid()) argument.weight = kept[argument.weight.pos()];
    }
  }
  for (KeptState& state : program.kept) {
    if (state.first.valid()) state.first = kept[state.first.pos()];
  }
  for (auto& [key, coding] : program.codings) {
    for (WeightId& id : coding.weights) id = kept[id.pos()];
  }
}

}  // namespace tarn::program
