#include "emit/call.h"

#include <algorithm>

#include "emit/literals.h"
#include "lifetimes/overlap.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

std::optional<int64_t> resident_address(const stream::Plan& plan, program::TensorId id) {
  const stream::LineView& view = plan.views[id.pos()];
  if (view.memory < 0) return {};
  const stream::Memory& memory = plan.memories[static_cast<size_t>(view.memory)];
  if (memory.addressing != stream::Addressing::resident && memory.lines > 1) return {};
  return memory.address(0) + view.first_line * memory.line_bytes + view.offset;
}

namespace {

const lifetimes::Storage& storage_of(const Analysis& analysis) {
  return analysis.stream ? analysis.stream->storage : analysis.storage;
}

}  // namespace

bool is_outside(const Analysis& analysis, program::TensorId id) {
  const lifetimes::Storage& storage = storage_of(analysis);
  return storage[storage[id].buffer].external;
}

std::string outside_buffer(const Analysis& analysis, const CNames& names, program::TensorId id) {
  const lifetimes::Storage& storage = storage_of(analysis);
  const program::TensorId whole = storage[storage[id].buffer].tensors[0];
  for (size_t i = 0; i < analysis.program.inputs.size(); ++i) {
    if (analysis.program.inputs[i] == whole) return names.inputs[i];
  }
  for (size_t i = 0; i < analysis.program.outputs.size(); ++i) {
    if (analysis.program.outputs[i] == whole) return names.output_parameter(i);
  }
  TARN_FAIL("memory of the caller's that is no port");
}

namespace {

using lifetimes::BlockRange;
using program::Argument;
using program::Operation;
using program::TensorId;

// Bytes of a tensor as it lies in its buffer, from its first to its last.
int64_t span_bytes(const Analysis& analysis, TensorId id) {
  const program::Tensor& t = analysis.program[id];
  const lifetimes::Place& place = storage_of(analysis)[id];
  const int64_t pixels = t.geometry.lines * t.geometry.pixels;
  return pixels == 0 ? 0 : ((pixels - 1) * place.pixel_pitch + t.geometry.channels) * t.element_bytes();
}

std::optional<int64_t> address(const Analysis& analysis, TensorId id) {
  if (analysis.stream) return resident_address(*analysis.stream, id);
  const lifetimes::Place& place = analysis.storage[id];
  const int item = analysis.planning.item_of[place.buffer.pos()];
  if (item < 0) return {};
  return analysis.plan.offsets[static_cast<size_t>(item)] + place.offset;
}

// Where blocks of pixels are safe with every operand that shares memory with the output (see BlockRange).
BlockRange blocks(const Analysis& analysis, const Operation& operation, bool in_pixels) {
  const int y = lifetimes::first_output(operation);
  const TensorId out = operation.arguments[static_cast<size_t>(y)].tensor;
  const program::Geometry& g = analysis.program[out].geometry;
  BlockRange safe_blocks{0, in_pixels ? g.lines * g.pixels : g.lines};
  const auto to = address(analysis, out);
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const Argument& a = operation.arguments[i];
    if (a.role != Argument::Role::read || !a.walk) continue;
    const auto from = address(analysis, a.tensor);
    if (!from || !to) continue;
    if (*to >= *from + span_bytes(analysis, a.tensor) || *from >= *to + span_bytes(analysis, out)) continue;
    const BlockRange safe =
        lifetimes::block_range(analysis.program, storage_of(analysis), operation, i, *to - *from, in_pixels);
    safe_blocks.first = std::max(safe_blocks.first, safe.first);
    safe_blocks.end = std::min(safe_blocks.end, safe.end);
  }
  if (safe_blocks.end < safe_blocks.first) safe_blocks.end = safe_blocks.first;
  return safe_blocks;
}

