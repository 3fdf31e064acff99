#include "stream/network/chains.h"

#include <algorithm>
#include <map>

#include "stream/network/grid.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;
using program::Tensor;
using program::Walk;

constexpr int64_t kScratchAlignment = 8;

int64_t aligned(int64_t bytes) { return (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment; }

bool pointwise(const Walk& walk) {
  if (walk.identity) return true;
  for (size_t r = 0; r < walk.lines.size(); ++r) {
    if (walk.lines[r] != Span{static_cast<int64_t>(r), static_cast<int64_t>(r) + 1}) return false;
  }
  for (size_t p = 0; p < walk.columns.size(); ++p) {
    if (walk.columns[p] != Span{static_cast<int64_t>(p), static_cast<int64_t>(p) + 1}) return false;
  }
  return true;
}

class Finder {
 public:
  Finder(const Program& program, const lifetimes::Storage& storage, const std::vector<OperationId>& order)
      : program_(program), storage_(storage) {
    readers_.resize(program.tensors.size());
    producers_.resize(program.tensors.size());
    for (OperationId id : order) {
      for (const Argument& a : program[id].arguments) {
        if (!a.tensor.valid()) continue;
        (a.role == Argument::Role::read ? readers_ : producers_)[a.tensor.pos()].push_back(id);
      }
    }
    outputs_.assign(program.tensors.size(), false);
    for (TensorId id : program.outputs) outputs_[id.pos()] = true;
    used_.assign(program.operations.size(), false);
  }

  std::vector<Chain> run(const std::vector<OperationId>& order) {
    std::vector<Chain> chains;
    for (OperationId id : order) {
      if (used_[id.pos()] || !has_window(id)) continue;
      Chain chain;
      chain.operations = before(id);
      chain.mid = chain.operations.size();
      chain.operations.push_back(id);
      const std::vector<OperationId> after = behind(id);
      chain.operations.insert(chain.operations.end(), after.begin(), after.end());
      if (chain.operations.size() < 2) continue;
      for (OperationId member : chain.operations) used_[member.pos()] = true;
      chains.push_back(std::move(chain));
    }
    return chains;
  }

 private:
  const Argument* main_operand(OperationId id) const {
    for (const Argument& a : program_[id].arguments) {
      if (a.role == Argument::Role::read) return &a;
    }
    return nullptr;
  }

  // Its kernel can be asked for some pixels of a line: by their numbers, or by how many there are; then each pixel
  // needs just that of whatever goes by lines.
  bool takes_columns(const Operation& operation) const {
    const program::LineForm& form = *operation.line_form;
    using How = program::LineArgument::How;
    const auto any = [&](const program::LineCall& call, auto holds) {
      return std::any_of(call.arguments.begin(), call.arguments.end(), holds);
    };
    const auto by_number = [&](const program::LineCall& call) {
      return any(call, [](const program::LineArgument& a) { return a.how == How::number; });
    };
    const auto stays = [&](const program::LineCall& call) {
      return any(call, [&](const program::LineArgument& a) {
        const Argument& operand = operation.arguments[a.argument];
        return a.how == How::part || (a.how == How::line && operand.role == Argument::Role::read &&
                                      (!operand.walk || !pointwise(*operand.walk)));
      });
    };
    if (std::all_of(form.calls.begin(), form.calls.end(), by_number)) return true;
    return std::any_of(form.params.fields.begin(), form.params.fields.end(),
                       [](const program::Field& f) { return f.name == "outer"; }) &&
           std::none_of(form.calls.begin(), form.calls.end(), stays);
  }

  bool lined(OperationId id) const {
    const Operation& operation = program_[id];
    if (!operation.line_form || operation.line_form->accumulate || !only_result(operation).valid() ||
        !takes_columns(operation))
      return false;
    const Argument* x = main_operand(id);
    return x && walks_lines(*x);
  }

  static bool is_conv(const Operation& operation) {
    return operation.op.find("Conv") != std::string::npos && operation.op.find("Transpose") == std::string::npos;
  }

  bool has_window(OperationId id) const {
    if (!lined(id) || !is_conv(program_[id])) return false;
    const std::vector<Span>& lines = main_operand(id)->walk->lines;
    return std::any_of(lines.begin(), lines.end(), [](const Span& s) { return s.end - s.first > 1; });
  }

  bool is_pointwise(OperationId id) const { return lined(id) && pointwise(*main_operand(id)->walk); }

  // The only reader of a tensor, if it reads it as its main operand or elementwise, and the tensor is no output.
  OperationId only_reader(TensorId id) const {
    const auto& readers = readers_[id.pos()];
    if (readers.size() != 1 || producers_[id.pos()].size() != 1 || outputs_[id.pos()]) return {};
    if (storage_[storage_[id].buffer].tensors.size() != 1) return {};
    return readers.front();
  }

  OperationId only_producer(TensorId id) const {
    const auto& producers = producers_[id.pos()];
    return producers.size() == 1 ? producers.front() : OperationId{};
  }

  // Of a tensor that somebody else makes.
  bool reads_once(OperationId id, TensorId tensor) const {
    int count = 0;
    for (const Argument& a : program_[id].arguments) count += a.tensor == tensor;
    return count == 1;
  }

  // Each element is read before the one in its place is written, in the same line and pixel, and what it holds is of
  // the same type.
  bool works_in_place(OperationId id) const {
    const Argument& x = *main_operand(id);
    const Tensor &from = program_[x.tensor], &to = program_[only_result(program_[id])];
    return x.walk->identity && x.walk->read_before_write && from.geometry == to.geometry &&
           from.type.dtype == to.type.dtype;
  }

  // The layers that make the input of the layer with the window: a convolution, and operations in place behind it.
  std::vector<OperationId> before(OperationId mid) const {
    std::vector<OperationId> members;
    TensorId middle = main_operand(mid)->tensor;
    OperationId next = mid;
    while (true) {
      const OperationId producer = only_producer(middle);
      if (!producer.valid() || used_[producer.pos()] || !lined(producer) || only_reader(middle) != next ||
          !reads_once(next, middle))
        return {};
      members.insert(members.begin(), producer);
      const int operands = operands_of(producer);
      if (is_conv(program_[producer])) return operands == 1 ? members : std::vector<OperationId>{};
      if (!is_pointwise(producer) || !works_in_place(producer) || operands != 1) return {};
      middle = main_operand(producer)->tensor;
      next = producer;
    }
  }

  int operands_of(OperationId id) const {
    int count = 0;
    for (const Argument& a : program_[id].arguments) count += a.role == Argument::Role::read;
    return count;
  }

  // The layers behind the window that take its output pixel by pixel, up to one convolution. That convolution is left
  // out if it should rather make the input of the next window.
  std::vector<OperationId> behind(OperationId mid) const {
    std::vector<OperationId> members;
    bool conv = false;
    OperationId last = mid;
    while (true) {
      const TensorId made = only_result(program_[last]);
      const OperationId next = only_reader(made);
      if (!next.valid() || used_[next.pos()] || !reads_once(next, made)) break;
      if (!takes_pixels(next, made)) break;
      if (is_conv(program_[next])) {
        if (conv || leads_to_window(next)) break;
        conv = true;
      }
      members.push_back(next);
      last = next;
    }
    return members;
  }

  // Line r, pixel p of the result needs exactly line r, pixel p of the tensor.
  bool takes_pixels(OperationId id, TensorId tensor) const {
    if (!lined(id)) return false;
    const program::Geometry &x = program_[tensor].geometry, &y = program_[only_result(program_[id])].geometry;
    const std::vector<Argument>& all = program_[id].arguments;
    return x.lines == y.lines && x.pixels == y.pixels && std::any_of(all.begin(), all.end(), [&](const Argument& a) {
             return a.role == Argument::Role::read && a.tensor == tensor && walks_lines(a) && pointwise(*a.walk);
           });
  }

  bool leads_to_window(OperationId id) const {
    for (int steps = 0; steps < 8; ++steps) {
      const OperationId next = only_reader(only_result(program_[id]));
      if (!next.valid()) return false;
      if (has_window(next) && main_operand(next)->tensor == only_result(program_[id])) return true;
      if (is_conv(program_[next]) || !is_pointwise(next) || operands_of(next) != 1) return false;
      id = next;
    }
    return false;
  }

  const Program& program_;
  const lifetimes::Storage& storage_;
  std::vector<std::vector<OperationId>> readers_, producers_;
  std::vector<bool> outputs_, used_;
};

int64_t columns_of(const std::vector<Span>& columns, int64_t chunk) {
  // From the first column of a chunk's first window to the last of its last.
  int64_t most = 1;
  const auto count = static_cast<int64_t>(columns.size());
  for (int64_t p = 0; p < count; p += chunk) {
    int64_t first = INT64_MAX, end = 0;
    for (int64_t q = p; q < std::min(count, p + chunk); ++q) {
      const Span span = columns[static_cast<size_t>(q)];
      if (span.first >= span.end) continue;
      first = std::min(first, span.first);
      end = std::max(end, span.end);
    }
    most = std::max(most, end - first);  // below 0 where none is seen
  }
  return most;
}

}  // namespace

