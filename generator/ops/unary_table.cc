// The unary elementwise operators. ONNX operator definitions give the formulas.
#include <cmath>

#include "ops/elementwise.h"

namespace tarn::ops {

namespace {

// Folding happens in double and is rounded once to the element type.
double sigmoid(double a) { return a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a)); }
double softplus(double a) { return a > 0 ? a + std::log1p(std::exp(-a)) : std::log1p(std::exp(a)); }
double round_even(double a) { return std::nearbyint(a); }

using P = const double*;

}  // namespace

const std::vector<UnaryOp>& unary_ops() {
  static const std::vector<UnaryOp> ops = {
      {"Abs", "", "a > 0 ? a : 0 - a", "a < 0 ? ({T})(0 - ({U})a) : a", [](double a, P) { return std::fabs(a); },
       [](int64_t a, P) { return a < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a; }, false, {}, nullptr,
       nullptr, false, "a"},
      {"Neg", "", "-a", "({T})(0 - ({U})a)", [](double a, P) { return -a; },
       [](int64_t a, P) { return static_cast<int64_t>(0 - static_cast<uint64_t>(a)); }},
      {"Sign", "", "a > 0 ? {1.0} : a < 0 ? {-1.0} : a == 0 ? {0.0} : a", "({T})((a > 0) - (a < 0))",
       [](double a, P) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; },
       [](int64_t a, P) { return static_cast<int64_t>((a > 0) - (a < 0)); }, false, {}, nullptr, nullptr, false, "a > 0"},
      {"Exp", "", "{exp}(a)", nullptr, [](double a, P) { return std::exp(a); }, nullptr},
      {"Log", "", "{log}(a)", nullptr, [](double a, P) { return std::log(a); }, nullptr},
      {"Sqrt", "", "{sqrt}(a)", nullptr, [](double a, P) { return std::sqrt(a); }, nullptr},
      {"Reciprocal", "", "{1.0} / a", nullptr, [](double a, P) { return 1 / a; }, nullptr},
      {"Floor", "", "{floor}(a)", nullptr, [](double a, P) { return std::floor(a); }, nullptr},
      {"Ceil", "", "{ceil}(a)", nullptr, [](double a, P) { return std::ceil(a); }, nullptr},
      {"Round", "", "{rint}(a)", nullptr, [](double a, P) { return round_even(a); }, nullptr},
      {"Sin", "", "{sin}(a)", nullptr, [](double a, P) { return std::sin(a); }, nullptr},
      {"Cos", "", "{cos}(a)", nullptr, [](double a, P) { return std::cos(a); }, nullptr},
      {"Tan", "", "{tan}(a)", nullptr, [](double a, P) { return std::tan(a); }, nullptr},
      {"Asin", "", "{asin}(a)", nullptr, [](double a, P) { return std::asin(a); }, nullptr},
      {"Acos", "", "{acos}(a)", nullptr, [](double a, P) { return std::acos(a); }, nullptr},
      {"Atan", "", "{atan}(a)", nullptr, [](double a, P) { return std::atan(a); }, nullptr},
      {"Sinh", "", "{sinh}(a)", nullptr, [](double a, P) { return std::sinh(a); }, nullptr},
      {"Cosh", "", "{cosh}(a)", nullptr, [](double a, P) { return std::cosh(a); }, nullptr},
      {"Tanh", "", "{tanh}(a)", nullptr, [](double a, P) { return std::tanh(a); }, nullptr},
      {"Asinh", "", "{asinh}(a)", nullptr, [](double a, P) { return std::asinh(a); }, nullptr},
      {"Acosh", "", "{acosh}(a)", nullptr, [](double a, P) { return std::acosh(a); }, nullptr},
      {"Atanh", "", "{atanh}(a)", nullptr, [](double a, P) { return std::atanh(a); }, nullptr},
      {"Erf", "", "{erf}(a)", nullptr, [](double a, P) { return std::erf(a); }, nullptr},
      {"Sigmoid", "", "{sigmoid}(a)", nullptr, [](double a, P) { return sigmoid(a); }, nullptr},
      {"Softplus", "", "{softplus}(a)", nullptr, [](double a, P) { return softplus(a); }, nullptr},
      {"Softsign", "", "a / ({1.0} + (a > 0 ? a : -a))", nullptr, [](double a, P) { return a / (1 + std::fabs(a)); }, nullptr},
      {"Relu", "", "a < 0 ? {0.0} : a", "a < 0 ? 0 : a", [](double a, P) { return a < 0 ? 0.0 : a; },
       [](int64_t a, P) { return a < 0 ? 0 : a; }},
      {"LeakyRelu", "", "a < 0 ? {p.alpha} * a : a", nullptr, [](double a, P p) { return a < 0 ? p[0] * a : a; }, nullptr,
       false, {{"alpha", 0.01}}},
      {"Elu", "", "a < 0 ? {p.alpha} * {expm1}(a) : a", nullptr,
       [](double a, P p) { return a < 0 ? p[0] * std::expm1(a) : a; }, nullptr, false, {{"alpha", 1.0}}},
      {"Selu", "", "{p.gamma} * (a > 0 ? a : {p.alpha} * {expm1}(a))", nullptr,
       [](double a, P p) { return p[1] * (a > 0 ? a : p[0] * std::expm1(a)); }, nullptr, false,
       {{"alpha", 1.67326319217681884765625}, {"gamma", 1.05070102214813232421875}}},
      {"Celu", "", "a < 0 ? {p.alpha} * {expm1}(a / {p.alpha}) : a", nullptr,
       [](double a, P p) { return a < 0 ? p[0] * std::expm1(a / p[0]) : a; }, nullptr, false, {{"alpha", 1.0}}},
      {"ThresholdedRelu", "", "a > {p.alpha} ? a : {0.0}", nullptr, [](double a, P p) { return a > p[0] ? a : 0.0; },
       nullptr, false, {{"alpha", 1.0}}},
      {"HardSigmoid", "", "let t = {p.alpha} * a + {p.beta}; t < 0 ? {0.0} : t > 1 ? {1.0} : t", nullptr,
       [](double a, P p) { return std::fmin(1, std::fmax(0, p[0] * a + p[1])); }, nullptr, false,
       {{"alpha", 0.2}, {"beta", 0.5}}},
      {"HardSwish", "", "let t = a * {0.16666666666666666} + {0.5}; t < 0 ? a * {0.0} : t > 1 ? a : a * t", nullptr,
       [](double a, P) { return a * std::fmin(1, std::fmax(0, a / 6 + 0.5)); }, nullptr},
      {"Mish", "", "a * {tanh}({softplus}(a))", nullptr, [](double a, P) { return a * std::tanh(softplus(a)); }, nullptr},
      {"Swish", "", "a * {sigmoid}({p.alpha} * a)", nullptr, [](double a, P p) { return a * sigmoid(p[0] * a); }, nullptr,
       false, {{"alpha", 1.0}}},
      {"Gelu", "", "{0.5} * a * ({1.0} + {erf}(a * {0.70710678118654752}))", nullptr,
       [](double a, P) { return 0.5 * a * (1 + std::erf(a * 0.70710678118654752)); }, nullptr, false, {}, "approximate",
       "none"},
      {"Gelu", "", "{0.5} * a * ({1.0} + {tanh}({0.79788456080286536} * (a + {0.044715} * a * a * a)))", nullptr,
       [](double a, P) { return 0.5 * a * (1 + std::tanh(0.79788456080286536 * (a + 0.044715 * a * a * a))); }, nullptr,
       false, {}, "approximate", "tanh"},
      {"Shrink", "", "a < -{p.lambd} ? a + {p.bias} : a > {p.lambd} ? a - {p.bias} : {0.0}",
       "({T})((float)a < -{p.lambd} ? (float)a + {p.bias} : (float)a > {p.lambd} ? (float)a - {p.bias} : 0.0f)",
       [](double a, P p) { return a < -p[1] ? a + p[0] : a > p[1] ? a - p[0] : 0.0; }, nullptr, false,
       {{"bias", 0.0}, {"lambd", 0.5}}},
      {"IsNaN", "", "a != a", nullptr, [](double a, P) { return std::isnan(a) ? 1.0 : 0.0; }, nullptr, true},
      {"IsInf", "",
       "({p.detect_positive} != 0 && a > 0 && a - a != 0) || ({p.detect_negative} != 0 && a < 0 && a - a != 0)", nullptr,
       [](double a, P p) { return std::isinf(a) && (a > 0 ? p[0] : p[1]) != 0 ? 1.0 : 0.0; }, nullptr, true,
       {{"detect_positive", 1}, {"detect_negative", 1}}},
      {"Not", "", nullptr, "a == 0", nullptr, [](int64_t a, P) { return static_cast<int64_t>(a == 0); }, true, {}, nullptr,
       nullptr, true},
      {"BitwiseNot", "", nullptr, "({T})~a", nullptr, [](int64_t a, P) { return ~a; }},
  };
  return ops;
}

}  // namespace tarn::ops
