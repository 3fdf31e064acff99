#include "emit/call.h"

#include <algorithm>

#include "emit/fields.h"
#include "emit/literals.h"
#include "emit/sizes.h"
#include "program/stage_weights.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

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

using program::Argument;
using program::Operation;
using program::TensorId;

class FieldWriter {
 public:
  FieldWriter(const Analysis& analysis, const Operation& operation, const Extent& extent)
      : largest_(analysis.program.largest), open_(analysis, operation, extent) {}

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
  std::string operator()(const program::Pitch& pitch) const { return int_literal(open_.number(pitch)); }
  std::string operator()(const program::BlockRange& range) const { return int_literal(open_.number(range)); }
  std::string operator()(const program::Run& run) const { return int_literal(open_.number(run)); }
  std::string operator()(const program::Params& params) { return write(params); }
  // What depends on run-time sizes is set before the call; the constant part has the largest.
  std::string operator()(const program::Linear& linear) const { return int_literal(linear.at(largest_)); }
  std::string operator()(const std::vector<program::Linear>& list) const {
    std::vector<std::string> texts;
    for (const program::Linear& linear : list) texts.push_back((*this)(linear));
    return "{" + join(texts) + "}";
  }

 private:
  const std::vector<int64_t>& largest_;
  const OpenFields open_;
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
    // Macros tell where tensors lie at the largest size.
    if (const SizedNumber at = place_of(analysis, names, a.tensor); at.varies() || !names.span.empty())
      return cat("(", c_type(analysis.program[a.tensor].type.dtype), " *)(void *)((uint8_t *)arena + ", at.text, ")");
    return names.macro("PTR_") + upper(names.tensors[a.tensor.pos()]) + "(arena)";
  }
  // Perhaps at an offset into the caller's buffer (a view).
  const program::Tensor& t = analysis.program[a.tensor];
  const std::string pointer = outside_buffer(analysis, names, a.tensor);
  if (const SizedNumber at = outside_place_of(analysis, names, a.tensor); at.varies())
    return cat(pointer, " + ", at.text);
  return place.offset == 0 ? pointer : cat(pointer, " + ", place.offset / t.element_bytes());
}

std::string linear_text(const Analysis& analysis, const program::Linear& linear,
                        const std::function<std::string(TensorId)>& value) {
  std::string text;
  for (const program::Linear::Term& term : linear.terms) {
    const std::string symbol = value(analysis.program.symbols[static_cast<size_t>(term.symbol)]);
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

std::string linear_text(const Analysis& analysis, const CNames& names, const program::Linear& linear) {
  return linear_text(analysis, linear, [&](TensorId id) {
    return cat("*", names.macro("PTR_"), upper(names.tensors[id.pos()]), "(arena)");
  });
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
  for (const SizedField& field : sized_fields(analysis, names, step))
    out.push_back(cat(variable, field.path, " = ", field.number.text, ";"));
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

std::string staged_place(const CNames& names, const program::Staging& staging, int64_t at) {
  return cat(names.macro("PTR_"), upper(names.tensors[staging.buffer.pos()]), "(arena) + ", at, "u");
}

namespace {

std::string staged_argument(const program::Program& program, const CNames& names, const program::Staging& staging,
                            program::WeightId weight) {
  const auto part = std::find_if(staging.parts.begin(), staging.parts.end(),
                                 [&](const program::Staging::Part& p) { return p.weight == weight; });
  TARN_CHECK(part != staging.parts.end());
  return cat("(const ", c_type(program::plain_dtype(program[weight])), " *)(const void *)(",
             staged_place(names, staging, part->at), ")");
}

}  // namespace

std::string call_text(const Analysis& analysis, const CNames& names, size_t step, int indent,
                      const std::string& params) {
  const Operation& operation = analysis.program[analysis.schedule.steps[step].operation];
  std::vector<std::string> arguments;
  if (!operation.params.type.empty())
    arguments.push_back(params.empty() ? cat("&", names.prefix, "_", names.span, "params_", step) : "&" + params);
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const Argument& a = operation.arguments[i];
    const bool staged = a.role == Argument::Role::weight && a.tensor.valid();
    arguments.push_back(staged ? staged_argument(analysis.program, names, *operation.staging, a.weight)
                               : argument_text(analysis, names, a));
    if (const SizedNumber at = weight_place_of(analysis, names, step, i); at.varies())
      arguments.back() += at.formula ? " + (" + at.text + ")" : " + " + at.text;
  }
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
