#include "passes/integer/pairs.h"

#include <algorithm>

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

namespace {

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

}  // namespace tarn::passes::integer
