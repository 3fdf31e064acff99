#include "ops/packing.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using Sink = std::function<void(std::span<const uint8_t>)>;

// One row of the source, scaled, as doubles (exact for every float type).
void read_row(const Constant& source, int64_t first, const std::vector<int64_t>& order, double scale, std::vector<double>& row) {
  const int64_t length = order.empty() ? 0 : 1 + *std::max_element(order.begin(), order.end());
  row.resize(order.size());
  // Elements far apart are read one by one.
  if (source.dtype() == DType::float64 || length > 4 * static_cast<int64_t>(order.size())) {
    for (size_t k = 0; k < order.size(); ++k) row[k] = source.real(first + order[k]) * scale;
    return;
  }
  std::vector<float> stored(static_cast<size_t>(length));
  source.read(first, stored);
  for (size_t k = 0; k < order.size(); ++k) row[k] = static_cast<double>(stored[static_cast<size_t>(order[k])]) * scale;
}

}  // namespace

Argument pack_quads(Lowering& low, const std::string& key, const Constant& source, const QuadPacking& packing, DType dtype) {
  const int64_t groups = packing.rows / packing.group_rows, blocks = ceil_div(packing.group_rows, 4);
  const auto length = static_cast<int64_t>(packing.order.size());
  std::vector<double> scale;
  std::vector<const Constant*> sources{&source};
  if (packing.scale) {
    sources.push_back(packing.scale);
    if (!packing.scale->is_absent()) scale = packing.scale->reals();
  }
  return low.weight(key, dtype, groups * blocks * length * 4, sources, [=](const Sink& sink) {
    std::vector<double> row;
    std::vector<uint8_t> block(static_cast<size_t>(bytes_for(dtype, length * 4)));
    for (int64_t b = 0; b < groups * blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      const int64_t first_row = b / blocks * packing.group_rows + b % blocks * 4;
      const auto lanes = static_cast<size_t>(std::min<int64_t>(4, packing.group_rows - b % blocks * 4));
      if (packing.row_stride == 1 && packing.group_stride < 0 && dtype != DType::float64) {
        // The rows stand side by side: element k of all four is read at once.
        float four[4];
        for (int64_t k = 0; k < length; ++k) {
          source.read(packing.order[static_cast<size_t>(k)] + first_row, std::span(four, lanes));
          for (size_t lane = 0; lane < lanes; ++lane) {
            const double factor = scale.empty() ? 1 : scale[static_cast<size_t>(first_row) + lane];
            write_double(dtype, block.data(), 4 * k + static_cast<int64_t>(lane), static_cast<double>(four[lane]) * factor);
          }
        }
        sink(block);
        continue;
      }
      for (int64_t lane = 0; lane < 4; ++lane) {
        const int64_t within = b % blocks * 4 + lane;
        if (within >= packing.group_rows) break;
        const int64_t r = first_row + lane;
        const int64_t from = packing.group_stride < 0 ? r * packing.row_stride
                                                      : b / blocks * packing.group_stride + within * packing.row_stride;
        read_row(source, from, packing.order, scale.empty() ? 1 : scale[static_cast<size_t>(r)], row);
        if (dtype == DType::float32) {
          for (int64_t k = 0; k < length; ++k) {
            const auto value = static_cast<float>(row[static_cast<size_t>(k)]);
            std::memcpy(block.data() + static_cast<size_t>(4 * (4 * k + lane)), &value, sizeof value);
          }
          continue;
        }
        for (int64_t k = 0; k < length; ++k) write_double(dtype, block.data(), 4 * k + lane, row[static_cast<size_t>(k)]);
      }
      sink(block);
    }
  });
}

Argument pack_bias(Lowering& low, const std::string& key, const Constant& bias, int64_t rows, int64_t group_rows, DType dtype,
                   double factor) {
  const int64_t blocks = ceil_div(group_rows, 4);
  const int64_t count = rows / group_rows * blocks * 4;
  return low.weight(key, dtype, count, {&bias}, [=](const Sink& sink) {
    std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(dtype, count)), 0);
    for (int64_t r = 0; r < rows; ++r) {
      const double value = bias.real(bias.count() == 1 ? 0 : r) * factor;
      write_double(dtype, bytes.data(), r / group_rows * blocks * 4 + r % group_rows, value);
    }
    sink(bytes);
  });
}

Argument pack_rows(Lowering& low, const std::string& key, const Constant& source, std::vector<int64_t> rows, int64_t length,
                   DType dtype) {
  const auto blocks = ceil_div(static_cast<int64_t>(rows.size()), int64_t{4});
  return low.weight(key, dtype, blocks * length * 4, {&source}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(bytes_for(dtype, length * 4)));
    for (int64_t b = 0; b < blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < 4; ++lane) {
        const auto at = static_cast<size_t>(b * 4 + lane);
        if (at >= rows.size() || rows[at] < 0) continue;
        for (int64_t k = 0; k < length; ++k) write_double(dtype, block.data(), 4 * k + lane, source.real(rows[at] + k));
      }
      sink(block);
    }
  });
}

FieldValue real_field(double value, DType dtype) {
  if (dtype == DType::float64) return value;
  return Float32{value};
}

FieldValue clamp_low(const Node& node, DType dtype) {
  return real_field(node.real("clamp_lo", -std::numeric_limits<double>::infinity()), dtype);
}

FieldValue clamp_high(const Node& node, DType dtype) {
  return real_field(node.real("clamp_hi", std::numeric_limits<double>::infinity()), dtype);
}

}  // namespace tarn::ops
