// The binary elementwise operators. Integer arithmetic wraps, as it does in the reference implementations; what C
// leaves undefined (division by zero, the most negative number by -1, wide shifts) is given a value.
#include <cmath>

#include "ops/elementwise.h"

namespace tarn::ops {

namespace {

int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }
uint64_t u64(int64_t value) { return static_cast<uint64_t>(value); }

int64_t divide(int64_t u, int64_t v) { return v == 0 ? 0 : v == -1 ? wrap(0 - u64(u)) : u / v; }
int64_t remainder_of(int64_t u, int64_t v) { return v == 0 || v == -1 ? 0 : u % v; }
int64_t floor_mod(int64_t u, int64_t v) {
  const int64_t r = remainder_of(u, v);
  return r != 0 && ((r < 0) != (v < 0)) ? r + v : r;
}

int64_t power(int64_t u, int64_t v) {
  if (v < 0) return u == 1 ? 1 : u == -1 ? (v % 2 != 0 ? -1 : 1) : 0;
  uint64_t result = 1, base = u64(u);
  for (; v > 0; v /= 2) {
    if (v % 2 != 0) result *= base;
    base *= base;
  }
  return wrap(result);
}

}  // namespace

const std::vector<BinaryOp>& binary_ops() {
  static const std::vector<BinaryOp> ops = {
      {"Add", "u + v", "({T})(({U})u + ({U})v)", "({T})(({U})u + ({U})v)", [](double u, double v) { return u + v; },
       [](int64_t u, int64_t v) { return wrap(u64(u) + u64(v)); }},
      {"Sub", "u - v", "({T})(({U})u - ({U})v)", "({T})(({U})u - ({U})v)", [](double u, double v) { return u - v; },
       [](int64_t u, int64_t v) { return wrap(u64(u) - u64(v)); }},
      {"Mul", "u * v", "({T})(({U})u * ({U})v)", "({T})(({U})u * ({U})v)", [](double u, double v) { return u * v; },
       [](int64_t u, int64_t v) { return wrap(u64(u) * u64(v)); }},
      {"Div", "u / v", "v == 0 ? 0 : v == -1 ? ({T})(0 - ({U})u) : ({T})(u / v)", "v == 0 ? 0 : ({T})(u / v)",
       [](double u, double v) { return u / v; }, divide},
      {"Mod", nullptr, "let t = v == 0 || v == -1 ? ({T})0 : ({T})(u % v); t != 0 && (t < 0) != (v < 0) ? t + v : t",
       "v == 0 ? 0 : ({T})(u % v)", nullptr, floor_mod, false, "fmod", "0"},
      {"Mod", "{fmod}(u, v)", "v == 0 || v == -1 ? 0 : ({T})(u % v)", "v == 0 ? 0 : ({T})(u % v)",
       [](double u, double v) { return std::fmod(u, v); }, remainder_of, false, "fmod", "1"},
      {"Min", "u < v || u != u ? u : v", "u < v ? u : v", "u < v ? u : v",
       [](double u, double v) { return u < v || std::isnan(u) ? u : v; },
       [](int64_t u, int64_t v) { return u < v ? u : v; }},
      {"Max", "u > v || u != u ? u : v", "u > v ? u : v", "u > v ? u : v",
       [](double u, double v) { return u > v || std::isnan(u) ? u : v; },
       [](int64_t u, int64_t v) { return u > v ? u : v; }},
      {"Pow", "{pow}(u, v)", "({T}){powi_u64}((uint64_t)(int64_t)u, (int64_t)v)",
       "({T}){powi_u64}((uint64_t)u, (int64_t)v)", [](double u, double v) { return std::pow(u, v); }, power},
      {"PRelu", "u < 0 ? u * v : u", "u < 0 ? ({T})(({U})u * ({U})v) : u", "({T})(u | (v & 0))",
       [](double u, double v) { return u < 0 ? u * v : u; }, nullptr},
      {"Equal", "u == v", "u == v", "u == v", [](double u, double v) { return u == v ? 1.0 : 0.0; },
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u == v); }, true, nullptr, nullptr, true},
      {"Less", "u < v", "u < v", "u < v", [](double u, double v) { return u < v ? 1.0 : 0.0; },
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u < v); }, true},
      {"LessOrEqual", "u <= v", "u <= v", "u <= v", [](double u, double v) { return u <= v ? 1.0 : 0.0; },
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u <= v); }, true},
      {"Greater", "u > v", "u > v", "u > v", [](double u, double v) { return u > v ? 1.0 : 0.0; },
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u > v); }, true},
      {"GreaterOrEqual", "u >= v", "u >= v", "u >= v", [](double u, double v) { return u >= v ? 1.0 : 0.0; },
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u >= v); }, true},
      {"And", nullptr, nullptr, "u != 0 && v != 0", nullptr,
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u != 0 && v != 0); }, true, nullptr, nullptr, true},
      {"Or", nullptr, nullptr, "u != 0 || v != 0", nullptr,
       [](int64_t u, int64_t v) { return static_cast<int64_t>(u != 0 || v != 0); }, true, nullptr, nullptr, true},
      {"Xor", nullptr, nullptr, "(u != 0) != (v != 0)", nullptr,
       [](int64_t u, int64_t v) { return static_cast<int64_t>((u != 0) != (v != 0)); }, true, nullptr, nullptr, true},
      {"BitShift", nullptr, nullptr, "v >= {BITS} ? 0 : ({T})(({U})u << v)", nullptr, nullptr, false, "direction",
       "LEFT"},
      {"BitShift", nullptr, nullptr, "v >= {BITS} ? 0 : ({T})(({U})u >> v)", nullptr, nullptr, false, "direction",
       "RIGHT"},
      {"BitwiseAnd", nullptr, "({T})(u & v)", "({T})(u & v)", nullptr, [](int64_t u, int64_t v) { return u & v; }},
      {"BitwiseOr", nullptr, "({T})(u | v)", "({T})(u | v)", nullptr, [](int64_t u, int64_t v) { return u | v; }},
      {"BitwiseXor", nullptr, "({T})(u ^ v)", "({T})(u ^ v)", nullptr, [](int64_t u, int64_t v) { return u ^ v; }},
  };
  return ops;
}

}  // namespace tarn::ops
