// The kernel sources that a program calls, and all that they include.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"
#include "support/diagnostic.h"

namespace tarn::emit {

// File name -> text: for every kernel its .c and .h, and for every tarn header included by them that header and the .c
// of the same name. Kernels that are written for another element type are derived (see runtime/README.md).
// Each header defines the id of its text, that of its source and the headers it includes, and each file checks the ids
// of those that it includes: two models share kernels only when both were written for the same.
std::map<std::string, std::string> kernel_files(const std::set<std::string>& kernels);
// The same without ids, to be joined in one file.
std::map<std::string, std::string> kernel_texts(const std::set<std::string>& kernels);

// The headers included, each with the check of its id.
std::string kernel_includes(const std::vector<std::string>& headers);

// Does a text hold what kernel_files() adds?
bool has_kernel_ids(std::string_view text);
// The tarn headers that a text includes.
std::vector<std::string> kernel_headers_in(std::string_view text);

// Does a kernel of this name exist, or can it be derived?
bool has_kernel(const std::string& name);

// E204 for each operation whose kernel, or a header that it includes, is in no runtime file and cannot be derived: an
// element type that its operator knows and nobody has written a kernel for.
Diagnostics check_kernels(const program::Program& program, const std::string& model_path);

}  // namespace tarn::emit
