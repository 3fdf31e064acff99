// The C that makes one line of one actor.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/parts.h"

namespace tarn::emit {

// What the lines of actors are written with. Fills up as calls are written: the tables and small functions that they
// need.
struct LineText {
  const Context& c;
  const stream::LinePlan& plan;
  // Whose lines are found through the table of lines: a tensor's, or those of the memory it lies in.
  struct Lines {
    program::TensorId tensor;
    bool of_memory = false;
    bool operator==(const Lines&) const = default;
  };
  std::vector<Lines> lines;
  std::vector<std::string> addresses;              // of tables of addresses, joined
  std::map<int, size_t> tables;                    // by memory: where its table begins in `addresses`
  std::set<std::string> row_types, divided_types;  // C types of arrays of rows, and of those found by a division
  bool chains = false;                             // a line-buffer operator's small functions are called
  bool side_by_side = false;                       // the count of lines side by side is called
  bool apart = false;                              // the comparison of two ranges of memory is called
  std::set<std::string> apart_rows;                // and that of rows, by C type

  // Arguments of operations whose constant begins elsewhere at some height.
  std::set<std::pair<program::OperationId, size_t>> moved_constants;
  std::set<std::string> sized_params;  // parameter structs of which the actor has a copy for the height, by number

  explicit LineText(const Context& context) : c(context), plan(*context.analysis.stream) {}
};

// The local copy of a parameter struct with the numbers of the height.
std::string sized_params(const std::string& number);
// The parameter struct of an operation in a call: the constant one, or the copy.
std::string params_text(const LineText& text, const std::string& number);

// An argument that is no line: what lies in the arena as a whole, or a constant.
std::string operand_text(const LineText& text, program::OperationId id, size_t argument);

// "&kws_lines_of[3]", for a tensor with lines in the arena.
std::string lines_of(LineText& text, program::TensorId id, bool of_memory = false);
// What addresses of its lines are counted from: the arena, or memory of the caller's.
std::string base_of(const LineText& text, program::TensorId id);
// The memory that a tensor lies in; the buffers' come first, those of the caller's too.
const stream::Memory& memory_of(const stream::LinePlan& plan, program::TensorId id);
// A typed pointer to a line: "(float *)(void *)kws_line(arena, &kws_lines_of[3], r)".
std::string line_pointer(LineText& text, program::TensorId id, const std::string& line, bool of_memory = false);

// The statements of an actor that runs operations; `number` is its own.
std::string actor_statements(LineText& text, size_t number, int indent);

// A parameter struct of an actor's call.
struct ActorParams {
  const program::Operation* operation = nullptr;
  program::Params params;
  Extent extent;
  std::string number;  // "7", of joined layers "7_0"
};

// The same for a line-buffer operator, and its parameter structs.
std::string chain_statements(LineText& text, size_t number);
std::vector<ActorParams> chain_params(const Context& context, size_t number);

// The actors that have code; an operation that no step runs has none.
std::vector<size_t> coded_actors(const Analysis& analysis);

// Those of an actor.
std::vector<ActorParams> params_of(const Context& context, size_t actor);
// The parameter structs of all actors.
std::string actor_params(const Context& context);

// The sources of kernels that are called.
std::set<std::string> kernel_sources(const Analysis& analysis);

}  // namespace tarn::emit
