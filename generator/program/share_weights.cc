#include "program/share_weights.h"

#include <map>
#include <tuple>

#include "support/sha256.h"

namespace tarn::program {

namespace {

// Of its pieces, one after the other: what is packed alike comes in the same pieces.
std::string digest(const Weight& weight) {
  std::string all;
  weight.write([&](std::span<const uint8_t> bytes) {
    const std::string joined = all + sha256_hex(bytes);
    all = sha256_hex({reinterpret_cast<const uint8_t*>(joined.data()), joined.size()});
  });
  return all;
}

// Tells most weights apart in a fraction of the time; the same however the bytes come in pieces.
uint64_t quick_hash(const Weight& weight) {
  uint64_t hash = 0, word = 0;
  int held = 0;
  const auto mix = [&] {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    word = 0;
    held = 0;
  };
  weight.write([&](std::span<const uint8_t> bytes) {
    for (const uint8_t byte : bytes) {
      word |= uint64_t{byte} << (8 * held);
      if (++held == 8) mix();
    }
  });
  mix();
  return hash;
}

}  // namespace

void share_weights(Program& program) {
  std::map<std::tuple<DType, int64_t, std::string>, WeightId> first;
  std::map<std::pair<DType, int64_t>, size_t> alike;
  for (const Weight& weight : program.weights) ++alike[{weight.dtype, weight.count}];
  const auto has_data = [&](const Weight& weight) { return weight.missing.empty() && weight.write && alike[{weight.dtype, weight.count}] > 1; };
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
      if (!added) continue;
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
}

}  // namespace tarn::program
