// Graph: the network with every name resolved, every shape a number and every constant folded. What passes rewrite and
// entries lower. Nodes are listed in an order in which they can run.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "support/index.h"
#include "tensor/constant.h"

namespace tarn::graph {

struct ValueTag;
using ValueId = Index<ValueTag>;
using model::Attribute;
using model::Attributes;

// A dimension known only at run time: scale * symbol + offset, where the symbol's value is stored by an operator that
// depends on data. The shape of the value holds the largest size.
struct RuntimeDim {
  int axis = 0;
  int symbol = 0;
  int64_t scale = 1, offset = 0;
  bool operator==(const RuntimeDim&) const = default;
};

// What codes stand for: scale * (code - zero).
struct Codes {
  double scale = 1;
  int64_t zero = 0;
  bool operator==(const Codes&) const = default;
};

struct Value {
  std::string name;                          // for people; may repeat
  TensorType type;                           // dtype undefined: unknown (after a fault, or not a tensor)
  std::shared_ptr<const Constant> constant;  // set when known while generating
  std::vector<RuntimeDim> runtime_dims;      // usually none
  std::optional<Codes> codes;                // a graph input or output handed over quantised
  bool handed_over_last = false;  // a graph input or output handed over channels last, which the model has first

  bool known() const { return type.dtype != DType::undefined; }
};

struct Graph;

struct Node {
  std::string op, domain;  // domain "" is ai.onnx, "tarn" our own
  int version = 0;         // of the definition it follows ("since" version)
  std::string name;
  std::vector<int> origins;  // positions in the model's node list: its own, and those fused into it
  std::vector<std::string> origin_names;
  std::vector<ValueId> inputs;   // invalid where omitted
  std::vector<ValueId> outputs;  // invalid where omitted
  Attributes attributes;
  bool channels_last = false;  // a spatial operator whose tensors are N, spatial..., C
  // Control flow: the bodies, each with inputs = formal inputs then one per capture.
  std::vector<Graph> bodies;
  std::vector<ValueId> captures;  // values of this graph that the bodies read; the same list for each body

  bool is(std::string_view wanted, std::string_view in_domain = "") const {
    return op == wanted && domain == in_domain;
  }
  bool has_input(size_t i) const { return i < inputs.size() && inputs[i].valid(); }
  bool has_output(size_t i) const { return i < outputs.size() && outputs[i].valid(); }

  bool has(const std::string& attribute) const { return attributes.contains(attribute); }
  int64_t integer(const std::string& attribute, int64_t otherwise) const;
  double real(const std::string& attribute, double otherwise) const;
  std::string text(const std::string& attribute, const std::string& otherwise) const;
  std::vector<int64_t> integers(const std::string& attribute) const;  // empty when absent
  std::vector<double> reals(const std::string& attribute) const;
  std::vector<std::string> texts(const std::string& attribute) const;
  const Constant* tensor(const std::string& attribute) const;  // null when absent
};

// The shape of a value when the symbols have the given values.
Shape shape_at(const Value& value, const std::vector<int64_t>& symbols);

// What a graph input must hold for the graph to be right; -1: anything.
struct Expectation {
  size_t input = 0;  // position in Graph::inputs
  std::vector<int64_t> values;
};

struct Graph {
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs, outputs;
  std::vector<Expectation> expectations = {};  // checked by every run

  Value& operator[](ValueId id) { return values.at(id.pos()); }
  const Value& operator[](ValueId id) const { return values.at(id.pos()); }
  const Shape& shape(ValueId id) const { return (*this)[id].type.shape; }
  DType dtype(ValueId id) const { return (*this)[id].type.dtype; }
  const Constant* constant(ValueId id) const { return id ? (*this)[id].constant.get() : nullptr; }

  ValueId add_value(const std::string& name, TensorType type);
  ValueId add_constant(const std::string& name, Constant constant);
};

// Lists of positions one behind the other in one piece of memory: passes build them again for each change they make.
class PositionLists {
 public:
  PositionLists() = default;
  // `begins`: where each list begins in `all`, and behind the last.
  PositionLists(std::vector<size_t> begins, std::vector<size_t> all)
      : begins_(std::move(begins)), all_(std::move(all)) {}

  size_t size() const { return begins_.empty() ? 0 : begins_.size() - 1; }
  std::span<const size_t> operator[](size_t list) const {
    return std::span(all_).subspan(begins_[list], begins_[list + 1] - begins_[list]);
  }

 private:
  std::vector<size_t> begins_, all_;
};

// Positions of the nodes that read each value (captures too), and which node makes it; built when a pass needs it.
struct Uses {
  PositionLists readers;                        // by value: positions in Graph::nodes, ascending, once per node
  std::vector<std::optional<size_t>> producer;  // by value
  std::vector<bool> is_output;                  // by value: a graph output
};
Uses find_uses(const Graph&);

// Replaces every use of `from` by `to`, graph outputs too.
void replace_uses(Graph& graph, ValueId from, ValueId to);
// Drops nodes whose outputs nobody reads, then renumbers values so that unused ones disappear. Nodes must be sorted.
void remove_dead(Graph& graph);
// Puts nodes into an order in which they can run (stable: by position where free). The graph has no cycle.
void sort_nodes(Graph& graph);

// Takes out the nodes at these positions, whose work others do now; sorts the rest and drops what nobody reads any
// more.
void remove_nodes(Graph& graph, std::vector<size_t> positions);

// Faults of ours: unsorted nodes, values without producer, missing types. For tests, and after every pass.
std::vector<std::string> verify(const Graph&);
std::string dump(const Graph&);  // one line per node

}  // namespace tarn::graph
