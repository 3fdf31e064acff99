// --state and its kin: which outputs are the next run's inputs, what they begin with, and where they lie.
#pragma once
#include <map>
#include <string>

#include "compile.h"

namespace tarn {

// What states begin with, by their inputs: a file's values, or those of an initializer that the input has, which
// becomes an input of the graph (null: no states are asked for).
Result<std::map<std::string, Constant>> first_values(const CompileOptions& options, model::GraphDef* graph);

// The states that --state names, and those that go by their names. Names that fit in all but element type or shape are
// a fault where none are found. `all_copied`: why no state can be updated where it lies; empty: those may that can.
Diagnostics keep_states(const CompileOptions& options, const std::string& all_copied, program::Program& program,
                        Diagnostics& warnings);

// Weights that reset copies into the states.
Diagnostics keep_first_values(const CompileOptions& options, const std::map<std::string, Constant>& values,
                              program::Program& program);

// --state-memory separate: two memories, of which the second holds the states alone.
lifetimes::BankOptions state_banks(const program::Program& program);

}  // namespace tarn
