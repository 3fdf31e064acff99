#include "ops/packing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using Sink = std::function<void(std::span<const uint8_t>)>;

// Rows of a source, four at a time, as they are packed.
class Rows {
 public:
  Rows(const Constant& source, const std::vector<int64_t>& order)
      : source_(source),
        order_(order),
        length_(order.empty() ? 0 : 1 + *std::max_element(order.begin(), order.end())),
        row_(order.size()) {
    // Elements far apart are read one by one.
    apart_ = length_ > 4 * static_cast<int64_t>(order.size()) || source.dtype() == DType::float64;
    if (!apart_) stored_.resize(static_cast<size_t>(4 * length_));
    straight_ = true;
    for (size_t k = 0; k < order.size(); ++k) straight_ = straight_ && order[k] == static_cast<int64_t>(k);
  }

  // Scaled, as doubles (exact for every float type).
  const std::vector<double>& exact(int64_t first, double scale) {
    row_.resize(order_.size());
    if (apart_) {
      for (size_t k = 0; k < row_.size(); ++k) row_[k] = source_.real(first + order_[k]) * scale;
      return row_;
    }
    const float* stored = read(first, 0);
    for (size_t k = 0; k < row_.size(); ++k) row_[k] = static_cast<double>(stored[order_[k]]) * scale;
    return row_;
  }

  // Up to four rows, side by side, scaled in doubles and rounded once; into every step-th place from `out` on.
  void quad(std::span<const int64_t> firsts, std::span<const double> scales, float* out, size_t step) {
    if (firsts.size() < 4 || apart_) {
      for (size_t lane = 0; lane < firsts.size(); ++lane) spread(firsts[lane], scales[lane], out + lane, step);
      return;
    }
    const float *a = read(firsts[0], 0), *b = read(firsts[1], 1), *c = read(firsts[2], 2), *d = read(firsts[3], 3);
    const bool scaled = std::any_of(scales.begin(), scales.end(), [](double s) { return s != 1; });
    const size_t count = order_.size();
    if (straight_ && !scaled) {
      for (size_t k = 0; k < count; ++k) put(out + step * k, a[k], b[k], c[k], d[k]);
    } else if (!scaled) {
      for (size_t k = 0; k < count; ++k) {
        const int64_t from = order_[k];
        put(out + step * k, a[from], b[from], c[from], d[from]);
      }
    } else {
      const double w = scales[0], x = scales[1], y = scales[2], z = scales[3];
      for (size_t k = 0; k < count; ++k) {
        const int64_t from = order_[k];
        put(out + step * k, times(a[from], w), times(b[from], x), times(c[from], y), times(d[from], z));
      }
    }
  }

 private:
  const float* read(int64_t first, int64_t lane) {
    float* const row = stored_.data() + lane * length_;
    source_.read(first, {row, static_cast<size_t>(length_)});
    return row;
  }

  static void put(float* out, float a, float b, float c, float d) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
  }
  static float times(float value, double scale) { return static_cast<float>(static_cast<double>(value) * scale); }

  void spread(int64_t first, double scale, float* out, size_t step) {
    if (apart_) {
      for (const double v : exact(first, scale)) *out = static_cast<float>(v), out += step;
      return;
    }
    const float* stored = read(first, 0);
    const size_t count = order_.size();
    for (size_t k = 0; k < count; ++k) out[step * k] = times(stored[order_[k]], scale);
  }

  const Constant& source_;
  const std::vector<int64_t>& order_;
  int64_t length_ = 0;
  std::vector<float> stored_;  // four rows
  std::vector<double> row_;
  bool apart_ = false, straight_ = false;
};

// One packing, block by block of up to four rows, or as many as a vector has lanes.
class QuadWriter {
 public:
  QuadWriter(const Constant& source, const QuadPacking& packing, const std::vector<double>& scale, DType dtype)
      : source_(source),
        packing_(packing),
        scale_(scale),
        dtype_(dtype),
        rows_(source, packing.order),
        singles_(dtype == DType::float32),
        width_(static_cast<size_t>(packing.vectors.lanes)),
        factors_(width_, 1) {
    const size_t count = width_ * packing.order.size();
    if (singles_) floats_.resize(count);
    else block_.resize(static_cast<size_t>(bytes_for(dtype, static_cast<int64_t>(count))));
  }

  std::span<const uint8_t> block(int64_t b) {
    const int64_t width = packing_.vectors.lanes, blocks = ceil_div(packing_.group_rows, width), group = b / blocks;
    const int64_t within = b % blocks * width, first_row = group * packing_.group_rows + within;
    lanes_ = static_cast<size_t>(std::min(width, packing_.group_rows - within));
    if (lanes_ < width_) {
      std::fill(block_.begin(), block_.end(), uint8_t{0});
      std::fill(floats_.begin(), floats_.end(), 0.0f);
    }
    for (size_t lane = 0; lane < lanes_ && !scale_.empty(); ++lane)
      factors_[lane] = scale_[static_cast<size_t>(first_row) + lane];
    const bool by_groups = packing_.group_stride >= 0;
    if (packing_.row_stride == 1 && !by_groups && dtype_ != DType::float64) {
      side_by_side(first_row);
    } else {
      const int64_t first =
          by_groups ? group * packing_.group_stride + within * packing_.row_stride : first_row * packing_.row_stride;
      one_by_one(first);
    }
    if (singles_) return {reinterpret_cast<const uint8_t*>(floats_.data()), floats_.size() * sizeof(float)};
    return block_;
  }

