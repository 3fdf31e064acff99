#include "quantize/weights.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "quantize/round_rows.h"
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
  round_rows(rows, moments, rounding, out.codes);
  for (size_t c = 0; c < channels && rounding.centred && !moments.empty(); ++c) {
    const Moments& m = moments[c / rows.per_group];
    if (m.count == 0) continue;
    const auto scale = static_cast<double>(out.scale[c]);
    const int32_t* codes = out.codes.data() + c * n;
    for (size_t k = 0; k < n; ++k)
      out.bias[c] += static_cast<double>(weights[c * n + k]) * m.mean_x[k] - scale * codes[k] * m.mean_q[k];
  }
  return out;
}

}  // namespace tarn::quantize
