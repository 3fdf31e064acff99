// Model: what an ONNX file says, in plain structs. Names are still strings, dimensions may be symbols. Everything past
// model/ sees these and no protobuf.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "support/diagnostic.h"
#include "tensor/constant.h"

namespace tarn::model {

struct Dim {
  std::optional<int64_t> value;
  std::string symbol;  // "" when unknown without a name
  bool operator==(const Dim&) const = default;
};

// The type of a value. Only tensors are lowered; the other kinds have their place here for when they are.
struct Type {
  enum class Kind { unknown, tensor, sparse_tensor, sequence, optional, map };
  Kind kind = Kind::unknown;
  DType dtype = DType::undefined;        // tensor: of the elements; map: of the keys
  std::optional<std::vector<Dim>> dims;  // tensor: empty optional when not even the rank is known
  std::shared_ptr<const Type> element;   // sequence, optional, map value
};

struct ValueInfo {
  std::string name;
  Type type;
};

// The definitions as a file writes them; graph::Graph and graph::Node are what they become once everything is resolved.
struct GraphDef;
using GraphDefPtr = std::shared_ptr<const GraphDef>;
using Attribute =
    std::variant<int64_t, float, std::string, Constant, GraphDefPtr, std::vector<int64_t>, std::vector<float>,
                 std::vector<std::string>, std::vector<Constant>, std::vector<GraphDefPtr>, Type>;
using Attributes = std::map<std::string, Attribute>;

struct NodeDef {
  int index = -1;  // position in the file's own node list (the outermost one this node stems from); for diagnostics
  std::string name, op, domain;     // domain "" is ai.onnx
  std::vector<std::string> inputs;  // "" where omitted
  std::vector<std::string> outputs;
  Attributes attributes;  // as written; defaults are not filled in
};

struct Initializer {
  std::string name;
  Constant value;
  bool is_input = false;  // the graph has an input of this name, which it defaults
};

struct GraphDef {
  std::string name;
  std::vector<NodeDef> nodes;  // topologically sorted
  std::vector<Initializer> initializers;
  std::vector<ValueInfo> inputs;  // without those that an initializer of the same name defaults
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> value_info;
};

struct Model {
  std::string path;  // as the user gave it
  // The whole file, mapped. Its fingerprint is sha256_hex(bytes); hashing takes longer than loading, so it is left to
  // those who print it.
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;
  int ir_version = 0;
  std::map<std::string, int> opsets;  // domain -> version, "" is ai.onnx
  GraphDef graph;
  std::vector<std::string> external_files;  // all that were named, relative to the model's folder
  Diagnostics warnings;
};

}  // namespace tarn::model
