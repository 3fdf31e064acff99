// The kernel sources that a program calls, and all that they include.
#pragma once
#include <map>
#include <set>
#include <string>

namespace tarn::emit {

// File name -> text: for every kernel its .c and .h, and for every tarn header included by them that header and the .c
// of the same name. Kernels that are written for another element type are derived (see runtime/README.md).
std::map<std::string, std::string> kernel_files(const std::set<std::string>& kernels);

// Does a kernel of this name exist, or can it be derived?
bool has_kernel(const std::string& name);

}  // namespace tarn::emit
