#include "quantize/tell.h"

#include "quantize/prepare.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::ValueId;

Where where_of(const std::string& path, const graph::Node& node) {
  Where where{.file = path, .node_name = node.name, .op = node.op};
  if (!node.origins.empty()) where.node = node.origins.front();
  return where;
}

}  // namespace

void tell_of_floats(const std::vector<std::pair<std::string, std::string>>& floats, const graph::Graph& graph,
                    const Scheme& scheme, const std::string& path, Diagnostics& told) {
  std::set<std::string> meant;
  for (const std::vector<size_t>* nodes : {&scheme.in_floats, &scheme.behind}) {
    for (const size_t at : *nodes) {
      const graph::Node& node = graph.nodes[at];
      meant.insert(node.name.empty() ? cat(node.op, "_", name_of(graph, node)) : node.name);
    }
  }
  for (const std::pair<std::string, std::string>& one : floats) {
    const std::string &name = one.first, &op = one.second;
    const bool moves = op == "Transpose" || op == "Reshape" || op == "Copy";
    if (name.empty() || moves || !meant.insert(name).second) continue;
    told.push_back({"W403",
                    {.file = path, .node_name = name, .op = op},
                    "no kernel takes its codes as they are: it is computed in floats",
                    {}});
  }
}

Diagnostics tell_of_scheme(const graph::Graph& graph, size_t samples, const Scheme& scheme,
                           const std::vector<Observed>& seen, const std::set<size_t>& recurrent,
                           const Options& options) {
  Diagnostics told;
  for (const size_t node : scheme.in_floats) {
    const char* what = scheme.kinds[node] == Kind::recurrent
                           ? "it computes in floats; its weights and its sequences become codes of 8 bits"
                       : recurrent.contains(node) ? "it computes in floats; its weights become codes of 8 bits"
                                                  : "it stays in floats";
    told.push_back({"W403", where_of(options.model_path, graph.nodes[node]), what, {}});
  }
  for (const size_t node : scheme.behind)
    told.push_back({"W403", where_of(options.model_path, graph.nodes[node]),
                    "it stays in floats, behind the last layer", "--outputs codes quantises it"});
  if (samples < 2)
    told.push_back({"W404",
                    {.file = options.data},
                    "there is one sample: ranges are what it alone takes",
                    "give some dozens that differ"});
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (!scheme.has_codes(ValueId(v)) || !seen[static_cast<size_t>(scheme.group[v])].constant()) continue;
    Where where{.file = options.model_path};
    where.tensor = graph.values[v].name;
    told.push_back({"W404", where, "the data leave this tensor constant: its range is that of one number", {}});
  }
  return told;
}

}  // namespace tarn::quantize
