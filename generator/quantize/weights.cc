#include "quantize/weights.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "quantize/tuning.h"
#include "tensor/numeric.h"

namespace tarn::quantize {

namespace {

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

struct Rounding {
  // How much of the seen moments counts: 0: each weight goes to its nearest code, 1: nothing but the sums that were
  // seen matter. Few samples, or samples that are alike, tell little of others.
  double trust = 0;
  bool centred = true;  // the bias takes the mean of the error
};

// What the sum of a row of codes is off by, squared, in steps, but for what does not depend on the codes.
double error_of(const Moments& m, const Moments& fitted, const std::vector<double>& wanted, const int32_t* codes,
                bool centred) {
  const size_t n = wanted.size();
  double error = 0, mean = 0;
  for (size_t i = 0; i < n; ++i) {
    mean += codes[i] * (m.mean_q[i] - (centred ? fitted.mean_q[i] : 0));
    mean -= wanted[i] * (m.mean_x[i] - (centred ? fitted.mean_x[i] : 0));
    if (codes[i] == 0) continue;
    const double *qq = m.qq.data() + i * n, *qx = m.qx.data() + i * n;
    double sum = 0;
    for (size_t j = 0; j < n; ++j) sum += qq[j] * codes[j] - 2 * qx[j] * wanted[j];
    error += codes[i] * sum;
  }
  return error + mean * mean;
}

// Coordinate descent on (q - w)' E (q - w) in steps: one code at a time goes up or down while that makes the error of
// the sum less.
void round_row(const Moments& m, const Rounding& rounding, const std::vector<double>& wanted, int32_t most,
               int32_t* codes) {
  const size_t n = wanted.size();
  const double trust = rounding.trust;
  const auto mean = [&](size_t i) { return rounding.centred ? 0 : m.mean_q[i]; };
  double off = 0;  // the mean of the error
  for (size_t j = 0; j < n; ++j) off += codes[j] * m.mean_q[j] - wanted[j] * m.mean_x[j];
  std::vector<double> slope(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const double *qq = m.qq.data() + i * n, *qx = m.qx.data() + i * n;
    for (size_t j = 0; j < n; ++j) slope[i] += qq[j] * codes[j] - qx[j] * wanted[j];
    slope[i] = trust * (slope[i] + mean(i) * off) + (1 - trust) * (qq[i] + mean(i) * mean(i)) * (codes[i] - wanted[i]);
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    bool moved = false;
    for (size_t k = 0; k < n; ++k) {
      const double own = m.qq[k * n + k] + mean(k) * mean(k);
      const int32_t by = slope[k] > 0 ? -1 : 1, next = codes[k] + by;
      if (2 * by * slope[k] + own >= -1e-12 * own || std::abs(next) > most) continue;
      if (std::fabs(next - wanted[k]) > kFarthest) continue;
      codes[k] = next;
      const double *row = m.qq.data() + k * n, step = by * trust;
      for (size_t i = 0; i < n; ++i) slope[i] += step * (row[i] + mean(i) * mean(k));
      slope[k] += by * (1 - trust) * own;
      moved = true;
    }
    if (!moved) break;
  }
}

// Rows of weights in steps of their scale.
struct Rows {
  size_t channels = 0, length = 0, per_group = 0;
  int32_t most = 127;
  const std::vector<float>& weights;
  const std::vector<float>& scale;

  std::vector<double> wanted(size_t c) const {
    std::vector<double> row(length);
    for (size_t k = 0; k < length; ++k)
      row[k] = static_cast<double>(weights[c * length + k]) / static_cast<double>(scale[c]);
    return row;
  }
  void nearest(const std::vector<double>& row, int32_t* codes) const {
    for (size_t k = 0; k < length; ++k)
      codes[k] = static_cast<int32_t>(
          std::clamp(std::nearbyint(row[k]), -static_cast<double>(most), static_cast<double>(most)));
  }
};

// Rows are rounded by one half of the samples and tried on the other, with their means corrected and, as means of few
// samples may mislead, without.
Rounding choose_rounding(const Rows& rows, const LayerMoments& moments, const WeightOptions& options) {
  std::vector<Rounding> ways;
  for (const bool centred : {true, false}) {
    if (centred && !options.correct_bias) continue;
    for (const double trust : kTrusts) {
      if (trust == 0 || options.round_by_sums) ways.push_back({trust, centred});
    }
  }
  std::vector<double> errors(ways.size(), 0);
  const size_t step = (rows.channels + kMostTried - 1) / kMostTried;
  std::vector<int32_t> codes(rows.length);
  bool tried = false;
  for (size_t c = 0; c < rows.channels; c += step) {
    const Moments &fit = moments.fit[c / rows.per_group], &held = moments.held[c / rows.per_group];
    if (fit.count == 0 || held.count == 0) continue;
    tried = true;
    const std::vector<double> wanted = rows.wanted(c);
    const auto weight = static_cast<double>(rows.scale[c]) * static_cast<double>(rows.scale[c]);
    for (size_t w = 0; w < ways.size(); ++w) {
      rows.nearest(wanted, codes.data());
      if (ways[w].trust > 0) round_row(fit, ways[w], wanted, rows.most, codes.data());
      errors[w] += weight * error_of(held, fit, wanted, codes.data(), ways[w].centred);
    }
  }
  if (!tried) return {0, options.correct_bias};
  return ways[static_cast<size_t>(std::min_element(errors.begin(), errors.end()) - errors.begin())];
}

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

// Scales as bfloat16 has them, see scale_above() in ranges.h; a channel of zeros has one that others have.
void round_scales(std::span<float> scales) {
  float largest = 0;
  for (float& scale : scales) {
    if (scale > 1e-30f) scale = static_cast<float>(bfloat16_above(static_cast<double>(scale)));
    largest = std::max(largest, scale);
  }
  for (float& scale : scales) {
    if (!(scale > 1e-30f)) scale = largest > 1e-30f ? largest : 1;
  }
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
                          const LayerMoments& halves, int64_t scales, float step, const WeightOptions& options) {
  const std::vector<Moments>& moments = halves.all;
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
  round_scales(std::span(out.scale).first(shared));
  for (size_t c = shared; c < channels; ++c) out.scale[c] = out.scale[c % shared];
  const Rows rows{channels, n, channels / static_cast<size_t>(shape.groups), most, weights, out.scale};
  const bool known = !moments.empty() && !moments[0].qq.empty();
  const Rounding rounding = known ? choose_rounding(rows, halves, options) : Rounding{0, options.correct_bias};
  for (size_t c = 0; c < channels; ++c) {
    const auto scale = static_cast<double>(out.scale[c]);
    int32_t* codes = out.codes.data() + c * n;
    const std::vector<double> wanted = rows.wanted(c);
    rows.nearest(wanted, codes);
    if (moments.empty()) continue;
    const Moments& m = moments[c / rows.per_group];
    if (m.count == 0) continue;
    if (rounding.trust > 0) round_row(m, rounding, wanted, most, codes);
    if (!rounding.centred) continue;
    for (size_t k = 0; k < n; ++k)
      out.bias[c] += static_cast<double>(weights[c * n + k]) * m.mean_x[k] - scale * codes[k] * m.mean_q[k];
  }
  return out;
}

}  // namespace tarn::quantize
