// Gemm and MatMul. With weights known while generating they are the dense kernel over packed weights; otherwise a
// general product.
#include "ops/matrix.h"

#include <algorithm>
#include <cmath>

#include "ops/coded_weights.h"
#include "ops/conv.h"
#include "ops/elementwise.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Pitch;

bool is_real(DType type) {
  return type == DType::float32 || type == DType::float64 || type == DType::float16 || type == DType::bfloat16;
}

Answer<Types> infer_gemm(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two matrices"};
  const Shape &a = facts.shape(0), &b = facts.shape(1);
  if (a.rank() != 2 || b.rank() != 2) return Fault{"multiplies matrices, not " + to_string(a) + " and " + to_string(b)};
  const int ta = facts.node.integer("transA", 0) != 0, tb = facts.node.integer("transB", 0) != 0;
  if (a[1 - ta] != b[tb]) return Fault{cat("inner dimensions of ", to_string(a), " and ", to_string(b), " differ")};
  const Shape y{a[ta], b[1 - tb]};
  if (facts.has(2)) {
    const auto shape = broadcast(facts.shape(2), y);
    if (!shape || *shape != y)
      return Fault{"C of " + to_string(facts.shape(2)) + " does not broadcast to " + to_string(y)};
  }
  return Types{{facts.types[0].dtype, y}};
}

Answer<Types> infer_matmul(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two operands"};
  Shape a = facts.shape(0), b = facts.shape(1);
  if (a.rank() == 0 || b.rank() == 0) return Fault{"an operand is a scalar"};
  const bool vector_a = a.rank() == 1, vector_b = b.rank() == 1;
  if (vector_a) a.dims.insert(a.dims.begin(), 1);
  if (vector_b) b.dims.push_back(1);
  const int ra = a.rank(), rb = b.rank();
  const auto batch = broadcast(Shape(std::vector<int64_t>(a.dims.begin(), a.dims.end() - 2)),
                               Shape(std::vector<int64_t>(b.dims.begin(), b.dims.end() - 2)));
  if (!batch || a[ra - 1] != b[rb - 2]) {
    return Fault{cat("cannot multiply ", to_string(facts.shape(0)), " by ", to_string(facts.shape(1)))};
  }
  Shape y = *batch;
  if (!vector_a) y.dims.push_back(a[ra - 2]);
  if (!vector_b) y.dims.push_back(b[rb - 1]);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

constexpr size_t kLeft = 0;

// y = x * packed weights + bias (+ residual): `rows` pixels of `inputs` numbers.
void lower_packed(const Node& node, Lowering& low, int64_t rows, int64_t inputs, int64_t outputs, bool transposed,
                  double alpha, double beta) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Constant& w = *low.constant(node.inputs[1]);
  QuadPacking packing{outputs, outputs, transposed ? inputs : 1, {}, node.tensor("weight_scale")};
  packing.vectors = vector_form_of(low, dtype);
  packing.sparse_parts = 1;
  for (int64_t k = 0; k < inputs; ++k) packing.order.push_back(transposed ? k : k * outputs);
  std::optional<Constant> factors;
  if (alpha != 1) {
    std::vector<double> scale(static_cast<size_t>(outputs), alpha);
    if (packing.scale && !packing.scale->is_absent()) {
      for (int64_t o = 0; o < outputs; ++o) scale[static_cast<size_t>(o)] *= packing.scale->real(o);
    }
    if (!packing.scale || !packing.scale->is_absent())
      factors = Constant::floats(DType::float64, Shape{outputs}, scale);
    if (factors) packing.scale = &*factors;
  }
  const std::string own = packing.scale ? cat("/", node.outputs[0].value) : "";
  LayerWeights weights = layer_weights(node, low, low.key(node.inputs[1], (transposed ? "/dense_t" : "/dense") + own),
                                       node.inputs[1], packing);
  Argument bias = low.none();
  if (node.has_input(2)) {
    bias = pack_bias(low, low.key(node.inputs[2], beta == 1 ? "/bias" : cat("/bias", node.outputs[0].value)),
                     *low.constant(node.inputs[2]), outputs, outputs, dtype, beta, weights.lanes);
  }
  // Rows of a single pixel are one matrix row: the input must not go before the last output has been made.
  Walk walk;
  walk.identity = true;
  Argument x = low.read(node.inputs[0]);
  const Shape& shape = low.shape(node.inputs[0]);
  const bool row_is_pixel = shape.rank() >= 1 && shape[shape.rank() - 1] == inputs;
  if (row_is_pixel) {
    x.walk = input_walk(weights, walk);
    x.pitched = true;
  }
  Argument residual = node.has_input(3) ? low.read(node.inputs[3], residual_walk(weights, 1), true) : low.none();
  FieldValue r_pitch = int64_t{0}, x_pitch = inputs;
  std::vector<Argument> arguments{std::move(x)};
  arguments.insert(arguments.end(), weights.operands.begin(), weights.operands.end());
  arguments.push_back(bias);
  const size_t at_residual = weights.residual_at(), at_y = weights.y_at();
  if (node.has_input(3)) r_pitch = pitch_of(residual, at_residual, Pitch::Of::pixel, outputs);
  if (row_is_pixel) x_pitch = pitch_of(arguments[kLeft], kLeft, Pitch::Of::pixel, inputs);
  arguments.push_back(std::move(residual));
  arguments.push_back(low.write(node.outputs[0], true));
  const std::string kernel = dense_kernel(weights, dtype);
  Operation& operation =
      low.call(node, kernel, dense_params(node, weights, dtype, rows, outputs, x_pitch, r_pitch), std::move(arguments));
  operation.note = weights.note;
  if (row_is_pixel && operation.arguments[kLeft].role == Argument::Role::read) {
    const int64_t pixels = low.program()[operation.arguments[at_y].tensor].geometry.pixels;
    program::Params line = operation.params;
    line["pixels"] = pixels;
    std::vector<program::LineArgument> call{line_argument(kLeft)};
    for (size_t i = 1; i < at_residual; ++i) call.push_back(same_argument(i));
    call.push_back(node.has_input(3) ? line_argument(at_residual) : same_argument(at_residual));
    call.insert(call.end(), {line_argument(at_y), number_argument(0), number_argument(pixels), apart_argument()});
    set_lines(low, operation, kernel, kernel + "_line", std::move(line), std::move(call));
  }
  operation.macs = rows * inputs * outputs;
  operation.parameters = w.count() + (node.has_input(2) ? low.shape(node.inputs[2]).count() : 0);
}

