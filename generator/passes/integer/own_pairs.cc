// Pairs of codes with scales of their own: the operator's own arithmetic, in integers wherever that is proved to be the
// same.
#include <algorithm>
#include <cmath>
#include <limits>

#include "passes/integer/pairs.h"

namespace tarn::passes::integer {

namespace {

// An operator of two operands that codes are made of in floats.
struct OwnPair {
  std::string op;
  Codes a, b, y;
  const Chain* chain = nullptr;  // bounds alone

  float number(int32_t code, const Codes& c) const { return static_cast<float>(code - c.signed_zero()) * c.scale; }
  int32_t code(int32_t u, int32_t v) const {
    const float x = number(u, a), z = number(v, b);
    const float r = op == "Add" ? x + z : op == "Sub" ? x - z : op == "Mul" ? x * z : x / z;
    return quantise(chain->apply(r, 0), y);
  }
};

// t = (u - a_zero) * factor + constant; see runtime/int8/tarn_int_product_s8.h.
struct PairProduct {
  int64_t m = 0, constant = 0, mask = 0, post = 0;
  std::vector<int64_t> factors;  // by v, from -128 on; empty: (v - b_zero) * m
};

constexpr double kMostT = 1 << 30;  // leaves room for the constant in 32 bits

// A quotient whose factor is larger is beyond all codes at once: 256 steps.
std::vector<int64_t> quotient_factors(const OwnPair& pair, double unit, int64_t post) {
  const double most = std::ldexp(256.0, static_cast<int>(post));
  std::vector<int64_t> factors;
  for (int32_t v = -128; v < 128; ++v) {
    const int32_t divisor = v - pair.b.signed_zero();
    const double factor = divisor == 0 ? 0 : std::ldexp(unit / divisor, static_cast<int>(post));
    factors.push_back(std::llround(std::clamp(factor, -most, most)));
  }
  return factors;
}

// Widens the zone until all pairs beside it have the operator's own codes. Nothing: a zone of an eighth of a step is
// not enough.
std::optional<PairProduct> with_zone(const OwnPair& pair, int32_t lo, int32_t hi, PairProduct product) {
  const int64_t base = (int64_t{pair.y.signed_zero()} << product.post) + (int64_t{1} << (product.post - 1));
  int64_t farthest = 1;
  for (int32_t v = -128; v < 128; ++v) {
    const int64_t factor = product.factors.empty() ? (v - pair.b.signed_zero()) * product.m
                                                   : product.factors[static_cast<size_t>(int64_t{v} + 128)];
    if (factor == 0 && !product.factors.empty()) continue;
    for (int32_t u = -128; u < 128; ++u) {
      const int64_t t = (u - pair.a.signed_zero()) * factor + base, q = t >> product.post;
      const int32_t code = pair.code(u, v);
      const bool right = std::clamp<int64_t>(q, lo, hi) == code;
      if (right) continue;
      const int64_t step = code > q ? q + 1 : q;  // the one between the two
      if (std::abs(code - q) > 1) return {};
      const int64_t distance = t - step * (int64_t{1} << product.post);
      farthest = std::max(farthest, distance < 0 ? -distance : distance + 1);
    }
  }
  int64_t half = 1;
  while (half < farthest) half *= 2;
  if (half > int64_t{1} << (product.post - 4)) return {};
  product.constant = base + half;
  product.mask = (int64_t{1} << product.post) - 2 * half;
  return product;
}

std::optional<PairProduct> fit_own_product(const OwnPair& pair, int32_t lo, int32_t hi) {
  const double a = static_cast<double>(pair.a.scale), b = static_cast<double>(pair.b.scale),
               y = static_cast<double>(pair.y.scale);
  const bool mul = pair.op == "Mul";
  const double unit = mul ? a * b / y : a / (b * y);
  if (!(unit > 0) || !std::isfinite(unit)) return {};
  // Of products of two differences of codes, 2^16; of a difference with a factor that is cut off at 256 steps, 2^8.
  const double largest = mul ? unit * 65536 : std::min(unit, 256.0) * 256;
  PairProduct product;
  product.post = 20;
  while (product.post > 0 && std::ldexp(largest, static_cast<int>(product.post)) > kMostT) --product.post;
  if (product.post < 8) return {};
  if (mul) product.m = std::llround(std::ldexp(unit, static_cast<int>(product.post)));
  else product.factors = quotient_factors(pair, unit, product.post);
  return with_zone(pair, lo, hi, std::move(product));
}

Constant codes_of_numbers(const OwnPair& pair, const Codes& from) {
  std::vector<int64_t> codes;
  for (int32_t k = -128; k < 128; ++k) codes.push_back(quantise(pair.chain->apply(pair.number(k, from), 0), pair.y));
  return Constant::ints(DType::int8, Shape{256}, codes);
}

// The attributes of a product, a quotient or a choice; false: it stays in floats.
bool set_integers(const OwnPair& pair, int32_t lo, int32_t hi, Node& node) {
  if (pair.op == "Max" || pair.op == "Min") {
    node.op = "IntChoose";
    node.attributes["smaller"] = int64_t{pair.op == "Min"};
    node.attributes["a_codes"] = codes_of_numbers(pair, pair.a);
    node.attributes["b_codes"] = codes_of_numbers(pair, pair.b);
    node.attributes["form"] = std::string("tables of 256 codes");
    return true;
  }
  if (pair.op != "Mul" && pair.op != "Div") return false;
  const std::optional<PairProduct> product = fit_own_product(pair, lo, hi);
  if (!product) return false;
  node.op = "IntProduct";
  node.attributes["product"] = std::vector<int64_t>{product->m, product->constant, product->mask, product->post};
  if (!product->factors.empty())
    node.attributes["factors"] = Constant::ints(DType::int32, Shape{256}, product->factors);
  node.attributes["form"] = std::string("line, own arithmetic near steps");
  return true;
}

}  // namespace

bool fuse_own_pair(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Joined> joined = joined_before(work, q, 8);
  if (!joined) return false;
  const Codes& y = joined->y;
  const Chain& chain = joined->chain;
  const Node* core = joined->core;
  // In the order of the kernel's numbers.
  static const std::vector<std::string> ops = {"Add", "Sub", "Mul", "Div", "Max", "Min"};
  const auto op = std::find(ops.begin(), ops.end(), core->op == "Sum" ? "Add" : core->op);
  const bool bounds = std::all_of(chain.steps.begin(), chain.steps.end(),
                                  [](const Step& s) { return s.op == Step::Op::relu || s.op == Step::Op::clip; });
  const std::optional<Codes> a = codes_of(work, core->inputs[0]), b = codes_of(work, core->inputs[1]);
  if (op == ops.end() || !bounds || !a || !b) return false;
  const auto infinity = std::numeric_limits<float>::infinity();
  const int32_t lo = quantise(chain.apply(-infinity, 0), y), hi = quantise(chain.apply(infinity, 0), y);
  PairForm line;
  line.form.mask = 0;
  const bool sum = *op == "Add" || *op == "Sub";
  if (sum) {
    const float sign = *op == "Sub" ? -1.0f : 1.0f;
    const auto number = [](int32_t code, const Codes& c) {
      return static_cast<float>(code - c.signed_zero()) * c.scale;
    };
    const auto value = [&](int32_t u, int32_t v) {
      return quantise(chain.apply(number(u, *a) + sign * number(v, *b), 0), y);
    };
    const double unit = 1 / static_cast<double>(y.scale);
    line = zoned_pair(value, static_cast<double>(a->scale) * unit, static_cast<double>(b->scale * sign) * unit);
  }
  std::vector<const Node*> origins{core};
  origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
  Node node = fused("IntPair", origins);
  node.attributes["own"] =
      std::vector<int64_t>{op - ops.begin(), a->signed_zero(), b->signed_zero(), y.signed_zero(), lo, hi};
  node.attributes["scales"] = Constant::floats(DType::float32, Shape{3}, {a->scale, b->scale, y.scale});
  node.attributes["line"] =
      std::vector<int64_t>{line.a_factor, line.b_factor, line.constant, line.form.mask, line.form.post};
  node.attributes["form"] = std::string(line.form.mask != 0 ? "line, own arithmetic near steps" : "own arithmetic");
  set_integers({*op, *a, *b, y, &chain}, lo, hi, node);
  node.inputs = {work.as_signed(*a), work.as_signed(*b)};
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

}  // namespace tarn::passes::integer
