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

}  // namespace

void share_weights(Program& program) {
  std::map<std::tuple<DType, int64_t, std::string>, WeightId> first;
  std::map<std::pair<DType, int64_t>, size_t> alike;
  for (const Weight& weight : program.weights) ++alike[{weight.dtype, weight.count}];
  std::vector<WeightId> kept(program.weights.size());
  std::vector<Weight> weights;
  for (size_t i = 0; i < program.weights.size(); ++i) {
    Weight& weight = program.weights[i];
    const WeightId next(weights.size());
    if (weight.missing.empty() && alike[{weight.dtype, weight.count}] > 1) {
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
