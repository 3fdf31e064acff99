#include "passes/integer/pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/integer.h"
#include "passes/integer/chain.h"

namespace tarn::passes::integer {

std::optional<Joined> joined_before(const Work& work, const Node& q, int bits) {
  const std::optional<Codes> y = work.quantises(q, bits);
  if (!y) return {};
  Chain chain = trace(work, q.inputs[0], -1);
  const Node* core = work.producer(chain.from);
  const bool joins = core && core->domain.empty() && core->inputs.size() == 2 && core->integer("broadcast", 0) == 0;
  if (!joins || !work.only_link(chain.from)) return {};
  return Joined{*y, std::move(chain), core};
}

namespace {

constexpr size_t kMostExceptions = 512;  // pairs

struct Codes2 {
  std::vector<int32_t> code;  // of pair (a, b) at (a + 128) * 256 + b + 128
  const int32_t* row(int32_t a) const { return code.data() + static_cast<size_t>(a + 128) * 256; }
};

int64_t begin_of(const requant::Form& form, int64_t k) {
  return k * (int64_t{1} << form.post) + (((k + form.parity) & 1) != 0 ? form.tie : 0);
}

// b * b_factor for all b; with a * a_factor, a constant and a step it takes 31 bits, see line_of_pairs().
std::array<int32_t, 256> products(const PairForm& pair) {
  std::array<int32_t, 256> all = {};
  int32_t b = -128;
  for (int32_t& product : all) product = static_cast<int32_t>(b++ * pair.b_factor);
  return all;
}

// The constant may be no less than the lows and no more than the highs; those of odd codes (see Form) move with the
// tie.
struct Limits {
  static constexpr int32_t kLeast = INT32_MIN, kMost = INT32_MAX;  // no bound
  int32_t even_low = kLeast, odd_low = kLeast, even_high = kMost, odd_high = kMost;
};

Limits find_limits(const Codes2& codes, const PairForm& pair) {
  const std::array<int32_t, 256> along_b = products(pair);
  const int32_t lo = pair.form.lo, hi = pair.form.hi, post = pair.form.post, parity = pair.form.parity;
  Limits r;
  for (int32_t a = -128; a < 128; ++a) {
    const int32_t* row = codes.row(a);
    const auto along_a = static_cast<int32_t>(a * pair.a_factor);
    for (size_t i = 0; i < 256; ++i) {
      const int32_t k = row[i], distance = (k << post) - along_a - along_b[i];
      const bool odd = ((k + parity) & 1) != 0;
      const int32_t low = k > lo ? distance : Limits::kLeast;
      const int32_t high = k < hi ? distance + (1 << post) - 1 : Limits::kMost;  // where the next code begins
      r.even_low = std::max(r.even_low, odd ? Limits::kLeast : low);
      r.odd_low = std::max(r.odd_low, odd ? low : Limits::kLeast);
      r.even_high = std::min(r.even_high, odd ? high : Limits::kMost);
      r.odd_high = std::min(r.odd_high, odd ? Limits::kMost : high);
    }
  }
  return r;
}

// Does any pair of the row have another code on the line?
bool any_wrong(const requant::Form& form, const int32_t* row, const std::array<int32_t, 256>& along_b, int32_t start) {
  const int32_t fraction = (1 << form.post) - 1;
  int32_t wrong = 0;
  for (size_t i = 0; i < 256; ++i) {
    const int32_t t = start + along_b[i], q = t >> form.post;
    const int32_t late = ((q + form.parity) & 1) & static_cast<int32_t>((t & fraction) < form.tie);
    wrong |= std::min(std::max(q - late, form.lo), form.hi) ^ row[i];
  }
  return wrong != 0;
}

// A line of at most `most` exceptions, whose zone they and the ties give their size.
std::optional<PairForm> fit_with(const Codes2& codes, const Limits& limits, PairForm pair, size_t most) {
  requant::Form& form = pair.form;
  if (std::max(limits.even_low, limits.odd_low) == Limits::kLeast) return {};
  if (std::min(limits.even_high, limits.odd_high) == Limits::kMost) return {};
  const int64_t low = std::max<int64_t>(limits.even_low, int64_t{limits.odd_low} + form.tie);
  const int64_t high = std::min<int64_t>(limits.even_high, int64_t{limits.odd_high} + form.tie);
  pair.constant = low + (high - low) / 2;
  int64_t farthest = form.tie;
  form.channels.assign(1, {});
  std::vector<requant::Exception>& list = form.channels[0].exceptions;
  const std::array<int32_t, 256> along_b = products(pair);
  for (int32_t a = -128; a < 128 && low > high; ++a) {
    const int32_t* row = codes.row(a);
    const auto start = static_cast<int32_t>(a * pair.a_factor + pair.constant);
    if (!any_wrong(form, row, along_b, start)) continue;
    for (size_t i = 0; i < along_b.size(); ++i) {
      const int32_t k = row[i];
      const int64_t t = start + along_b[i];
      int64_t q = t >> form.post;
      if (t < begin_of(form, q)) --q;
      if (std::clamp<int64_t>(q, form.lo, form.hi) == k) continue;
      const int64_t step = k > q ? q + 1 : k + 1;  // the step that lies on the wrong side
      const int64_t distance = t - step * (int64_t{1} << form.post);
      farthest = std::max(farthest, distance < 0 ? -distance : distance + 1);
      list.push_back({a * 256 - 128 + static_cast<int64_t>(i), 1, k});
      if (list.size() > most) return {};
    }
  }
  if (farthest > 0) {
    int bits = 0;
    while ((int64_t{1} << bits) < farthest && bits < form.post - 1) ++bits;
    if ((int64_t{1} << bits) < farthest) return {};
    form.half_zone = 1 << bits;
    form.mask = (1 << form.post) - (2 << bits);
  }
  pair.constant += form.half_zone;
  const int64_t reach = 128 * (std::abs(pair.a_factor) + std::abs(pair.b_factor)) + std::abs(pair.constant);
  if (reach > (int64_t{1} << 31) - 1) return {};
  return pair;
}

}  // namespace

namespace {

Codes2 codes_of_pairs(const std::function<int32_t(int32_t, int32_t)>& value) {
  Codes2 codes;
  for (int32_t a = -128; a < 128; ++a) {
    for (int32_t b = -128; b < 128; ++b) codes.code.push_back(value(a, b));
  }
  return codes;
}

// The line before its constant is known. Nothing: it is too steep.
std::optional<PairForm> line_of_pairs(const Codes2& codes, double a_slope, double b_slope) {
  PairForm pair;
  pair.form.lo = *std::min_element(codes.code.begin(), codes.code.end());
  pair.form.hi = *std::max_element(codes.code.begin(), codes.code.end());
  const double reach = 256 * (std::fabs(a_slope) + std::fabs(b_slope)) + 256;
  pair.form.post = 20;
  while (pair.form.post > 0 && reach * std::ldexp(1.0, pair.form.post) > std::ldexp(1.0, 30)) --pair.form.post;
  if (pair.form.post < 8) return {};
  pair.a_factor = std::llround(a_slope * std::ldexp(1.0, pair.form.post));
  pair.b_factor = std::llround(b_slope * std::ldexp(1.0, pair.form.post));
  return pair;
}

}  // namespace

std::optional<PairForm> fit_pair(const std::function<int32_t(int32_t, int32_t)>& value, double a_slope, double b_slope,
                                 int32_t parity) {
  const Codes2 codes = codes_of_pairs(value);
  std::optional<PairForm> pair = line_of_pairs(codes, a_slope, b_slope);
  if (!pair) return {};
  pair->form.parity = parity;
  const Limits limits = find_limits(codes, *pair);
  std::optional<PairForm> best = fit_with(codes, limits, *pair, kMostExceptions);
  if (best && best->form.exceptions() == 0) return best;
  for (int bits = 0; bits <= pair->form.post - 4; bits += 2) {
    PairForm tied = *pair;
    tied.form.tie = 1 << bits;
    std::optional<PairForm> other = fit_with(codes, limits, tied, kMostExceptions);
    if (other && (!best || other->form.exceptions() < best->form.exceptions())) best = std::move(other);
    if (best && best->form.exceptions() == 0) break;
  }
  return best;
}

PairForm zoned_pair(const std::function<int32_t(int32_t, int32_t)>& value, double a_slope, double b_slope) {
  const Codes2 codes = codes_of_pairs(value);
  const std::optional<PairForm> line = line_of_pairs(codes, a_slope, b_slope);
  std::optional<PairForm> fitted =
      line ? fit_with(codes, find_limits(codes, *line), *line, codes.code.size()) : std::nullopt;
  // A zone of an eighth of a step leaves too little beside it.
  if (fitted && fitted->form.half_zone <= 1 << (fitted->form.post - 4)) return *fitted;
  PairForm none;
  none.form.mask = 0;
  return none;
}

void set_pair(Node& node, const PairForm& pair) {
  ops::set_form(node, pair.form, {0}, describe(pair.form));
  node.attributes["factors"] = std::vector<int64_t>{pair.a_factor, pair.b_factor, pair.constant};
}

bool fit_product(const std::function<int32_t(int64_t)>& value, const Codes& a, const Codes& b, int32_t parity,
                 Node& node) {
  const int64_t az = a.signed_zero(), bz = b.signed_zero();
  int64_t first = 0, last = 0;
  for (int64_t u : {-128 - az, 127 - az}) {
    for (int64_t v : {-128 - bz, 127 - bz}) {
      first = std::min(first, u * v);
      last = std::max(last, u * v);
    }
  }
  const auto form = requant::fit({{value, first, last}}, parity);
  if (!form) return false;
  ops::set_form(node, *form, {0}, describe(*form));
  node.attributes["zeros"] = std::vector<int64_t>{az, bz};
  return true;
}

namespace {

// Codes that are quantised at run time, or known.
std::optional<Codes> codes_of(Work& work, ValueId id) {
  if (auto codes = work.dequantised(id)) return codes;
  const Node* node = work.producer(id);
  if (!node || node->op != "DequantizeLinear") return {};
  const Constant* c = work.graph.constant(node->inputs[0]);
  if (!c || c->is_absent() || (c->dtype() != DType::int8 && c->dtype() != DType::uint8)) return {};
  std::optional<Codes> codes =
      work.parameters(node->inputs[0], node->inputs[1], node->has_input(2) ? node->inputs[2] : ValueId());
  if (codes) codes->dtype = c->dtype();
  return codes;
}

// What the 256 codes stand for.
std::vector<float> numbers_of(const Codes& codes) {
  std::vector<float> numbers;
  for (int32_t k = -128; k < 128; ++k) numbers.push_back(static_cast<float>(k - codes.signed_zero()) * codes.scale);
  return numbers;
}

// An operand of a sum: a function of codes.
struct PairOperand {
  Codes codes;
  Chain chain;
  std::vector<float> numbers() const {
    std::vector<float> numbers = numbers_of(codes);
    for (float& v : numbers) v = chain.apply(v, 0);
    return numbers;
  }
  double slope() const { return static_cast<double>(codes.scale) * chain.slope(); }
};

std::optional<PairOperand> operand_of(Work& work, ValueId id) {
  if (auto codes = codes_of(work, id)) return PairOperand{*codes, {}};
  Chain chain = trace(work, id, -1);
  const std::optional<Codes> codes = chain.steps.empty() ? std::nullopt : codes_of(work, chain.from);
  if (!codes || work.graph.shape(codes->value) != work.graph.shape(id)) return {};
  return PairOperand{*codes, std::move(chain)};
}

// A sum or difference of functions of codes.
bool fit_pair_sum(Work& work, const Node& core, const Chain& chain, const Codes& y, Node& node) {
  const std::optional<PairOperand> a = operand_of(work, core.inputs[0]), b = operand_of(work, core.inputs[1]);
  if (!a || !b) return false;
  const bool sub = core.op == "Sub";
  const Quantiser code(y);
  const std::vector<float> left = a->numbers(), right = b->numbers();
  const auto value = [&](int32_t u, int32_t v) {
    const float x = left[static_cast<size_t>(int64_t{u} + 128)], z = right[static_cast<size_t>(int64_t{v} + 128)];
    return code(chain.apply(sub ? x - z : x + z, 0));
  };
  const double unit = chain.slope() / static_cast<double>(y.scale);
  const auto pair = fit_pair(value, a->slope() * unit, b->slope() * (sub ? -unit : unit), y.zero & 1);
  if (!pair) return false;
  set_pair(node, *pair);
  for (const Chain* steps : {&a->chain, &b->chain}) add_origins(node, steps->nodes);
  node.inputs = {work.as_signed(a->codes), work.as_signed(b->codes)};
  return true;
}

constexpr int kMostOff = 6;  // of 65,536 pairs: one in ten thousand

bool fit_factors(Work& work, const Node& core, const Chain& chain, const Codes& y, Node& node) {
  const std::optional<Codes> a = codes_of(work, core.inputs[0]), b = codes_of(work, core.inputs[1]);
  if (!a || !b) return false;
  const double scale = static_cast<double>(a->scale) * static_cast<double>(b->scale);
  const Quantiser code(y);
  const auto value = [&](int64_t p) {
    return code(chain.apply(static_cast<float>(static_cast<double>(p) * scale), 0));
  };
  // The operator rounds its operands too: where products lie on ties, that decides.
  int off = 0;
  const std::vector<float> numbers = numbers_of(*b);
  const int32_t a_first = -128 - a->signed_zero(), b_first = -128 - b->signed_zero();
  for (int32_t u = a_first; u < a_first + 256 && off <= kMostOff; ++u) {
    const float x = static_cast<float>(u) * a->scale;
    if (chain.steps.empty()) {
      for (int32_t k = 0; k < 256; ++k) {
        const float direct = x * numbers[static_cast<size_t>(k)],
                    product = static_cast<float>(static_cast<double>(u * (b_first + k)) * scale);
        off += code(direct) != code(product);
      }
    } else {
      for (int32_t k = 0; k < 256; ++k)
        off += code(chain.apply(x * numbers[static_cast<size_t>(k)], 0)) != value(int64_t{u} * (b_first + k));
    }
  }
  if (off > kMostOff || !fit_product(value, *a, *b, y.zero & 1, node)) return false;
  node.inputs = {work.as_signed(*a), work.as_signed(*b)};
  return true;
}

}  // namespace

bool fuse_pair(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Joined> joined = joined_before(work, q, 8);
  if (!joined || !joined->chain.stepwise()) return false;
  const Node* core = joined->core;
  const bool mul = core->op == "Mul";
  if (core->op != "Add" && core->op != "Sub" && !mul) return false;
  std::vector<const Node*> origins{core};
  origins.insert(origins.end(), joined->chain.nodes.begin(), joined->chain.nodes.end());
  Node node = fused(mul ? "IntMul" : "IntAdd", origins);
  if (!(mul ? fit_factors : fit_pair_sum)(work, *core, joined->chain, joined->y, node)) return false;
  work.produce(node, q.outputs[0]);
  work.graph.nodes[at] = std::move(node);
  return true;
}

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
                                                   : product.factors[static_cast<size_t>(v + 128)];
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
