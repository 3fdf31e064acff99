// --layout rust: the emitted C behind a safe interface for Rust without std.
#pragma once
#include <map>
#include <string>

#include "compile.h"
#include "report/report.h"

namespace tarn::emit {

// What templates/layout/rust/lib.rs is filled with beside what all layouts know.
std::map<std::string, std::string> rust_holes(const Analysis& analysis, const report::Report& report);

// A name that Cargo and rustc take for a crate.
std::string crate_name(const std::string& prefix);

}  // namespace tarn::emit
