// Lowering: what an entry writes its kernel calls with. Maps graph values to program tensors and weights.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/op.h"
#include "program/program.h"

namespace tarn::ops {

using program::Argument;
using program::Field;
using program::FieldValue;
using program::Float32;
using program::Geometry;
using program::Operation;
using program::TensorId;
using program::Walk;
using program::WeightId;

struct LoweringOptions {
  std::string file;  // the model, for diagnostics
  std::string target = "generic";
  bool opaque_operators = false;                // nodes without a kernel only hold their tensors
  bool time_lines = false, input_rows = false;  // see LowerOptions
  bool sparse = false;
};

class Lowering {
 public:
  Lowering(const Graph& graph, program::Program& program, const LoweringOptions& options);
  // For a body of control flow: its operations go into `operations`.
  Lowering(const Graph& body, Lowering& outer, std::vector<program::OperationId>& operations);

  // Says which tensor stands for a value, before anything asks for it.
  void bind(ValueId id, TensorId tensor) { tensors_[id] = tensor; }
  // What the tensors of the graph's values probably hold.
  void tell_likely_values();
  // Lowers every node of the graph; the faults of all of them.
  Diagnostics lower_nodes();
  void add_faults(Diagnostics faults) { nested_faults_.insert(nested_faults_.end(), faults.begin(), faults.end()); }

  const Graph& graph() const { return graph_; }
  program::Program& program() { return program_; }
  const LoweringOptions& options() const { return options_; }
  const Shape& shape(ValueId id) const { return graph_.shape(id); }
  DType dtype(ValueId id) const { return graph_.dtype(id); }
  const Constant* constant(ValueId id) const { return graph_.constant(id); }
  // How a tensor of this shape is seen when nothing else is said.
  Geometry geometry(const Shape& shape) const;

  // The tensor of a value that is not constant.
  TensorId tensor(ValueId id);
  // An operand to read: the value's tensor, or its constant as a weight in the order the model stores it.
  Argument read(ValueId id);
  Argument read(ValueId id, Walk walk, bool pitched = false);
  Argument write(ValueId id, bool pitched = false);
  Argument update(ValueId id);
  Argument none() const;
  Argument lines(int64_t count, DType dtype) const;  // a local array of pointers to lines
  // Bytes used during the operation only.
  Argument scratch(DType dtype, int64_t count, const std::string& what);
  TensorId new_tensor(const std::string& name, DType dtype, Shape shape, program::Kind kind);
  Argument read(TensorId id);
  Argument write(TensorId id);

  // Names a packing of a value's constant: nodes that share the constant, and pack it alike, share the weight.
  std::string key(ValueId id, const std::string& packing) const;
  // Weights packed by the entry; equal keys share one weight.
  Argument weight(const std::string& key, DType dtype, int64_t count, const std::vector<const Constant*>& sources,
                  std::function<void(const std::function<void(std::span<const uint8_t>)>&)> write);
  Argument weight(const std::string& key, const Constant& constant);  // as it is
  Argument weight(const std::string& key, const std::vector<float>& values);
  Argument weight(const std::string& key, const std::vector<int32_t>& values);

  // Where the kernel of an operator whose output's size depends on data stores that size: one int64. Nowhere when the
  // size follows from one that an earlier operator stores.
  Argument size_of(ValueId output, int axis);

  // Sets how a tensor is seen in lines, pixels and channels. Without it: one line per index of all but the last two
  // axes.
  void set_geometry(ValueId id, Geometry geometry);

  // y = x for tensors of as many bytes. `make_in_place`: the copy can be left out by making x where y lies.
  void copy(const Node& node, Argument x, TensorId y, bool make_in_place = false);

  // The same for any operand to read and to write; a view that makes the call unnecessary is set by the caller.
  Operation& copy_bytes(const Node& node, Argument x, Argument y);

  // Adds a kernel call for `node`.
  Operation& call(const Node& node, const std::string& kernel, program::Params params, std::vector<Argument> arguments);

 private:
  const Graph& graph_;
  program::Program& program_;
  LoweringOptions options_;
  std::map<ValueId, TensorId> tensors_;
  std::shared_ptr<std::map<std::string, WeightId>> weights_;  // of all graphs of the program
  std::shared_ptr<int> graphs_;                               // how many graphs there are; tells their keys apart
  int number_ = 0;
  std::vector<program::OperationId>* operations_;
  Diagnostics nested_faults_;
};

// A pitch of the operand at position `at` of a call: known once views are decided, or `dense` for a constant.
FieldValue pitch_of(const Argument& argument, size_t at, program::Pitch::Of of, int64_t dense);

// Rank 0 and 1: one pixel. Above: the last axis is the channels, the one before it the pixels of a line.
Geometry default_geometry(const Shape& shape);

// Suffix of a kernel for an element type: "f32", "f64", "f16", "bf16", "s8", "u8", "s16" ...; movement kernels that
// only copy bytes use "b1", "b2", "b4", "b8".
std::string kernel_suffix(DType dtype);
// The types that kernels compute with have suffixes of their own; and the floats among them.
bool is_kernel_type(DType dtype);
bool is_kernel_float(DType dtype);
std::string bytes_suffix(DType dtype);

}  // namespace tarn::ops
