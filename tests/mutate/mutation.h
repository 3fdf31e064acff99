// What mutated sources call. All mutants are in one program; the environment variable TARN_MUTANT chooses the one that
// is alive, 0 none of them. An operator `a < b` becomes `a < compare(...) > b`: its operands are neither found nor
// repeated, and what binds tighter still does.
#pragma once
#include <algorithm>
#include <cstdlib>

namespace tarn_mutation {

inline const int chosen = [] {
  const char* text = std::getenv("TARN_MUTANT");
  return text ? std::atoi(text) : 0;
}();
inline bool on(int mutant) { return mutant == chosen; }

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
