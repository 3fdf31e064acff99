#include "ops/coded_matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Grid grid_of(double lowest, double highest, const WeightType& type) {
  Grid grid;
  grid.most = (1 << (bits_of_weight(type) - 1)) - 1;
  grid.least = type.asymmetric ? -grid.most - 1 : -grid.most;
  const double range = type.asymmetric ? highest - lowest : std::max(highest, -lowest);
  grid.scale = bfloat16_above(range / (type.asymmetric ? grid.most - grid.least : grid.most));
  if (type.asymmetric && grid.scale != 0)
    grid.zero = std::clamp(grid.least - static_cast<int>(std::nearbyint(lowest / grid.scale)), grid.least, grid.most);
  return grid;
}

using Rows = std::array<std::vector<double>, 4>;

// Four rows as a float layer would have them.
Rows rows_of(const CodedMatrix& m, int64_t quad) {
  Rows four;
  for (size_t lane = 0; lane < four.size(); ++lane) {
    const size_t row = static_cast<size_t>(quad) * four.size() + lane;
    four[lane].assign(m.order.size(), 0);
    if (m.firsts[row] < 0) continue;
    const double factor = m.factors.empty() ? 1 : m.factors[row];
    for (size_t k = 0; k < m.order.size(); ++k) {
      const double weight = m.source.real(m.firsts[row] + m.order[k]);
      four[lane][k] = factor == 1 ? weight : static_cast<double>(static_cast<float>(weight * factor));
    }
  }
  return four;
}

using Grids = std::array<Grid, 4>;

Grids grids_of(const CodedMatrix& m, int64_t quad, const Rows& four, int64_t b) {
  Grids grids;
  for (size_t lane = 0; lane < grids.size(); ++lane) {
    if (m.kept) {
      grids[lane] = m.kept_grid(static_cast<size_t>(quad) * grids.size() + lane, b);
      continue;
    }
    double lowest = 0, highest = 0;
    for (int64_t k = b * m.block; k < std::min(m.columns(), (b + 1) * m.block); ++k) {
      lowest = std::min(lowest, four[lane][static_cast<size_t>(k)]);
      highest = std::max(highest, four[lane][static_cast<size_t>(k)]);
    }
    grids[lane] = grid_of(lowest, highest, m.type);
  }
  return grids;
}

// Of all weights, when those share one.
std::optional<Grid> only_grid(const CodedMatrix& m) {
  if (!m.one_grid()) return {};
  if (m.kept) {
    const auto first = std::find_if(m.firsts.begin(), m.firsts.end(), [](int64_t at) { return at >= 0; });
    return m.kept_grid(static_cast<size_t>(first - m.firsts.begin()), 0);
  }
  double lowest = 0, highest = 0;
  for (int64_t q = 0; q < m.quads(); ++q) {
    for (const std::vector<double>& row : rows_of(m, q)) {
      for (const double weight : row) {
        lowest = std::min(lowest, weight);
        highest = std::max(highest, weight);
      }
    }
  }
  return grid_of(lowest, highest, m.type);
}

// Calls put(the weight, the grid it is on) for each weight in the kernel's order.
template <class Begin, class Put, class End>
void each_code(const CodedMatrix& m, const Begin& begin, const Put& put, const End& end) {
  const auto only = only_grid(m);
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Rows four = rows_of(m, q);
    begin();
    for (int64_t b = 0; b < m.blocks(); ++b) {
      Grids grids;
      if (only) grids.fill(*only);
      else grids = grids_of(m, q, four, b);
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

void put_float(std::vector<uint8_t>& bytes, double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

// Calls put(the weight, the value that is stored for it) likewise.
template <class Begin, class Put, class End>
void each_stored(const CodedMatrix& m, const Begin& begin, const Put& put, const End& end) {
  if (m.type.kind != WeightType::Kind::f16) {
    each_code(
        m, begin, [&](double weight, const Grid& grid) { put(weight, grid.scale * (grid.code(weight) - grid.zero)); },
        end);
    return;
  }
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Rows four = rows_of(m, q);
    begin();
    for (size_t k = 0; k < static_cast<size_t>(m.columns()); ++k) {
      for (const std::vector<double>& row : four)
        put(row[k], static_cast<double>(half_to_float(double_to_half(row[k]))));
    }
    end();
  }
}

void write_halves(const CodedMatrix& m, const WeightSink& sink) {
  for (int64_t q = 0; q < m.quads(); ++q) {
    const Rows four = rows_of(m, q);
    std::vector<uint8_t> bytes;
    for (size_t k = 0; k < static_cast<size_t>(m.columns()); ++k) {
      for (const std::vector<double>& row : four) put_16(bytes, double_to_half(row[k]));
    }
    sink(bytes);
  }
}

// Calls put(grid) for each grid in the order in which the kernel reads them.
template <class Put>
void each_grid(const CodedMatrix& m, const Put& put) {
  if (const auto only = only_grid(m)) {
    for (int lane = 0; lane < 4; ++lane) put(*only);
    return;
  }
  for (int64_t q = 0; q < (m.one_row ? 1 : m.quads()); ++q) {
    const Rows four = m.kept ? Rows{} : rows_of(m, q);
    for (int64_t b = 0; b < m.blocks(); ++b) {
      for (const Grid& grid : grids_of(m, q, four, b)) put(grid);
    }
  }
}

}  // namespace

int Grid::code(double weight) const {
  if (scale == 0) return zero;
  return static_cast<int>(std::clamp<double>(std::nearbyint(weight / scale) + zero, least, most));
}

void write_codes(const CodedMatrix& m, const WeightSink& sink) {
  if (m.type.kind == WeightType::Kind::f16) return write_halves(m, sink);
  const int bits = bits_of_weight(m.type), middle = 1 << (bits - 1);
  std::vector<uint8_t> bytes;
  int filled = 0, byte = 0;
  each_code(
      m, [&] { bytes.clear(); },
      [&](double weight, const Grid& grid) {
        byte |= (grid.code(weight) + middle) << filled;
        filled += bits;
        if (filled < 8) return;
        bytes.push_back(static_cast<uint8_t>(byte));
        filled = byte = 0;
      },
      [&] { sink(bytes); });
}

void write_scales(const CodedMatrix& m, const WeightSink& sink) {
  std::vector<uint8_t> all;
  each_grid(m, [&](const Grid& grid) {
    if (m.scales == ScaleType::float32) put_float(all, grid.scale);
    else if (m.scales == ScaleType::float16) put_16(all, double_to_half(grid.scale));
    else put_16(all, float_to_bfloat16(static_cast<float>(grid.scale)));
  });
  sink(all);
}

void write_zeros(const CodedMatrix& m, const WeightSink& sink) {
  std::vector<uint8_t> all;
  each_grid(m, [&](const Grid& grid) { all.push_back(static_cast<uint8_t>(grid.zero)); });
  sink(all);
}

void write_widened(const CodedMatrix& m, const WeightSink& sink) {
  std::vector<uint8_t> bytes;
  each_stored(
      m, [&] { bytes.clear(); }, [&](double, double stored) { put_float(bytes, stored); }, [&] { sink(bytes); });
}

void write_widened_rows(const CodedMatrix& m, const WeightSink& sink) {
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

double noise_of(const CodedMatrix& m) {
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

}  // namespace tarn::ops
