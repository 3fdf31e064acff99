#include "report/zeros.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "report/stream_figures.h"

namespace tarn::report {

namespace {

template <class Unit>
int64_t zeros_among(std::span<const uint8_t> bytes) {
  constexpr size_t kAtOnce = 128 * sizeof(Unit);  // few enough for a count as short as a unit: many are made at a time
  int64_t zeros = 0;
  for (size_t first = 0; first < bytes.size(); first += kAtOnce) {
    Unit count = 0;
    for (size_t i = first; i < std::min(bytes.size(), first + kAtOnce); i += sizeof(Unit)) {
      Unit unit;
      std::memcpy(&unit, bytes.data() + i, sizeof unit);
      count = static_cast<Unit>(count + (unit == 0));
    }
    zeros += static_cast<int64_t>(count);
  }
  return zeros;
}

// Weights of few bits are counted as the kernel reads them.
bool is_unpacked(const program::Weight& weight) { return weight.plain && weight.plain->write; }
int64_t count_of(const program::Weight& weight) { return is_unpacked(weight) ? weight.plain->count : weight.count; }

// Elements whose bytes are all zero. Types below one byte are counted by the byte: a pair is zero when both are.
int64_t zeros_in(const program::Weight& weight) {
  const bool unpacked = is_unpacked(weight);
  const auto size =
      static_cast<size_t>(std::max<int64_t>(1, bytes_for(unpacked ? weight.plain->dtype : weight.dtype, 1)));
  const int64_t bytes = unpacked ? weight.plain->bytes() : weight.bytes();
  const int64_t elements_per_unit =
      std::max<int64_t>(1, count_of(weight) / std::max<int64_t>(1, bytes / static_cast<int64_t>(size)));
  int64_t zeros = 0;
  size_t seen = 0;
  bool all_zero = true;
  (unpacked ? weight.plain->write : weight.write)([&](std::span<const uint8_t> piece) {
    if (seen == 0 && size == 4 && piece.size() % 4 == 0) {
      zeros += zeros_among<uint32_t>(piece);
      return;
    }
    if (size == 1) {
      zeros += zeros_among<uint8_t>(piece);
      return;
    }
    for (uint8_t byte : piece) {
      all_zero = all_zero && byte == 0;
      if (++seen < size) continue;
      zeros += all_zero;
      seen = 0;
      all_zero = true;
    }
  });
  return zeros * elements_per_unit;
}

// Trained numbers that normalisation had beside a layer's weights, by the nodes that the layer stands for.
std::map<std::vector<std::string>, int64_t> folded_parameters(const graph::Graph& graph) {
  std::map<std::vector<std::string>, int64_t> folded;
  for (const graph::Node& node : graph.nodes) {
    if (node.has("folded_parameters")) folded[node.origin_names] = node.integer("folded_parameters", 0);
  }
  return folded;
}

}  // namespace

void count_zeros(const Analysis& analysis, Report& report) {
  const program::Program& program = analysis.program;
  const auto folded = folded_parameters(analysis.graph);
  std::vector<std::optional<int64_t>> counted(program.weights.size());  // many steps may share one
  const std::vector<program::OperationId> operations = operations_in_order(analysis);
  for (size_t s = 0; s < report.steps.size() && s < operations.size(); ++s) {
    StepRow& row = report.steps[s];
    int64_t zeros = 0, count = 0;
    bool complete = true;
    for (const program::Argument& a : program[operations[s]].arguments) {
      if (a.role != program::Argument::Role::weight) continue;
      const program::Weight& weight = program[a.weight];
      complete = complete && weight.missing.empty() && weight.write && (!weight.plain || weight.spread);
      if (!complete) break;
      std::optional<int64_t>& here = counted[a.weight.pos()];
      if (!here) here = zeros_in(weight);
      zeros += *here;
      count += count_of(weight);
    }
    if (!complete || count == 0) continue;
    // Packing fills the last block of channels with zeros that are none of the model's.
    const auto beside = folded.find(row.nodes);
    const int64_t stored = row.parameters - (beside == folded.end() ? 0 : beside->second);
    const int64_t filled = stored > 0 ? std::max<int64_t>(0, count - stored) : 0;
    row.zeros = std::max<int64_t>(0, zeros - filled);
  }
}

}  // namespace tarn::report
