// Blocks: the main list of operations and the bodies of control flow inside it, as a tree; and in which block each
// tensor is at home, that is the innermost one that holds all operations on it.
#pragma once
#include <functional>
#include <vector>

#include "program/program.h"

namespace tarn::program {

struct Block {
  int parent = -1;      // position in Blocks::blocks; -1: this is the main block
  OperationId control;  // the operation whose body this is
  const std::vector<OperationId>* operations = nullptr;
};

struct Blocks {
  std::vector<Block> blocks;  // the main block first
  std::vector<int> of;        // by operation; -1 for those in no block
  std::vector<int> home;      // by tensor; -1 for those nobody touches

  bool within(int inner, int outer) const;  // the same block, or below it
  int common(int a, int b) const;           // the innermost block around both; -1 stands for no block at all
};

Blocks find_blocks(const Program& program);

// Every argument of an operation and of those in its bodies.
void visit_arguments(const Program& program, OperationId id,
                     const std::function<void(OperationId, const Argument&)>& visit);

// Every tensor that holds a run-time size which an operation, or one in its bodies, works with and does not store
// itself.
void visit_sizes(const Program& program, OperationId id, const std::function<void(OperationId, TensorId)>& visit);

}  // namespace tarn::program
