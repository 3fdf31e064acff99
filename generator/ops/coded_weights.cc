#include "ops/coded_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

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
  std::vector<int64_t> order;
  std::vector<double> factors;  // by row; empty: 1
  int64_t rows = 0, row_stride = 0;
  WeightType type;
  int64_t block = 0;

  int64_t columns() const { return static_cast<int64_t>(order.size()); }
  int64_t quads() const { return ceil_div(rows, int64_t{4}); }
  int64_t blocks() const { return ceil_div(columns(), block); }

  // As a float layer would have it.
  double at(int64_t row, int64_t k) const {
    if (row >= rows) return 0;
    const double weight = source.real(row * row_stride + order[static_cast<size_t>(k)]);
    if (factors.empty()) return weight;
    return static_cast<double>(static_cast<float>(weight * factors[static_cast<size_t>(row)]));
  }

  Grid grid(int64_t first_row, int64_t end_row, int64_t first, int64_t end) const {
    double lowest = 0, highest = 0;
    for (int64_t row = first_row; row < end_row; ++row) {
      for (int64_t k = first; k < end; ++k) {
        const double weight = at(row, k);
        lowest = std::min(lowest, weight);
        highest = std::max(highest, weight);
      }
    }
    return grid_of(lowest, highest, type);
  }
  std::array<Grid, 4> grids(int64_t quad, int64_t b) const {
    std::array<Grid, 4> four;
    for (size_t lane = 0; lane < four.size(); ++lane) {
      const int64_t row = quad * 4 + static_cast<int64_t>(lane);
      four[lane] = grid(row, row + 1, b * block, std::min(columns(), (b + 1) * block));
    }
    return four;
  }
  // Of all weights, when those share one.
  std::optional<Grid> only() const {
    if (type.share != WeightType::Share::tensor) return {};
    return grid(0, rows, 0, columns());
  }
};

void put_16(std::vector<uint8_t>& bytes, uint16_t value) {
  bytes.push_back(static_cast<uint8_t>(value & 255));
  bytes.push_back(static_cast<uint8_t>(value >> 8));
}

void write_halves(const Matrix& m, const Sink& sink) {
  for (int64_t q = 0; q < m.quads(); ++q) {
    std::vector<uint8_t> bytes;
    for (int64_t k = 0; k < m.columns(); ++k) {
      for (int64_t lane = 0; lane < 4; ++lane) put_16(bytes, double_to_half(m.at(q * 4 + lane, k)));
    }
    sink(bytes);
  }
}

void write_codes(const Matrix& m, const Sink& sink) {
  const auto only = m.only();
  const bool packed = m.type.kind == WeightType::Kind::int4;
  for (int64_t q = 0; q < m.quads(); ++q) {
    std::vector<uint8_t> bytes;
    for (int64_t b = 0; b < m.blocks(); ++b) {
      std::array<Grid, 4> grids;
      if (only) grids.fill(*only);
      else grids = m.grids(q, b);
      for (int64_t k = b * m.block; k < std::min(m.columns(), (b + 1) * m.block); ++k) {
        std::array<int, 4> codes;
        for (size_t lane = 0; lane < codes.size(); ++lane)
          codes[lane] = grids[lane].code(m.at(q * 4 + static_cast<int64_t>(lane), k));
        if (packed) {
          bytes.push_back(static_cast<uint8_t>((codes[0] + 8) | (codes[1] + 8) << 4));
          bytes.push_back(static_cast<uint8_t>((codes[2] + 8) | (codes[3] + 8) << 4));
        } else {
          for (const int code : codes) bytes.push_back(static_cast<uint8_t>(code));
        }
      }
    }
    sink(bytes);
  }
}

// Calls put(grid) for each grid in the order in which the kernel reads them.
template <class Put>
void each_grid(const Matrix& m, const Put& put) {
  if (const auto only = m.only()) {
    for (int lane = 0; lane < 4; ++lane) put(*only);
    return;
  }
  for (int64_t q = 0; q < m.quads(); ++q) {
    for (int64_t b = 0; b < m.blocks(); ++b) {
      for (const Grid& grid : m.grids(q, b)) put(grid);
    }
  }
}

}  // namespace

std::optional<WeightType> weight_type_of(const Node& node) {
  if (!node.has("weight_type")) return {};
  return weight_type_from(node.text("weight_type", ""));
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

CodedWeights pack_coded(Lowering& low, const std::string& key, const Constant& source, const QuadPacking& packing,
                        const WeightType& type) {
  Matrix m{source, packing.order, {}, packing.rows, packing.row_stride, type, 0};
  std::vector<const Constant*> sources{&source};
  if (packing.scale) {
    sources.push_back(packing.scale);
    if (!packing.scale->is_absent()) m.factors = packing.scale->reals();
  }
  const bool halves = type.kind == WeightType::Kind::f16, whole = type.share == WeightType::Share::tensor;
  m.block = type.share == WeightType::Share::block ? std::min(type.block, m.columns()) : m.columns();
  const std::string own = key + "/" + to_string(type);
  const int64_t count = m.quads() * m.columns() * 4, grids = whole ? 4 : m.quads() * m.blocks() * 4;
  CodedWeights coded{halves ? "w16" : type.kind == WeightType::Kind::int8 ? "w8" : "w4", {}, low.none(), low.none(),
                     m.block, whole ? 0 : m.blocks() * 4};
  const int64_t bytes = halves ? 2 * count : type.kind == WeightType::Kind::int8 ? count : count / 2;
  coded.codes = low.weight(own, DType::uint8, bytes, sources, [m, halves](const Sink& sink) {
    if (halves) write_halves(m, sink);
    else write_codes(m, sink);
  });
  if (halves) return coded;
  coded.scales = low.weight(own + "/scale", DType::uint16, grids, sources, [m](const Sink& sink) {
    std::vector<uint8_t> all;
    each_grid(m, [&](const Grid& grid) { put_16(all, grid.scale_bits); });
    sink(all);
  });
  if (!type.asymmetric) return coded;
  coded.zeros = low.weight(own + "/zero", DType::int8, grids, sources, [m](const Sink& sink) {
    std::vector<uint8_t> all;
    each_grid(m, [&](const Grid& grid) { all.push_back(static_cast<uint8_t>(grid.zero)); });
    sink(all);
  });
  return coded;
}

}  // namespace tarn::ops
