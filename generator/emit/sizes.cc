#include "emit/sizes.h"

#include <algorithm>
#include <set>

#include "emit/fields.h"
#include "emit/literals.h"
#include "emit/sized_numbers.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using program::TensorId;

std::string literal(const CField& field) {
  if (const auto* single = std::get_if<program::Float32>(&field.number))
    return float_literal(static_cast<float>(single->value));
  if (const auto* real = std::get_if<double>(&field.number)) return double_literal(*real);
  return int_literal(std::get<int64_t>(field.number));
}

}  // namespace

std::vector<SizedField> sized_fields(const Analysis& analysis, const std::string& table,
                                     const std::vector<std::vector<CField>>& fields) {
  std::vector<SizedField> out;
  for (size_t f = 0; f < fields.front().size(); ++f) {
    const CField& first = fields.front()[f];
    std::vector<std::string> texts;
    for (const std::vector<CField>& at : fields) texts.push_back(literal(at[f]));
    if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.front(); }))
      continue;
    const std::string own = cat(table, "_", f);
    if (std::holds_alternative<int64_t>(first.number)) {
      std::vector<int64_t> values;
      for (const std::vector<CField>& at : fields) values.push_back(std::get<int64_t>(at[f].number));
      out.push_back({first.path, of_numbers(analysis, own, values)});
    } else {
      const char* type = std::holds_alternative<double>(first.number) ? "double" : "float";
      out.push_back({first.path, in_table(analysis, own, type, texts)});
    }
  }
  return out;
}

std::vector<SizedField> sized_fields(const Analysis& analysis, const CNames& names, size_t step) {
  if (analysis.sizes.empty()) return {};
  const program::OperationId id = analysis.schedule.steps[step].operation;
  std::vector<std::vector<CField>> fields;  // by size
  for (const Analysis& size : analysis.sizes) fields.push_back(c_fields(size, size.program[id]));
  return sized_fields(analysis, cat(names.prefix, "_", names.span, "sizes_", step), fields);
}

namespace {

using Trips = std::optional<int64_t> program::Operation::*;

std::optional<SizedNumber> number_of(const Analysis& analysis, const std::string& table, size_t step, Trips trips) {
  const program::OperationId id = analysis.schedule.steps[step].operation;
  const std::optional<int64_t>& largest = analysis.program[id].*trips;
  if (!largest) return {};
  if (analysis.sizes.empty()) return SizedNumber{cat(*largest), {}, false};
  return of_numbers(analysis, table,
                    at_sizes(analysis, [&](const Analysis& size) { return *(size.program[id].*trips); }));
}

}  // namespace

std::optional<SizedNumber> trips_of(const Analysis& analysis, const CNames& names, size_t step) {
  return number_of(analysis, cat(names.prefix, "_", names.span, "trips_", step), step, &program::Operation::trips);
}

std::optional<SizedNumber> max_trips_of(const Analysis& analysis, const CNames& names, size_t step) {
  return number_of(analysis, cat(names.prefix, "_", names.span, "most_trips_", step), step,
                   &program::Operation::max_trips);
}

SizedNumber place_of(const Analysis& analysis, const CNames& names, TensorId id) {
  if (analysis.sizes.empty()) return {};
  return of_numbers(analysis, cat(names.prefix, "_", names.span, "place_", names.tensors[id.pos()]),
                    at_sizes(analysis, [&](const Analysis& size) { return address_of(size, id); }));
}

SizedNumber outside_place_of(const Analysis& analysis, const CNames& names, TensorId id) {
  if (analysis.sizes.empty()) return {};
  return of_numbers(analysis, cat(names.prefix, "_", names.span, "place_", names.tensors[id.pos()]),
                    at_sizes(analysis, [&](const Analysis& size) {
                      return size.storage[id].offset / size.program[id].element_bytes();
                    }));
}

SizedNumber weight_place_of(const Analysis& analysis, const CNames& names, size_t step, size_t argument) {
  const program::OperationId id = analysis.schedule.steps[step].operation;
  if (analysis.sizes.empty() || !analysis.program[id].arguments[argument].weight.valid()) return {};
  return of_numbers(
      analysis, cat(names.prefix, "_", names.span, "constant_", step, "_", argument),
      at_sizes(analysis, [&](const Analysis& size) { return size.program[id].arguments[argument].weight_offset; }));
}

