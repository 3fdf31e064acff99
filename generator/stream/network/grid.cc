#include "stream/network/grid.h"

#include <algorithm>
#include <limits>

namespace tarn::stream {

namespace {

using program::Argument;
using program::Operation;
using program::Tensor;

int64_t line_bytes(const Program& program, const lifetimes::Storage& storage, TensorId id) {
  return storage[id].line_pitch * program[id].element_bytes();
}

// Makes the tensor's lines those of its buffer, if they are finer and no operation makes coarser lines there.
void refine(const Program& program, const lifetimes::Storage& storage, TensorId id,
            const std::vector<int64_t>& coarsest, std::vector<int64_t>& lines) {
  const Tensor& t = program[id];
  const int64_t bytes = line_bytes(program, storage, id);
  const lifetimes::Place& place = storage[id];
  const int64_t whole = storage[place.buffer].bytes;
  if (t.geometry.lines <= 1 || whole % bytes != 0 || is_packed(t.type.dtype)) return;
  int64_t& count = lines[place.buffer.pos()];
  if (whole / bytes <= coarsest[place.buffer.pos()]) count = std::max(count, whole / bytes);
}

// By buffer: the fewest lines in which an operation makes a tensor of it line by line. With more lines the operation
// could only run as a whole.
std::vector<int64_t> made_lines(const Program& program, const lifetimes::Storage& storage,
                                const std::vector<OperationId>& order) {
  std::vector<int64_t> fewest(storage.buffers.size(), std::numeric_limits<int64_t>::max());
  for (OperationId id : order) {
    const Operation& operation = program[id];
    const TensorId out = only_result(operation);
    if (!out.valid() || !operation.line_form || operation.line_form->accumulate || is_flat(program, storage, operation))
      continue;
    const int64_t bytes = line_bytes(program, storage, out);
    if (program[out].geometry.lines <= 1) continue;
    int64_t& lines = fewest[storage[out].buffer.pos()];
    lines = std::min(lines, storage[storage[out].buffer].bytes / bytes);
  }
  return fewest;
}

// The dense tensors of an elementwise operation take the finest lines that any of them has.
bool agree(const Program& program, const lifetimes::Storage& storage, const Operation& operation,
           std::vector<int64_t>& lines) {
  int64_t finest = 0;
  std::vector<size_t> buffers;
  bool divisible = true;
  for (const Argument& a : operation.arguments) {
    if (!a.tensor.valid() || (a.role == Argument::Role::read && !a.walk)) continue;
    buffers.push_back(storage[a.tensor].buffer.pos());
    finest = std::max(finest, lines[buffers.back()]);
  }
  for (size_t b : buffers) {
    const int64_t elements = program[storage.buffers[b].tensors[0]].geometry.count();
    divisible = divisible && elements % finest == 0 && finest % lines[b] == 0;
  }
  if (!divisible) return false;
  bool changed = false;
  for (size_t b : buffers) {
    changed = changed || lines[b] != finest;
    lines[b] = finest;
  }
  return changed;
}

}  // namespace

TensorId only_result(const Operation& operation) {
  TensorId result;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::update) return {};
    if (a.role != Argument::Role::write) continue;
    if (result.valid()) return {};
    result = a.tensor;
  }
  return result;
}

bool goes_by_lines(const Argument& argument) {
  return argument.role == Argument::Role::write || (argument.role == Argument::Role::read && walks_lines(argument));
}

bool walks_lines(const Argument& argument) {
  return argument.walk && (!argument.walk->same_place || argument.walk->identity);
}

bool is_dense(const Program& program, const lifetimes::Storage& storage, TensorId id) {
  const program::Geometry& g = program[id].geometry;
  return storage[id].pixel_pitch == g.channels || g.lines * g.pixels <= 1;
}

namespace {

// Does the kernel count elements, or runs of them, and take no operand from the start of a line?
bool takes_any_lines(const program::LineForm& form) {
  const bool counts = std::any_of(form.params.fields.begin(), form.params.fields.end(), [](const program::Field& f) {
    return f.name == "outer" || std::holds_alternative<program::Run>(f.value);
  });
  const auto places = [](const program::LineCall& call) {
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [](const program::LineArgument& a) { return a.how == program::LineArgument::How::part; });
  };
  return counts && std::none_of(form.calls.begin(), form.calls.end(), places);
}

}  // namespace

