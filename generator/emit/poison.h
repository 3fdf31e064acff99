// The sanitizer build of emitted code (-DTARN_POISON): in each step, only the buffers that are alive in it may be
// touched.
#pragma once
#include <string>

#include "emit/parts.h"

namespace tarn::emit {

// The tables and macros; nothing where no buffer lies in the arena, or for networks that run by lines.
std::string poison_definitions(const Context& context);

// Around the statements of a step: "KWS_POISON(7);", "KWS_UNPOISON();", as lines of their own; nothing without
// definitions.
std::string poison_line(const Context& context, const std::string& step, int indent);
std::string unpoison_line(const Context& context, int indent);

}  // namespace tarn::emit
