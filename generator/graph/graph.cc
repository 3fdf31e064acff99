#include "graph/graph.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "support/check.h"
#include "support/text.h"

namespace tarn::graph {

namespace {
template <class T>
const T* find(const Attributes& attributes, const std::string& name) {
  auto it = attributes.find(name);
  return it == attributes.end() ? nullptr : std::get_if<T>(&it->second);
}
}  // namespace

int64_t Node::integer(const std::string& name, int64_t otherwise) const {
  const int64_t* v = find<int64_t>(attributes, name);
  return v ? *v : otherwise;
}

double Node::real(const std::string& name, double otherwise) const {
  const float* v = find<float>(attributes, name);
  return v ? static_cast<double>(*v) : otherwise;
}

std::string Node::text(const std::string& name, const std::string& otherwise) const {
  const std::string* v = find<std::string>(attributes, name);
  return v ? *v : otherwise;
}

std::vector<int64_t> Node::integers(const std::string& name) const {
  const auto* v = find<std::vector<int64_t>>(attributes, name);
  return v ? *v : std::vector<int64_t>{};
}

std::vector<double> Node::reals(const std::string& name) const {
  const auto* v = find<std::vector<float>>(attributes, name);
  return v ? std::vector<double>(v->begin(), v->end()) : std::vector<double>{};
}

std::vector<std::string> Node::texts(const std::string& name) const {
  const auto* v = find<std::vector<std::string>>(attributes, name);
  return v ? *v : std::vector<std::string>{};
}

const Constant* Node::tensor(const std::string& name) const { return find<Constant>(attributes, name); }

Shape shape_at(const Value& value, const std::vector<int64_t>& symbols) {
  Shape shape = value.type.shape;
  for (const RuntimeDim& dim : value.runtime_dims)
    shape[dim.axis] = dim.scale * symbols[static_cast<size_t>(dim.symbol)] + dim.offset;
  return shape;
}

ValueId Graph::add_value(const std::string& name, TensorType type) {
  values.push_back({name, std::move(type), nullptr, {}});
  return ValueId(values.size() - 1);
}

ValueId Graph::add_constant(const std::string& name, Constant constant) {
  const ValueId id = add_value(name, constant.type());
  (*this)[id].constant = std::make_shared<const Constant>(std::move(constant));
  return id;
}

namespace {

// All values that a node reads, one after the other; some may come twice.
template <class Take>
void for_each_read(const Node& node, const Take& take) {
  for (const std::vector<ValueId>* ids : {&node.inputs, &node.captures}) {
    for (ValueId id : *ids) {
      if (id) take(id.pos());
    }
  }
}

// Counted first, so that all lists are one piece.
PositionLists readers_of(const Graph& graph) {
  constexpr size_t kNobody = static_cast<size_t>(-1);
  std::vector<size_t> begins(graph.values.size() + 1, 0), last(graph.values.size(), kNobody);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for_each_read(graph.nodes[i], [&](size_t value) {
      if (last[value] != i) ++begins[value + 1];
      last[value] = i;
    });
  }
  for (size_t v = 0; v < graph.values.size(); ++v) begins[v + 1] += begins[v];
  std::vector<size_t> all(begins.back()), next(begins.begin(), begins.end() - 1);
  std::fill(last.begin(), last.end(), kNobody);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for_each_read(graph.nodes[i], [&](size_t value) {
      if (last[value] != i) all[next[value]++] = i;
      last[value] = i;
    });
  }
  return {std::move(begins), std::move(all)};
}

}  // namespace

Uses find_uses(const Graph& graph) {
  Uses uses;
  uses.readers = readers_of(graph);
  uses.producer.resize(graph.values.size());
  uses.is_output.assign(graph.values.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (ValueId id : graph.nodes[i].outputs) {
      if (id) uses.producer[id.pos()] = i;
    }
  }
  for (ValueId id : graph.outputs) uses.is_output[id.pos()] = true;
  return uses;
}

void replace_uses(Graph& graph, ValueId from, ValueId to) {
  for (Node& node : graph.nodes) {
    for (ValueId& id : node.inputs) {
      if (id == from) id = to;
    }
    for (ValueId& id : node.captures) {
      if (id == from) id = to;
    }
  }
  for (ValueId& id : graph.outputs) {
    if (id == from) id = to;
  }
}