std::vector<Span> columns_read(const Program& program, const Operation& operation, size_t argument) {
  const Walk& walk = *operation.arguments[argument].walk;
  const Tensor &x = program[operation.arguments[argument].tensor], &y = program[only_result(operation)];
  std::vector<Span> columns = walk.columns;
  if (walk.identity) {
    for (int64_t p = 0; p < y.geometry.pixels; ++p) columns.push_back({p, p + 1});
  } else if (operation.line_form && operation.line_form->columns) {
    const program::LineMap& map = *operation.line_form->columns;
    for (size_t p = 0; p < columns.size(); ++p) {
      const int64_t first = static_cast<int64_t>(p) * map.scale + map.first;
      columns[p] = {std::max<int64_t>(0, first), std::min(x.geometry.pixels, first + (map.count - 1) * map.step + 1)};
    }
  }
  return columns;
}

std::vector<Span> columns_of_chunks(const std::vector<Span>& reads, int64_t chunk, int64_t columns) {
  const auto size = static_cast<size_t>(chunk);
  std::vector<Span> chunks((reads.size() + size - 1) / size);
  int64_t first = columns, end = 0;
  for (size_t p = reads.size(); p-- > 0;) {
    if (reads[p].first < reads[p].end) first = std::min(first, reads[p].first);
    chunks[p / size].first = first;
  }
  for (size_t p = 0; p < reads.size(); ++p) {
    if (reads[p].first < reads[p].end) end = std::max(end, reads[p].end);
    chunks[p / size].end = end;
  }
  return chunks;
}