std::optional<Fault> check_type(DType dtype) {
  if (is_real(dtype) || (is_integer(dtype) && bits_of(dtype) >= 32)) return {};
  return Fault{"not for element type " + to_string(dtype), "", "E204"};
}

struct MatrixSteps {
  int64_t row, column;
};

// The general product. Batch axes of `a` and `b` are those before the last two, broadcast to those of `y`.
std::optional<Fault> lower_product(const Node& node, Lowering& low, const Shape& a, MatrixSteps sa, const Shape& b,
                                   MatrixSteps sb, const Shape& batch, int64_t m, int64_t n, int64_t k, double alpha,
                                   double beta) {
  if (batch.rank() > 6) return Fault{"more than 8 axes", "", "E208"};
  // This kernel neither scales by column, nor adds a residual, nor clamps: passes ask is_dense() before they count on
  // it.
  TARN_CHECK(!node.has("weight_scale") && !node.has("clamp_lo") && !node.has_input(3));
  const DType dtype = low.dtype(node.inputs[0]);
  auto steps = [&](const Shape& s) {
    const std::vector<int64_t> own = strides_of(s);
    std::vector<int64_t> result(6, 0);
    const int axes = s.rank() - 2;
    const auto missing = static_cast<size_t>(batch.rank() - axes);
    for (int i = 0; i < axes; ++i) {
      if (s[i] != 1) result[static_cast<size_t>(i) + missing] = own[static_cast<size_t>(i)];
    }
    return result;
  };
  std::vector<int64_t> dims(6, 1);
  for (int i = 0; i < batch.rank(); ++i) dims[static_cast<size_t>(i)] = batch[i];
  // C broadcasts over rows, columns or both.
  MatrixSteps sc{0, 0};
  if (node.has_input(2)) {
    const Shape& c = low.shape(node.inputs[2]);
    const int rank = c.rank();
    if (rank > 0 && c[rank - 1] != 1) sc.column = 1;
    if (rank > 1 && c[rank - 2] != 1) sc.row = c[rank - 1];
  }
  const std::string kernel = "tarn_matmul_" + kernel_suffix(dtype);
  auto factor = [&](double value) {
    return is_real(dtype) ? real_field(value, dtype) : FieldValue{static_cast<int64_t>(value)};
  };
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"m", m},
                 {"n", n},
                 {"k", k},
                 {"a_row", sa.row},
                 {"a_column", sa.column},
                 {"b_row", sb.row},
                 {"b_column", sb.column},
                 {"rank", static_cast<int64_t>(batch.rank())},
                 {"dims", dims},
                 {"a_batch", steps(a)},
                 {"b_batch", steps(b)},
                 {"c_row", sc.row},
                 {"c_column", sc.column},
                 {"alpha", factor(alpha)},
                 {"beta", factor(beta)}}},
               {low.read(node.inputs[0]), low.read(node.inputs[1]),
                node.has_input(2) ? low.read(node.inputs[2]) : low.none(), low.write(node.outputs[0])});
  operation.macs = batch.count() * m * n * k;
  if (low.constant(node.inputs[0])) operation.parameters += a.count();
  if (low.constant(node.inputs[1])) operation.parameters += b.count();
  return {};
}

