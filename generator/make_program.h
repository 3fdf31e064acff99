// From a model to kernel calls that are not planned yet: graph, passes, lowering, states, and weights where they are to
// be.
#pragma once
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "compile.h"
#include "ops/lower.h"

namespace tarn {

// The model that the options name, or the quantised one that stands in for it.
using LoadedModel = std::shared_ptr<const model::Model>;
Result<LoadedModel> load_model(const CompileOptions& options);

// Of the file, which takes a while where it is large.
std::future<std::string> sha256_of(const model::Model& model);

// Kernel calls, not planned yet.
struct Lowered {
  Analysis analysis;
  ops::LowerOptions how;                  // for another graph of the same model
  std::map<std::string, Constant> first;  // values of states
  std::set<std::string> grown;            // tensors that would be constants, were they smaller
};
// `largest`: of one size of run-time dimensions, the largest's, whose constants it reads, and whose layers have room
// for scratch where this one's may have it. `alike`: what is no constant there is none here either.
Result<Lowered> make_program(const CompileOptions& options, const model::Model& model, const Lowered* largest = nullptr,
                             bool alike = false);

// The calls of the graph, with its states, and its weights where they are to be.
Result<program::Program> program_of(const CompileOptions& options, const Lowered& lowered, Diagnostics& warnings);

}  // namespace tarn
