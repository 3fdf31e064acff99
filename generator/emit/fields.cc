#include "emit/fields.h"

#include <algorithm>
#include <cmath>

#include "emit/table_numbers.h"
#include "lifetimes/overlap.h"
#include "program/likely_zeros.h"
#include "support/check.h"
#include "support/text.h"
#include "time/by_value.h"
#include "time/terms.h"

namespace tarn::emit {

std::optional<int64_t> resident_address(const stream::LinePlan& plan, program::TensorId id) {
  const stream::LineView& view = plan.views[id.pos()];
  if (view.memory < 0) return {};
  const stream::Memory& memory = plan.memories[static_cast<size_t>(view.memory)];
  if (memory.addressing != stream::Addressing::resident && memory.lines > 1) return {};
  return memory.address(0) + view.first_line * memory.line_bytes + view.offset;
}

const lifetimes::Storage& storage_of(const Analysis& analysis) {
  return analysis.stream ? analysis.stream->storage : analysis.storage;
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

}  // namespace

std::optional<CField> dense_run(const Analysis& analysis, const Operation& operation) {
  if (!operation.line_form || !all_dense(analysis, operation)) return {};
  for (const program::Field& field : operation.line_form->params.fields) {
    const auto* run = std::get_if<program::Run>(&field.value);
    if (!run || run->outer) continue;
    return CField{cat(".", field.name),
                  analysis.program[operation.arguments[run->argument].tensor].geometry.channels * run->scale};
  }
  return {};
}

int64_t OpenFields::number(const program::Pitch& pitch) const {
  const TensorId id = operation_.arguments[pitch.argument].tensor;
  TARN_CHECK(id.valid());
  const lifetimes::Place& place = storage_of(analysis_)[id];
  const int64_t elements = pitch.of == program::Pitch::Of::pixel ? place.pixel_pitch : place.line_pitch;
  return elements * pitch.scale + pitch.plus;
}

int64_t OpenFields::number(const program::BlockRange& range) const {
  if (extent_.one_line) return 0;  // said by the call
  const BlockRange safe_blocks = blocks(analysis_, operation_, range.pixels);
  return range.end ? safe_blocks.end : safe_blocks.first;
}

int64_t OpenFields::number(const program::Run& run) const {
  if (extent_.flat_elements > 0) return run.outer ? 1 : extent_.flat_elements * run.scale;
  const TensorId id = operation_.arguments[run.argument].tensor;
  TARN_CHECK(id.valid());
  const program::Geometry& g = analysis_.program[id].geometry;
  const bool dense = all_dense(analysis_, operation_);
  const int64_t pixels = extent_.one_line ? g.pixels : g.lines * g.pixels;
  if (run.outer) return dense ? 1 : pixels;
  return (dense ? pixels * g.channels : g.channels) * run.scale;
}

namespace {

void add_fields(const OpenFields& open, const program::Params& params, const std::string& prefix,
                std::vector<CField>& out) {
  for (const program::Field& field : params.fields) {
    const std::string path = cat(prefix, ".", field.name);
    const auto add = [&](const auto* value) {
      if (value) out.push_back({path, *value});
    };
    const auto add_open = [&](const auto* value) {
      if (value) out.push_back({path, open.number(*value)});
    };
    add(std::get_if<int64_t>(&field.value));
    add(std::get_if<program::Float32>(&field.value));
    add(std::get_if<double>(&field.value));
    add_open(std::get_if<program::Pitch>(&field.value));
    add_open(std::get_if<program::BlockRange>(&field.value));
    add_open(std::get_if<program::Run>(&field.value));
    if (const auto* list = std::get_if<std::vector<int64_t>>(&field.value)) {
      for (size_t i = 0; i < list->size(); ++i) out.push_back({cat(path, "[", i, "]"), (*list)[i]});
    }
    if (const auto* inner = std::get_if<program::Params>(&field.value)) add_fields(open, *inner, path, out);
  }
}

class Numbers {
 public:
  Numbers(const Analysis& analysis, const Operation& operation, const Extent& extent)
      : open_(analysis, operation, extent) {}

  void add(const program::Params& params, const std::string& prefix) {
    for (const program::Field& field : params.fields) {
      const std::string name = prefix + field.name;
      if (const auto* value = std::get_if<int64_t>(&field.value)) found_[name] = *value;
      if (const auto* value = std::get_if<program::Pitch>(&field.value)) found_[name] = open_.number(*value);
      if (const auto* value = std::get_if<program::BlockRange>(&field.value)) found_[name] = open_.number(*value);
      if (const auto* value = std::get_if<program::Run>(&field.value)) found_[name] = open_.number(*value);
      if (const auto* value = std::get_if<program::Params>(&field.value)) add(*value, name + ".");
      if (const auto* value = std::get_if<program::Linear>(&field.value)) add(*value, name);
      if (const auto* list = std::get_if<std::vector<program::Linear>>(&field.value)) {
        for (size_t i = 0; i < list->size(); ++i) add((*list)[i], cat(name, ".", i));
      }
      if (const auto* list = std::get_if<std::vector<int64_t>>(&field.value)) {
        for (size_t i = 0; i < list->size(); ++i) found_[cat(name, ".", i)] = (*list)[i];
      }
      if (const auto* value = std::get_if<program::Float32>(&field.value); value && is_bound(field.name)) {
        int64_t& bounded = found_[prefix + "bounded"];
        if (std::abs(value->value) < 1e38) bounded = 1;
      }
    }
  }
  void add(const program::Linear& linear, const std::string& name) {
    if (linear.constant()) found_[name] = linear.base;
  }
  std::map<std::string, int64_t> take() { return std::move(found_); }

