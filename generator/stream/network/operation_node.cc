// What an operation of its own reads and makes: line by line where its kernel and its tensors allow it, else as a
// whole.
#include <algorithm>

#include "program/operands.h"
#include "stream/network/grid.h"
#include "stream/network/net.h"
#include "stream/network/overlap_distance.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;

class NodeBuilder {
 public:
  NodeBuilder(const Program& program, const lifetimes::Storage& storage, Net& net)
      : program_(program), storage_(storage), net_(net) {}

  NetNode run(OperationId id) {
    const Operation& operation = program_[id];
    NetNode node;
    node.actor.operations = {id};
    const TensorId result = only_result(operation);
    const bool lined = result.valid() && (flat(operation, result, node) || accumulate(operation, result, node) ||
                                          by_lines(operation, result, node));
    if (!lined) whole(operation, node);
    node.actor.lines = node.lines;
    return node;
  }

 private:
  const Memory& memory_of(TensorId id) const { return net_.memories[storage_[id].buffer.pos()]; }
  const LineView& view(TensorId id) const { return net_.views[id.pos()]; }
  Span cover(TensorId id, Span lines) const { return stream::cover(program_, view(id), memory_of(id), id, lines); }
  Span cover(TensorId id) const { return cover(id, {0, program_[id].geometry.lines}); }
  void hold_together(TensorId id) { net_.contiguous[storage_[id].buffer.pos()] = true; }

  bool flat(const Operation& operation, TensorId result, NetNode& node) {
    if (!operation.line_form || !is_flat(program_, storage_, operation)) return false;
    const int64_t lines = memory_of(result).lines;
    for (const Argument& a : operation.arguments) {
      if (a.walk && memory_of(a.tensor).lines != lines) return false;
    }
    const int64_t elements = program_[result].geometry.count() / lines;
    if (counts_runs(operation) && elements % program_[result].geometry.channels != 0) return false;
    node.lines = lines;
    node.actor.flat = memory_of(result).lines != program_[result].geometry.lines;
    reads(operation, result, node, true, elements);
    node.memory = view(result).memory;
    node.made = {0, lines};
    for (const Argument& a : operation.arguments) {
      if (a.walk && memory_of(a.tensor).lines != program_[a.tensor].geometry.lines) node.actor.flat = true;
    }
    return true;
  }

  // Does the kernel work on all channels of a pixel at once?
  static bool counts_runs(const Operation& operation) {
    const auto& fields = operation.line_form->params.fields;
    return std::any_of(fields.begin(), fields.end(), [](const program::Field& f) {
      return f.name == "outer" && std::holds_alternative<int64_t>(f.value);
    });
  }

  bool by_lines(const Operation& operation, TensorId result, NetNode& node) {
    if (!operation.line_form || operation.line_form->accumulate || !view(result).by_lines) return false;
    const program::Geometry& g = program_[result].geometry;
    node.lines = g.lines;
    node.actor.gathered = lines_gathered(operation);
    reads(operation, result, node, false, 0);
    node.memory = view(result).memory;
    node.made = cover(result);
    return true;
  }

  // Sums that a signal without end has for each of its steps.
  static int64_t lines_gathered(const Operation& operation) {
    const std::vector<program::LineCall>& calls = operation.line_form->calls;
    if (calls.empty() || calls.front().when != program::LineCall::When::first) return 0;
    const Span span = source_operand(operation).walk->lines.front();
    return span.end - span.first;
  }

  bool accumulate(const Operation& operation, TensorId result, NetNode& node) {
    if (!operation.line_form || !operation.line_form->accumulate) return false;
    if (!view(result).by_lines || program_[result].geometry.lines != 1) return false;
    const Argument* taken = nullptr;
    for (const Argument& a : operation.arguments) {
      if (a.role == Argument::Role::read && !taken) taken = &a;
    }
    if (!taken || !view(taken->tensor).by_lines) return false;
    const int64_t lines = program_[taken->tensor].geometry.lines;
    node.actor.accumulate = true;
    node.lines = lines;
    for (size_t i = 0; i < operation.arguments.size(); ++i) {
      const Argument& a = operation.arguments[i];
      if (a.role != Argument::Role::read) continue;
      Access access = whole_access(a.tensor, i);
      for (int64_t l = 0; &a == taken && l < lines; ++l) access.lines.push_back(cover(a.tensor, {l, l + 1}));
      if (&a != taken && !view(a.tensor).by_lines) hold_together(a.tensor);
      node.reads.push_back(std::move(access));
    }
    node.memory = view(result).memory;
    node.made = cover(result);
    return true;
  }

  bool walked(const Argument& a, TensorId result) const {
    if (!a.tensor.valid() || !walks_lines(a)) return false;
    const program::Geometry &x = program_[a.tensor].geometry, &y = program_[result].geometry;
    if (a.walk->identity) return x.lines == y.lines && x.pixels == y.pixels;
    return static_cast<int64_t>(a.walk->lines.size()) == y.lines;
  }

  Access whole_access(TensorId id, size_t argument) const {
    Access access;
    access.memory = view(id).memory;
    access.argument = static_cast<int>(argument);
    access.all = cover(id);
    return access;
  }

  void reads(const Operation& operation, TensorId result, NetNode& node, bool flat, int64_t elements) {
    for (size_t i = 0; i < operation.arguments.size(); ++i) {
      const Argument& a = operation.arguments[i];
      if (a.role != Argument::Role::read) continue;
      Access access = whole_access(a.tensor, i);
      const bool lines = flat ? a.walk.has_value() : walked(a, result);
      if (!lines) {
        // The kernel takes it as it stands.
        if (!view(a.tensor).by_lines || program_[a.tensor].geometry.lines > 1) hold_together(a.tensor);
      } else {
        if (!flat && !view(a.tensor).by_lines) hold_together(a.tensor);
        for (int64_t r = 0; r < node.lines; ++r) {
          const Span own = a.walk->identity ? Span{r, r + 1} : a.walk->lines[static_cast<size_t>(r)];
          access.lines.push_back(flat ? own : cover(a.tensor, own));
        }
        const bool same_grid = flat || view(a.tensor).by_lines;
        if (same_grid)
          access.overlap_distance =
              overlap_distance_of(program_, operation, i, result, view(a.tensor), view(result), flat, elements);
      }
      node.reads.push_back(std::move(access));
    }
  }

  void whole(const Operation& operation, NetNode& node) {
    node.actor.whole = true;
    for (size_t i = 0; i < operation.arguments.size(); ++i) {
      const Argument& a = operation.arguments[i];
      if (!a.tensor.valid() || a.role == Argument::Role::scratch) continue;
      if (memory_of(a.tensor).lines > 1) hold_together(a.tensor);
      if (a.role == Argument::Role::read || a.role == Argument::Role::update)
        node.reads.push_back(whole_access(a.tensor, i));
      if (a.role == Argument::Role::read) continue;
      if (node.memory < 0) {
        node.memory = view(a.tensor).memory;
        node.made = cover(a.tensor);
      } else {
        node.also.push_back(view(a.tensor).memory);
      }
    }
  }

  const Program& program_;
  const lifetimes::Storage& storage_;
  Net& net_;
};

}  // namespace

NetNode operation_node(const Program& program, const lifetimes::Storage& storage, Net& net, OperationId id) {
  return NodeBuilder(program, storage, net).run(id);
}

}  // namespace tarn::stream
