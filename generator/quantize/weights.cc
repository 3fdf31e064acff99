#include "quantize/weights.h"

#include <algorithm>
#include <cmath>

namespace tarn::quantize {

namespace {

constexpr int kPasses = 12;      // over a row
constexpr double kFarthest = 1;  // steps from the weight itself

// Position of element (row, k) in the tensor as it is stored.
template <class Visit>
void for_each_weight(const Shape& w, const graph::Node& node, Visit visit) {
  const bool image = node.op == "Conv" || node.op == "ConvTranspose";
  if (node.op == "ConvTranspose") {
    const int64_t groups = node.integer("group", 1), inputs = w[0] / groups, outputs = w[1],
                  area = w.count(2, w.rank());
    for (int64_t at = 0; at < w.count(); ++at) {
      const int64_t c = at / (outputs * area), o = at / area % outputs;
      visit(c / inputs * outputs + o, c % inputs * area + at % area, at);
    }
    return;
  }
  const bool rows = image || (node.op == "Gemm" && node.integer("transB", 0) != 0);
  const int64_t channels = rows ? w[0] : w[1], length = w.count() / channels;
  for (int64_t at = 0; at < w.count(); ++at) {
    if (rows) visit(at / length, at % length, at);
    else visit(at % channels, at / channels, at);
  }
}

// Coordinate descent on (s q - w)' E (s q - w): one code at a time goes up or down while that makes the error of the
// sum less. `target`: E[q x'] w / s. The diagonal counts for more where few windows were seen.
void round_row(const Moments& m, double trust, const std::vector<double>& wanted, const std::vector<double>& target,
               int32_t most, int32_t* codes) {
  const auto n = wanted.size();
  std::vector<double> slope(n, 0);
  for (size_t j = 0; j < n; ++j) {
    if (codes[j] == 0) continue;
    for (size_t i = 0; i < n; ++i) slope[i] += m.qq[j * n + i] * codes[j];
  }
  for (size_t i = 0; i < n; ++i) {
    const double own = m.qq[i * n + i];
    slope[i] = trust * (slope[i] - target[i]) + (1 - trust) * own * (codes[i] - wanted[i]);
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    bool moved = false;
    for (size_t k = 0; k < n; ++k) {
      const int32_t by = slope[k] > 0 ? -1 : 1, next = codes[k] + by;
      if (2 * by * slope[k] + m.qq[k * n + k] >= -1e-12 * m.qq[k * n + k] || std::abs(next) > most) continue;
      if (std::fabs(next - wanted[k]) > kFarthest) continue;
      codes[k] = next;
      const double* row = m.qq.data() + k * n;
      for (size_t i = 0; i < n; ++i) slope[i] += by * trust * row[i];
      slope[k] += by * (1 - trust) * row[k];
      moved = true;
    }
    if (!moved) break;
  }
}

constexpr float kLeastShare = 0.5F, kShareStep = 0.025F;  // of the largest weight that codes still reach

// With few codes it pays to cut off the largest weights: the scale of least square error, each weight counted by the
// power of what it is multiplied with.
float scale_of(const float* weights, const Moments* m, size_t n, int32_t most, float largest) {
  float best = largest / static_cast<float>(most);
  double least = -1;
  for (float share = 1; share >= kLeastShare; share -= kShareStep) {
    const float scale = share * largest / static_cast<float>(most);
    double error = 0;
    for (size_t k = 0; k < n; ++k) {
      const double code = std::clamp(std::nearbyint(static_cast<double>(weights[k]) / static_cast<double>(scale)),
                                     -static_cast<double>(most), static_cast<double>(most));
      const double off = static_cast<double>(weights[k]) - code * static_cast<double>(scale);
      error += (m ? m->qq[k * n + k] : 1) * off * off;
    }
    if (least < 0 || error < least) least = error, best = scale;
  }
  return best;
}

}  // namespace

std::vector<float> rows_of(const Constant& weights, const graph::Node& node) {
  std::vector<float> flat(static_cast<size_t>(weights.count())), rows(flat.size());
  weights.read(0, flat);
  const Shape& w = weights.shape();
  const int64_t channels = node.op == "ConvTranspose" ? w[1] * node.integer("group", 1)
                           : node.op == "Conv" || (node.op == "Gemm" && node.integer("transB", 0) != 0) ? w[0]
                                                                                                        : w[1];
  const int64_t length = weights.count() / channels;
  for_each_weight(w, node, [&](int64_t row, int64_t k, int64_t at) {
    rows[static_cast<size_t>(row * length + k)] = flat[static_cast<size_t>(at)];
  });
  return rows;
}

std::vector<int64_t> stored_order(const std::vector<int32_t>& rows, const Shape& w, const graph::Node& node) {
  std::vector<int64_t> stored(rows.size());
  int64_t channels = 0;
  for_each_weight(w, node, [&](int64_t row, int64_t, int64_t) { channels = std::max(channels, row + 1); });
  const int64_t length = static_cast<int64_t>(rows.size()) / channels;
  for_each_weight(w, node, [&](int64_t row, int64_t k, int64_t at) {
    stored[static_cast<size_t>(at)] = rows[static_cast<size_t>(row * length + k)];
  });
  return stored;
}

LayerCodes quantise_layer(const LayerShape& shape, const std::vector<float>& weights, const std::vector<float>& bias,
                          const std::vector<Moments>& moments, int64_t scales, float step,
                          const WeightOptions& options) {
  const auto channels = static_cast<size_t>(shape.channels), n = static_cast<size_t>(shape.length);
  const int32_t most = (1 << (options.bits - 1)) - 1;
  LayerCodes out;
  out.codes.resize(weights.size());
  out.scale.assign(channels, 0);
  out.bias.assign(channels, 0);
  for (size_t c = 0; c < bias.size(); ++c) out.bias[c] = static_cast<double>(bias[c]);
  const auto shared = static_cast<size_t>(scales);
  for (size_t c = 0; c < channels; ++c) {
    float& scale = out.scale[c % shared];
    for (size_t k = 0; k < n; ++k) scale = std::max(scale, std::fabs(weights[c * n + k]) / static_cast<float>(most));
    if (options.bits < 8 && shared == channels && scale > 1e-30f) {
      const Moments* m = moments.empty() ? nullptr : &moments[c / (channels / static_cast<size_t>(shape.groups))];
      scale = scale_of(weights.data() + c * n, m && m->count > 0 && !m->qq.empty() ? m : nullptr, n, most,
                       scale * static_cast<float>(most));
    }
    scale = std::max(scale, static_cast<float>(std::fabs(out.bias[c]) * 0x1p-29 / static_cast<double>(step)));
  }
  for (size_t c = 0; c < channels; ++c) {
    float& scale = out.scale[c % shared];
    if (!(scale > 1e-30f)) scale = 1;  // a channel of zeros
    out.scale[c] = scale;
  }
  std::vector<double> wanted(n), target(n);
  for (size_t c = 0; c < channels; ++c) {
    const auto scale = static_cast<double>(out.scale[c]);
    int32_t* codes = out.codes.data() + c * n;
    for (size_t k = 0; k < n; ++k) {
      wanted[k] = static_cast<double>(weights[c * n + k]) / scale;
      codes[k] = static_cast<int32_t>(
          std::clamp(std::nearbyint(wanted[k]), -static_cast<double>(most), static_cast<double>(most)));
    }
    if (moments.empty()) continue;
    const Moments& m = moments[c / (channels / static_cast<size_t>(shape.groups))];
    if (m.count == 0) continue;
    if (options.round_by_sums && !m.qq.empty()) {
      const double trust = static_cast<double>(m.count) / static_cast<double>(m.count + m.length / 4 + 1);
      for (size_t i = 0; i < n; ++i) {
        target[i] = 0;
        for (size_t j = 0; j < n; ++j) target[i] += m.qx[i * n + j] * wanted[j];
      }
      round_row(m, trust, wanted, target, most, codes);
    }
    if (!options.correct_bias) continue;
    for (size_t k = 0; k < n; ++k)
      out.bias[c] += static_cast<double>(weights[c * n + k]) * m.mean_x[k] - scale * codes[k] * m.mean_q[k];
  }
  return out;
}

}  // namespace tarn::quantize