// All kernels' operands are dense: one run instead of one per pixel.
bool all_dense(const Analysis& analysis, const Operation& operation) {
  for (const Argument& a : operation.arguments) {
    if (!a.tensor.valid() || !a.pitched) continue;
    const program::Geometry& g = analysis.program[a.tensor].geometry;
    if (storage_of(analysis)[a.tensor].pixel_pitch != g.channels && g.lines * g.pixels > 1) return false;
  }
  return true;
}

class FieldWriter {
 public:
  FieldWriter(const Analysis& analysis, const Operation& operation, const Extent& extent)
      : analysis_(analysis), operation_(operation), extent_(extent) {}

  std::string write(const program::Params& params) {
    std::vector<std::string> values;
    for (const program::Field& field : params.fields) values.push_back(std::visit(*this, field.value));
    return "{" + join(values) + "}";
  }

  std::string operator()(int64_t value) const { return int_literal(value); }
  std::string operator()(program::Float32 value) const { return float_literal(static_cast<float>(value.value)); }
  std::string operator()(double value) const { return double_literal(value); }
  std::string operator()(const std::vector<int64_t>& values) const {
    std::vector<std::string> texts;
    for (int64_t v : values) texts.push_back(int_literal(v));
    return "{" + join(texts) + "}";
  }
  std::string operator()(const program::Pitch& pitch) const {
    const TensorId id = operation_.arguments[pitch.argument].tensor;
    TARN_CHECK(id.valid());
    const lifetimes::Place& place = storage_of(analysis_)[id];
    const int64_t elements = pitch.of == program::Pitch::Of::pixel ? place.pixel_pitch : place.line_pitch;
    return int_literal(elements * pitch.scale + pitch.plus);
  }
  std::string operator()(const program::BlockRange& range) {
    if (extent_.one_line) return int_literal(0);  // said by the call
    const BlockRange safe_blocks = blocks(analysis_, operation_, range.pixels);
    return int_literal(range.end ? safe_blocks.end : safe_blocks.first);
  }
  std::string operator()(const program::Run& run) const {
    if (extent_.flat_elements > 0) return int_literal(run.outer ? 1 : extent_.flat_elements * run.scale);
    const TensorId id = operation_.arguments[run.argument].tensor;
    TARN_CHECK(id.valid());
    const program::Geometry& g = analysis_.program[id].geometry;
    const bool dense = all_dense(analysis_, operation_);
    const int64_t pixels = extent_.one_line ? g.pixels : g.lines * g.pixels;
    if (run.outer) return int_literal(dense ? 1 : pixels);
    return int_literal((dense ? pixels * g.channels : g.channels) * run.scale);
  }
  std::string operator()(const program::Params& params) { return write(params); }
  // What depends on run-time sizes is set before the call; the constant part has the largest.
  std::string operator()(const program::Linear& linear) const {
    return int_literal(linear.at(analysis_.program.largest));
  }
  std::string operator()(const std::vector<program::Linear>& list) const {
    std::vector<std::string> texts;
    for (const program::Linear& linear : list) texts.push_back((*this)(linear));
    return "{" + join(texts) + "}";
  }

 private:
  const Analysis& analysis_;
  const Operation& operation_;
  const Extent extent_;
};

}  // namespace

std::string argument_text(const Analysis& analysis, const CNames& names, const Argument& a) {
  switch (a.role) {
    case Argument::Role::none: return "NULL";
    case Argument::Role::lines: return "lines";
    case Argument::Role::weight: return names.weights[a.weight.pos()];
    default: break;
  }
  if (analysis.stream && !is_outside(analysis, a.tensor)) {
    const std::optional<int64_t> at = resident_address(*analysis.stream, a.tensor);
    if (!at) return "NULL";
    return cat("(", c_type(analysis.program[a.tensor].type.dtype), " *)(void *)((uint8_t *)arena + ", *at, "u)");
  }
  const lifetimes::Place& place = storage_of(analysis)[a.tensor];
  if (!is_outside(analysis, a.tensor)) {
    if (analysis.planning.item_of[place.buffer.pos()] < 0) return "NULL";
    return names.macro("PTR_") + upper(names.tensors[a.tensor.pos()]) + "(arena)";
  }
  // Perhaps at an offset into the caller's buffer (a view).
  const program::Tensor& t = analysis.program[a.tensor];
  const std::string pointer = outside_buffer(analysis, names, a.tensor);
  return place.offset == 0 ? pointer : cat(pointer, " + ", place.offset / t.element_bytes());
}

