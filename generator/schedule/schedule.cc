#include "schedule/schedule.h"

#include <algorithm>
#include <map>
#include <set>

#include "lifetimes/overlap.h"
#include "program/blocks.h"

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
  Builder(const Program& program, const Storage& storage, const program::Blocks& blocks,
          const lifetimes::ShareOptions& share, OrderKind kind, const OrderLimits& limits)
      : program_(program), storage_(storage), blocks_(blocks), share_(share), kind_(kind), limits_(limits) {
    pieces_.resize(program.tensors.size());
    parts_.resize(program.tensors.size());
    for (size_t i = 0; i < program.tensors.size(); ++i) {
      if (storage.whole[i].valid() && storage.made_in_whole[i]) parts_[storage.whole[i].pos()].push_back(TensorId(i));
    }
  }

  Ordering build(int block) {
    OrderProblem& problem = ordering_.problem;
    block_ = block;
    if (block == 0) {
      for (TensorId id : program_.inputs) add_piece(id, bytes_of(id), true);
      for (TensorId id : program::held_tensors(program_)) add_piece(id, bytes_of(id) - forgotten(id), true);
      if (program_.set_size.valid()) add_piece(program_.set_size, bytes_of(program_.set_size), true);
    }
    for (OperationId id : *blocks_.blocks[static_cast<size_t>(block)].operations) {
      if (storage_.left_out[id.pos()]) continue;
      ordering_.operations.push_back(id);
      add_operator(id);
    }
    if (block == 0) {
      for (TensorId id : program_.outputs) {
        for (int t : reads(id)) problem.tensors[static_cast<size_t>(t)].kept = true;
      }
      // One that is copied over at the end of a run is not kept: until then its bytes are free.
      for (TensorId id : program_.states) {
        for (int t : pieces_[id.pos()]) problem.tensors[static_cast<size_t>(t)].kept = written_.contains(id);
      }
      if (program_.image.valid()) problem.tensors[static_cast<size_t>(pieces_[program_.image.pos()][0])].kept = true;
      if (program_.set_size.valid()) {
        for (int t : reads(program_.set_size)) problem.tensors[static_cast<size_t>(t)].kept = true;
      }
    }
    if (share_.overlap || share_.in_place) add_donations(share_);
    return std::move(ordering_);
  }

 private:
  bool outside(TensorId id) const {
    const int home = blocks_.home[id.pos()];
    return home >= 0 && !blocks_.within(home, block_);
  }

  // At home in a body of one of this block's operations.
  bool inside(TensorId id) const {
    const int home = blocks_.home[id.pos()];
    return home != block_ && blocks_.within(home, block_);
  }

  // What this block knows the memory of a tensor of a body by: the tensor around which it is a part or a view of.
  TensorId from_here(TensorId id) const {
    while (inside(id) && storage_.whole[id.pos()].valid()) id = storage_.whole[id.pos()];
    return id;
  }

  // Bytes in the arena that this block answers for; what the caller owns, or a block around, costs nothing here.
  int64_t bytes_of(TensorId id) const {
    if (storage_[storage_[id].buffer].external) return 0;
    for (TensorId at = id; at.valid(); at = storage_.whole[at.pos()]) {
      if (outside(at)) return 0;
    }
    int64_t bytes = program_[id].bytes();
    for (TensorId part : parts_[id.pos()]) bytes -= inside(part) ? 0 : program_[part].bytes();
    return std::max<int64_t>(0, bytes);
  }

  // Bytes of a state that hold nothing until the step that writes the next one.
  int64_t forgotten(TensorId id) const {
    const auto state = std::find(program_.states.begin(), program_.states.end(), id);
    const auto k = static_cast<size_t>(state - program_.states.begin());
    if (k >= program_.kept.size() || !program_.kept[k].needed) return 0;
    return program_[id].bytes() - (program_.kept[k].needed->end - program_.kept[k].needed->first);
  }

  int add_piece(TensorId id, int64_t bytes, bool input = false) {
    ordering_.problem.tensors.push_back({bytes, input, false});
    const int t = static_cast<int>(ordering_.problem.tensors.size()) - 1;
    pieces_[id.pos()].push_back(t);
    return t;
  }

  // Every piece that must be there before a tensor can be read, some of them perhaps twice.
  std::vector<int> reads(TensorId id) {
    if (pieces_[id.pos()].empty() && outside(id)) add_piece(id, 0, true);
    std::vector<int> all = pieces_[id.pos()];
    for (TensorId part : parts_[id.pos()]) {
      for (int t : reads(part)) all.push_back(t);
    }
    // A slice or reshape is there when its whole is.
    if (storage_.whole[id.pos()].valid() && !storage_.made_in_whole[id.pos()]) {
      for (int t : reads(storage_.whole[id.pos()])) all.push_back(t);
    }
    return all;
  }

  void add_operator(OperationId id) {
    const Operation& operation = program_[id];
    OrderOperator op;
    if (operation.staging) op.scratch = program_[operation.staging->buffer].bytes();
    for (const std::vector<OperationId>& body : operation.bodies)
      op.scratch = std::max(op.scratch, order_body(id, body));
    // A branch or loop reads and writes what its bodies do, as far as it lives outside them.
    std::vector<TensorId> written;
    program::visit_arguments(program_, id, [&](OperationId at, const Argument& a) {
      if (!a.tensor.valid() || (at != id && storage_.left_out[at.pos()])) return;
      const TensorId tensor = at == id ? a.tensor : from_here(a.tensor);
      if (at != id && inside(tensor)) return;
      if (a.role == Argument::Role::read || a.role == Argument::Role::update) {
        for (int t : reads(tensor)) op.inputs.push_back(t);
      }
      if (a.role == Argument::Role::scratch) op.scratch += program_[a.tensor].bytes();
      if (a.role == Argument::Role::write || a.role == Argument::Role::update) written.push_back(tensor);
    });
    // A size that a body makes has no piece here; one that lies in a tensor from outside needs that tensor.
    program::visit_sizes(program_, id, [&](OperationId, TensorId size) {
      for (int t : reads(size)) op.inputs.push_back(t);
    });
    // What a loop or branch may leave as it stands was written before, its first state for one.
    for (TensorId t : written) {
      if (operation.bodies.empty()) break;
      for (int piece : pieces_[t.pos()]) op.inputs.push_back(piece);
    }
    std::sort(op.inputs.begin(), op.inputs.end());
    op.inputs.erase(std::unique(op.inputs.begin(), op.inputs.end()), op.inputs.end());
    for (TensorId t : written) {
      // The first writer brings the memory; one that writes again, or a further part, adds none. The next state is
      // memory of its own here, which lies where the one before it lay.
      if (program_[t].kind == program::Kind::state && block_ == 0) renew(t, op);
      const bool first = pieces_[t.pos()].empty();
      if (!first) wait_for_readers(pieces_[t.pos()], op);
      op.outputs.push_back(add_piece(t, first ? bytes_of(t) : block_ == 0 ? forgotten(t) : 0));
      // Two writes by the same operator are one after the other; nothing else comes between.
      std::erase(op.inputs, op.outputs.back());
    }
    for (int t : op.inputs) readers_[t].push_back(static_cast<int>(ordering_.problem.operators.size()));
    ordering_.problem.operators.push_back(std::move(op));
  }

  // The first operator that writes a state: where it does not read the one before it, that has ended.
  void renew(TensorId state, OrderOperator& writer) {
    std::vector<int>& pieces = pieces_[state.pos()];
    if (!written_.insert(state).second) return;
    if (std::any_of(pieces.begin(), pieces.end(), [&](int piece) {
          return std::find(writer.inputs.begin(), writer.inputs.end(), piece) != writer.inputs.end();
        }))
      return;
    wait_for_readers(pieces, writer);
    before_[state] = {pieces[0], ordering_.problem.operators.size()};
    pieces.clear();
  }

  // Who reads what was there comes before an operator that writes over it: the next state of a loop.
  void wait_for_readers(const std::vector<int>& pieces, OrderOperator& writer) {
    std::vector<int> readers;
    for (int piece : pieces) {
      const auto of = readers_.find(piece);
      if (of != readers_.end()) readers.insert(readers.end(), of->second.begin(), of->second.end());
    }
    std::sort(readers.begin(), readers.end());
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    for (int reader : readers) {
      ordering_.problem.tensors.push_back({0, false, false});
      const int done = static_cast<int>(ordering_.problem.tensors.size()) - 1;
      ordering_.problem.operators[static_cast<size_t>(reader)].outputs.push_back(done);
      writer.inputs.push_back(done);
    }
  }

  // Orders the operations inside; the bytes they need at their peak.
  int64_t order_body(OperationId id, const std::vector<OperationId>& body) {
    int inner = -1;
    for (size_t b = 0; b < blocks_.blocks.size(); ++b) {
      if (blocks_.blocks[b].control == id && blocks_.blocks[b].operations == &body) inner = static_cast<int>(b);
    }
    Ordering ordering = Builder(program_, storage_, blocks_, share_, kind_, limits_).build(inner);
    Order order;
    if (kind_ == OrderKind::min_peak) {
      order = min_peak(ordering.problem, limits_);
    } else {
      for (size_t i = 0; i < ordering.operations.size(); ++i) order.operators.push_back(static_cast<int>(i));
      order.peak = peak_of(ordering.problem, order.operators);
    }
    std::vector<OperationId> in_order;
    for (int i : order.operators) in_order.push_back(ordering.operations[static_cast<size_t>(i)]);
    ordering_.bodies[id].push_back(std::move(in_order));
    for (auto& [control, bodies] : ordering.bodies) ordering_.bodies[control] = std::move(bodies);
    return order.peak;
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
        if (!reach || (!share.overlap && reach->below > 0) || (!share.in_place && reach->same_place)) continue;
        const auto before = before_.find(in);
        const int giver =
            before != before_.end() && i < before->second.writer ? before->second.piece : pieces_[in.pos()][0];
        const int64_t x_bytes = ordering_.problem.tensors[static_cast<size_t>(giver)].bytes;
        const int64_t together = std::max({x_bytes + std::max<int64_t>(0, reach->below), y_bytes});
        const int64_t saves = std::min({x_bytes, y_bytes, x_bytes + y_bytes - together});
        if (saves > 0) op.donations.push_back({giver, op.outputs[0], saves});
      }
    }
  }

  const Program& program_;
  const Storage& storage_;
  const program::Blocks& blocks_;
  const lifetimes::ShareOptions& share_;
  OrderKind kind_;
  OrderLimits limits_;
  int block_ = 0;
  std::vector<std::vector<int>> pieces_;      // by tensor: order tensors
  std::vector<std::vector<TensorId>> parts_;  // by tensor: tensors made within it
  std::map<int, std::vector<int>> readers_;   // by order tensor: operators
  std::set<TensorId> written_;                // states
  struct Before {
    int piece;      // order tensor
    size_t writer;  // operator that ends it
  };
  std::map<TensorId, Before> before_;  // by state: the one that the run before left
  Ordering ordering_;
};

}  // namespace

