#include "ops/coded_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "ops/elementwise.h"
#include "ops/matrix.h"
#include "ops/recurrent.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Params;
using Sink = std::function<void(std::span<const uint8_t>)>;

// The least bfloat16 that is not below a value of 0 or more.
uint16_t bfloat16_above(double value) {
  const auto single = static_cast<float>(value);
  auto bits = std::bit_cast<uint32_t>(single);
  if (static_cast<double>(single) < value) ++bits;
  return static_cast<uint16_t>((bits + 0xffffu) >> 16);
}

// What some weights share: scale * (code - zero).
struct Grid {
  uint16_t scale_bits = 0;
  double scale = 0;
  int zero = 0, least = 0, most = 0;

  int code(double weight) const {
    if (scale == 0) return zero;
    return std::clamp(static_cast<int>(std::nearbyint(weight / scale)) + zero, least, most);
  }
};

Grid grid_of(double lowest, double highest, const WeightType& type) {
  const int bits = type.kind == WeightType::Kind::int8 ? 8 : 4;
  Grid grid;
  grid.most = (1 << (bits - 1)) - 1;
  grid.least = type.asymmetric ? -grid.most - 1 : -grid.most;
  const double range = type.asymmetric ? highest - lowest : std::max(highest, -lowest);
  grid.scale_bits = bfloat16_above(range / (type.asymmetric ? grid.most - grid.least : grid.most));
  grid.scale = static_cast<double>(bfloat16_to_float(grid.scale_bits));
  if (type.asymmetric && grid.scale != 0)
    grid.zero = std::clamp(grid.least - static_cast<int>(std::nearbyint(lowest / grid.scale)), grid.least, grid.most);
  return grid;
}

// The matrix that is coded, four rows at a time.
struct Matrix {
  Constant source;
  std::vector<int64_t> firsts;  // by row: its first weight; -1: a row of zeros that fills up four
  std::vector<double> factors;  // by row; empty: 1
  std::vector<int64_t> order;   // the weights of a row, from its first one on
  WeightType type;
  int64_t block = 0;

  int64_t columns() const { return static_cast<int64_t>(order.size()); }
  int64_t quads() const { return static_cast<int64_t>(firsts.size()) / 4; }
  int64_t blocks() const { return ceil_div(columns(), block); }

  // Four rows as a float layer would have them.
  using Rows = std::array<std::vector<double>, 4>;
  Rows rows(int64_t quad) const {
    Rows four;
    for (size_t lane = 0; lane < four.size(); ++lane) {
      const size_t row = static_cast<size_t>(quad) * four.size() + lane;
      four[lane].assign(order.size(), 0);
      if (firsts[row] < 0) continue;
      const double factor = factors.empty() ? 1 : factors[row];
      for (size_t k = 0; k < order.size(); ++k) {
        const double weight = source.real(firsts[row] + order[k]);
        four[lane][k] = factor == 1 ? weight : static_cast<double>(static_cast<float>(weight * factor));
      }
    }
    return four;
  }

  Grid grid(const std::vector<double>& row, int64_t b) const {
    double lowest = 0, highest = 0;
    for (int64_t k = b * block; k < std::min(columns(), (b + 1) * block); ++k) {
      lowest = std::min(lowest, row[static_cast<size_t>(k)]);
      highest = std::max(highest, row[static_cast<size_t>(k)]);
    }
    return grid_of(lowest, highest, type);
  }
  std::array<Grid, 4> grids(const Rows& four, int64_t b) const {
    return {grid(four[0], b), grid(four[1], b), grid(four[2], b), grid(four[3], b)};
  }
  // Of all weights, when those share one.
  std::optional<Grid> only() const {
    if (type.share != WeightType::Share::tensor) return {};
    double lowest = 0, highest = 0;
    for (int64_t q = 0; q < quads(); ++q) {
      for (const std::vector<double>& row : rows(q)) {
        for (const double weight : row) {
          lowest = std::min(lowest, weight);
          highest = std::max(highest, weight);
        }
      }
    }
    return grid_of(lowest, highest, type);
  }
};

