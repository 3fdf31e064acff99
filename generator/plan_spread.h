// Constants that few numbers tell, spread out in the arena for each step that reads them (spread_constants.h).
#pragma once
#include "plan_layers.h"

namespace tarn {

int64_t weight_bytes(const program::Program& program);

// Where the arena does not grow for it and it takes little time.
void spread_where_room(const CompileOptions& options, const Variant& variant, program::Program& program,
                       Planned& planned);

}  // namespace tarn