bool is_flat(const Program& program, const lifetimes::Storage& storage, const Operation& operation) {
  const TensorId out = only_result(operation);
  if (!out.valid() || (operation.line_form && !takes_any_lines(*operation.line_form))) return false;
  bool walks = false;
  for (const Argument& a : operation.arguments) {
    if (!a.tensor.valid()) continue;
    if (a.role == Argument::Role::read && !a.walk) continue;
    if (a.role != Argument::Role::read && a.role != Argument::Role::write) return false;
    if (a.walk && !(a.walk->identity && a.walk->read_before_write)) return false;
    walks = walks || a.walk;
    const Tensor& t = program[a.tensor];
    if (is_packed(t.type.dtype) || t.geometry.channels != program[out].geometry.channels ||
        t.geometry.count() != program[out].geometry.count())
      return false;
    // All of its buffer, from the beginning on.
    if (!is_dense(program, storage, a.tensor) || t.bytes() != storage[storage[a.tensor].buffer].bytes) return false;
  }
  return walks;
}

std::vector<int64_t> cut_into_lines(const Program& program, const lifetimes::Storage& storage,
                                    const std::vector<OperationId>& order) {
  std::vector<int64_t> lines;
  for (const lifetimes::Buffer& buffer : storage.buffers) {
    const Tensor& root = program[buffer.tensors[0]];
    lines.push_back(is_packed(root.type.dtype) ? 1 : root.geometry.lines);
  }
  const std::vector<int64_t> coarsest = made_lines(program, storage, order);
  std::vector<const Operation*> elementwise;
  for (OperationId id : order) {
    const Operation& operation = program[id];
    if (is_flat(program, storage, operation)) {
      elementwise.push_back(&operation);
      continue;
    }
    const TensorId out = only_result(operation);
    if (!out.valid()) continue;
    bool walks = false;
    for (const Argument& a : operation.arguments) {
      if (a.role != Argument::Role::read || !walks_lines(a)) continue;
      walks = true;
      refine(program, storage, a.tensor, coarsest, lines);
    }
    if (walks) refine(program, storage, out, coarsest, lines);
  }
  // Each round passes lines on by at least one operation, forwards and backwards.
  bool changed = true;
  for (size_t round = 0; changed && round < 64; ++round) {
    changed = false;
    for (const Operation* operation : elementwise) changed = agree(program, storage, *operation, lines) || changed;
    std::reverse(elementwise.begin(), elementwise.end());
  }
  return lines;
}

LineView view_of(const Program& program, const lifetimes::Storage& storage, const Memory& memory, TensorId id) {
  const Tensor& t = program[id];
  const lifetimes::Place& place = storage[id];
  LineView view;
  view.memory = static_cast<int>(place.buffer.pos());
  view.pixel_pitch = place.pixel_pitch;
  view.first_line = place.offset / memory.line_bytes;
  view.offset = place.offset % memory.line_bytes;
  const int64_t extent = ((t.geometry.pixels - 1) * place.pixel_pitch + t.geometry.channels) * t.element_bytes();
  const bool same_lines = t.geometry.lines == 1 || line_bytes(program, storage, id) == memory.line_bytes;
  view.by_lines = same_lines && view.offset + extent <= memory.line_bytes && !is_packed(t.type.dtype);
  return view;
}

Span cover(const Program& program, const LineView& view, const Memory& memory, TensorId id, Span lines) {
  if (lines.first >= lines.end) return {};
  if (view.by_lines) return {view.first_line + lines.first, view.first_line + lines.end};
  const Tensor& t = program[id];
  if (is_packed(t.type.dtype)) return {0, memory.lines};
  const int64_t start = view.first_line * memory.line_bytes + view.offset;
  const int64_t pitch = t.geometry.pixels * view.pixel_pitch * t.element_bytes();
  const int64_t extent = ((t.geometry.pixels - 1) * view.pixel_pitch + t.geometry.channels) * t.element_bytes();
  const int64_t first = start + lines.first * pitch, end = start + (lines.end - 1) * pitch + extent;
  return {first / memory.line_bytes, std::min(memory.lines, (end + memory.line_bytes - 1) / memory.line_bytes)};
}

}  // namespace tarn::stream