 private:
  // Element k of all rows is read at once.
  void side_by_side(int64_t first_row) {
    std::vector<float> side(lanes_);
    const std::span<const uint8_t> floats_there =
        source_.dtype() == DType::float32 ? source_.contiguous() : std::span<const uint8_t>();
    const bool as_they_are = !floats_there.empty() && singles_ && scale_.empty();
    for (size_t k = 0; k < packing_.order.size(); ++k) {
      const int64_t first = packing_.order[k] + first_row;
      if (as_they_are) {
        std::memcpy(floats_.data() + width_ * k, floats_there.data() + 4 * first, 4 * lanes_);
        continue;
      }
      source_.read(first, side);
      for (size_t lane = 0; lane < lanes_; ++lane) {
        const double value = static_cast<double>(side[lane]) * factors_[lane];
        if (singles_) floats_[width_ * k + lane] = static_cast<float>(value);
        else write_double(dtype_, block_.data(), static_cast<int64_t>(width_ * k + lane), value);
      }
    }
  }

  void one_by_one(int64_t first) {
    for (size_t at = 0; at < lanes_ && singles_; at += 4) {
      const int64_t row = first + static_cast<int64_t>(at) * packing_.row_stride;
      const std::array<int64_t, 4> firsts = {row, row + packing_.row_stride, row + 2 * packing_.row_stride,
                                             row + 3 * packing_.row_stride};
      const size_t there = std::min<size_t>(4, lanes_ - at);
      rows_.quad({firsts.data(), there}, {factors_.data() + at, there}, floats_.data() + at, width_);
    }
    for (size_t lane = 0; lane < lanes_ && !singles_; ++lane) {
      const int64_t at = first + static_cast<int64_t>(lane) * packing_.row_stride;
      const std::vector<double>& row = rows_.exact(at, factors_[lane]);
      for (size_t k = 0; k < row.size(); ++k)
        write_double(dtype_, block_.data(), static_cast<int64_t>(width_ * k + lane), row[k]);
    }
  }

  const Constant& source_;
  const QuadPacking& packing_;
  const std::vector<double>& scale_;  // by row; empty: 1
  DType dtype_;
  Rows rows_;
  bool singles_;
  size_t width_;
  std::vector<float> floats_;   // the block, of floats
  std::vector<uint8_t> block_;  // of another type
  size_t lanes_ = 0;            // rows in it
  std::vector<double> factors_;
};

}  // namespace

VectorForm vector_form_of(const std::string& target, DType dtype) {
  if (dtype != DType::float32) return {};
  if (target == "x86-64-v3") return {"v8_", 8};
  if (target == "x86-64-v4") return {"v16_", 16};
  if (target == "aarch64") return {"v4_", 4};
  return {target == "cortex-m55" ? "mve_" : "", 4};
}

VectorForm vector_form_of(const Lowering& low, DType dtype) { return vector_form_of(low.options().target, dtype); }

Argument pack_quads(Lowering& low, const std::string& key, const Constant& source, const QuadPacking& packing,
                    DType dtype) {
  const int64_t groups = packing.rows / packing.group_rows,
                blocks = ceil_div(packing.group_rows, packing.vectors.lanes);
  const auto length = static_cast<int64_t>(packing.order.size());
  std::vector<double> scale;
  std::vector<const Constant*> sources{&source};
  if (packing.scale) {
    sources.push_back(packing.scale);
    if (!packing.scale->is_absent()) scale = packing.scale->reals();
  }
  return low.weight(key, dtype, groups * blocks * length * packing.vectors.lanes, sources, [=](const Sink& sink) {
    QuadWriter writer(source, packing, scale, dtype);
    for (int64_t b = 0; b < groups * blocks; ++b) sink(writer.block(b));
  });
}

Argument pack_bias(Lowering& low, const std::string& key, const Constant& bias, int64_t rows, int64_t group_rows,
                   DType dtype, double factor, int64_t lanes) {
  const int64_t padded = ceil_div(group_rows, lanes) * lanes;
  const int64_t count = rows / group_rows * padded;
  return low.weight(cat(key, lanes), dtype, count, {&bias}, [=](const Sink& sink) {
    std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(dtype, count)), 0);
    for (int64_t r = 0; r < rows; ++r) {
      const double value = bias.real(bias.count() == 1 ? 0 : r) * factor;
      write_double(dtype, bytes.data(), r / group_rows * padded + r % group_rows, value);
    }
    sink(bytes);
  });
}

Argument pack_rows(Lowering& low, const std::string& key, const Constant& source, const std::vector<int64_t>& rows,
                   int64_t length, DType dtype) {
  const auto blocks = ceil_div(static_cast<int64_t>(rows.size()), int64_t{4});
  return low.weight(key, dtype, blocks * length * 4, {&source}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(bytes_for(dtype, length * 4)));
    const bool floats = dtype == DType::float32 && source.dtype() == DType::float32;
    std::vector<float> row(floats ? static_cast<size_t>(length) : 0);
    for (int64_t b = 0; b < blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < 4; ++lane) {
        const auto at = static_cast<size_t>(b * 4 + lane);
        if (at >= rows.size() || rows[at] < 0) continue;
        if (floats) {
          source.read(rows[at], row);
          for (size_t k = 0; k < row.size(); ++k)
            std::memcpy(block.data() + 4 * (4 * k + static_cast<size_t>(lane)), &row[k], sizeof(float));
          continue;
        }
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
