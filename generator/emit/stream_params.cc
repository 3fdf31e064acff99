// What actors hand over to their kernels beside lines: parameter structs, and the sources of the kernels.
#include <algorithm>

#include "emit/call.h"
#include "emit/stream_call.h"
#include "program/spread_constants.h"
#include "support/text.h"

namespace tarn::emit {

using program::Argument;
using program::Operation;

namespace {

// Runs of channels, where a kernel counts these, become as many as there are in `lines` lines of the memory.
ActorParams flat_params(const Context& c, const Operation& operation, program::Params params, size_t number,
                        int64_t lines) {
  const stream::LinePlan& plan = *c.analysis.stream;
  int64_t elements = 0, channels = 1;
  for (const Argument& a : operation.arguments) {
    if (a.role != Argument::Role::write) continue;
    const program::Tensor& t = c.analysis.program[a.tensor];
    const stream::Memory& memory = memory_of(plan, a.tensor);
    elements = lines * memory.line_bytes / t.element_bytes();
    channels = std::max<int64_t>(1, t.geometry.channels);
  }
  for (program::Field& field : params.fields) {
    if (field.name == "outer" && std::holds_alternative<int64_t>(field.value)) field.value = elements / channels;
  }
  return {&operation, std::move(params), {.one_line = true, .flat_elements = elements}, cat(number)};
}

// Of so many lines that are one to the kernel (LineForm::joins).
program::Params joined_params(const program::LineForm& form, int64_t lines) {
  program::Params params = form.params;
  const int64_t between = form.lines_between();
  for (program::Field& field : params.fields) {
    int64_t* number = std::get_if<int64_t>(&field.value);
    auto* list = std::get_if<std::vector<int64_t>>(&field.value);
    if (number && field.name == "in_pixels") *number *= lines * between;
    if (number && (field.name == "out_pixels" || field.name == "pixels")) *number *= lines;
    if (number && field.name == "stride") *number *= between;
    if (list && field.name == "stride") list->back() *= between;
    if (list && field.name == "dims") list->front() *= lines;
  }
  return params;
}

}  // namespace

std::vector<ActorParams> params_of(const Context& c, size_t number) {
  const stream::Actor& actor = c.analysis.stream->actors[number];
  if (actor.operations.empty()) return {};
  if (actor.line_buffer) return chain_params(c, number);
  const Operation& operation = c.analysis.program[actor.operations.front()];
  const program::Params& params = actor.whole ? operation.params : operation.line_form->params;
  const int64_t lines = actor.joined ? actor.at_once : 1;
  if (actor.flat || (actor.joined && !operation.line_form->joins))
    return {flat_params(c, operation, params, number, lines)};
  if (actor.joined) return {{&operation, joined_params(*operation.line_form, lines), {.one_line = true}, cat(number)}};
  return {{&operation, params, {.one_line = !actor.whole}, cat(number)}};
}

std::vector<size_t> coded_actors(const Analysis& analysis) {
  const std::vector<bool> running = stream::running_actors(*analysis.stream);
  std::vector<size_t> coded;
  for (size_t i = 0; i < running.size(); ++i) {
    const bool operation = analysis.stream->actors[i].what == stream::Actor::What::operation;
    // Another size may run what this one does not.
    if (running[i] || !operation || !analysis.sizes.empty()) coded.push_back(i);
  }
  return coded;
}

std::string actor_params(const Context& c) {
  std::string out;
  for (const size_t i : coded_actors(c.analysis)) {
    for (const ActorParams& p : params_of(c, i))
      out += params_definition(c, *p.operation, p.params, p.number, p.extent);
  }
  return out;
}

std::set<std::string> kernel_sources(const Analysis& analysis) {
  std::set<std::string> kernels;
  if (analysis.stream) {
    for (const size_t i : coded_actors(analysis)) {
      const stream::Actor& actor = analysis.stream->actors[i];
      for (program::OperationId id : actor.operations) {
        const Operation& operation = analysis.program[id];
        const bool together = actor.at_once > 1 && !actor.joined && operation.line_form->together;
        kernels.insert(actor.whole ? operation.kernel
                       : together  ? operation.line_form->together->kernel
                                   : operation.line_form->file);
      }
    }
  } else {
    for (const schedule::Step& step : analysis.schedule.steps) kernels.insert(analysis.program[step.operation].kernel);
    for (const Analysis& size : analysis.sizes) {
      for (const schedule::Step& step : size.schedule.steps) kernels.insert(size.program[step.operation].kernel);
    }
  }
  kernels.erase("");
  if (analysis.program.codes.valid()) kernels.insert("tarn_unpack");
  kernels.merge(program::spreading_kernels(analysis.program));
  if (analysis.program.image.valid()) kernels.insert("tarn_image_check");
  return kernels;
}

}  // namespace tarn::emit