std::string linear_text(const Analysis& analysis, const CNames& names, const program::Linear& linear) {
  std::string text;
  for (const program::Linear::Term& term : linear.terms) {
    const TensorId id = analysis.program.symbols[static_cast<size_t>(term.symbol)];
    const std::string symbol = "*" + names.macro("PTR_") + upper(names.tensors[id.pos()]) + "(arena)";
    const int64_t size = term.scale < 0 ? -term.scale : term.scale;
    const std::string product = size == 1 ? symbol : cat(size, " * ", symbol);
    if (text.empty()) text = term.scale < 0 ? "-(" + product + ")" : product;
    else text += (term.scale < 0 ? " - " : " + ") + product;
  }
  if (linear.base != 0 || text.empty()) {
    text += text.empty() ? cat(linear.base) : linear.base < 0 ? cat(" - ", -linear.base) : cat(" + ", linear.base);
  }
  return text;
}

namespace {

void collect_settings(const Analysis& analysis, const CNames& names, const program::Params& params,
                      const std::string& path, std::vector<std::string>& out) {
  for (const program::Field& field : params.fields) {
    const std::string name = path + "." + field.name;
    auto set = [&](const std::string& to, const program::Linear& linear) {
      if (!linear.constant()) out.push_back(to + " = (int32_t)(" + linear_text(analysis, names, linear) + ");");
    };
    if (const auto* linear = std::get_if<program::Linear>(&field.value)) set(name, *linear);
    if (const auto* list = std::get_if<std::vector<program::Linear>>(&field.value)) {
      for (size_t i = 0; i < list->size(); ++i) set(cat(name, "[", i, "]"), (*list)[i]);
    }
    if (const auto* inner = std::get_if<program::Params>(&field.value))
      collect_settings(analysis, names, *inner, name, out);
  }
}

}  // namespace

std::vector<std::string> runtime_settings(const Analysis& analysis, const CNames& names, size_t step,
                                          const std::string& variable) {
  std::vector<std::string> out;
  collect_settings(analysis, names, analysis.program[analysis.schedule.steps[step].operation].params, variable, out);
  return out;
}

LinePointers line_pointers(const Operation& operation) {
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::lines) return {a.count, a.c_type};
  }
  return {};
}

std::string params_initialiser(const Analysis& analysis, const Operation& operation, const program::Params& params,
                               const Extent& extent) {
  return FieldWriter(analysis, operation, extent).write(params);
}

std::string call_text(const Analysis& analysis, const CNames& names, size_t step, int indent,
                      const std::string& params) {
  const Operation& operation = analysis.program[analysis.schedule.steps[step].operation];
  std::vector<std::string> arguments;
  if (!operation.params.type.empty())
    arguments.push_back(params.empty() ? cat("&", names.prefix, "_params_", step) : "&" + params);
  for (const Argument& a : operation.arguments) arguments.push_back(argument_text(analysis, names, a));
  return call_text(operation.kernel, arguments, indent);
}

std::string call_text(const std::string& kernel, const std::vector<std::string>& arguments, int indent) {
  std::string line = kernel + "(", out;
  const std::string continued(static_cast<size_t>(indent) + kernel.size() + 1, ' ');
  size_t width = static_cast<size_t>(indent) + line.size();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string piece = arguments[i] + (i + 1 < arguments.size() ? "," : ")");
    if (i > 0 && width + piece.size() + 1 > 110) {
      out += line + "\n";
      line = continued;
      width = continued.size();
    } else if (i > 0) {
      line += " ";
    }
    line += piece;
    width += piece.size() + 1;
  }
  return out + line;
}

}  // namespace tarn::emit
