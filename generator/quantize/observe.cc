#include "quantize/observe.h"

#include <algorithm>

#include "quantize/masks.h"
#include "quantize/tuning.h"

namespace tarn::quantize {

namespace {

using graph::ValueId;

constexpr size_t kMostNotFinite = 10;  // tensors that are named

}  // namespace

std::vector<ValueId> values_with_codes(const graph::Graph& graph, const Scheme& scheme) {
  std::vector<ValueId> values;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (scheme.has_codes(ValueId(v))) values.emplace_back(v);
  }
  return values;
}

Result<Seen> observe(const graph::Graph& graph, const Scheme& scheme, const Network& network,
                     const std::vector<Sample>& samples, const std::string& path, Quantisation& quantisation) {
  const auto groups = static_cast<size_t>(scheme.groups);
  const size_t parts = samples.size() < 2 ? 0 : std::min(kParts, samples.size());
  Seen seen{std::vector<Observed>(groups), {}};
  std::vector<std::vector<Observed>> part(parts, std::vector<Observed>(groups, Observed(kMostOfAPart)));
  Masks masks(graph);
  const std::vector<ValueId> of_masks = masks.watched();
  const Result<Done> run = network.run(samples, [&](size_t s, const Values& values) {
    for (const ValueId id : of_masks) {
      if (const auto found = values.find(id); found != values.end()) masks.add(id, found->second);
    }
    for (const auto& [id, numbers] : values) {
      if (!scheme.has_codes(id)) continue;
      const auto group = static_cast<size_t>(scheme.group[id.pos()]);
      seen.all[group].add(numbers);
      if (parts > 0) part[s % parts][group].add(numbers);
    }
  });
  if (!run) return run.faults();
  for (size_t without = 0; without < parts; ++without) {
    std::vector<Observed>& others = seen.without.emplace_back(groups);
    for (size_t p = 0; p < parts; ++p) {
      for (size_t g = 0; g < groups && p != without; ++g) others[g].add(part[p][g]);
    }
  }
  const auto each = [&](size_t group, const auto& change) {
    change(seen.all[group]);
    for (std::vector<Observed>& others : seen.without) change(others[group]);
  };
  for (const KnownOperand& known : scheme.known) {
    if (known.group < 0) continue;
    const Constant& c = *graph.constant(graph.nodes[known.node].inputs[known.input]);
    std::vector<float> numbers(static_cast<size_t>(c.count()));
    c.read(0, numbers);
    each(static_cast<size_t>(known.group), [&](Observed& one) { one.add(numbers); });
  }
  // A group has a floor where all of its values do.
  std::vector<std::optional<float>> floors(groups);
  std::vector<bool> whole(groups, true);
  for (const ValueId id : values_with_codes(graph, scheme)) {
    const auto group = static_cast<size_t>(scheme.group[id.pos()]);
    const std::optional<float> floor = masks.floor_of(id);
    if (!floor) whole[group] = false;
    else floors[group] = std::min(floors[group].value_or(*floor), *floor);
  }
  for (const KnownOperand& known : scheme.known) {
    const ValueId id = graph.nodes[known.node].inputs[known.input];
    if (known.group >= 0) whole[static_cast<size_t>(known.group)] = false;
    else if (const std::optional<float> floor = masks.floor_of(id)) quantisation.floors[id] = *floor;
  }
  for (size_t g = 0; g < groups; ++g) {
    if (whole[g] && floors[g]) each(g, [&](Observed& one) { one.raise(*floors[g]); });
  }
  Diagnostics faults;
  for (const ValueId id : values_with_codes(graph, scheme)) {
    if (seen.all[static_cast<size_t>(scheme.group[id.pos()])].finite() || faults.size() >= kMostNotFinite) continue;
    Where where{.file = path};
    where.tensor = graph[id].name;
    faults.push_back({"E420", where, "it takes NaN or infinite numbers on the data: it has no range",
                      "leave such samples away, or the layers in floats by --float"});
  }
  if (!faults.empty()) return faults;
  return seen;
}

}  // namespace tarn::quantize
