// A network that runs line by line: its tables, the driver over them, and the functions that run, push and pull.
#pragma once
#include <string>

#include "emit/parts.h"

namespace tarn::emit {

// It calls memcpy().
bool moves_columns(const Analysis& analysis);
// Does it copy next states by memcpy?
bool keeps_states_by_lines(const Analysis& analysis);
// What stands in NAME.c in place of the calls of whole layers.
std::string stream_source(const Context& context);
// Where heights are open: what of the code of one height is not that of another but for numbers; empty: nothing.
std::string sized_obstacle(const Context& context);
// Declarations for NAME.h in place of kws_run and kws_run_step, and accessors of what stands in the arena as a whole.
std::string stream_api(const Context& context);
// Sizes of lines for NAME.h.
std::string stream_counts(const Context& context);
// Where lines lie, for the arena's header.
std::string stream_macros(const Context& context);

}  // namespace tarn::emit
