// The call graph with stack figures that gcc writes beside an object (-fcallgraph-info=su).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::verify {

struct CalledFunction {
  std::string symbol;                  // as the linker sees it
  std::optional<int64_t> stack_bytes;  // its own frame; empty when it is not defined here
  bool dynamic = false;                // the frame's size is known only at run time
  std::vector<std::string> calls;      // keys into the graph
};

// By gcc's own key: the symbol, or "file.c:symbol" for functions that are local to a file.
using CallGraph = std::map<std::string, CalledFunction>;

inline constexpr std::string_view kIndirectCall = "__indirect_call";

// Adds one file's graph. `file` keeps equal names of local functions in different files apart. False when the text
// is no such graph.
bool add_call_graph(std::string_view text, const std::string& file, CallGraph& graph);

}  // namespace tarn::verify
