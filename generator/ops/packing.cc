#include "ops/packing.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using Sink = std::function<void(std::span<const uint8_t>)>;

// Rows of a source, one after the other, as they are packed.
class Rows {
 public:
  Rows(const Constant& source, const std::vector<int64_t>& order)
      : source_(source),
        order_(order),
        length_(order.empty() ? 0 : 1 + *std::max_element(order.begin(), order.end())),
        row_(order.size()) {
    // Elements far apart are read one by one.
    apart_ = length_ > 4 * static_cast<int64_t>(order.size());
    if (!apart_) stored_.resize(static_cast<size_t>(length_));
    straight_ = true;
    for (size_t k = 0; k < order.size(); ++k) straight_ = straight_ && order[k] == static_cast<int64_t>(k);
  }

  // Scaled, as doubles (exact for every float type).
  const std::vector<double>& exact(int64_t first, double scale) {
    row_.resize(order_.size());
    if (apart_ || source_.dtype() == DType::float64) {
      for (size_t k = 0; k < row_.size(); ++k) row_[k] = source_.real(first + order_[k]) * scale;
      return row_;
    }
    source_.read(first, stored_);
    for (size_t k = 0; k < row_.size(); ++k)
      row_[k] = static_cast<double>(stored_[static_cast<size_t>(order_[k])]) * scale;
    return row_;
  }

  // Into every fourth place from `out` on, scaled in doubles and rounded once.
  void spread(int64_t first, double scale, float* out) {
    if (apart_ || source_.dtype() == DType::float64) {
      for (const double v : exact(first, scale)) *out = static_cast<float>(v), out += 4;
      return;
    }
    source_.read(first, stored_);
    const float* stored = stored_.data();
    const size_t count = order_.size();
    if (straight_ && scale == 1) {
      for (size_t k = 0; k < count; ++k) out[4 * k] = stored[k];
    } else {
      for (size_t k = 0; k < count; ++k)
        out[4 * k] = static_cast<float>(static_cast<double>(stored[order_[k]]) * scale);
    }
  }

 private:
  const Constant& source_;
  const std::vector<int64_t>& order_;
  int64_t length_ = 0;
  std::vector<float> stored_;
  std::vector<double> row_;
  bool apart_ = false, straight_ = false;
};

}  // namespace

Argument pack_quads(Lowering& low, const std::string& key, const Constant& source, const QuadPacking& packing,
                    DType dtype) {
  const int64_t groups = packing.rows / packing.group_rows, blocks = ceil_div(packing.group_rows, 4);
  const auto length = static_cast<int64_t>(packing.order.size());
  std::vector<double> scale;
  std::vector<const Constant*> sources{&source};
  if (packing.scale) {
    sources.push_back(packing.scale);
    if (!packing.scale->is_absent()) scale = packing.scale->reals();
  }
  return low.weight(key, dtype, groups * blocks * length * 4, sources, [=](const Sink& sink) {
    Rows rows(source, packing.order);
    std::vector<uint8_t> block(static_cast<size_t>(bytes_for(dtype, length * 4)));
    std::vector<float> floats(dtype == DType::float32 ? static_cast<size_t>(length * 4) : 0);
    for (int64_t b = 0; b < groups * blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      std::fill(floats.begin(), floats.end(), 0.0f);
      const int64_t first_row = b / blocks * packing.group_rows + b % blocks * 4;
      const auto lanes = static_cast<size_t>(std::min<int64_t>(4, packing.group_rows - b % blocks * 4));
      if (packing.row_stride == 1 && packing.group_stride < 0 && dtype != DType::float64) {
        // The rows stand side by side: element k of all four is read at once.
        float four[4];
        const std::span<const uint8_t> floats_there =
            source.dtype() == DType::float32 ? source.contiguous() : std::span<const uint8_t>();
        for (int64_t k = 0; k < length; ++k) {
          const int64_t first = packing.order[static_cast<size_t>(k)] + first_row;
          if (!floats_there.empty() && dtype == DType::float32 && scale.empty()) {
            std::memcpy(block.data() + 16 * k, floats_there.data() + 4 * first, 4 * lanes);
            continue;
          }
          source.read(first, std::span(four, lanes));
          for (size_t lane = 0; lane < lanes; ++lane) {
            const double factor = scale.empty() ? 1 : scale[static_cast<size_t>(first_row) + lane];
            write_double(dtype, block.data(), 4 * k + static_cast<int64_t>(lane),
                         static_cast<double>(four[lane]) * factor);
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
        const double factor = scale.empty() ? 1 : scale[static_cast<size_t>(r)];
        if (dtype == DType::float32) {
          rows.spread(from, factor, floats.data() + lane);
          continue;
        }
        const std::vector<double>& row = rows.exact(from, factor);
        for (int64_t k = 0; k < length; ++k)
          write_double(dtype, block.data(), 4 * k + lane, row[static_cast<size_t>(k)]);
      }
      if (dtype == DType::float32) std::memcpy(block.data(), floats.data(), block.size());
      sink(block);
    }
  });
}

Argument pack_bias(Lowering& low, const std::string& key, const Constant& bias, int64_t rows, int64_t group_rows,
                   DType dtype, double factor) {
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

Argument pack_rows(Lowering& low, const std::string& key, const Constant& source, const std::vector<int64_t>& rows,
                   int64_t length, DType dtype) {
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