void remove_dead(Graph& graph) {
  std::vector<bool> live(graph.values.size(), false);
  for (ValueId id : graph.outputs) live[id.pos()] = true;
  for (ValueId id : graph.inputs) live[id.pos()] = true;
  std::vector<bool> keep(graph.nodes.size(), false);
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    keep[i] =
        std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) { return id.valid() && live[id.pos()]; });
    if (!keep[i]) continue;
    for (ValueId id : node.inputs) {
      if (id) live[id.pos()] = true;
    }
    for (ValueId id : node.captures) {
      if (id) live[id.pos()] = true;
    }
    for (ValueId id : node.outputs) {
      if (id) live[id.pos()] = true;
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!keep[i]) continue;
    if (kept != i) graph.nodes[kept] = std::move(graph.nodes[i]);
    ++kept;
  }
  graph.nodes.resize(kept);

  std::vector<ValueId> renumbered(graph.values.size());
  size_t count = 0;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (!live[i]) continue;
    renumbered[i] = ValueId(count);
    if (count != i) graph.values[count] = std::move(graph.values[i]);
    ++count;
  }
  if (count == graph.values.size()) return;
  graph.values.resize(count);
  auto renumber = [&](std::vector<ValueId>& ids) {
    for (ValueId& id : ids) {
      if (id) id = renumbered[id.pos()];
    }
  };
  for (Node& node : graph.nodes) {
    renumber(node.inputs);
    renumber(node.outputs);
    renumber(node.captures);
  }
  renumber(graph.inputs);
  renumber(graph.outputs);
}

void sort_nodes(Graph& graph) {
  constexpr size_t kNobody = static_cast<size_t>(-1);
  const size_t count = graph.nodes.size();
  std::vector<size_t> producer(graph.values.size(), kNobody);
  for (size_t i = 0; i < count; ++i) {
    for (ValueId id : graph.nodes[i].outputs) {
      if (id) producer[id.pos()] = i;
    }
  }
  bool sorted = true;
  for (size_t i = 0; i < count && sorted; ++i) {
    for_each_read(graph.nodes[i],
                  [&](size_t value) { sorted = sorted && (producer[value] == kNobody || producer[value] < i); });
  }
  if (sorted) return;
  // A node waits for each value that it reads.
  const PositionLists readers = readers_of(graph);
  std::vector<size_t> waiting(count, 0);
  for (size_t value = 0; value < graph.values.size(); ++value) {
    if (producer[value] == kNobody) continue;
    for (size_t reader : readers[value]) ++waiting[reader];
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < count; ++i) {
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<Node> ordered;
  ordered.reserve(count);
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    ordered.push_back(std::move(graph.nodes[i]));
    for (ValueId id : ordered.back().outputs) {
      if (!id || producer[id.pos()] != i) continue;
      for (size_t reader : readers[id.pos()]) {
        if (--waiting[reader] == 0) ready.push(reader);
      }
    }
  }
  TARN_CHECK(ordered.size() == count);
  graph.nodes = std::move(ordered);
}

void remove_nodes(Graph& graph, std::vector<size_t> positions) {
  std::sort(positions.begin(), positions.end());
  for (size_t k = positions.size(); k-- > 0;)
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(positions[k]));
  sort_nodes(graph);
  remove_dead(graph);
}

std::vector<std::string> verify(const Graph& graph) {
  std::vector<std::string> faults;
  std::vector<bool> made(graph.values.size(), false);
  for (ValueId id : graph.inputs) made[id.pos()] = true;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (graph.values[i].constant) {
      made[i] = true;
      if (graph.values[i].constant->type() != graph.values[i].type) {
        faults.push_back("constant and type of '" + graph.values[i].name + "' differ");
      }
    }
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    auto read = [&](ValueId id) {
      if (id && (id.pos() >= made.size() || !made[id.pos()])) {
        faults.push_back(cat("node ", i, " (", node.op, ") reads a value that nothing before it makes"));
      }
    };
    for (ValueId id : node.inputs) read(id);
    for (ValueId id : node.captures) read(id);
    for (ValueId id : node.outputs) {
      if (!id) continue;
      if (made[id.pos()]) faults.push_back("value '" + graph[id].name + "' is made twice");
      if (!graph[id].known()) faults.push_back("value '" + graph[id].name + "' has no type");
      made[id.pos()] = true;
    }
    for (const Graph& body : node.bodies) {
      for (const std::string& fault : verify(body)) faults.push_back(cat("node ", i, " (", node.op, ") body: ", fault));
    }
  }
  for (ValueId id : graph.outputs) {
    if (!id || !made[id.pos()]) faults.push_back("a graph output is never made");
  }
  return faults;
}

std::string dump(const Graph& graph) {
  std::ostringstream out;
  auto name = [&](ValueId id) -> std::string {
    if (!id) return "-";
    const Value& v = graph[id];
    return (v.constant ? "#" : "%") + v.name + ":" + to_string(v.type);
  };
  auto names = [&](const std::vector<ValueId>& ids) {
    std::vector<std::string> texts;
    for (ValueId id : ids) texts.push_back(name(id));
    return join(texts);
  };
  out << "inputs " << names(graph.inputs) << "\n";
  for (const Node& node : graph.nodes) {
    out << (node.domain.empty() ? "" : node.domain + ".") << node.op << (node.channels_last ? "(nhwc)" : "") << " "
        << names(node.inputs) << " -> " << names(node.outputs);
    if (!node.captures.empty()) out << " captures " << names(node.captures);
    out << "\n";
    for (const Graph& body : node.bodies) {
      for (const std::string& line : split(dump(body), '\n')) {
        if (!line.empty()) out << "  | " << line << "\n";
      }
    }
  }
  out << "outputs " << names(graph.outputs) << "\n";
  return out.str();
}

}  // namespace tarn::graph