// Calls put(the weight, the grid it is on) for each weight in the kernel's order.
template <class Begin, class Put, class End>
void each_code(const Matrix& m, const Begin& begin, const Put& put, const End& end) {
  const auto only = m.only();
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Matrix::Rows four = m.rows(q);
    begin();
    for (int64_t b = 0; b < m.blocks(); ++b) {
      std::array<Grid, 4> grids;
      if (only) grids.fill(*only);
      else grids = m.grids(four, b);
      for (int64_t k = b * m.block; k < std::min(m.columns(), (b + 1) * m.block); ++k) {
        for (size_t lane = 0; lane < four.size(); ++lane) put(four[lane][static_cast<size_t>(k)], grids[lane]);
      }
    }
    end();
  }
}

void put_16(std::vector<uint8_t>& bytes, uint16_t value) {
  bytes.push_back(static_cast<uint8_t>(value & 255));
  bytes.push_back(static_cast<uint8_t>(value >> 8));
}

// Calls put(the weight, the value that is stored for it) likewise.
template <class Begin, class Put, class End>
void each_stored(const Matrix& m, const Begin& begin, const Put& put, const End& end) {
  if (m.type.kind != WeightType::Kind::f16) {
    each_code(
        m, begin, [&](double weight, const Grid& grid) { put(weight, grid.scale * (grid.code(weight) - grid.zero)); },
        end);
    return;
  }
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Matrix::Rows four = m.rows(q);
    begin();
    for (size_t k = 0; k < static_cast<size_t>(m.columns()); ++k) {
      for (const std::vector<double>& row : four)
        put(row[k], static_cast<double>(half_to_float(double_to_half(row[k]))));
    }
    end();
  }
}

void write_halves(const Matrix& m, const Sink& sink) {
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Matrix::Rows four = m.rows(q);
    std::vector<uint8_t> bytes;
    for (size_t k = 0; k < static_cast<size_t>(m.columns()); ++k) {
      for (const std::vector<double>& row : four) put_16(bytes, double_to_half(row[k]));
    }
    sink(bytes);
  }
}

void write_codes(const Matrix& m, const Sink& sink) {
  std::vector<uint8_t> bytes;
  std::optional<int> low_bits;
  const bool packed = m.type.kind == WeightType::Kind::int4;
  each_code(
      m, [&] { bytes.clear(); },
      [&](double weight, const Grid& grid) {
        const int code = grid.code(weight);
        if (!packed) return bytes.push_back(static_cast<uint8_t>(code + 128));
        if (low_bits) bytes.push_back(static_cast<uint8_t>(*low_bits | (code + 8) << 4));
        low_bits = low_bits ? std::optional<int>() : code + 8;
      },
      [&] { sink(bytes); });
}

// Calls put(grid) for each grid in the order in which the kernel reads them.
template <class Put>
void each_grid(const Matrix& m, const Put& put) {
  if (const auto only = m.only()) {
    for (int lane = 0; lane < 4; ++lane) put(*only);
    return;
  }
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Matrix::Rows four = m.rows(q);
    for (int64_t b = 0; b < m.blocks(); ++b) {
      for (const Grid& grid : m.grids(four, b)) put(grid);
    }
  }
}

