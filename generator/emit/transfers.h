// --weights stream: how a run has its weights read by the caller, one step ahead.
#pragma once
#include <string>

#include "emit/parts.h"

namespace tarn::emit {

bool reads_weights(const Analysis& analysis);

// One call of the caller's function: contiguous weights of a step come together.
struct Transfer {
  int64_t offset = 0, bytes = 0;  // in the image
  int64_t at = 0;                 // in the step's buffer
};
std::vector<Transfer> transfers_of(const program::Program& program, const program::Staging& staging);

// For NAME.h and NAME.c: nothing unless weights are read.
std::string transfer_api(const Context& context);
std::string transfer_source(const Context& context);
// What a step does before its kernel: waits for its own weights, begins to read those of the next that has some. Sets
// `status`; the kernel runs where it is OK.
std::string transfer_statements(const Context& context, size_t step, int indent);
// Reads a weight to where `destination` points, at once.
std::string read_statement(const Context& context, program::WeightId weight, const std::string& destination);

}  // namespace tarn::emit