size_t main_argument(const Program& program, const Chain& chain, size_t position) {
  const Operation& operation = program[chain.operations[position]];
  const TensorId made = position == 0 ? TensorId{} : only_result(program[chain.operations[position - 1]]);
  const std::vector<Argument>& arguments = operation.arguments;
  const auto main = std::find_if(arguments.begin(), arguments.end(), [&](const Argument& a) {
    return a.role == Argument::Role::read && (!made.valid() || a.tensor == made);
  });
  return static_cast<size_t>(main - arguments.begin());
}

std::vector<Chain> find_chains(const Program& program, const lifetimes::Storage& storage,
                               const std::vector<OperationId>& order) {
  return Finder(program, storage, order).run(order);
}

namespace {

// The lines of the middle tensor that each step makes, and how many of them stand in the window and in the history.
void count_lines(const Walk& walk, bool recompute, ChainShape& shape) {
  if (recompute) {
    for (const Span& span : walk.lines) {
      shape.fresh.push_back(span.first < span.end ? span : Span{0, 0});
      shape.form.window_lines = std::max({shape.form.window_lines, span.end - span.first, int64_t{1}});
    }
    return;
  }
  int64_t made = 0;
  for (const Span& span : walk.lines) {
    const int64_t end = std::max(made, span.end);
    if (!shape.fresh.empty()) shape.form.window_lines = std::max(shape.form.window_lines, end - made);
    if (span.first < span.end) shape.history_lines = std::max(shape.history_lines, made - span.first);
    shape.fresh.push_back({made, end});
    made = end;
  }
  // Lines of the first window that are not in the window memory, because only the last ones fit it.
  if (!shape.fresh.empty()) shape.form.window_lines = std::max<int64_t>(shape.form.window_lines, 1);
  const Span first = shape.fresh.empty() ? Span{} : shape.fresh.front();
  shape.history_lines = std::max(shape.history_lines, first.end - first.first - shape.form.window_lines);
}

// Behind the window, where the chunk of each layer lies; elementwise results take the place of their operand.
void place_chunks(const Program& program, const Chain& chain, ChainShape& shape) {
  int64_t at = -1, at_bytes = 0;
  shape.form.made.assign(chain.operations.size(), -1);
  for (size_t i = chain.mid; i + 1 < chain.operations.size(); ++i) {
    const Operation& operation = program[chain.operations[i]];
    const Tensor& t = program[only_result(operation)];
    const int64_t needed = aligned(chain.chunk * t.geometry.channels * t.element_bytes());
    const Argument& from = operation.arguments[main_argument(program, chain, i)];
    const Walk& own = *from.walk;
    const bool in_place = i > chain.mid && own.identity && own.read_before_write && needed <= at_bytes &&
                          t.element_bytes() <= program[from.tensor].element_bytes();
    if (!in_place) {
      at = shape.window_bytes;
      at_bytes = needed;
      shape.window_bytes += needed;
    }
    shape.form.made[i] = at;
  }
}

// Layers before the window make whole lines too, those that go straight into the history; the others chunks.
int64_t scratch_of(const Program& program, const Chain& chain) {
  int64_t most = 0;
  for (size_t i = 0; i < chain.operations.size(); ++i) {
    const Operation& operation = program[chain.operations[i]];
    const int64_t pixels = program[only_result(operation)].geometry.pixels,
                  spared = i < chain.mid ? 0 : std::max<int64_t>(0, pixels - chain.chunk);
    most = std::max(most, operation.line_form->scratch_bytes - spared * operation.line_form->scratch_pixel_bytes);
  }
  return most;
}

}  // namespace

