// OperatorEntry: everything tarn knows of one operator. A family of them is one file here; registry.cc lists the
// families.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "program/program.h"
#include "support/result.h"

namespace tarn::ops {

using graph::Graph;
using graph::Node;
using graph::ValueId;

// What an entry's shape rule and folding see of a node: types of the inputs (undefined dtype: omitted or unknown), and
// the values that are known.
//
// note [run-time sizes]: an operator whose output's size depends on data gives the largest shape and marks the axes.
// Each mark is a symbol; sizes further down are found by asking the same rules with several sample values of the
// symbols, and must turn out linear in them.
struct RuntimeMark {
  int output = 0, axis = 0;
  int group = 0;  // marks of a node with the same group and the same largest size are one symbol
  std::optional<graph::RuntimeDim> known = {};  // no new symbol: this size
};

struct Facts {
  const Node& node;
  std::vector<TensorType> types;              // by input
  std::vector<const Constant*> values;        // by input; null when not known while generating
  std::vector<TensorType> declared;           // by output: what the model declares, undefined where it does not
  std::vector<RuntimeMark>* marks = nullptr;  // receives the axes whose size depends on data
  std::vector<bool> declared_bound = {};      // by output: the declared sizes are only the largest ones
  const Graph* graph = nullptr;               // as far as it has been built
  std::vector<const Shape*> hints = {};       // by output: what it is likely to be, or null: see Scope::hint

  bool has(size_t i) const { return i < types.size() && types[i].dtype != DType::undefined; }
  const Shape& shape(size_t i) const { return types[i].shape; }
  // The type that the model promises for an output: no bound.
  const TensorType* promised(size_t i) const {
    const bool known = i < declared.size() && declared[i].dtype != DType::undefined &&
                       !(i < declared_bound.size() && declared_bound[i]);
    return known ? &declared[i] : nullptr;
  }
  const Shape* hint() const { return hints.empty() ? nullptr : hints[0]; }
  const Constant* value(size_t i) const { return i < values.size() ? values[i] : nullptr; }
};

// A fault found by a rule: E205 unless `code` says otherwise.
struct Fault {
  std::string message;
  std::string hint = {};
  std::string code = "E205";
};
template <class T>
using Answer = std::variant<T, Fault>;

using Types = std::vector<TensorType>;    // one per output
using Constants = std::vector<Constant>;  // one per output

// The types of all outputs. An undefined dtype in the answer: cannot be told (E206).
using Infer = Answer<Types> (*)(const Facts&);
// The values of all outputs when every input that matters is known; empty: cannot or should not be folded.
using Fold = std::optional<Constants> (*)(const Facts&, const Types& outputs);

// An operator that is others put together: the graph of these; its inputs and outputs are those of the node, by
// position. Null: this node is not, its entry lowers it.
using Expand = Answer<model::GraphDefPtr> (*)(const Facts&);

class Lowering;
// Writes the kernel calls of a node; a fault is a diagnostic (E203, E204, E208 ...).
using Lower = std::optional<Fault> (*)(const Node&, Lowering&);

// How the operator behaves when its tensors are permuted; what the layout pass works with.
enum class Layout {
  fixed,        // only as written
  elementwise,  // any permutation, the same for all operands (broadcast ones too)
  spatial,      // N, C, spatial...: wants channels last (Node::channels_last)
  axes  // all operands alike; a permutation changes its axis attributes or constants: see OperatorEntry::permute
};
// Rewrites the attributes of a node (and constant operands) for an operand 0 in which the old axis i has become axis
// to[i]. Returns the same for its outputs, or nothing, and an unchanged node, where that is not possible.
using Permute = std::optional<std::vector<int>> (*)(Graph&, Node&, const std::vector<int>& to);

struct OperatorEntry {
  std::string domain, op;
  std::string types = "float32";  // element types, for the support table
  Lower lower = nullptr;          // null: the node must be gone before lowering (folded or rewritten by a pass)
  Infer infer = nullptr;          // null: the onnx library's own rule
  Fold fold = nullptr;            // null: never folded
  Layout layout = Layout::fixed;
  Permute permute = nullptr;
  std::string limits = {};  // what is not supported, for the support table
  Expand expand = nullptr;  // the node becomes this body (see ops/body.h); where it does, nothing else applies to it
};

const OperatorEntry* find_entry(const std::string& domain, const std::string& op);
const std::vector<OperatorEntry>& all_entries();  // in the order of domain and name

}  // namespace tarn::ops
