// The kernel sources that a program calls, and all that they include.
#pragma once
#include <map>
#include <set>
#include <string>

#include "program/program.h"
#include "support/diagnostic.h"

namespace tarn::emit {

// File name -> text: for every kernel its .c and .h, and for every tarn header included by them that header and the .c
// of the same name. Kernels that are written for another element type are derived (see runtime/README.md).
std::map<std::string, std::string> kernel_files(const std::set<std::string>& kernels);

// Does a kernel of this name exist, or can it be derived?
bool has_kernel(const std::string& name);

// E204 for each operation whose kernel, or a header that it includes, is in no runtime file and cannot be derived: an
// element type that its operator knows and nobody has written a kernel for.
Diagnostics check_kernels(const program::Program& program, const std::string& model_path);

}  // namespace tarn::emit