namespace {

// The last of the sizes that make the same calls.
bool ends_span(const Analysis& analysis, size_t size) {
  return point_at(analysis.options.run_time, size) == highest(analysis.sizes[size].options.run_time);
}

}  // namespace

std::vector<Analysis> spans_of(const Analysis& analysis) {
  if (span_count(analysis) == 1) return {};
  std::vector<Analysis> spans;
  for (size_t i = 0; i < analysis.sizes.size(); ++i) {
    if (!ends_span(analysis, i)) continue;
    Analysis span = i + 1 == analysis.sizes.size() ? analysis : analysis.sizes[i];
    span.options.run_time = analysis.sizes[i].options.run_time;
    span.sizes.clear();
    for (const Analysis& size : analysis.sizes) {
      if (size.options.run_time == span.options.run_time) span.sizes.push_back(size);
    }
    spans.push_back(std::move(span));
  }
  return spans;
}

size_t span_count(const Analysis& analysis) {
  size_t count = 0;
  for (size_t i = 0; i < analysis.sizes.size(); ++i) count += ends_span(analysis, i);
  return std::max<size_t>(1, count);
}

size_t most_steps(const Analysis& analysis) {
  const auto count = [](const Analysis& a) { return a.stream ? a.stream->steps.size() : a.schedule.steps.size(); };
  size_t steps = count(analysis);
  for (const Analysis& size : analysis.sizes) steps = std::max(steps, count(size));
  return steps;
}

Context span_context(const Context& c, const Analysis& span) {
  if (span.sizes.empty() || highest(span.options.run_time) == highest(c.analysis.options.run_time))
    return {span, c.report, c.names, c.options, true};
  CNames names = make_names(c.names.prefix, span.program);
  names.inputs = c.names.inputs;
  names.outputs = c.names.outputs;
  names.weights = c.names.weights;
  names.span = "at_";
  for (const int64_t n : highest(span.options.run_time)) names.span += cat(n, "_");
  return {span, c.report, std::move(names), c.options, true};
}

std::string span_condition(const Analysis& span) {
  const SizeBox &all = span.every_size, &box = span.options.run_time;
  // Of one dimension those below have been asked for.
  if (box.size() == 1) return cat(kSize, " <= ", box[0].high);
  const std::vector<std::string> sizes = size_texts(span);
  std::vector<std::string> parts;
  for (size_t axis = 0; axis < box.size(); ++axis) {
    if (box[axis].low > all[axis].low) parts.push_back(cat(sizes[axis], " >= ", box[axis].low));
    if (box[axis].high < all[axis].high) parts.push_back(cat(sizes[axis], " <= ", box[axis].high));
  }
  return join(parts, " && ");
}

std::string step_tables(const Context& c) {
  if (c.analysis.sizes.empty()) return "";
  std::string out;
  for (size_t s = 0; s < c.analysis.schedule.steps.size(); ++s) {
    for (const SizedField& field : sized_fields(c.analysis, c.names, s)) out += field.number.table;
    for (const auto& number : {trips_of(c.analysis, c.names, s), max_trips_of(c.analysis, c.names, s)})
      out += number ? number->table : "";
    const size_t arguments = c.analysis.program[c.analysis.schedule.steps[s].operation].arguments.size();
    for (size_t a = 0; a < arguments; ++a) out += weight_place_of(c.analysis, c.names, s, a).table;
  }
  // Calls ask for no others: an output may be what another tensor's bytes are.
  std::set<TensorId> asked;
  for (const schedule::Step& step : c.analysis.schedule.steps) {
    for (const program::Argument& a : c.analysis.program[step.operation].arguments) {
      if (a.tensor.valid()) asked.insert(a.tensor);
    }
  }
  for (const TensorId id : asked) {
    const bool nowhere = c.analysis.planning.item_of[storage_of(c.analysis)[id].buffer.pos()] < 0;
    if (nowhere && !is_outside(c.analysis, id)) continue;
    out += (is_outside(c.analysis, id) ? outside_place_of(c.analysis, c.names, id) : place_of(c.analysis, c.names, id))
               .table;
  }
  return out.empty() ? out : "/* What no formula of the size gives, by size. */\n" + out + "\n";
}

}  // namespace tarn::emit
