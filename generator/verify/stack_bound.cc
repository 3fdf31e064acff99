#include "verify/stack_bound.h"

#include <algorithm>

#include "support/text.h"
#include "verify/machine_stack.h"

namespace tarn::verify {
namespace {

struct Below {
  int64_t bytes = 0;
  std::vector<std::string> path;
};

struct Search {
  const CallGraph& graph;
  const MachineCode& code;
  std::map<uint64_t, Depth> machine;
  std::map<std::string, Below> done;
  std::vector<std::string> chain;  // what is being looked at, from the root on
  std::optional<Diagnostic> fault;
  std::string why_not;

  void refuse(const std::string& what) {
    fault = Diagnostic{"E407", {}, "the stack of the emitted code has no bound: " + what, ""};
  }
  Below library_function(const std::string& symbol);
  int64_t realignment(const std::string& symbol) const;
  Below below(const std::string& key);
};

Below Search::library_function(const std::string& symbol) {
  const auto entry = code.functions.find(symbol);
  if (entry == code.functions.end()) {
    why_not = "no code of " + symbol + " in the image";
    return {0, {symbol}};
  }
  const Depth depth = machine_stack(code, entry->second, machine);
  if (!depth.bytes) why_not = symbol + ": " + depth.why_not;
  const int64_t return_address = code.isa == Isa::x86_64 ? 8 : 0;
  return {return_address + depth.bytes.value_or(0), {symbol}};
}

// What a frame may lose to an alignment beyond the calls' own (x86-64: and $-32, %rsp), which gcc's figure leaves out.
int64_t Search::realignment(const std::string& symbol) const {
  const auto entry = code.functions.find(symbol);
  if (code.isa != Isa::x86_64 || entry == code.functions.end()) return 0;
  const std::optional<size_t> first = instruction_at(code, entry->second);
  int64_t most = 0;
  for (size_t i = first.value_or(code.instructions.size()); i < code.instructions.size(); ++i) {
    const Instruction& instruction = code.instructions[i];
    const Label* label = label_of(code, instruction.address);
    if (label == nullptr || label->address != entry->second) break;
    if (!instruction.mnemonic.starts_with("and") || !instruction.operands.ends_with(",%rsp")) continue;
    most = std::max(most, stack_effect(code, i).grows);
  }
  return most;
}

Below Search::below(const std::string& key) {
  if (const auto at = done.find(key); at != done.end()) return at->second;
  if (std::find(chain.begin(), chain.end(), key) != chain.end()) {
    refuse("recursion through " + join(chain, " -> ") + " -> " + key);
    return {};
  }
  const auto at = graph.find(key);
  if (key == kIndirectCall) {
    refuse((chain.empty() ? key : chain.back()) + " calls through a pointer");
    return {};
  }
  const CalledFunction* function = at == graph.end() ? nullptr : &at->second;
  if (!function || !function->stack_bytes) return done[key] = library_function(function ? function->symbol : key);
  if (function->dynamic) refuse(function->symbol + " has a frame of variable size");

  chain.push_back(key);
  Below deepest;
  for (const std::string& called : function->calls) {
    Below candidate = below(called);
    if (fault) return {};
    if (candidate.bytes > deepest.bytes || deepest.path.empty()) deepest = std::move(candidate);
  }
  chain.pop_back();
  deepest.bytes += *function->stack_bytes + realignment(function->symbol);
  // A function written in assembly has a frame and calls that the compiler knows nothing of.
  if (const auto entry = code.functions.find(function->symbol); deepest.bytes == 0 && entry != code.functions.end()) {
    deepest.bytes = machine_stack(code, entry->second, machine).bytes.value_or(0);
  }
  deepest.path.insert(deepest.path.begin(), function->symbol);
  return done[key] = deepest;
}

}  // namespace

Result<StackBound> stack_bound(const CallGraph& graph, const MachineCode& code, const std::string& root) {
  Search search{graph, code, {}, {}, {}, {}, ""};
  const Below deepest = search.below(root);
  if (search.fault) return *search.fault;
  StackBound bound;
  bound.path = deepest.path;
  bound.why_not = search.why_not;
  if (!search.why_not.empty()) return bound;
  bound.bytes = deepest.bytes;
  // Calls that the compiler writes as text are not in its graph (tables of switches on Armv6-M). The machine code of
  // the whole, where it can be followed, shows them.
  if (code.functions.contains(root)) {
    const Below whole = search.library_function(root);
    if (search.why_not.empty()) bound.bytes = std::max(deepest.bytes, whole.bytes);
  }
  return bound;
}

}  // namespace tarn::verify
