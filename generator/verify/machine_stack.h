// How deep the stack gets below a function, read from its machine code. For code that came without stack figures of
// the compiler's: libgcc's floating-point routines, the C library.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/disassembly.h"

namespace tarn::verify {

// What one instruction does to the stack pointer, and where control goes.
struct StackEffect {
  enum class Flow { next, end, jump, branch, call, indirect_call, indirect_jump };
  Flow flow = Flow::next;
  int64_t grows = 0;                    // bytes; negative: gives back
  int64_t touches = 0;                  // bytes below the pointer that are used without moving it (x86-64's red zone)
  std::optional<uint64_t> target = {};  // of jump, branch, call
  bool conditional = false;             // may have no effect
  bool unknown = false;                 // moves the pointer by an amount that is not understood
};
// `previous` are the instructions before it in memory, nearest last: constants are looked up there.
StackEffect stack_effect(const MachineCode& code, size_t instruction);

struct Depth {
  std::optional<int64_t> bytes;  // below the pointer at entry (x86-64: with the return address above it)
  std::string why_not;           // when there is no bound
};

// The deepest point over every path, calls included. Every instruction of a function that jumps through a table is
// taken for reachable. Results are kept in `known` by entry address.
Depth machine_stack(const MachineCode& code, uint64_t entry, std::map<uint64_t, Depth>& known);

}  // namespace tarn::verify
