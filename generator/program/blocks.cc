#include "program/blocks.h"

#include <algorithm>

namespace tarn::program {

namespace {

void add_block(const Program& program, Blocks& blocks, int parent, OperationId control,
               const std::vector<OperationId>& operations) {
  const int at = static_cast<int>(blocks.blocks.size());
  blocks.blocks.push_back({parent, control, &operations});
  for (OperationId id : operations) {
    blocks.of[id.pos()] = at;
    for (const std::vector<OperationId>& body : program[id].bodies) add_block(program, blocks, at, id, body);
  }
}

void add_symbols(const Linear& linear, std::vector<int>& symbols) {
  for (const Linear::Term& term : linear.terms) symbols.push_back(term.symbol);
}

void add_symbols(const Params& params, std::vector<int>& symbols) {
  for (const Field& field : params.fields) {
    if (const auto* linear = std::get_if<Linear>(&field.value)) add_symbols(*linear, symbols);
    if (const auto* list = std::get_if<std::vector<Linear>>(&field.value)) {
      for (const Linear& linear : *list) add_symbols(linear, symbols);
    }
    if (const auto* inner = std::get_if<Params>(&field.value)) add_symbols(*inner, symbols);
  }
}

}  // namespace

bool Blocks::within(int inner, int outer) const {
  for (int b = inner; b >= 0; b = blocks[static_cast<size_t>(b)].parent) {
    if (b == outer) return true;
  }
  return false;
}

int Blocks::common(int a, int b) const {
  if (a < 0) return b;
  for (int x = a; x >= 0; x = blocks[static_cast<size_t>(x)].parent) {
    if (within(b, x)) return x;
  }
  return 0;
}

Blocks find_blocks(const Program& program) {
  Blocks blocks;
  blocks.of.assign(program.operations.size(), -1);
  blocks.home.assign(program.tensors.size(), -1);
  add_block(program, blocks, -1, {}, program.main);
  for (OperationId id : program.epilogue) blocks.of[id.pos()] = 0;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    if (blocks.of[i] < 0) continue;
    for (const Argument& a : program.operations[i].arguments) {
      if (!a.tensor.valid()) continue;
      int& home = blocks.home[a.tensor.pos()];
      home = blocks.common(home, blocks.of[i]);
    }
  }
  for (TensorId id : program.inputs) blocks.home[id.pos()] = 0;
  for (TensorId id : program.outputs) blocks.home[id.pos()] = 0;
  for (TensorId id : program.states) blocks.home[id.pos()] = 0;
  if (program.set_size.valid()) blocks.home[program.set_size.pos()] = 0;
  return blocks;
}

void visit_arguments(const Program& program, OperationId id,
                     const std::function<void(OperationId, const Argument&)>& visit) {
  for (const Argument& a : program[id].arguments) visit(id, a);
  for (const std::vector<OperationId>& body : program[id].bodies) {
    for (OperationId inner : body) visit_arguments(program, inner, visit);
  }
}

void visit_sizes(const Program& program, OperationId id, const std::function<void(OperationId, TensorId)>& visit) {
  const Operation& operation = program[id];
  std::vector<int> symbols;
  add_symbols(operation.params, symbols);
  for (const Argument& a : operation.arguments) {
    if (!a.tensor.valid()) continue;
    for (const RuntimeAxis& axis : program[a.tensor].runtime) add_symbols(axis.size, symbols);
  }
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  for (int symbol : symbols) {
    const TensorId size = program.symbols[static_cast<size_t>(symbol)];
    const bool own = std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const Argument& a) {
      return a.role == Argument::Role::write && a.tensor == size;
    });
    if (!own) visit(id, size);
  }
  for (const std::vector<OperationId>& body : operation.bodies) {
    for (OperationId inner : body) visit_sizes(program, inner, visit);
  }
}

}  // namespace tarn::program