 private:
  static bool is_bound(const std::string& name) { return name == "lo" || name == "hi"; }

  const OpenFields open_;
  std::map<std::string, int64_t> found_;
};

}  // namespace

std::vector<CField> c_fields(const Analysis& analysis, const Operation& operation) {
  return c_fields(analysis, operation, operation.params, {});
}

std::vector<CField> c_fields(const Analysis& analysis, const Operation& operation, const program::Params& params,
                             const Extent& extent) {
  std::vector<CField> out;
  add_fields(OpenFields(analysis, operation, extent), params, "", out);
  return out;
}

namespace {

// The field of the layer's struct that has this type: the line's.
const program::Field* field_of(const program::Params& layer, const program::Params& line) {
  for (const program::Field& field : layer.fields) {
    const auto* inner = std::get_if<program::Params>(&field.value);
    if (inner && inner->type == line.type) return &field;
  }
  return nullptr;
}

}  // namespace

bool is_part(const program::Params& layer, const program::Params& line) {
  return layer.type == line.type || field_of(layer, line) != nullptr;
}

namespace {

// How large the elements of a function probably are, where its time depends on that.
void add_likely(const Analysis& analysis, const Operation& operation, std::map<std::string, int64_t>& found) {
  if (operation.arguments.empty() || operation.arguments[0].role != Argument::Role::read) return;
  const std::optional<program::LikelySizes>& likely = analysis.program[operation.arguments[0].tensor].likely;
  if (!likely || !timing::measured_by_size(analysis.options.target, operation.kernel)) return;
  const auto parts = [](double share) { return std::llround(share * static_cast<double>(timing::kLikelyParts)); };
  found[timing::kLikely] = parts(likely->zeros);
  for (size_t i = 0; i < likely->shares.size(); ++i) found[cat(timing::kLikely, ".", i)] = parts(likely->shares[i]);
}

program::OperationId operation_id(const Analysis& analysis, const Operation& operation) {
  return program::OperationId(static_cast<size_t>(&operation - analysis.program.operations.data()));
}

}  // namespace

std::map<std::string, int64_t> call_parameters(const Analysis& analysis, const Operation& operation,
                                               const Extent& extent) {
  Numbers numbers(analysis, operation, extent);
  numbers.add(operation.params, "");
  if (extent.one_line && operation.line_form) {
    const program::Params& line = operation.line_form->params;
    const program::Field* field = field_of(operation.params, line);
    numbers.add(line, field ? field->name + "." : "");
  }
  std::map<std::string, int64_t> found = numbers.take();
  const auto output = std::find_if(operation.arguments.begin(), operation.arguments.end(),
                                   [](const Argument& a) { return a.role == Argument::Role::write; });
  const bool written = output != operation.arguments.end();
  const std::optional<int64_t> to = written ? address(analysis, output->tensor) : std::nullopt;
  // Code for no core in particular may run on any.
  const std::string& target = analysis.options.target;
  const bool soft = target == "generic" || !timing::core_of(target).floats;
  const bool converted = timing::converts_whole_numbers(operation.kernel);
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const Argument& a = operation.arguments[i];
    found[cat("null.", i)] = a.role == Argument::Role::none;
    if (a.role == Argument::Role::read) found[cat("same.", i)] = to && address(analysis, a.tensor) == to;
    if (a.role == Argument::Role::read && ((soft && is_float(analysis.program[a.tensor].type.dtype)) || converted)) {
      const program::LikelyZeros zeros = likely_zeros(analysis.program, operation_id(analysis, operation), a.tensor);
      found[cat("zeros.", i)] = zeros.usual;
      found[cat("most_zeros.", i)] = zeros.most;
    }
    // Of arrays of smaller elements the compilers that kernels are measured with (-O2) begin each at a word, too.
    if (a.role == Argument::Role::weight && a.weight.valid()) found[cat("word.", i)] = 1;
    if (a.role != Argument::Role::read && a.role != Argument::Role::write) continue;
    found[cat("word.", i)] = address(analysis, a.tensor).value_or(0) % 4 == 0;
  }
  add_likely(analysis, operation, found);
  // The codes that become floats are zeros as often as these are.
  if (soft && written && operation.kernel.starts_with("tarn_int_dequantize_")) {
    const program::OperationId behind(operation_id(analysis, operation).pos() + 1);
    const program::LikelyZeros zeros = likely_zeros(analysis.program, behind, output->tensor);
    found["zeros.0"] = zeros.usual;
    found["most_zeros.0"] = zeros.most;
  }
  add_table_numbers(analysis, operation, found);
  return found;
}

}  // namespace tarn::emit
