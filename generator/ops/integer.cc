#include "ops/integer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "requant/factors.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::ops {

void set_form(Node& node, const requant::Form& form, const std::vector<int64_t>& begin, const std::string& text) {
  node.attributes["requant"] = std::vector<int64_t>{form.pre,    form.post, form.half_zone, form.mask, form.tie,
                                                    form.parity, form.lo,   form.hi,        form.unit, form.zero};
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < form.channels.size(); ++i) {
    numbers.push_back(begin[i]);
    numbers.push_back(form.channels[i].m);
    numbers.push_back(form.channels[i].c);
  }
  const auto channels = static_cast<int64_t>(form.channels.size());
  node.attributes["constants"] = Constant::ints(DType::int32, Shape{channels, 3}, numbers);
  const std::vector<int32_t> exceptions = requant::pack_exceptions(form);
  if (!exceptions.empty()) {
    node.attributes["exceptions"] = Constant::ints(DType::int32, Shape{static_cast<int64_t>(exceptions.size())},
                                                   std::vector<int64_t>(exceptions.begin(), exceptions.end()));
  }
  if (form.multiplier != 0) node.attributes["multiplier"] = int64_t{form.multiplier};
  node.attributes["form"] = text;
}

Field wide_field(const Node& node, const char* name) {
  const std::vector<int64_t> codes = node.integers("codes");
  return {name, program::Params{"tarn_wide_params",
                                {{"lo", codes[0]}, {"hi", codes[1]}, {"parity", codes[2]}, {"near", codes[3]}}}};
}

namespace {

// The attribute's numbers in the order in which it lists them, which is that of the kernels' struct.
constexpr std::array kFormNumbers = {std::pair("pre", &FormNumbers::pre),
                                     std::pair("post", &FormNumbers::post),
                                     std::pair("half_zone", &FormNumbers::half_zone),
                                     std::pair("mask", &FormNumbers::mask),
                                     std::pair("tie", &FormNumbers::tie),
                                     std::pair("parity", &FormNumbers::parity),
                                     std::pair("lo", &FormNumbers::lo),
                                     std::pair("hi", &FormNumbers::hi),
                                     std::pair("unit", &FormNumbers::unit),
                                     std::pair("zero", &FormNumbers::zero)};

}  // namespace

FormNumbers form_numbers(const Node& node) {
  const std::vector<int64_t> listed = node.integers("requant");
  TARN_CHECK(listed.size() == kFormNumbers.size());
  FormNumbers form;
  for (size_t i = 0; i < listed.size(); ++i) form.*kFormNumbers[i].second = listed[i];
  return form;
}

Field requant_field(const Node& node) {
  const FormNumbers form = form_numbers(node);
  program::Params params{"tarn_requant_params", {}};
  for (const auto& [name, number] : kFormNumbers) params.fields.push_back({name, form.*number});
  return {"requant", std::move(params)};
}

Argument exceptions_argument(const Node& node, Lowering& low) {
  const Constant* exceptions = node.tensor("exceptions");
  if (!exceptions) return low.none();
  return low.weight(low.key(node.outputs[0], "_exceptions"), *exceptions);
}

