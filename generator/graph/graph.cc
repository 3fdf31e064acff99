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

Uses find_uses(const Graph& graph) {
  Uses uses;
  uses.readers.resize(graph.values.size());
  uses.producer.resize(graph.values.size());
  uses.is_output.assign(graph.values.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    auto read = [&](ValueId id) {
      if (!id) return;
      auto& readers = uses.readers[id.pos()];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    };
    for (ValueId id : node.inputs) read(id);
    for (ValueId id : node.captures) read(id);
    for (ValueId id : node.outputs) {
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
  std::vector<Node> nodes;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (keep[i]) nodes.push_back(std::move(graph.nodes[i]));
  }
  graph.nodes = std::move(nodes);

  std::vector<ValueId> renumbered(graph.values.size());
  std::vector<Value> values;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (!live[i]) continue;
    renumbered[i] = ValueId(values.size());
    values.push_back(std::move(graph.values[i]));
  }
  graph.values = std::move(values);
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
  const Uses uses = find_uses(graph);
  std::vector<size_t> waiting(graph.nodes.size(), 0);
  std::vector<std::vector<size_t>> followers(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    std::set<size_t> before;
    auto need = [&](ValueId id) {
      if (id && uses.producer[id.pos()]) before.insert(*uses.producer[id.pos()]);
    };
    for (ValueId id : graph.nodes[i].inputs) need(id);
    for (ValueId id : graph.nodes[i].captures) need(id);
    waiting[i] = before.size();
    for (size_t b : before) followers[b].push_back(i);
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<Node> sorted;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    sorted.push_back(std::move(graph.nodes[i]));
    for (size_t f : followers[i]) {
      if (--waiting[f] == 0) ready.push(f);
    }
  }
  TARN_CHECK(sorted.size() == waiting.size());
  graph.nodes = std::move(sorted);
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
