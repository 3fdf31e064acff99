#include "schedule/schedule.h"

#include <algorithm>
#include <map>

#include "lifetimes/overlap.h"

namespace tarn::schedule {

namespace {

using lifetimes::Storage;
using program::Argument;
using program::Operation;
using program::OperationId;
using program::Program;
using program::TensorId;

// What one operation contributes to a tensor. A concatenation that is copied together has one piece per copy.
struct Piece {
  TensorId tensor;
  int order_tensor;
};

class Builder {
 public:
  Builder(const Program& program, const Storage& storage) : program_(program), storage_(storage) {
    pieces_.resize(program.tensors.size());
    parts_.resize(program.tensors.size());
    for (size_t i = 0; i < program.tensors.size(); ++i) {
      if (storage.whole[i].valid() && storage.made_in_whole[i]) parts_[storage.whole[i].pos()].push_back(TensorId(i));
    }
  }

  Ordering build(const lifetimes::ShareOptions& share) {
    OrderProblem& problem = ordering_.problem;
    for (TensorId id : program_.inputs) add_piece(id, bytes_of(id), true);
    for (OperationId id : program_.main) {
      if (storage_.left_out[id.pos()]) continue;
      ordering_.operations.push_back(id);
      add_operator(program_[id]);
    }
    for (TensorId id : program_.outputs) {
      for (int t : reads(id)) problem.tensors[static_cast<size_t>(t)].kept = true;
    }
    if (share.overlap || share.in_place) add_donations(share);
    return std::move(ordering_);
  }

 private:
  // Bytes in the arena; what the caller owns costs nothing.
  int64_t bytes_of(TensorId id) const {
    if (storage_[storage_[id].buffer].external) return 0;
    int64_t bytes = program_[id].bytes();
    for (TensorId part : parts_[id.pos()]) bytes -= program_[part].bytes();
    return std::max<int64_t>(0, bytes);
  }

  int add_piece(TensorId id, int64_t bytes, bool input = false) {
    ordering_.problem.tensors.push_back({bytes, input, false});
    const int t = static_cast<int>(ordering_.problem.tensors.size()) - 1;
    pieces_[id.pos()].push_back(t);
    return t;
  }

  // Every piece that must be there before a tensor can be read.
  std::vector<int> reads(TensorId id) const {
    std::vector<int> all = pieces_[id.pos()];
    for (TensorId part : parts_[id.pos()]) {
      for (int t : reads(part)) all.push_back(t);
    }
    // A slice or reshape is there when its whole is.
    if (storage_.whole[id.pos()].valid() && !storage_.made_in_whole[id.pos()]) {
      for (int t : reads(storage_.whole[id.pos()])) all.push_back(t);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void add_operator(const Operation& operation) {
    OrderOperator op;
    for (const Argument& a : operation.arguments) {
      if (a.role == Argument::Role::read || a.role == Argument::Role::update) {
        for (int t : reads(a.tensor)) op.inputs.push_back(t);
      }
      if (a.role == Argument::Role::scratch) op.scratch += program_[a.tensor].bytes();
    }
    std::sort(op.inputs.begin(), op.inputs.end());
    op.inputs.erase(std::unique(op.inputs.begin(), op.inputs.end()), op.inputs.end());
    for (const Argument& a : operation.arguments) {
      if (a.role != Argument::Role::write && a.role != Argument::Role::update) continue;
      // The first writer brings the memory; one that writes again, or a further part, adds none.
      const bool first = pieces_[a.tensor.pos()].empty();
      op.outputs.push_back(add_piece(a.tensor, first ? bytes_of(a.tensor) : 0));
    }
    ordering_.problem.operators.push_back(std::move(op));
  }

  void add_donations(const lifetimes::ShareOptions& share) {
    for (size_t i = 0; i < ordering_.operations.size(); ++i) {
      const Operation& operation = program_[ordering_.operations[i]];
      OrderOperator& op = ordering_.problem.operators[i];
      const int y = lifetimes::first_output(operation);
      if (y < 0) continue;
      const TensorId out = operation.arguments[static_cast<size_t>(y)].tensor;
      const int64_t y_bytes = ordering_.problem.tensors[static_cast<size_t>(op.outputs[0])].bytes;
      for (size_t a = 0; a < operation.arguments.size(); ++a) {
        if (operation.arguments[a].role != Argument::Role::read) continue;
        const TensorId in = operation.arguments[a].tensor;
        if (storage_[in].buffer == storage_[out].buffer || pieces_[in.pos()].size() != 1) continue;
        const auto reach = lifetimes::reach_of(program_, storage_, operation, a);
        if (!reach || (!share.overlap && reach->below > 0)) continue;
        const int giver = pieces_[in.pos()][0];
        const int64_t x_bytes = ordering_.problem.tensors[static_cast<size_t>(giver)].bytes;
        const int64_t together = std::max({x_bytes + std::max<int64_t>(0, reach->below), y_bytes});
        const int64_t saves = std::min({x_bytes, y_bytes, x_bytes + y_bytes - together});
        if (saves > 0) op.donations.push_back({giver, op.outputs[0], saves});
      }
    }
  }

  const Program& program_;
  const Storage& storage_;
  std::vector<std::vector<int>> pieces_;       // by tensor: order tensors
  std::vector<std::vector<TensorId>> parts_;   // by tensor: tensors made within it
  Ordering ordering_;
};

}  // namespace

std::string to_string(OrderKind kind) { return kind == OrderKind::given ? "given" : "min_peak"; }

std::optional<OrderKind> order_from(const std::string& name) {
  if (name == "given") return OrderKind::given;
  if (name == "min_peak") return OrderKind::min_peak;
  return {};
}

Ordering make_ordering(const Program& program, const Storage& storage, const lifetimes::ShareOptions& share) {
  return Builder(program, storage).build(share);
}

Schedule make_schedule(const Program& program, const Ordering& ordering, const Order& order) {
  Schedule schedule;
  for (int i : order.operators) {
    Step step;
    step.operation = ordering.operations[static_cast<size_t>(i)];
    const Operation& operation = program[step.operation];
    const int y = lifetimes::first_output(operation);
    if (y >= 0) step.lines = program[operation.arguments[static_cast<size_t>(y)].tensor].geometry.lines;
    schedule.steps.push_back(step);
  }
  schedule.peak = order.peak;
  schedule.lower_bound = order.lower_bound;
  schedule.search_states = order.search_states;
  return schedule;
}

}  // namespace tarn::schedule
