// The worst-case stack of a function: the deepest path through the compiler's call graph, with the frames the compiler
// states; functions it did not compile are bounded from their machine code.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "verify/call_graph.h"
#include "verify/disassembly.h"

namespace tarn::verify {

struct StackBound {
  std::optional<int64_t> bytes;   // empty when a library function cannot be bounded
  std::vector<std::string> path;  // the deepest chain of calls, from the root on
  std::string why_not;            // when there is no bound
};

// `code` is the linked image. On x86-64 the return address that the caller of `root` pushes is counted.
// E407 when the emitted code itself has no bound: recursion, a call through a pointer, a frame of variable size.
Result<StackBound> stack_bound(const CallGraph& graph, const MachineCode& code, const std::string& root);

}  // namespace tarn::verify
