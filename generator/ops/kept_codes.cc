// Weights that the model itself stores as codes: with which of its scales a kernel reads them.
#include <cmath>
#include <numeric>

#include "ops/coded_matrix.h"
#include "tensor/coded_values.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

int64_t scale_of(const CodedMatrix& m, size_t row, int64_t k) {
  return m.source.codes()->geometry.scale_of(m.source.code_of(m.firsts[row] + m.order[static_cast<size_t>(k)]));
}

// The most weights after which scales may change in any row; the last block of a row may be shorter.
int64_t block_of(const CodedMatrix& m) {
  int64_t block = 0;
  for (size_t row = 0; row < m.firsts.size(); ++row) {
    if (m.firsts[row] < 0) continue;
    int64_t before = scale_of(m, row, 0);
    for (int64_t k = 1; k < m.columns(); ++k) {
      const int64_t scale = scale_of(m, row, k);
      if (scale != before) block = std::gcd(block, k);
      before = scale;
    }
  }
  return block == 0 ? m.columns() : block;
}

// Codes are told from values, which an infinite one does not allow.
bool all_finite(const CodedMatrix& m) {
  for (size_t row = 0; row < m.firsts.size(); ++row) {
    for (int64_t b = 0; b < m.blocks(); ++b) {
      const Grid grid = m.kept_grid(row, b);
      if (!std::isfinite(static_cast<float>(grid.scale * (grid.most - grid.least)))) return false;
    }
  }
  return true;
}

ScaleType scale_type(const CodedMatrix& m) {
  bool bfloat = true, half = true;
  for (size_t row = 0; row < m.firsts.size(); ++row) {
    for (int64_t b = 0; b < m.blocks(); ++b) {
      const auto scale = static_cast<float>(m.kept_grid(row, b).scale);
      bfloat = bfloat && bfloat16_to_float(float_to_bfloat16(scale)) == scale;
      half = half && half_to_float(float_to_half(scale)) == scale;
    }
  }
  return bfloat ? ScaleType::bfloat16 : half ? ScaleType::float16 : ScaleType::float32;
}

// Whether grids of all rows, or all grids, are the same. Rows that fill up four have none of their own.
void share_grids(CodedMatrix& m) {
  std::vector<Grid> first;
  bool rows = true, all = true;
  for (size_t row = 0; row < m.firsts.size(); ++row) {
    if (m.firsts[row] < 0) continue;
    for (int64_t b = 0; b < m.blocks(); ++b) {
      const Grid grid = m.kept_grid(row, b);
      m.type.asymmetric = m.type.asymmetric || grid.zero != 0;
      if (static_cast<int64_t>(first.size()) < m.blocks()) first.push_back(grid);
      rows = rows && grid == first[static_cast<size_t>(b)];
      all = all && grid == first[0];
    }
  }
  m.one_row = rows;
  if (all) m.type.share = WeightType::Share::tensor;
}

}  // namespace

Grid CodedMatrix::kept_grid(size_t row, int64_t b) const {
  Grid grid;
  grid.most = (1 << (bits_of_weight(type) - 1)) - 1;
  grid.least = -grid.most - 1;
  if (firsts[row] < 0) return grid;
  const CodedValues& values = *source.codes();
  const int64_t at = scale_of(*this, row, b * block);
  const double factor = factors.empty() ? 1 : factors[row];
  grid.scale = static_cast<double>(static_cast<float>(values.scales.real(at)));
  if (factor != 1) grid.scale = static_cast<double>(static_cast<float>(grid.scale * factor));
  grid.zero = static_cast<int>(values.zero_at(at)) - (is_signed(values.codes.dtype()) ? 0 : grid.most + 1);
  return grid;
}

bool keep_codes(CodedMatrix& m) {
  const CodedValues* values = m.source.codes();
  if (!values || m.order.empty()) return false;
  const int bits = bits_of(values->codes.dtype());
  m.kept = true;
  m.type = {};
  m.type.kind = bits == 8 ? WeightType::Kind::int8 : bits == 4 ? WeightType::Kind::int4 : WeightType::Kind::int2;
  m.block = block_of(m);
  m.type.share = m.block < m.columns() ? WeightType::Share::block : WeightType::Share::channel;
  m.type.block = m.block < m.columns() ? m.block : 0;
  if (!all_finite(m)) return false;
  share_grids(m);
  if (m.one_grid()) {
    m.block = m.columns();
    m.type.block = 0;
  }
  m.scales = scale_type(m);
  const int64_t coded = m.code_bytes() + m.scale_bytes() + (m.type.asymmetric ? m.grids() : 0);
  return coded < m.quads() * m.columns() * 4 * 4;
}

}  // namespace tarn::ops
