// The files of one model, one function each. emit() joins them.
#pragma once
#include <string>
#include <vector>

#include "compile.h"
#include "emit/call.h"
#include "emit/emit.h"
#include "emit/files.h"
#include "emit/names.h"
#include "report/report.h"

namespace tarn::emit {

// Copied into the writers of files; the analysis and the report outlive them.
struct Context {
  const Analysis& analysis;
  const report::Report& report;
  CNames names;
  EmitOptions options;
  bool one_span = false;  // of several (spans_of): the steps at some of the run-time sizes
};

inline const program::Operation& operation_of(const Context& c, size_t step) {
  return c.analysis.program[c.analysis.schedule.steps[step].operation];
}

// How C is handed its memory: one arena, or a struct with a pointer to each of several.
std::string arena_parameter(const Context& context);        // "void *arena", "const kws_arenas *arena"
std::string const_arena_parameter(const Context& context);  // "const void *arena"
std::string fixed_arena(const Context& context);            // what is passed for the fixed buffers
// The bank's first byte, "arena" or "arena->dtcm", for a tensor that has a place.
std::string bank_pointer(const Context& context, const std::string& bank, const std::string& arena);

std::string arena_header(const Context& context);
std::string model_header(const Context& context);
std::string cpp_header(const Context& context);
std::string model_source(const Context& context, bool with_kernels);

// "static const tarn_x_params kws_params_7 = {...};", with the fields' names; nothing without parameters.
std::string params_definition(const Context& context, const program::Operation& operation,
                              const program::Params& params, const std::string& number, const Extent& extent);
// "Conv: node, node", fit for a comment.
std::string operation_comment(const program::Operation& operation);

// Inputs that stand in the arena before the run, and outputs that do after it.
inline bool has_input_accessors(const Context& c) {
  return !c.analysis.stream || c.analysis.stream->mode == stream::Mode::resident;
}
inline bool has_output_accessors(const Context& c) { return !c.analysis.stream || !c.analysis.stream->drain; }

// The functions that say where: NAME_<port>; NAME_state_<state>, NAME_reset and what saves and restores all states;
// NAME_dim_<output>_<axis>, the actual length of an axis that is known only at run time.
std::string accessors(const Context& context);
std::string state_functions(const Context& context);
std::string dim_functions(const Context& context);
// "case 7u: {...}" of NAME_run_step: step `s`, whose body sets `status`, and the steps inside it, which run with it.
std::string step_case(const Context& context, size_t s);

// NAME_weights.h and .c, or .h, .bin and .S; for --files single the definitions go into the source instead.
std::vector<OutputFile> weight_files(const Context& context);
bool weights_as_binary(const Context& context);
std::string weights_include(const Context& context);

// The check that the file of this plan which ends so is there, by the id it defines. Of an emission without an id none.
std::string own_id_check(const Context& context, const std::string& macro, const std::string& ending);
std::string own_id(const Context& context, const std::string& macro);
void write_weight_arrays(const Context& context, bool own_linkage, const TextSink& sink);

// Text of the model's, fit for a comment.
std::string comment_text(const std::string& text);
// Figures, command line and model for the head comment of a file; each line begins with " * ".
std::string summary(const Context& context);

}  // namespace tarn::emit
