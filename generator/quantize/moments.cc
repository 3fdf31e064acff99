#include "quantize/moments.h"

#include <algorithm>
#include <cmath>

#include "quantize/tuning.h"

namespace tarn::quantize {

LayerShape shape_of(const graph::Graph& graph, const graph::Node& node) {
  LayerShape s;
  const Shape &x = graph.shape(node.inputs[0]), &w = graph.shape(node.inputs[1]), &y = graph.shape(node.outputs[0]);
  s.transposed = node.op == "ConvTranspose";
  s.image = s.transposed || node.op == "Conv";
  if (!s.image) {
    const bool rows = node.op == "Gemm" && node.integer("transB", 0) != 0;
    s.channels = rows ? w[0] : w[1];
    s.length = rows ? w[1] : w[0];
    s.batch = x.count() / s.length;
    return s;
  }
  s.groups = node.integer("group", 1);
  s.batch = x[0];
  s.inputs = x[1];
  s.channels = y[1];
  s.length = w.count() / (s.transposed ? w[1] * s.groups : w[0]);
  const int axes = x.rank() - 2;
  const std::vector<int64_t> strides = node.integers("strides"), dilations = node.integers("dilations"),
                             pads = node.integers("pads");
  const std::string automatic = node.text("auto_pad", "NOTSET");
  int64_t in[2] = {1, 1}, out[2] = {1, 1};
  for (int i = 0; i < axes; ++i) {
    const int to = 2 - axes + i;
    const auto at = static_cast<size_t>(i);
    in[to] = x[2 + i];
    out[to] = y[2 + i];
    s.kernel[to] = w[2 + i];
    if (!strides.empty()) s.stride[to] = strides[at];
    if (!dilations.empty()) s.dilation[to] = dilations[at];
    if (automatic.starts_with("SAME")) {
      const int64_t all =
          std::max<int64_t>(0, (out[to] - 1) * s.stride[to] + (s.kernel[to] - 1) * s.dilation[to] + 1 - in[to]);
      s.pad[to] = automatic == "SAME_LOWER" ? (all + 1) / 2 : all / 2;
    } else if (!pads.empty()) {
      s.pad[to] = pads[at];
    }
  }
  s.height = in[0], s.width = in[1], s.out_height = out[0], s.out_width = out[1];
  return s;
}

MomentGatherer::MomentGatherer(const LayerShape& shape, const Codes& codes, int64_t windows)
    : shape_(shape), codes_(codes), windows_(windows) {
  const auto length = static_cast<size_t>(shape.length), square = shape.length <= kLongestRow ? length * length : 0;
  for (std::vector<Moments>& half : sums_) {
    half.resize(static_cast<size_t>(shape.groups));
    for (Moments& m : half) {
      m.length = shape.length;
      m.mean_x.resize(length);
      m.mean_q.resize(length);
      m.qq.resize(square);
      m.qx.resize(square);
    }
  }
  x_.resize(length);
  q_.resize(length);
}

int64_t MomentGatherer::bytes(const LayerShape& shape) {
  const int64_t square = shape.length <= kLongestRow ? shape.length * shape.length : 0;
  return 4 * shape.groups * (square + shape.length) * static_cast<int64_t>(sizeof(double));
}

void MomentGatherer::take(size_t half, size_t group, std::span<const float> window) {
  Moments& m = sums_[half][group];
  const size_t n = window.size();
  for (size_t i = 0; i < n; ++i) {
    x_[i] = static_cast<double>(window[i]);
    q_[i] = static_cast<double>(codes_.number(codes_.code(window[i])));
    m.mean_x[i] += x_[i];
    m.mean_q[i] += q_[i];
  }
  ++m.count;
  if (m.qq.empty()) return;
  for (size_t i = 0; i < n; ++i) {
    const double q = q_[i];
    if (q == 0) continue;
    double *qq = m.qq.data() + i * n, *qx = m.qx.data() + i * n;
    for (size_t j = 0; j < n; ++j) {
      qq[j] += q * q_[j];
      qx[j] += q * x_[j];
    }
  }
}

void MomentGatherer::add(std::span<const float> input, bool single) {
  const size_t sample = samples_++;
  std::vector<float> window(static_cast<size_t>(shape_.length));
  if (!shape_.image) {
    const auto length = static_cast<size_t>(shape_.length), rows = input.size() / length;
    const size_t step = std::max<size_t>(1, rows / static_cast<size_t>(windows_));
    for (size_t r = 0; r < rows; r += step)
      take((single ? r / step : sample) % 2, 0, input.subspan(r * length, length));
    return;
  }
  const LayerShape& s = shape_;
  const int64_t places = s.batch * s.out_height * s.out_width, plane = s.height * s.width,
                per_group = s.inputs / s.groups;
  for (int64_t i = 0; i < std::min(windows_, places); ++i) {
    drawn_ = drawn_ * 6364136223846793005u + 1442695040888963407u;
    const int64_t at = windows_ >= places ? i : static_cast<int64_t>((drawn_ >> 33) % static_cast<uint64_t>(places));
    const int64_t image = at / (s.out_height * s.out_width), row = at / s.out_width % s.out_height,
                  column = at % s.out_width;
    for (int64_t g = 0; g < s.groups; ++g) {
      float* out = window.data();
      for (int64_t c = g * per_group; c < (g + 1) * per_group; ++c) {
        const float* from = input.data() + (image * s.inputs + c) * plane;
        for (int64_t u = 0; u < s.kernel[0]; ++u) {
          const int64_t y = row * s.stride[0] + u * s.dilation[0] - s.pad[0];
          for (int64_t v = 0; v < s.kernel[1]; ++v) {
            const int64_t x = column * s.stride[1] + v * s.dilation[1] - s.pad[1];
            *out++ = y < 0 || y >= s.height || x < 0 || x >= s.width ? 0 : from[y * s.width + x];
          }
        }
      }
      take((single ? static_cast<size_t>(i) : sample) % 2, static_cast<size_t>(g), window);
    }
  }
}

namespace {

// From sums to means about means.
void divide(Moments& m) {
  const double n = static_cast<double>(std::max<int64_t>(1, m.count));
  const auto length = static_cast<size_t>(m.length);
  for (size_t i = 0; i < length; ++i) m.mean_x[i] /= n, m.mean_q[i] /= n;
  for (size_t i = 0; i < length && !m.qq.empty(); ++i) {
    for (size_t j = 0; j < length; ++j) {
      m.qq[i * length + j] = m.qq[i * length + j] / n - m.mean_q[i] * m.mean_q[j];
      m.qx[i * length + j] = m.qx[i * length + j] / n - m.mean_q[i] * m.mean_x[j];
    }
  }
}

void accumulate(std::vector<double>& to, const std::vector<double>& from) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

LayerMoments MomentGatherer::finish() {
  LayerMoments moments{sums_[0], std::move(sums_[0]), std::move(sums_[1])};
  for (size_t g = 0; g < moments.all.size(); ++g) {
    Moments& all = moments.all[g];
    const Moments& more = moments.held[g];
    all.count += more.count;
    accumulate(all.mean_x, more.mean_x);
    accumulate(all.mean_q, more.mean_q);
    accumulate(all.qq, more.qq);
    accumulate(all.qx, more.qx);
    for (Moments* m : {&all, &moments.fit[g], &moments.held[g]}) divide(*m);
  }
  return moments;
}

}  // namespace tarn::quantize
