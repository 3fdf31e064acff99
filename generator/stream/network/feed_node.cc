// An operation that runs on the lines of an input as they come.
#include <algorithm>

#include "stream/network/grid.h"
#include "stream/network/net.h"

namespace tarn::stream {

namespace {

using program::Argument;
using program::LineArgument;
using program::LineCall;
using program::LineMap;
using program::Operation;
using How = LineArgument::How;

bool contains(const std::vector<TensorId>& ids, TensorId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool reads(const Operation& operation, TensorId id) {
  return std::any_of(operation.arguments.begin(), operation.arguments.end(),
                     [&](const Argument& a) { return a.tensor == id; });
}

// The only tensor that the operation reads; none if it needs scratch or reads several.
TensorId only_operand(const Operation& operation) {
  TensorId operand;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::scratch || a.role == Argument::Role::update || a.role == Argument::Role::lines)
      return {};
    if (a.role != Argument::Role::read) continue;
    if (operand.valid()) return {};
    operand = a.tensor;
  }
  return operand;
}

// Does the kernel get line r of the operand and nothing else of it?
bool takes_one_line(const Operation& operation) {
  if (!operation.line_form || operation.line_form->accumulate || operation.line_form->calls.size() != 1) return false;
  const LineCall& call = operation.line_form->calls[0];
  return call.when == LineCall::When::each &&
         std::all_of(call.arguments.begin(), call.arguments.end(), [&](const LineArgument& line) {
           switch (line.how) {
             case How::number:
             case How::pixels:
             case How::apart: return true;
             case How::line:
               return operation.arguments[line.argument].role == Argument::Role::write || line.map == LineMap{};
             case How::same: {
               const Argument::Role role = operation.arguments[line.argument].role;
               return role == Argument::Role::weight || role == Argument::Role::none;
             }
             default: return false;
           }
         });
}

// The input that a tensor is, or of which it is a piece.
TensorId input_of(const Program& program, const lifetimes::Storage& storage, TensorId id) {
  for (const lifetimes::Piece& piece : storage.pieces) {
    if (piece.part == id) return piece.input;
    if (piece.input == id) return {};
  }
  return contains(program.inputs, id) ? id : TensorId{};
}

}  // namespace

std::optional<Taken> take_line_by_line(const Program& program, const lifetimes::Storage& storage, Net& net,
                                       const std::vector<OperationId>& order, OperationId id) {
  const Operation& operation = program[id];
  const TensorId operand = only_operand(operation), result = only_result(operation);
  if (!operand.valid() || !result.valid() || !takes_one_line(operation)) return {};
  const TensorId input = input_of(program, storage, operand);
  const lifetimes::BufferId buffer = storage[operand].buffer;
  if (!input.valid() || contains(program.outputs, input) || contains(program.outputs, operand)) return {};
  if (net.outside[buffer.pos()] || net.outside[storage[result].buffer.pos()] || storage[buffer].tensors.size() != 1)
    return {};
  for (OperationId other : order) {
    if (other != id && reads(program[other], operand)) return {};
  }
  Taken taken{operand, operation_node(program, storage, net, id)};
  NetNode& node = taken.node;
  if (node.actor.whole || node.reads.size() != 1 || node.lines != net.memories[buffer.pos()].lines) return {};
  for (int64_t r = 0; r < node.lines; ++r) {
    if (node.reads[0].at(r) != Span{r, r + 1}) return {};
  }
  node.reads.clear();
  node.actor.what = Actor::What::feed;
  node.actor.tensor = result;
  return taken;
}

}  // namespace tarn::stream
