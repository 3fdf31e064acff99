// What the command line says of planning and lowering.
#pragma once
#include <string>
#include <vector>

#include "cli/reader.h"
#include "compile.h"

namespace tarn::cli {

const std::vector<std::string>& known_targets();
std::string full_target(const std::string& name);  // "m4" is short for "cortex-m4"

void read_compile(Reader& reader, CompileOptions& compile);

}  // namespace tarn::cli
