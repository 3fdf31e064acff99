// What mutated sources call. All mutants are in one program; the environment variable TARN_MUTANT chooses the one that
// is alive, 0 none of them. An operator `a < b` becomes `a < compare(...) > b`: its operands are neither found nor
// repeated, and what binds tighter still does.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace tarn_mutation {

inline const int chosen = [] {
  const char* text = std::getenv("TARN_MUTANT");
  return text ? std::atoi(text) : 0;
}();

// By mutant: the program came to its place. Kept in the file that TARN_MUTANT_REACHED names, if it does, and so by the
// children of a program too.
constexpr int kMost = 1 << 16;
inline char at_hand[kMost];
inline char* reached = at_hand;
inline const bool in_file = [] {
  const char* path = std::getenv("TARN_MUTANT_REACHED");
  const int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return false;
  void* const mapped = mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return false;
  reached = static_cast<char*>(mapped);
  for (int m = 0; m < kMost; ++m) reached[m] |= at_hand[m];  // what was reached before this
  return true;
}();

inline bool on(int mutant) {
  reached[mutant] = 1;
  return mutant == chosen;
}

enum Operator { lt, le, gt, ge, eq, ne, add, sub };

struct Relation {
  Operator op;
};
struct Equality {
  Operator op;
};
struct Sum {
  Operator op;
};
inline Relation relation(int mutant, Operator as_is, Operator mutated) { return {on(mutant) ? mutated : as_is}; }
inline Equality equality(int mutant, Operator as_is, Operator mutated) { return {on(mutant) ? mutated : as_is}; }
inline Sum sum(int mutant, Operator as_is, Operator mutated) { return {on(mutant) ? mutated : as_is}; }

template <class A, class Tag>
struct Left {
  const A& a;
  Tag tag;
};
template <class A>
Left<A, Relation> operator<(const A& a, Relation r) {
  return {a, r};
}
template <class A, class B>
bool operator>(const Left<A, Relation>& l, const B& b) {
  switch (l.tag.op) {
    case lt: return l.a < b;
    case le: return l.a <= b;
    case gt: return l.a > b;
    default: return l.a >= b;
  }
}
template <class A>
Left<A, Equality> operator==(const A& a, Equality r) {
  return {a, r};
}
template <class A, class B>
bool operator==(const Left<A, Equality>& l, const B& b) {
  return l.tag.op == eq ? l.a == b : !(l.a == b);
}
template <class A>
Left<A, Sum> operator+(const A& a, Sum s) {
  return {a, s};
}
template <class A, class B>
auto operator+(const Left<A, Sum>& l, const B& b) {
  return l.tag.op == add ? l.a + b : l.a - b;
}

template <class T>
T most(int mutant, const T& a, const T& b) {
  return on(mutant) ? std::min(a, b) : std::max(a, b);
}
template <class T>
T least(int mutant, const T& a, const T& b) {
  return on(mutant) ? std::max(a, b) : std::min(a, b);
}

}  // namespace tarn_mutation
