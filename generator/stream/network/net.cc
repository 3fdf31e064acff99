#include "stream/network/net.h"

#include <algorithm>
#include <map>
#include <set>

#include "stream/network/grid.h"
#include "stream/network/join_lines.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;

// Programs with more operations than this are not planned by lines: the search would take too long.
constexpr size_t kMostOperations = 20000;

class Builder {
 public:
  Builder(const Program& program, const lifetimes::Storage& storage, const Options& options, int64_t at_once)
      : program_(program), storage_(storage), options_(options), at_once_(at_once) {}

  Net build(const std::vector<OperationId>& order, const std::vector<Chain>& chains) {
    memories(order);
    views();
    std::map<OperationId, const Chain*> chain_of;
    for (const Chain& chain : chains) {
      // Its lines must be the memory's; else its layers run one by one.
      if (!view(only_result(program_[chain.operations.back()])).by_lines) continue;
      for (OperationId id : chain.operations) chain_of[id] = &chain;
    }
    std::vector<bool> fed(program_.inputs.size(), false);
    for (OperationId id : order) {
      const auto found = chain_of.find(id);
      // A chain runs where its last operation would.
      if (found != chain_of.end() && found->second->operations.back() != id) continue;
      // The last operation of a chain reads what the one before it makes, and so takes none.
      if (options_.mode == Mode::fed && takes_lines(id, order)) continue;
      for (OperationId member : found == chain_of.end() ? std::vector<OperationId>{id} : found->second->operations)
        feed(program_[member], fed);
      if (found == chain_of.end()) operation(id);
      else chain(*found->second);
    }
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      if (!fed[i]) feed_one(i);
    }
    ports();
    states();
    find_producers(program_, net_);
    driver();
    return std::move(net_);
  }

 private:
  void memories(const std::vector<OperationId>& order) {
    const std::vector<int64_t> lines = cut_into_lines(program_, storage_, order);
    for (size_t b = 0; b < storage_.buffers.size(); ++b) {
      Memory memory;
      memory.buffer = lifetimes::BufferId(b);
      memory.lines = lines[b];
      memory.line_bytes = storage_.buffers[b].bytes / memory.lines;
      memory.holds = program_[storage_.buffers[b].tensors[0]].kind == program::Kind::scratch ? Memory::Holds::scratch
                                                                                             : Memory::Holds::tensor;
      add(std::move(memory), program_[storage_.buffers[b].tensors[0]].name);
      net_.outside.back() = storage_.buffers[b].external;
    }
  }

  int add(Memory memory, std::string name) {
    net_.names.push_back(std::move(name));
    net_.memories.push_back(std::move(memory));
    net_.contiguous.push_back(false);
    net_.outside.push_back(false);
    net_.given.push_back(false);
    net_.kept.push_back(false);
    return static_cast<int>(net_.memories.size()) - 1;
  }

  void views() {
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      const TensorId id(i);
      net_.views.push_back(view_of(program_, storage_, memory_of(id), id));
    }
  }

  const Memory& memory_of(TensorId id) const { return net_.memories[storage_[id].buffer.pos()]; }
  const LineView& view(TensorId id) const { return net_.views[id.pos()]; }
  Span cover(TensorId id) const {
    return stream::cover(program_, view(id), memory_of(id), id, {0, program_[id].geometry.lines});
  }
  void hold_together(TensorId id) { net_.contiguous[storage_[id].buffer.pos()] = true; }

  // The feeds of inputs that an operation is the first to read.
  void feed(const Operation& operation, std::vector<bool>& fed) {
    for (const lifetimes::Piece& piece : storage_.pieces) {
      const bool touched = std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const Argument& a) {
        return a.tensor.valid() && storage_[a.tensor].buffer == kept_in(piece.part);
      });
      if (touched) feed_pieces(piece);
    }
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      if (fed[i]) continue;
      for (const Argument& a : operation.arguments) {
        if (!a.tensor.valid() || storage_[a.tensor].buffer != kept_in(program_.inputs[i])) continue;
        feed_one(i);
        fed[i] = true;
        break;
      }
    }
  }

  // The operation becomes part of the feed if another node needs its result.
  bool takes_lines(OperationId id, const std::vector<OperationId>& order) {
    std::optional<Taken> taken = take_line_by_line(program_, storage_, net_, order, id);
    if (!taken) return false;
    taken_.emplace(taken->operand, std::move(taken->node));
    return true;
  }

  // Where the lines of an input, or of a piece, lie once they have come.
  lifetimes::BufferId kept_in(TensorId id) const {
    const auto found = taken_.find(id);
    return storage_[found == taken_.end() ? id : found->second.actor.tensor].buffer;
  }

  // Feeds the pieces of an input one after the other, up to this one.
  void feed_pieces(const lifetimes::Piece& last) {
    const auto port = static_cast<size_t>(std::find(program_.inputs.begin(), program_.inputs.end(), last.input) -
                                          program_.inputs.begin());
    for (const lifetimes::Piece& piece : storage_.pieces) {
      if (piece.input != last.input) continue;
      if (!fed_pieces_.contains(piece.part)) {
        fed_pieces_.insert(piece.part);
        int64_t pass = 0;
        int before = -1;
        for (size_t n = 0; n < net_.nodes.size(); ++n) {
          NetNode& node = net_.nodes[n];
          if (node.actor.what != Actor::What::feed || node.actor.port != port) continue;
          ++pass;
          before = static_cast<int>(n);
          node.repeated = true;
        }
        NetNode next = feed_node(piece.part);
        next.actor.port = port;
        next.actor.first_column = piece.first_column;
        next.actor.pass = pass;
        next.after = before;
        const TensorId id = next.actor.tensor;
        push(std::move(next), id);
      }
      if (piece.part == last.part) return;
    }
  }

  NetNode feed_node(TensorId id) {
    if (const auto taken = taken_.find(id); taken != taken_.end()) return taken->second;
    NetNode node;
    node.actor.what = Actor::What::feed;
    node.actor.tensor = id;
    node.memory = static_cast<int>(storage_[id].buffer.pos());
    node.lines = node.actor.lines = memory_of(id).lines;
    node.made = {0, node.lines};
    return node;
  }

  void feed_one(size_t port) {
    const TensorId id = program_.inputs[port];
    if (std::any_of(storage_.pieces.begin(), storage_.pieces.end(),
                    [&](const lifetimes::Piece& piece) { return piece.input == id; }))
      return;
    const size_t m = storage_[id].buffer.pos();
    if ((options_.mode != Mode::fed && options_.mode != Mode::time) || net_.outside[m]) {
      net_.given[m] = true;
      hold_together(id);
      return;
    }
    NetNode node = feed_node(id);
    node.actor.port = port;
    const TensorId result = node.actor.tensor;
    push(std::move(node), result);
  }

  void operation(OperationId id) {
    NetNode node = operation_node(program_, storage_, net_, id);
    helpers(program_[id], !node.actor.whole, node);
    make_together(program_[id], node);
    push(std::move(node), only_result(program_[id]));
  }

  // Several lines in a step: where they can be one line to their kernel, where another works on all of them at once,
  // and of signals, whose lines are so short that beginning a step takes as long as the line.
  void make_together(const Operation& operation, NetNode& node) {
    if (at_once_ < 2 || node.actor.whole || node.actor.accumulate || node.actor.gathered > 0) return;
    if (operation.line_form->calls.size() != 1) return;
    const bool signal = program_[only_result(operation)].geometry.pixels == 1;
    const int64_t lines = std::min(at_once_, node.lines);
    if (!join_lines(program_, storage_, operation, lines, net_, node)) {
      if (!signal && !operation.line_form->together) return;
      node.actor.at_once = lines;
    }
    for (Access& access : node.reads) access.overlap_distance.reset();
  }

  void chain(const Chain& chain) {
    const ChainShape shape = shape_of(program_, chain);
    NetNode node = chain_node(program_, net_, chain, shape);
    for (const Access& access : node.reads) {
      const TensorId id =
          program_[chain.operations[access.operation]].arguments[static_cast<size_t>(access.argument)].tensor;
      if (!view(id).by_lines || (access.lines.empty() && program_[id].geometry.lines > 1)) hold_together(id);
    }
    const int actor = static_cast<int>(net_.nodes.size());
    const std::string& name = program_[chain.operations[chain.mid]].kernel;
    const auto help = [&](Memory::Holds holds, int64_t bytes, const char* what) {
      if (bytes <= 0) return -1;
      node.helpers.push_back(helper(holds, actor, bytes, what + name));
      net_.memories.back().lines = node.lines;
      return node.helpers.back();
    };
    node.actor.scratch = help(Memory::Holds::scratch, shape.scratch_bytes, "scratch of ");
    node.actor.line_buffer->memory = help(Memory::Holds::window, shape.window_bytes, "window of ");
    if (shape.history_lines > 0) {
      const int history =
          helper(Memory::Holds::history, actor, shape.history_lines * shape.history_bytes, "history of " + name);
      node.actor.line_buffer->history = history;
      node.states.push_back(history);
    }
    push(std::move(node), shape.result);
  }

  // Scratch: an operation by lines may need less than its tensors of scratch say.
  void helpers(const Operation& operation, bool lined, NetNode& node) {
    const int actor = static_cast<int>(net_.nodes.size());
    if (lined) {
      const int64_t bytes = operation.line_form->scratch_bytes;
      if (bytes > 0)
        node.helpers.push_back(helper(Memory::Holds::scratch, actor, bytes, "scratch of " + operation.kernel));
    } else {
      for (const Argument& a : operation.arguments) {
        if (a.role == Argument::Role::scratch && a.tensor.valid()) node.helpers.push_back(view(a.tensor).memory);
      }
    }
    for (int m : node.helpers) {
      net_.memories[static_cast<size_t>(m)].actor = actor;
      net_.memories[static_cast<size_t>(m)].lines = node.lines;
    }
    if (!node.helpers.empty()) node.actor.scratch = node.helpers[0];
    if (!node.actor.accumulate) return;
    const int64_t bytes = operation.line_form->accumulator_bytes;
    if (bytes <= 0) return;
    node.actor.accumulator = helper(Memory::Holds::accumulator, actor, bytes, "sums of " + operation.kernel);
    node.states.push_back(node.actor.accumulator);
  }

  int helper(Memory::Holds holds, int actor, int64_t bytes, std::string name) {
    Memory memory;
    memory.holds = holds;
    memory.actor = actor;
    memory.line_bytes = bytes;
    return add(std::move(memory), std::move(name));
  }

  void push(NetNode node, TensorId result) {
    net_.nodes.push_back(std::move(node));
    if (!options_.drain) return;
    for (size_t port = 0; port < program_.outputs.size(); ++port) {
      if (result.valid() && completes(program_.outputs[port])) drain(port);
    }
  }

  // Whether all that makes this output has been added cannot be seen before the end: outputs that one operation makes
  // in a buffer of their own are handed out behind it, others at the end.
  bool completes(TensorId id) const {
    const NetNode& node = net_.nodes.back();
    return node.memory == view(id).memory && storage_[storage_[id].buffer].tensors.size() == 1 && producers_of(id) == 1;
  }

  // Parts of one line may be written by operations of their own.
  int64_t producers_of(TensorId id) const {
    return std::count_if(program_.operations.begin(), program_.operations.end(), [&](const Operation& operation) {
      return std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const Argument& a) {
        return a.tensor == id && (a.role == Argument::Role::write || a.role == Argument::Role::update);
      });
    });
  }

  void drain(size_t port) {
    const TensorId id = program_.outputs[port];
    if (net_.outside[storage_[id].buffer.pos()]) return;
    drained_[id] = true;
    NetNode node;
    node.actor.what = Actor::What::drain;
    node.actor.port = port;
    node.actor.tensor = id;
    Access access;
    access.memory = view(id).memory;
    access.all = cover(id);
    const bool dense = program_[id].bytes() == storage_[storage_[id].buffer].bytes;
    const bool lines = view(id).by_lines || dense;
    node.lines = node.actor.lines = lines ? access.all.end - access.all.first : 1;
    if (lines) {
      for (int64_t l = access.all.first; l < access.all.end; ++l) access.lines.push_back({l, l + 1});
    } else {
      node.actor.whole = true;
      hold_together(id);
    }
    node.reads.push_back(std::move(access));
    net_.nodes.push_back(std::move(node));
  }

  void ports() {
    for (size_t port = 0; port < program_.outputs.size(); ++port) {
      const TensorId id = program_.outputs[port];
      if (drained_.contains(id)) continue;
      if (options_.drain && !net_.outside[storage_[id].buffer.pos()]) {
        drain(port);
        continue;
      }
      net_.kept[storage_[id].buffer.pos()] = true;
      hold_together(id);
    }
  }

  // They are there in one piece before a run and after it; what follows them is copied there then.
  void states() {
    std::vector<TensorId> there = program_.states;
    if (program_.set_size.valid()) there.push_back(program_.set_size);
    for (const TensorId id : there) {
      const size_t m = storage_[id].buffer.pos();
      net_.given[m] = net_.kept[m] = true;
      hold_together(id);
    }
    for (const OperationId id : program_.epilogue) {
      const TensorId next = program_[id].arguments.front().tensor;
      net_.kept[storage_[next].buffer.pos()] = true;
      hold_together(next);
    }
  }

  void driver() {
    Memory memory;
    memory.holds = Memory::Holds::driver;
    std::vector<Actor> actors;
    for (const NetNode& node : net_.nodes) actors.push_back(node.actor);
    memory.line_bytes = driver_bytes(actors.size(), most_lines(actors), options_.mode, program_.set_size.valid());
    net_.driver = add(std::move(memory), "driver");
    net_.given.back() = net_.kept.back() = true;
  }

  const Program& program_;
  const lifetimes::Storage& storage_;
  const Options& options_;
  const int64_t at_once_;
  std::map<TensorId, bool> drained_;
  std::set<TensorId> fed_pieces_;
  std::map<TensorId, NetNode> taken_;  // by input or piece
  Net net_;
};

bool has_no_lines(const program::Tensor& tensor) { return tensor.type.shape.count() == 0; }

}  // namespace

Net make_net(const Program& program, const lifetimes::Storage& storage, const std::vector<OperationId>& order,
             const Options& options, const std::vector<Chain>& chains, int64_t at_once) {
  return Builder(program, storage, options, at_once).build(order, chains);
}

std::string obstacle(const Program& program) {
  if (program.main.empty()) return "it has nothing to run";
  if (!program.symbols.empty()) return "sizes are known only at run time";
  if (program.operations.size() > kMostOperations) return "it has too many operations";
  if (std::any_of(program.tensors.begin(), program.tensors.end(), has_no_lines))
    return "a tensor without elements has no lines";
  for (const Operation& operation : program.operations) {
    if (operation.control != program::Control::none) return "it has branches or loops";
  }
  return "";
}

}  // namespace tarn::stream