namespace {

// Where a lane without output begins so that its value lies in no zone.
std::optional<int32_t> begin_beside_zones(const FormNumbers& form, int32_t m, int32_t c) {
  for (int64_t begin = 0; begin < 4096; ++begin) {
    const int64_t t = c + (((begin << form.pre) * m) >> 32);
    if ((begin << form.pre) > INT32_MAX || t > INT32_MAX) return {};
    if ((t & form.mask) != 0) return static_cast<int32_t>(begin);
  }
  return {};
}

// A layer's constants in blocks.
struct Blocks {
  const std::vector<int32_t>& packed;
  size_t lanes = 0;
  int32_t number(size_t lane, size_t k, size_t place) const {
    return packed[lane / lanes * lanes * 3 + k * lanes + place];
  }
  int32_t m(size_t lane) const { return number(lane, 1, lane % lanes); }
  int32_t c(size_t lane) const { return number(lane, 2, lane % lanes); }
};

// Where the lanes begin, in the order of the blocks. Nothing: one without output would lie in a zone.
std::optional<std::vector<int32_t>> begins_of(const Blocks& blocks, const FormNumbers& form, int32_t m, int32_t c,
                                              const std::vector<size_t>& order, const std::vector<bool>& padding) {
  const std::optional<int32_t> beside = begin_beside_zones(form, m, c);
  if (!beside) return {};
  std::vector<int32_t> begins(padding.size());
  for (size_t lane = 0; lane < begins.size(); ++lane) {
    const size_t at = order[lane % blocks.lanes];
    begins[lane - lane % blocks.lanes + at] = padding[lane] ? *beside : blocks.number(lane, 0, at);
  }
  return begins;
}

// One number for each lane: where it begins, and what its m is of the layer's multiplier. False: not all have room.
bool join_factors(const Blocks& blocks, int32_t multiplier, const std::vector<bool>& padding,
                  program::Weight::Spread& spread) {
  constexpr int kMantissa = requant::kFactorBits - 1;  // its first bit is known
  int32_t deepest = 0;
  std::vector<requant::Factor> factors(padding.size());
  for (size_t lane = 0; lane < padding.size(); ++lane) {
    if (padding[lane]) continue;
    const std::optional<requant::Factor> factor = requant::factor_of(blocks.m(lane), multiplier);
    if (!factor) return false;
    factors[lane] = *factor;
    deepest = std::max(deepest, factor->depth);
  }
  spread.bits = static_cast<int32_t>(std::bit_width(static_cast<uint32_t>(deepest)));
  const int64_t places = int64_t{1} << (kMantissa + spread.bits);
  for (size_t lane = 0; lane < spread.own.size(); ++lane) {
    const int64_t begin = spread.own[lane] * places;
    if (begin != static_cast<int32_t>(begin)) return false;
    spread.own[lane] =
        static_cast<int32_t>(begin) | (factors[lane].depth << kMantissa) | (factors[lane].mantissa - (1 << kMantissa));
  }
  spread.form = program::Weight::Spread::Form::factors;
  spread.m = multiplier;
  return true;
}

// What differs between the lanes: where they begin, and their multipliers if these do.
std::optional<program::Weight::Spread> spread_of(const Blocks& blocks, const Node& node,
                                                 const std::vector<size_t>& order, const std::vector<bool>& padding) {
  using Spread = program::Weight::Spread;
  const FormNumbers form = form_numbers(node);
  const size_t lanes = blocks.lanes, all = padding.size();
  const auto first = static_cast<size_t>(std::find(padding.begin(), padding.end(), false) - padding.begin());
  if (first == all) return {};
  const int32_t m = blocks.m(first), c = blocks.c(first);
  bool one = m != 0;
  for (size_t lane = first; lane < all; ++lane) {
    if (padding[lane]) continue;
    if (blocks.c(lane) != c) return {};
    one = one && blocks.m(lane) == m;
  }
  const auto multiplier = static_cast<int32_t>(node.integer("multiplier", 0));
  Spread spread{.lanes = static_cast<int64_t>(lanes), .m = one ? m : 0, .c = c};
  if (!one && multiplier != 0) {
    const auto least = static_cast<int32_t>(requant::multiplier_of({}, multiplier));
    if (auto begins = begins_of(blocks, form, least, c, order, padding)) {
      spread.own = std::move(*begins);
      if (join_factors(blocks, multiplier, padding, spread)) return spread;
    }
  }
  const auto begins = begins_of(blocks, form, spread.m, c, order, padding);
  if (!begins) return {};
  spread.form = one ? Spread::Form::one : Spread::Form::pairs;
  spread.own.clear();
  for (size_t block = 0; block < all; block += lanes) {
    for (size_t lane = block; lane < block + lanes; ++lane) spread.own.push_back((*begins)[lane]);
    for (size_t lane = block; !one && lane < block + lanes; ++lane)
      spread.own.push_back(padding[lane] ? 0 : blocks.m(lane));
  }
  return spread;
}

}  // namespace

Argument form_constants(const Node& node, Lowering& low, const std::vector<int32_t>& packed,
                        const std::vector<size_t>& order, const std::vector<bool>& padding) {
  TARN_CHECK(packed.size() == 3 * padding.size() && padding.size() % order.size() == 0);
  Argument argument = low.weight(low.key(node.outputs[0], "_requant"), packed);
  low.program().weights[argument.weight.pos()].spread = spread_of({packed, order.size()}, node, order, padding);
  return argument;
}

Argument quad_constants(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t lanes, bool late) {
  const std::vector<int64_t> numbers = node.tensor("constants")->integers();
  const int64_t quads = ceil_div(per_group, lanes);
  const int64_t mask = form_numbers(node).mask;
  std::vector<int32_t> packed(static_cast<size_t>(groups * quads * 3 * lanes), 0);
  for (size_t i = 0; i < packed.size(); ++i) {
    if (static_cast<int64_t>(i) / lanes % 3 == 2) packed[i] = static_cast<int32_t>(mask & -mask);
  }
  std::vector<bool> padding(packed.size() / 3, true);
  for (int64_t c = 0; c < groups * per_group; ++c) {
    const int64_t quad = c / per_group * quads + c % per_group / lanes;
    const int64_t missing = late && c % per_group / lanes == quads - 1 ? quads * lanes - per_group : 0;
    const int64_t lane = c % per_group % lanes + missing;
    padding[static_cast<size_t>(quad * lanes + lane)] = false;
    for (int64_t k = 0; k < 3; ++k) {
      packed[static_cast<size_t>((quad * 3 + k) * lanes + lane)] =
          static_cast<int32_t>(numbers[static_cast<size_t>(c * 3 + k)]);
    }
  }
  std::vector<size_t> order(static_cast<size_t>(lanes));
  std::iota(order.begin(), order.end(), size_t{0});
  return form_constants(node, low, packed, order, padding);
}

}  // namespace tarn::ops
