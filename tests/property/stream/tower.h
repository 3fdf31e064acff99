// Random networks of layers that can be joined: blocks that widen their pixels, look at a window of them and narrow
// them again. Multiplications are counted, so that time can be weighed against bytes.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "planner/random.h"
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

 private:
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
    // Kernels that say what their calls cost, and such that do not.
    o.line_form->pixels_at_once = 1 + below(2) * 3;
    if (told_) {
      o.line_form->call_macs = 20 + below(100);
      o.line_form->pace = static_cast<program::LineForm::Pace>(below(3));
    }
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
    told_ = below(2) == 0;
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
  bool told_ = false;
};

}  // namespace tarn::stream