void put_float(std::vector<uint8_t>& bytes, double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

// Floats of the values that are stored, in the order of plain weights.
void write_widened(const Matrix& m, const Sink& sink) {
  std::vector<uint8_t> bytes;
  each_stored(
      m, [&] { bytes.clear(); }, [&](double, double stored) { put_float(bytes, stored); }, [&] { sink(bytes); });
}

// The same, one row after the other.
void write_widened_rows(const Matrix& m, const Sink& sink) {
  std::array<std::vector<uint8_t>, 4> rows;
  size_t lane = 0, row = 0;
  each_stored(
      m, [&] { rows.fill({}); }, [&](double, double stored) { put_float(rows[lane++ % rows.size()], stored); },
      [&] {
        for (const std::vector<uint8_t>& bytes : rows) {
          if (m.firsts[row++] >= 0) sink(bytes);
        }
      });
}

// How far stored weights are from those of the float layer: 10 log10 of signal over noise; infinite where they are
// equal.
double noise_of(const Matrix& m) {
  double signal = 0, noise = 0;
  each_stored(
      m, [] {},
      [&](double weight, double stored) {
        signal += weight * weight;
        noise += (weight - stored) * (weight - stored);
      },
      [] {});
  return noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

// `sources` are the constants that the matrix is made of.
Matrix matrix_of(const Constant& constant, const QuadPacking& packing, const WeightType& type,
                 std::vector<const Constant*>& sources) {
  Matrix m{constant, {}, {}, packing.order, type, 0};
  sources = {&constant};
  const bool scaled = packing.scale != nullptr && !packing.scale->is_absent();
  if (packing.scale) sources.push_back(packing.scale);
  for (int64_t group = 0; group < packing.rows; group += packing.group_rows) {
    for (int64_t row = 0; row < ceil_div(packing.group_rows, int64_t{4}) * 4; ++row) {
      const bool there = row < packing.group_rows;
      m.firsts.push_back(there ? (group + row) * packing.row_stride : -1);
      if (scaled) m.factors.push_back(there ? packing.scale->real(group + row) : 1);
    }
  }
  return m;
}

void set_block(Matrix& m) {
  m.block = m.type.share == WeightType::Share::block ? std::min(m.type.block, m.columns()) : m.columns();
}

// The operands of a matrix in fewer bits, or in floats of the same values.
LayerWeights coded_operands(const Node& node, Lowering& low, const std::string& key, ValueId source, Matrix m,
                            const std::vector<const Constant*>& sources) {
  set_block(m);
  const WeightType& type = m.type;
  LayerWeights result;
  result.columns = m.columns();
  const std::string own = key + "/" + to_string(type);
  const int64_t count = m.quads() * m.columns() * 4;
  if (is_widened(node)) {
    result.operands.push_back(low.weight(own + "/widened", DType::float32, count, sources,
                                         [m](const Sink& sink) { write_widened(m, sink); }));
    return result;
  }
  const bool halves = type.kind == WeightType::Kind::f16, whole = type.share == WeightType::Share::tensor;
  const int64_t grids = whole ? 4 : m.quads() * m.blocks() * 4;
  result.form = halves ? "w16_" : type.kind == WeightType::Kind::int8 ? "w8_" : "w4_";
  result.note = "weights stored as " + to_string(type);
  result.codes = Params{"", {{"columns", m.columns()}, {"block", m.block}, {"quad_step", whole ? 0 : m.blocks() * 4}}};
  const int64_t bytes = halves ? 2 * count : type.kind == WeightType::Kind::int8 ? count : count / 2;
  result.operands.push_back(low.weight(own, DType::uint8, bytes, sources, [m, halves](const Sink& sink) {
    if (halves) write_halves(m, sink);
    else write_codes(m, sink);
  }));
  result.operands.push_back(halves ? low.none()
                                   : low.weight(own + "/scale", DType::uint16, grids, sources, [m](const Sink& sink) {
                                       std::vector<uint8_t> all;
                                       each_grid(m, [&](const Grid& grid) { put_16(all, grid.scale_bits); });
                                       sink(all);
                                     }));
  result.operands.push_back(
      !type.asymmetric ? low.none() : low.weight(own + "/zero", DType::int8, grids, sources, [m](const Sink& sink) {
        std::vector<uint8_t> all;
        each_grid(m, [&](const Grid& grid) { all.push_back(static_cast<uint8_t>(grid.zero)); });
        sink(all);
      }));
  program::Coding coding{low.graph()[source].name, to_string(type), {}, m.source.type().bytes(), nullptr};
  for (const Argument& operand : result.operands) {
    if (operand.role == Argument::Role::weight) coding.weights.push_back(operand.weight);
  }
  if (!m.source.is_absent()) coding.snr_db = [m] { return noise_of(m); };
  low.program().codings.try_emplace(own, std::move(coding));
  return result;
}

}  // namespace

std::optional<WeightType> weight_type_of(const Node& node) {
  if (!node.has("weight_type")) return {};
  return weight_type_from(node.text("weight_type", ""));
}

std::vector<ValueId> codable_weights(const Graph& graph, const Node& node) {
  if (!node.has_input(0) || !node.has_input(1) || graph.dtype(node.inputs[0]) != DType::float32) return {};
  if (is_packed_recurrent(graph, node)) return {node.inputs[1], node.inputs[2]};
  const bool gather = node.is("Gather");
  const size_t at = gather ? 0 : 1;
  const Constant* weights = graph.constant(node.inputs[at]);
  if (!weights || weights->count() == 0) return {};
  if (is_dense(graph, node)) return {node.inputs[at]};
  if (gather && node.integer("axis", 0) == 0 && !graph.constant(node.inputs[1])) return {node.inputs[at]};
  // The kernels of volumes take floats.
  const bool flat = node.is("Conv") && graph.shape(node.inputs[0]).rank() <= 4;
  if (flat && (!node.has_input(2) || graph.constant(node.inputs[2]))) return {node.inputs[at]};
  return {};
}

std::string not_codable(const Constant& weights, const WeightType& type) {
  if (weights.dtype() != DType::float32) return "weights of " + to_string(weights.dtype());
  if (weights.is_absent()) return {};
  constexpr double kLargestHalf = 65504;
  for (int64_t i = 0; i < weights.count(); ++i) {
    const double weight = weights.real(i);
    if (!std::isfinite(weight)) return "a weight that is no finite number";
    if (type.kind == WeightType::Kind::f16 && std::abs(weight) > kLargestHalf) return "a weight beyond float16";
    if (weights.is_splat()) break;
  }
  return {};
}

bool is_widened(const Node& node) { return node.has("widened"); }

LayerWeights layer_weights(const Node& node, Lowering& low, const std::string& key, ValueId source,
                           const QuadPacking& packing) {
  const Constant& constant = *low.constant(source);
  if (const std::optional<WeightType> type = weight_type_of(node)) {
    std::vector<const Constant*> sources;
    Matrix m = matrix_of(constant, packing, *type, sources);
    return coded_operands(node, low, key, source, std::move(m), sources);
  }
  LayerWeights result;
  result.columns = static_cast<int64_t>(packing.order.size());
  result.lanes = packing.vectors.lanes;
  result.form = packing.vectors.form;
  result.operands.push_back(pack_quads(low, key + result.form, constant, packing, low.dtype(node.outputs[0])));
  return result;
}

LayerWeights recurrent_weights(const Node& node, Lowering& low, const std::string& key, ValueId source,
                               const std::vector<int64_t>& rows, int64_t length) {
  const Constant& constant = *low.constant(source);
  if (const std::optional<WeightType> type = weight_type_of(node)) {
    Matrix m{constant, rows, {}, {}, *type, 0};
    for (int64_t k = 0; k < length; ++k) m.order.push_back(k);
    return coded_operands(node, low, key, source, std::move(m), {&constant});
  }
  LayerWeights result;
  result.columns = length;
  result.operands.push_back(pack_rows(low, key, constant, rows, length, low.dtype(node.inputs[0])));
  return result;
}

Argument widened_table(const Node& node, Lowering& low, ValueId source, const QuadPacking& packing) {
  const WeightType type = *weight_type_of(node);
  std::vector<const Constant*> sources;
  Matrix m = matrix_of(*low.constant(source), packing, type, sources);
  set_block(m);
  return low.weight(low.key(source, cat("/", to_string(type), "/table")), DType::float32, packing.rows * m.columns(),
                    sources, [m](const Sink& sink) { write_widened_rows(m, sink); });
}

Walk input_walk(const LayerWeights& weights, Walk walk) {
  walk.apart = weights.vectors();
  walk.block_pixels = weights.vectors() ? 1 : 4;
  return walk;
}

Walk residual_walk(const LayerWeights& weights, int64_t block_pixels) {
  Walk walk = elementwise_walk();
  walk.block_pixels = weights.vectors() ? 1 : block_pixels;
  walk.same_place = weights.vectors();
  return walk;
}

std::string dense_kernel(const LayerWeights& weights, DType dtype) {
  return cat("tarn_dense_", weights.form, kernel_suffix(dtype));
}

Params dense_params(const Node& node, const LayerWeights& weights, DType dtype, int64_t pixels, int64_t outputs,
                    FieldValue x_pitch, FieldValue r_pitch) {
  Params params{cat("tarn_dense_", weights.coded() ? "coded_" : weights.form, kernel_suffix(dtype), "_params"),
                {{"pixels", pixels}}};
  if (!weights.coded()) params.append({{"inputs", weights.columns}});
  params.append({{"outputs", outputs},
                 {"x_pitch", std::move(x_pitch)},
                 {"y_pitch", program::Pitch{program::Pitch::Of::pixel, weights.y_at()}},
                 {"r_pitch", std::move(r_pitch)}});
  if (!weights.vectors()) {
    params.append({{"block_first", program::BlockRange{false, true}}, {"block_end", program::BlockRange{true, true}}});
  }
  if (weights.coded()) params.append({{"w", *weights.codes}});
  params.append({{"lo", clamp_low(node, dtype)}, {"hi", clamp_high(node, dtype)}});
  return params;
}

}  // namespace tarn::ops