ChainShape shape_of(const Program& program, const Chain& chain) {
  ChainShape shape;
  const Operation& mid = program[chain.operations[chain.mid]];
  const size_t main = main_argument(program, chain, chain.mid);
  const Argument& operand = mid.arguments[main];
  shape.middle = operand.tensor;
  shape.result = only_result(program[chain.operations.back()]);
  shape.form.mid = chain.mid;
  shape.form.chunk = chain.chunk;
  shape.form.recompute = chain.recompute;
  count_lines(*operand.walk, chain.recompute, shape);
  if (chain.mid > 0) {
    const Tensor& middle = program[shape.middle];
    const int64_t pixel_bytes = middle.geometry.channels * middle.element_bytes();
    shape.form.window_columns =
        std::min(middle.geometry.pixels, columns_of(columns_read(program, mid, main), chain.chunk));
    shape.window_bytes = aligned(shape.form.window_lines * shape.form.window_columns * pixel_bytes);
    shape.history_bytes = middle.geometry.pixels * pixel_bytes;
  } else {
    shape.history_lines = shape.form.window_lines = 0;
  }
  shape.form.history_lines = shape.history_lines;
  place_chunks(program, chain, shape);
  shape.scratch_bytes = aligned(scratch_of(program, chain));
  return shape;
}

int64_t extra_macs_of(const Program& program, const Chain& chain) {
  if (!chain.recompute) return 0;
  const ChainShape shape = shape_of(program, chain);
  int64_t made = 0;
  for (const Span& span : shape.fresh) made += span.end - span.first;
  int64_t extra = 0;
  for (size_t i = 0; i < chain.mid; ++i) {
    const Operation& operation = program[chain.operations[i]];
    const int64_t lines = program[only_result(operation)].geometry.lines;
    extra += std::max<int64_t>(0, made - lines) * (operation.macs / std::max<int64_t>(1, lines));
  }
  return extra;
}

}  // namespace tarn::stream
