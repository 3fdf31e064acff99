// Products of quantised matrices: MatMulInteger, QLinearMatMul, and com.microsoft's QGemm, MatMulIntegerToFloat,
// DynamicQuantizeMatMul and MatMulNBits.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/qlinear.h"
#include "ops/quantize.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// Where the operands stand in the operators.
struct ProductPlaces {
  size_t a, a_scale, a_zero, b, b_scale, b_zero, c, bias, y_scale, y_zero;
};
constexpr size_t kNoOperand = 100;
constexpr ProductPlaces kMatMulInteger{0, kNoOperand, 2,          1,          kNoOperand,
                                       3, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
constexpr ProductPlaces kQLinearMatMul{0, 1, 2, 3, 4, 5, kNoOperand, kNoOperand, 6, 7};
constexpr ProductPlaces kQGemm{0, 1, 2, 3, 4, 5, 6, kNoOperand, 7, 8};
constexpr ProductPlaces kToFloat{0, 2, 4, 1, 3, 5, kNoOperand, 6, kNoOperand, kNoOperand};
constexpr ProductPlaces kDynamic{0, kNoOperand, kNoOperand, 1, 2, 3, kNoOperand, 4, kNoOperand, kNoOperand};

// y = a b, with vectors made matrices and batch axes broadcast.
struct Product {
  Shape a, b, batch, y;
  int64_t m = 1, n = 1, k = 1;
};

std::optional<Product> product_of(Shape a, Shape b) {
  if (a.rank() == 0 || b.rank() == 0) return {};
  const bool vector_a = a.rank() == 1, vector_b = b.rank() == 1;
  if (vector_a) a.dims.insert(a.dims.begin(), 1);
  if (vector_b) b.dims.push_back(1);
  const auto batch = broadcast(Shape(std::vector<int64_t>(a.dims.begin(), a.dims.end() - 2)),
                               Shape(std::vector<int64_t>(b.dims.begin(), b.dims.end() - 2)));
  Product p{a, b, {}, {}, a[a.rank() - 2], b[b.rank() - 1], a[a.rank() - 1]};
  if (!batch || p.k != b[b.rank() - 2] || batch->rank() > 6) return {};
  p.batch = *batch;
  p.y = *batch;
  if (!vector_a) p.y.dims.push_back(p.m);
  if (!vector_b) p.y.dims.push_back(p.n);
  return p;
}

std::vector<int64_t> batch_steps(const Shape& s, int inner_axes, const Shape& batch) {
  const std::vector<int64_t> own = strides_of(s);
  std::vector<int64_t> steps(6, 0);
  const int axes = std::max(0, s.rank() - inner_axes), missing = batch.rank() - axes;
  for (int i = 0; i < axes; ++i) {
    if (s[i] != 1) steps[static_cast<size_t>(i) + static_cast<size_t>(missing)] = own[static_cast<size_t>(i)];
  }
  return steps;
}

// The steps of a scale or zero point along rows of a (`of_rows`) or columns of b, and along the batch axes; empty when
// it has another shape than those of one number, one per row or column, and one per row or column of every batch.
struct Spread {
  int64_t step = 0;
  std::vector<int64_t> batch = std::vector<int64_t>(6, 0);
};
std::optional<Spread> spread_of(const Shape& s, bool of_rows, int64_t length, const Shape& batch) {
  Spread spread;
  if (s.count() == 1) return spread;
  if (s.rank() == 1) {
    spread.step = 1;
    return s[0] == length ? std::optional(spread) : std::nullopt;
  }
  const int rank = s.rank();
  const int64_t along = s[of_rows ? rank - 2 : rank - 1], across = s[of_rows ? rank - 1 : rank - 2];
  if (across != 1 || (along != length && along != 1) || rank - 2 > batch.rank()) return {};
  for (int i = 0; i < rank - 2; ++i) {
    if (s[i] != 1 && s[i] != batch[batch.rank() - (rank - 2) + i]) return {};
  }
  spread.step = along > 1;
  spread.batch = batch_steps(s, 2, batch);
  return spread;
}

struct Layout2 {
  bool transpose_a = false, transpose_b = false;
};

// The kernel's parameters but for alpha and the range; a fault when a scale or zero point has a shape that does not
// fit.
Answer<program::Params> product_params(const Node& node, const Lowering& low, const ProductPlaces& at, const Product& p,
                                       const Layout2& layout, double alpha, std::pair<int64_t, int64_t> c_steps) {
  auto spread = [&](size_t i, bool of_rows) -> std::optional<Spread> {
    if (!node.has_input(i)) return Spread{};
    return spread_of(low.shape(node.inputs[i]), of_rows, of_rows ? p.m : p.n, p.batch);
  };
  const auto az = spread(at.a_zero, true), bz = spread(at.b_zero, false), as = spread(at.a_scale, true),
             bs = spread(at.b_scale, false);
  if (!az || !bz || !as || !bs) return Fault{"a scale or zero point does not fit its matrix"};
  std::vector<int64_t> dims = p.batch.dims;
  dims.resize(6, 1);
  const DType y = low.dtype(node.outputs[0]), a = low.dtype(node.inputs[at.a]);
  return program::Params{"tarn_matmul_integer_params",
                         {{"m", p.m},
                          {"n", p.n},
                          {"k", p.k},
                          {"a_row", layout.transpose_a ? int64_t{1} : p.k},
                          {"a_column", layout.transpose_a ? p.m : int64_t{1}},
                          {"b_row", layout.transpose_b ? int64_t{1} : p.n},
                          {"b_column", layout.transpose_b ? p.k : int64_t{1}},
                          {"a_flip", flip_of(a)},
                          {"b_flip", flip_of(low.dtype(node.inputs[at.b]))},
                          {"a_zero_row", az->step},
                          {"b_zero_column", bz->step},
                          {"a_scale_row", as->step},
                          {"b_scale_column", bs->step},
                          {"c_row", c_steps.first},
                          {"c_column", c_steps.second},
                          {"batches", p.batch.count()},
                          {"rank", static_cast<int64_t>(p.batch.rank())},
                          {"dims", dims},
                          {"a_batch", batch_steps(p.a, 2, p.batch)},
                          {"b_batch", batch_steps(p.b, 2, p.batch)},
                          {"a_zero_batch", az->batch},
                          {"b_zero_batch", bz->batch},
                          {"a_scale_batch", as->batch},
                          {"b_scale_batch", bs->batch},
                          {"alpha", Float32{alpha}},
                          {"lo", is_byte(y) ? least_code(y) : 0},
                          {"hi", is_byte(y) ? greatest_code(y) : 0}}};
}

void count(Operation& operation, const Node& node, const Lowering& low, const ProductPlaces& at, const Product& p) {
  operation.macs = p.batch.count() * p.m * p.n * p.k;
  if (low.constant(node.inputs[at.b])) operation.parameters = p.b.count();
  if (node.has_input(at.c)) operation.parameters += low.shape(node.inputs[at.c]).count();
}

std::optional<Fault> check_codes(const Node& node, const Lowering& low, const ProductPlaces& at) {
  const DType a = low.dtype(node.inputs[at.a]), b = low.dtype(node.inputs[at.b]);
  if (!is_byte(a) || !is_byte(b)) return Fault{cat("not for ", to_string(a), " by ", to_string(b)), "", "E204"};
  for (auto [zero, type] : {std::pair{at.a_zero, a}, std::pair{at.b_zero, b}}) {
    if (node.has_input(zero) && low.dtype(node.inputs[zero]) != type)
      return Fault{"a zero point is not of its matrix's type"};
  }
  return {};
}

Answer<Types> infer_product(const Facts& facts, const ProductPlaces& at, DType result) {
  if (!facts.has(at.a) || !facts.has(at.b)) return Fault{"needs two matrices"};
  const auto p = product_of(facts.shape(at.a), facts.shape(at.b));
  if (!p) return Fault{cat("cannot multiply ", to_string(facts.shape(at.a)), " by ", to_string(facts.shape(at.b)))};
  return Types{{result, p->y}};
}

Answer<Types> infer_integer_product(const Facts& facts) { return infer_product(facts, kMatMulInteger, DType::int32); }
Answer<Types> infer_qlinear(const Facts& facts) {
  for (size_t i = 0; i < 8; ++i) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  return infer_product(facts, kQLinearMatMul, facts.types[7].dtype);
}
Answer<Types> infer_to_float(const Facts& facts) {
  if (!facts.has(2) || !facts.has(3)) return Fault{"needs two scales"};
  return infer_product(facts, kToFloat, facts.types[2].dtype);
}
Answer<Types> infer_dynamic(const Facts& facts) {
  if (!facts.has(2)) return Fault{"needs a scale"};
  return infer_product(facts, kDynamic, DType::float32);
}

Argument zero_of(const Node& node, Lowering& low, size_t i) {
  return node.has_input(i) ? read_zero_point(low, node.inputs[i]) : low.none();
}
Argument optional_read(const Node& node, Lowering& low, size_t i) {
  return node.has_input(i) ? low.read(node.inputs[i]) : low.none();
}

std::optional<Fault> lower_integer_product(const Node& node, Lowering& low) {
  const ProductPlaces& at = kMatMulInteger;
  if (auto fault = check_codes(node, low, at)) return fault;
  const Product p = *product_of(low.shape(node.inputs[at.a]), low.shape(node.inputs[at.b]));
  auto params = product_params(node, low, at, p, {}, 1, {0, 0});
  if (const Fault* fault = std::get_if<Fault>(&params)) return *fault;
  Operation& operation = low.call(node, "tarn_matmul_integer", std::get<program::Params>(params),
                                  {low.read(node.inputs[0]), low.read(node.inputs[1]), zero_of(node, low, 2),
                                   zero_of(node, low, 3), low.write(node.outputs[0])});
  count(operation, node, low, at, p);
  return {};
}

// The call that makes codes, or floats when there is no scale of y; its operands before those that differ.
std::optional<Fault> lower_scaled(const Node& node, Lowering& low, const ProductPlaces& at, const Product& p,
                                  const Layout2& layout, double alpha, std::pair<int64_t, int64_t> c_steps, Argument a,
                                  Argument a_scale, Argument a_zero) {
  auto params = product_params(node, low, at, p, layout, alpha, c_steps);
  if (const Fault* fault = std::get_if<Fault>(&params)) return *fault;
  const bool quantised = node.has_input(at.y_scale);
  const DType y = low.dtype(node.outputs[0]);
  if (quantised ? !is_byte(y) : y != DType::float32) return Fault{"not for an output of " + to_string(y), "", "E204"};
  std::vector<Argument> arguments{std::move(a),
                                  std::move(a_scale),
                                  std::move(a_zero),
                                  low.read(node.inputs[at.b]),
                                  read_floats(node, low, node.inputs[at.b_scale]),
                                  zero_of(node, low, at.b_zero),
                                  optional_read(node, low, at.c)};
  if (quantised) {
    arguments.push_back(read_floats(node, low, node.inputs[at.y_scale]));
    arguments.push_back(zero_of(node, low, at.y_zero));
  } else {
    arguments.push_back(optional_read(node, low, at.bias));
  }
  arguments.push_back(low.write(node.outputs[0]));
  Operation& operation = low.call(node, quantised ? "tarn_matmul_quantized" : "tarn_matmul_scaled",
                                  std::get<program::Params>(params), std::move(arguments));
  count(operation, node, low, at, p);
  return {};
}

std::optional<Fault> lower_known_codes(const Node& node, Lowering& low, const ProductPlaces& at) {
  if (auto fault = check_codes(node, low, at)) return fault;
  const Product p = *product_of(low.shape(node.inputs[at.a]), low.shape(node.inputs[at.b]));
  if (node.has_input(at.bias) && low.shape(node.inputs[at.bias]) != Shape{p.n})
    return Fault{"a bias of " + to_string(low.shape(node.inputs[at.bias]))};
  return lower_scaled(node, low, at, p, {}, 1, {0, 0}, low.read(node.inputs[at.a]),
                      read_floats(node, low, node.inputs[at.a_scale]), zero_of(node, low, at.a_zero));
}

std::optional<Fault> lower_qlinear(const Node& node, Lowering& low) {
  return lower_known_codes(node, low, kQLinearMatMul);
}
std::optional<Fault> lower_to_float(const Node& node, Lowering& low) { return lower_known_codes(node, low, kToFloat); }

// A is quantised on the way, as DynamicQuantizeLinear does.
std::optional<Fault> lower_dynamic(const Node& node, Lowering& low) {
  const ProductPlaces& at = kDynamic;
  const ValueId x = node.inputs[0];
  if (low.dtype(x) != DType::float32 || !is_byte(low.dtype(node.inputs[1])))
    return Fault{"not for these element types", "", "E204"};
  const Product p = *product_of(low.shape(x), low.shape(node.inputs[1]));
  if (node.has_input(4) && low.shape(node.inputs[4]) != Shape{p.n})
    return Fault{"a bias of " + to_string(low.shape(node.inputs[4]))};
  const std::string name = low.graph()[x].name;
  const TensorId codes = low.new_tensor(name + "_codes", DType::uint8, low.shape(x), program::Kind::activation);
  const TensorId scale = low.new_tensor(name + "_scale", DType::float32, Shape{}, program::Kind::activation);
  const TensorId zero = low.new_tensor(name + "_zero", DType::uint8, Shape{}, program::Kind::activation);
  low.call(node, "tarn_dynamic_quantize_f32", {"tarn_dynamic_quantize_f32_params", {{"count", low.shape(x).count()}}},
           {low.read(x), low.write(codes), low.write(scale), low.write(zero)});
  return lower_scaled(node, low, at, p, {}, 1, {0, 0}, low.read(codes), low.read(scale), low.read(zero));
}

Answer<Types> infer_qgemm(const Facts& facts) {
  for (size_t i : {0u, 1u, 3u, 4u}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  const Shape &a = facts.shape(0), &b = facts.shape(3);
  if (a.rank() != 2 || b.rank() != 2) return Fault{"multiplies matrices, not " + to_string(a) + " and " + to_string(b)};
  const int ta = facts.node.integer("transA", 0) != 0, tb = facts.node.integer("transB", 0) != 0;
  if (a[1 - ta] != b[tb]) return Fault{cat("inner dimensions of ", to_string(a), " and ", to_string(b), " differ")};
  const Shape y{a[ta], b[1 - tb]};
  if (facts.has(6)) {
    const auto shape = broadcast(facts.shape(6), y);
    if (!shape || *shape != y)
      return Fault{"C of " + to_string(facts.shape(6)) + " does not broadcast to " + to_string(y)};
  }
  return Types{{facts.has(7) ? (facts.has(8) ? facts.types[8].dtype : facts.types[0].dtype) : DType::float32, y}};
}

std::optional<Fault> lower_qgemm(const Node& node, Lowering& low) {
  const ProductPlaces& at = kQGemm;
  if (auto fault = check_codes(node, low, at)) return fault;
  if (node.has_input(6) && low.dtype(node.inputs[6]) != DType::int32) return Fault{"C is no int32"};
  const Shape &a = low.shape(node.inputs[0]), &b = low.shape(node.inputs[3]), &y = low.shape(node.outputs[0]);
  const Layout2 layout{node.integer("transA", 0) != 0, node.integer("transB", 0) != 0};
  const Product p{a, b, {}, y, y[0], y[1], a[layout.transpose_a ? 0 : 1]};
  std::pair<int64_t, int64_t> c_steps{0, 0};
  if (node.has_input(6)) {
    const Shape& c = low.shape(node.inputs[6]);
    if (c.rank() > 0 && c[c.rank() - 1] != 1) c_steps.second = 1;
    if (c.rank() > 1 && c[0] != 1) c_steps.first = c[1];
  }
  return lower_scaled(node, low, at, p, layout, node.real("alpha", 1), c_steps, low.read(node.inputs[0]),
                      read_floats(node, low, node.inputs[1]), zero_of(node, low, 2));
}

struct ProductBlocks {
  int64_t n, k, block, bits, blocks;
};
std::optional<ProductBlocks> blocks_of(const Node& node) {
  ProductBlocks b{node.integer("N", 0), node.integer("K", 0), node.integer("block_size", 0), node.integer("bits", 4),
                  0};
  if (b.n < 1 || b.k < 1 || b.block < 16 || b.n > INT32_MAX || b.k > INT32_MAX || b.block > INT32_MAX) return {};
  if ((b.block & (b.block - 1)) != 0 || (b.bits != 2 && b.bits != 4 && b.bits != 8)) return {};
  b.blocks = ceil_div(b.k, b.block);
  return b;
}

Answer<Types> infer_nbits(const Facts& facts) {
  const auto b = blocks_of(facts.node);
  if (!b) return Fault{"N, K, block_size or bits are out of range"};
  for (size_t i = 0; i < 3; ++i) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  const Shape& x = facts.shape(0);
  if (x.rank() < 1 || x[x.rank() - 1] != b->k) return Fault{cat("an input of ", to_string(x), " for K = ", b->k)};
  if (facts.shape(1).count() != b->n * b->blocks * (b->block * b->bits / 8) ||
      facts.shape(2).count() != b->n * b->blocks) {
    return Fault{cat("weights of ", to_string(facts.shape(1)), " and scales of ", to_string(facts.shape(2)),
                     " do not fit N, K and block_size")};
  }
  if (facts.has(3)) {
    const bool floats = facts.types[3].dtype == facts.types[0].dtype;
    const int64_t count = floats ? b->n * b->blocks : b->n * ceil_div(b->blocks * b->bits, 8);
    if (facts.shape(3).count() != count) return Fault{"zero points of " + to_string(facts.shape(3)) + " do not fit"};
  }
  if (facts.has(5) && facts.shape(5) != Shape{b->n}) return Fault{"a bias of " + to_string(facts.shape(5))};
  Shape y = x;
  y[y.rank() - 1] = b->n;
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Fault> lower_nbits(const Node& node, Lowering& low) {
  const ProductBlocks b = *blocks_of(node);
  if (low.dtype(node.inputs[0]) != DType::float32 || low.dtype(node.inputs[1]) != DType::uint8 ||
      low.dtype(node.inputs[2]) != DType::float32) {
    return Fault{"not for these element types", "", "E204"};
  }
  const bool grouped = node.has_input(4);
  if (grouped && (low.dtype(node.inputs[4]) != DType::int32 || low.shape(node.inputs[4]).count() < b.k)) {
    return Fault{"g_idx is no int32 list of K elements"};
  }
  const bool float_zeros = node.has_input(3) && low.dtype(node.inputs[3]) == DType::float32;
  if (node.has_input(3) && !float_zeros && low.dtype(node.inputs[3]) != DType::uint8)
    return Fault{"zero points of this type", "", "E204"};
  const int64_t m = low.shape(node.inputs[0]).count() / b.k;
  std::vector<Argument> arguments{low.read(node.inputs[0]), low.read(node.inputs[1]), low.read(node.inputs[2]),
                                  optional_read(node, low, 3), optional_read(node, low, 5)};
  if (grouped) arguments.push_back(low.read(node.inputs[4]));
  arguments.push_back(low.write(node.outputs[0]));
  Operation& operation = low.call(
      node, grouped ? "tarn_matmul_nbits_grouped" : "tarn_matmul_nbits",
      {"tarn_matmul_nbits_params",
       {{"m", m}, {"n", b.n}, {"k", b.k}, {"block", b.block}, {"bits", b.bits}, {"zero_floats", int64_t{float_zeros}}}},
      std::move(arguments));
  operation.macs = m * b.n * b.k;
  operation.parameters = b.n * b.k;
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_matrix_entries() {
  const std::string bytes = "int8 uint8", microsoft = "com.microsoft";
  return {{"", "MatMulInteger", bytes, lower_integer_product, infer_integer_product},
          {"", "QLinearMatMul", bytes, lower_qlinear, infer_qlinear},
          {microsoft, "QGemm", bytes, lower_qgemm, infer_qgemm},
          {microsoft, "MatMulIntegerToFloat", bytes, lower_to_float, infer_to_float},
          {microsoft, "DynamicQuantizeMatMul", bytes, lower_dynamic, infer_dynamic},
          {microsoft, "MatMulNBits", "float32, weights of 2, 4 or 8 bits", lower_nbits, infer_nbits}};
}

}  // namespace tarn::ops