std::string to_string(OrderKind kind) { return kind == OrderKind::given ? "given" : "min_peak"; }

std::optional<OrderKind> order_from(const std::string& name) {
  if (name == "given") return OrderKind::given;
  if (name == "min_peak") return OrderKind::min_peak;
  return {};
}

Ordering make_ordering(const Program& program, const Storage& storage, const lifetimes::ShareOptions& share,
                       OrderKind kind, const OrderLimits& limits) {
  const program::Blocks blocks = program::find_blocks(program);
  return Builder(program, storage, blocks, share, kind, limits).build(0);
}

namespace {

void add_steps(const Program& program, const Ordering& ordering, const std::vector<OperationId>& operations,
               int64_t parent, std::vector<Step>& steps) {
  for (OperationId id : operations) {
    const size_t at = steps.size();
    Step step;
    step.operation = id;
    step.parent = parent;
    const Operation& operation = program[id];
    const int y = lifetimes::first_output(operation);
    if (y >= 0) step.lines = program[operation.arguments[static_cast<size_t>(y)].tensor].geometry.lines;
    steps.push_back(step);
    const auto bodies = ordering.bodies.find(id);
    if (bodies != ordering.bodies.end()) {
      for (const std::vector<OperationId>& body : bodies->second)
        add_steps(program, ordering, body, static_cast<int64_t>(at), steps);
    }
    steps[at].end = static_cast<int64_t>(steps.size());
  }
}

}  // namespace

Schedule make_schedule(const Program& program, const Ordering& ordering, const Order& order) {
  Schedule schedule;
  std::vector<OperationId> operations;
  for (int i : order.operators) operations.push_back(ordering.operations[static_cast<size_t>(i)]);
  operations.insert(operations.end(), program.epilogue.begin(), program.epilogue.end());
  add_steps(program, ordering, operations, -1, schedule.steps);
  schedule.peak = order.peak;
  schedule.lower_bound = order.lower_bound;
  schedule.search_states = order.search_states;
  return schedule;
}

}  // namespace tarn::schedule
