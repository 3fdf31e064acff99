#include "verify/core_timing.h"

#include <algorithm>
#include <array>

namespace tarn::verify {
namespace {

// Cores that begin one instruction after the other: what each takes, and what the next one waits for.
class InOrder {
 public:
  explicit InOrder(Target core) : core_(core) {}

  double run(const std::vector<Decoded>& block) const {
    double sum = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      sum += static_cast<double>(cycles(block[i], i > 0 ? &block[i - 1] : nullptr));
      if (i > 0) sum += wait_for(block[i - 1], block[i]);
    }
    return sum;
  }

 private:
  bool m0() const { return core_ == Target::cortex_m0; }
  bool m3() const { return core_ == Target::cortex_m3; }

  uint64_t cycles(const Decoded& d, const Decoded* before) const {
    switch (d.kind) {
      case Kind::load:
      case Kind::store:
        if (m0()) return 2;
        if (d.kind == Kind::store) return 1;  // the write buffer takes it
        // Neighbouring accesses are pipelined, but where the address is what was just loaded.
        return before && before->memory() && (before->writes & d.reads) == 0 ? 1 : 2;
      case Kind::load_many:
      case Kind::store_many: return 1 + d.words;
      case Kind::accumulate: return m3() ? 2 : 1;
      case Kind::multiply_long: return m3() ? 4 : 1;  // M3: 3 to 5
      case Kind::divide: return 6;                    // 2 to 12
      case Kind::float_accumulate: return 3;
      case Kind::float_divide: return 14;
      default: return 1;
    }
  }

  // Results of floating-point arithmetic come a cycle later to the instruction right behind.
  static double wait_for(const Decoded& before, const Decoded& d) {
    return before.floating() && (before.writes & d.reads & ~kFlags) != 0 ? 1 : 0;
  }

  Target core_;
};

// Cores with a longer pipeline, which may begin two instructions in a cycle: each begins when its operands are there,
// in order.
class Pipelined {
 public:
  explicit Pipelined(Target core) : core_(core) {}

  double run(const std::vector<Decoded>& block) {
    std::array<double, 64> ready{};
    double now = -1;                 // the cycle in which the last one began
    double free_at = 0;              // when the next one may, whatever it is
    const Decoded* first = nullptr;  // the only one so far in cycle `now`
    for (const Decoded& d : block) {
      if (d.kind == Kind::nothing) continue;
      double at = std::max(free_at, needed(d, ready));
      if (first && at <= now + 1 && pairs(*first, d) && needed(d, ready) <= now) {
        at = now;
        first = nullptr;
      } else {
        if (last_vector_ && vector(d)) at = std::max(at, now + (same_pipe(*last_vector_, d) ? 2 : 1));
        now = at;
        first = &d;
      }
      last_vector_ = vector(d) ? &d : nullptr;
      free_at = std::max(free_at, now + occupies(d));
      if (occupies(d) > 1) first = nullptr;
      for (size_t bit = 0; bit < ready.size(); ++bit) {
        if ((d.writes >> bit & 1) != 0) ready[bit] = now + latency(d, bit);
      }
    }
    return std::max(free_at, now + 1);
  }

 private:
  static bool vector(const Decoded& d) {
    return d.kind == Kind::vector_arithmetic || d.kind == Kind::vector_load || d.kind == Kind::vector_store;
  }
  static bool same_pipe(const Decoded& a, const Decoded& b) {
    return (a.kind == Kind::vector_arithmetic) == (b.kind == Kind::vector_arithmetic);
  }
  bool m7() const { return core_ == Target::cortex_m7; }

  // A sum that goes on may come a cycle later than other operands.
  static double needed(const Decoded& d, const std::array<double, 64>& ready) {
    double at = 0;
    for (size_t bit = 0; bit < ready.size(); ++bit) {
      if ((d.reads >> bit & 1) != 0) at = std::max(at, ready[bit] - ((d.adds_to >> bit & 1) != 0 ? 1 : 0));
    }
    return at;
  }

  double occupies(const Decoded& d) const {
    switch (d.kind) {
      case Kind::load_many:
      case Kind::store_many: {
        const auto steps = m7() ? (d.words + 1) / 2 : d.words;  // M7: two words at a time
        return static_cast<double>(steps);
      }
      case Kind::divide: return 6;
      case Kind::float_divide: return m7() ? 1 : 14;  // M7: beside the rest, its latency below
      case Kind::loop_end: return 0;
      default: return 1;
    }
  }

  double latency(const Decoded& d, size_t bit) const {
    if (d.memory() && bit < 16 && (d.reads >> bit & 1) != 0) return 1;  // the address that is written back
    switch (d.kind) {
      case Kind::load:
      case Kind::load_many:
      case Kind::vector_load:
      case Kind::vector_arithmetic: return 2;
      case Kind::multiply:
      case Kind::accumulate:
      case Kind::multiply_long: return m7() ? 2 : 1;
      case Kind::dsp: return m7() && d.adds_to != 0 ? 2 : 1;
      case Kind::float_arithmetic: return m7() ? 3 : 2;
      case Kind::float_accumulate: return m7() ? 5 : 3;
      case Kind::float_divide: return 14;
      default: return 1;
    }
  }

  // Whether `b` may begin in the same cycle, right behind `a`.
  bool pairs(const Decoded& a, const Decoded& b) const {
    if (a.kind == Kind::branch || a.kind == Kind::call || a.to_pc || b.kind == Kind::call) return false;
    const uint64_t waits = a.writes & b.reads & ~(b.kind == Kind::branch ? kFlags : 0);
    if (waits != 0 || (a.writes & b.writes & ~kFlags) != 0) return false;
    if (core_ == Target::cortex_m33 || core_ == Target::cortex_m55) {
      // Of 16 bits each, one of them no access to memory.
      return a.bytes == 2 && b.bytes == 2 && (a.kind == Kind::alu || b.kind == Kind::alu || b.kind == Kind::branch) &&
             !(a.memory() && b.memory());
    }
    const auto multiplies = [](const Decoded& d) {
      return d.kind == Kind::multiply || d.kind == Kind::accumulate || d.kind == Kind::multiply_long ||
             d.kind == Kind::dsp || d.kind == Kind::divide;
    };
    if (b.kind == Kind::dsp) return false;  // only as the first of two
    if (a.memory() && b.memory()) return a.kind == Kind::load && b.kind == Kind::load;
    if (a.floating() && b.floating()) return false;
    return !(multiplies(a) && multiplies(b)) && !(a.shifted && b.shifted);
  }

  Target core_;
  const Decoded* last_vector_ = nullptr;
};

}  // namespace

bool has_timing(Target core) { return architecture_of(core) == Architecture::arm; }

double straight_cycles(Target core, const std::vector<Decoded>& block) {
  if (core == Target::cortex_m0 || core == Target::cortex_m3 || core == Target::cortex_m4)
    return InOrder(core).run(block);
  return Pipelined(core).run(block);
}

double jump_cycles(Target core, const Decoded& last, bool split) {
  if (last.kind == Kind::loop_end) return 0;
  switch (core) {
    case Target::cortex_m0: return last.kind == Kind::call || last.to_pc ? 3 : 2;
    case Target::cortex_m7:
      return last.conditional ? 1 : 2;  // predicted
    // A refill of 1 to 3, by the width and alignment of what is jumped to.
    default: return split ? 3 : 2;
  }
}

}  // namespace tarn::verify