std::optional<Fault> lower_gemm(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Shape &a = low.shape(node.inputs[0]), &b = low.shape(node.inputs[1]), &y = low.shape(node.outputs[0]);
  const bool ta = node.integer("transA", 0) != 0, tb = node.integer("transB", 0) != 0;
  const int64_t k = a[ta ? 0 : 1];
  const double alpha = node.real("alpha", 1), beta = node.real("beta", 1);
  if (auto fault = check_type(dtype)) return fault;
  const auto is_whole = [](double v) { return v == std::trunc(v) && std::abs(v) <= INT32_MAX; };
  if (!is_real(dtype) && (!is_whole(alpha) || !is_whole(beta)))
    return Fault{"alpha and beta of a product of integers must be integers", "", "E204"};
  if (is_dense(low.graph(), node)) {
    lower_packed(node, low, y[0], k, y[1], tb, alpha, beta);
    return {};
  }
  const MatrixSteps sa = ta ? MatrixSteps{1, a[1]} : MatrixSteps{a[1], 1},
                    sb = tb ? MatrixSteps{1, b[1]} : MatrixSteps{b[1], 1};
  return lower_product(node, low, a, sa, b, sb, Shape{}, y[0], y[1], k, alpha, beta);
}

std::optional<Fault> lower_float_matmul(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = check_type(dtype)) return fault;
  Shape a = low.shape(node.inputs[0]), b = low.shape(node.inputs[1]);
  const int64_t k = a[a.rank() - 1];
  if (is_dense(low.graph(), node)) {
    lower_packed(node, low, a.count() / k, k, b[1], false, 1, 1);
    return {};
  }
  if (a.rank() == 1) a.dims.insert(a.dims.begin(), 1);
  if (b.rank() == 1) b.dims.push_back(1);
  const int ra = a.rank(), rb = b.rank();
  const Shape batch = *broadcast(Shape(std::vector<int64_t>(a.dims.begin(), a.dims.end() - 2)),
                                 Shape(std::vector<int64_t>(b.dims.begin(), b.dims.end() - 2)));
  return lower_product(node, low, a, {k, 1}, b, {b[rb - 1], 1}, batch, a[ra - 2], b[rb - 1], k, 1,
                       node.has_input(2) ? 1 : 0);
}

}  // namespace

bool is_dense(const Graph& graph, const Node& node) {
  if (!node.is("Gemm") && !node.is("MatMul")) return false;
  if (!node.has_input(0) || !node.has_input(1) || !is_real(graph.dtype(node.inputs[0]))) return false;
  const Shape &a = graph.shape(node.inputs[0]), &b = graph.shape(node.inputs[1]);
  if (!graph.constant(node.inputs[1]) || b.rank() != 2) return false;
  if (a.rank() == 0 || a[a.rank() - 1] == 0) return false;  // a sum of nothing has no weights to pack
  if (node.op == "MatMul") return true;
  if (node.integer("transA", 0) != 0) return false;
  if (!node.has_input(2)) return true;
  // One number per column, or one for all.
  const Shape& c = graph.shape(node.inputs[2]);
  const int64_t columns = graph.shape(node.outputs[0])[1];
  return graph.constant(node.inputs[2]) && (c.count() == 1 || (c.count() == columns && c[c.rank() - 1] == columns));
}

std::vector<OperatorEntry> matrix_entries() {
  const std::string types = "floats, 32- and 64-bit integers";
  return {{"", "Gemm", types, lower_gemm, infer_gemm}, {"", "MatMul", types, lower_float_matmul, infer_matmul}};
}

}  // namespace tarn::ops
