// What the timing of a Thumb instruction depends on, read from its text.
#pragma once
#include <cstdint>

#include "verify/disassembly.h"

namespace tarn::verify {

enum class Kind {
  alu,         // one cycle everywhere
  nothing,     // IT, NOP and VPT: no work of their own
  multiply,    // 32 bits of result
  accumulate,  // MLA, MLS
  multiply_long,
  dsp,  // packed halfwords and bytes
  divide,
  load,
  store,
  load_many,  // also POP and LDRD
  store_many,
  branch,  // conditional or not
  call,
  loop_end,  // LE
  float_arithmetic,
  float_accumulate,
  float_divide,
  float_move,
  vector_arithmetic,  // MVE
  vector_load,
  vector_store,
};

struct Decoded {
  Kind kind = Kind::alu;
  uint64_t reads = 0, writes = 0;  // bits: r0 to r15, s0 to s31, flags
  uint64_t adds_to = 0;            // of a multiplication: what its product is added to, among `reads`
  uint64_t words = 1;              // of a load or store of several
  uint64_t bytes = 2;              // of code
  bool conditional = false;        // a branch that may not be taken
  bool to_pc = false;              // a load or an addition that ends in a jump
  bool shifted = false;            // its operand goes through the shifter

  bool memory() const {
    return kind == Kind::load || kind == Kind::store || kind == Kind::load_many || kind == Kind::store_many ||
           kind == Kind::vector_load || kind == Kind::vector_store;
  }
  bool floating() const {
    return kind == Kind::float_arithmetic || kind == Kind::float_accumulate || kind == Kind::float_divide;
  }
};

constexpr uint64_t kFlags = uint64_t{1} << 48;

Decoded decode_thumb(const Instruction& instruction, uint64_t bytes);

}  // namespace tarn::verify
