// Random networks of layers that can be joined: blocks that widen their pixels, look at a window of them and narrow
// them again. Multiplications are counted, so that time can be weighed against bytes.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "planner/random.h"
#include "stream/cost/chain_cost.h"
#include "stream/network/grid.h"
#include "stream/plan.h"

namespace tarn::stream {

class Tower {
 public:
  explicit Tower(uint64_t seed, int64_t most_blocks = 3, int64_t most_times_wider = 6, int64_t most_pixels = 24)
      : random_(seed), most_times_wider_(most_times_wider) {
    program::Geometry g{6 + below(8), below(6) == 0 ? 40 + below(40) : 4 + below(most_pixels), 2 + below(5)};
    TensorId x = tensor(g, program::Kind::input);
    program.inputs.push_back(x);
    const int64_t blocks = 1 + below(most_blocks);
    for (int64_t b = 0; b < blocks; ++b) x = block(x);
    program[x].kind = program::Kind::output;
    program.outputs.push_back(x);
    store();
  }
  // Any other network.
  explicit Tower(program::Program&& other) : program(std::move(other)), random_(0) { store(); }

  program::Program program;
  lifetimes::Storage storage;
  std::vector<OperationId> order;

  // Of an operation's kernel: what a call takes beside its multiplications, which are those of whole blocks of pixels,
  // and what a byte takes that joined layers move.
  struct CallCost {
    int64_t start = 30, pixels_at_once = 1, bytes_moved = 1;
  };
  std::vector<CallCost> calls;

  // The network has to outlive them.
  Costs costs() const {
    Costs costs;
    for (size_t o = 0; o < program.operations.size(); ++o) {
      const program::Geometry& g = made_by(OperationId(o));
      costs.times.by_layers += call(OperationId(o), g.lines * g.pixels);
      costs.times.by_lines += g.lines * call(OperationId(o), g.pixels);
    }
    costs.of_chain = [this](const Chain& chain) { return cost_of(chain); };
    return costs;
  }

 private:
  const program::Geometry& made_by(OperationId id) const { return program[only_result(program[id])].geometry; }

  int64_t call(OperationId id, int64_t pixels) const {
    const program::Geometry& g = made_by(id);
    const CallCost& cost = calls[id.pos()];
    const int64_t blocks = (pixels + cost.pixels_at_once - 1) / cost.pixels_at_once;
    return cost.start + blocks * cost.pixels_at_once * program[id].macs / (g.lines * g.pixels);
  }

  int64_t cost_of(const Chain& chain) const {
    int64_t cost = 0;
    for (const OperationId id : chain.operations) {
      const program::Geometry& g = made_by(id);
      int64_t line = -call(id, g.pixels);
      for (int64_t p = 0; p < g.pixels; p += chain.chunk) line += call(id, std::min(chain.chunk, g.pixels - p));
      cost += g.lines * line;
    }
    const program::Geometry& g = made_by(chain.operations[chain.mid]);
    return cost + g.lines * (g.pixels / chain.chunk) * calls[chain.operations[chain.mid].pos()].bytes_moved;
  }

  void store() {
    storage = lifetimes::assign_storage(program, {}, false);
    for (OperationId id : program.main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
  }

  int64_t below(int64_t count) { return random_.below(count); }

  TensorId tensor(program::Geometry g, program::Kind kind = program::Kind::activation) {
    program::Tensor t;
    t.name = "t" + std::to_string(program.tensors.size());
    t.geometry = g;
    t.kind = kind;
    t.type = {DType::int8, Shape{1, g.lines, g.pixels, g.channels}};
    program.tensors.push_back(std::move(t));
    return TensorId(program.tensors.size() - 1);
  }

  static std::vector<Span> windows(int64_t in, int64_t out, int64_t k, int64_t stride) {
    std::vector<Span> spans;
    for (int64_t i = 0; i < out; ++i)
      spans.push_back({std::max<int64_t>(0, i * stride - k / 2), std::min(in, i * stride - k / 2 + k)});
    return spans;
  }

  void push(const char* op, const std::vector<TensorId>& operands, TensorId y, const program::Walk& walk,
            int64_t macs_of_element) {
    program::Operation o;
    o.kernel = o.op = op;
    o.line_form.emplace();
    o.line_form->scratch_bytes = below(3) == 0 ? below(60) : 0;
    CallCost call{.pixels_at_once = 1 + below(2) * 3};
    if (dear_) {
      call.start = 20 + below(100);
      call.bytes_moved = 1 + below(3);
    }
    calls.push_back(call);
    o.macs = static_cast<int64_t>(program[y].geometry.lines * program[y].geometry.pixels *
                                  program[y].geometry.channels * macs_of_element);
    program::Argument a;
    a.walk = walk;
    a.role = program::Argument::Role::read;
    for (TensorId x : operands) {
      a.tensor = x;
      o.arguments.push_back(a);
    }
    a.walk.reset();
    a.role = program::Argument::Role::write;
    a.tensor = y;
    o.arguments.push_back(a);
    program.operations.push_back(std::move(o));
    program.main.push_back(OperationId(program.operations.size() - 1));
  }

  TensorId convolution(TensorId x, int64_t channels, int64_t k, int64_t stride, int64_t macs_of_element) {
    const program::Geometry g = program[x].geometry;
    const TensorId y = tensor({(g.lines + stride - 1) / stride, (g.pixels + stride - 1) / stride, channels});
    program::Walk walk;
    walk.lines = windows(g.lines, program[y].geometry.lines, k, stride);
    walk.columns = windows(g.pixels, program[y].geometry.pixels, k, stride);
    push("Conv", {x}, y, walk, macs_of_element);
    return y;
  }

  TensorId elementwise(const std::vector<TensorId>& operands) {
    const TensorId y = tensor(program[operands[0]].geometry);
    program::Walk walk;
    walk.identity = walk.read_before_write = true;
    push("Add", operands, y, walk, 1);
    return y;
  }

  TensorId block(TensorId x) {
    dear_ = below(2) == 0;
    const int64_t channels = program[x].geometry.channels, wide = channels + below(most_times_wider_ * channels);
    TensorId y = below(5) == 0 ? x : convolution(x, wide, 1, 1, channels);
    if (below(2) == 0) y = elementwise({y});
    y = convolution(y, program[y].geometry.channels, 3, 1 + below(5) / 4, 9 * (below(2) == 0 ? 1 : 8));
    if (below(2) == 0) y = elementwise({y});
    if (below(5) > 0) y = convolution(y, channels, 1, 1, wide);
    if (program[y].geometry == program[x].geometry && below(2) == 0) y = elementwise({y, x});
    if (below(8) == 0) program.operations.back().line_form.reset();
    return y;
  }

  planner::Random random_;
  int64_t most_times_wider_ = 0;
  bool dear_ = false;  // calls of the block
};

}  // namespace tarn::stream
