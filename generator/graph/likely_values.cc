#include "graph/likely_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <span>

namespace tarn::graph {

namespace {

constexpr int64_t kMostWeights = 65536;  // of a layer; of more some outputs are looked at, evenly

double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }
double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double of_channel(const std::vector<double>& all, size_t channel) { return all.size() == 1 ? all[0] : all[channel]; }
double average(const std::vector<double>& all) {
  double sum = 0;
  for (const double v : all) sum += v;
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

// One mean and variance for all channels.
LikelyValues joined(const LikelyValues& values) {
  const double mean = average(values.mean);
  double square = 0;
  for (size_t c = 0; c < values.mean.size(); ++c)
    square += values.mean[c] * values.mean[c] + of_channel(values.variance, c);
  square /= static_cast<double>(values.mean.size());
  return {{mean}, {std::max(0.0, square - mean * mean)}, values.floor};
}

// With so many channels; those of another number are taken together.
LikelyValues spread(const LikelyValues& values, size_t channels) {
  LikelyValues of = values.mean.size() == channels ? values : joined(values);
  of.mean.resize(channels, of.mean[0]);
  of.variance.resize(channels, of.variance[0]);
  return of;
}

// Mean and variance of f(x), by the middles of equal steps of x.
template <class F>
LikelyValues through(const LikelyValues& x, const F& f) {
  constexpr int kSteps = 12;
  constexpr double kReach = 3;  // standard deviations
  LikelyValues y{x.mean, x.mean, {}};
  for (size_t c = 0; c < x.mean.size(); ++c) {
    const double deviation = std::sqrt(of_channel(x.variance, c));
    double all = 0, sum = 0, square = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double z = kReach * (2 * i + 1 - kSteps) / kSteps, weight = density(z);
      const double v = f(std::max(x.mean[c] + deviation * z, x.floor.value_or(-HUGE_VAL)));
      all += weight;
      sum += weight * v;
      square += weight * v * v;
    }
    y.mean[c] = sum / all;
    y.variance[c] = std::max(0.0, square / all - y.mean[c] * y.mean[c]);
  }
  return y;
}

// As the next layer finds them: what was cut counts where it was put.
LikelyValues settled(const LikelyValues& x) {
  return x.floor ? through(x, [](double v) { return v; }) : x;
}

// Weights may be no numbers, or too large for what is made of them here.
bool is_finite(const LikelyValues& values) {
  const auto finite = [](double v) { return std::isfinite(v); };
  return std::all_of(values.mean.begin(), values.mean.end(), finite) &&
         std::all_of(values.variance.begin(), values.variance.end(), finite);
}

class Follow {
 public:
  explicit Follow(const Graph& graph) : graph_(graph), all_(graph.values.size()) {}

  std::vector<LikelyValues> take() {
    for (const Node& node : graph_.nodes) {
      const std::optional<LikelyValues> values = of_node(node);
      for (const ValueId id : node.outputs) {
        if (id && values && is_finite(*values)) all_[id.pos()] = *values;
      }
    }
    return std::move(all_);
  }

 private:
  const Constant* constant(const Node& node, size_t i) const {
    const Constant* c = node.has_input(i) ? graph_.constant(node.inputs[i]) : nullptr;
    const bool floats = c && (c->dtype() == DType::float32 || c->dtype() == DType::float16);
    return floats && !c->is_absent() && c->count() > 0 ? c : nullptr;
  }

  LikelyValues of(const Node& node, size_t i) const {
    if (!node.has_input(i)) return {};
    const Constant* c = constant(node, i);
    if (!c) return settled(all_[node.inputs[i].pos()]);
    std::vector<float> numbers(static_cast<size_t>(std::min(c->count(), kMostWeights)));
    c->read(0, numbers);
    LikelyValues values{{numbers.begin(), numbers.end()}, {}, {}};
    values.variance.resize(numbers.size(), 0);
    return values;
  }

  // Outputs of a layer: the sum over its weights of what each multiplies.
  std::optional<LikelyValues> layer(const Node& node, bool rows, int64_t groups) const {
    const Constant* weights = constant(node, 1);
    if (!weights || weights->shape().rank() < 2) return {};
    const Shape& shape = weights->shape();
    // Of a convolution [outputs, inputs, taps...]; of a product [inputs, outputs].
    const int64_t outputs = rows ? shape[0] : shape[1], inputs = rows ? shape[1] : shape[0];
    const int64_t taps = weights->count() / std::max<int64_t>(1, outputs * inputs), all_inputs = inputs * groups;
    if (!rows && (shape.rank() != 2 || weights->count() > kMostWeights)) return {};
    const LikelyValues x = spread(of(node, 0), static_cast<size_t>(all_inputs));
    const int64_t each = inputs * taps, step = std::max<int64_t>(1, outputs * each / kMostWeights);
    LikelyValues y{{}, {}, {}};
    std::vector<float> row(static_cast<size_t>(rows ? each : weights->count()));
    if (!rows) weights->read(0, row);
    for (int64_t o = 0; o < outputs; o += step) {
      if (rows) weights->read(o * each, row);
      const int64_t first = outputs < groups ? 0 : o / (outputs / groups) * inputs;
      double mean = 0, variance = 0;
      for (int64_t i = 0; i < inputs; ++i) {
        for (int64_t t = 0; t < taps; ++t) {
          const double w = row[static_cast<size_t>(rows ? i * taps + t : i * outputs + o)];
          mean += w * x.mean[static_cast<size_t>(first + i)];
          variance += w * w * x.variance[static_cast<size_t>(first + i)];
        }
      }
      y.mean.push_back(mean);
      y.variance.push_back(variance);
    }
    if (const Constant* scale = node.tensor("weight_scale"); scale && scale->count() == outputs) {
      for (size_t c = 0; c < y.mean.size(); ++c) {
        const double s = scale->real(static_cast<int64_t>(c) * step);
        y.mean[c] *= s;
        y.variance[c] *= s * s;
      }
    }
    const Constant* bias = constant(node, 2);
    if (bias && bias->count() == outputs) {
      for (size_t c = 0; c < y.mean.size(); ++c) y.mean[c] += bias->real(static_cast<int64_t>(c) * step);
    }
    return y;
  }

  std::optional<LikelyValues> two(const Node& node) const {
    const LikelyValues a = of(node, 0), b = of(node, 1);
    const size_t channels = std::max(a.mean.size(), b.mean.size());
    const LikelyValues x = spread(a, channels), y = spread(b, channels);
    LikelyValues z{x.mean, x.variance, {}};
    for (size_t c = 0; c < channels; ++c) {
      const double m = x.mean[c], v = x.variance[c], n = y.mean[c], u = y.variance[c];
      if (node.is("Add")) z.mean[c] = m + n;
      if (node.is("Sub")) z.mean[c] = m - n;
      if (node.is("Add") || node.is("Sub")) z.variance[c] = v + u;
      const double by = node.is("Div") && n != 0 ? 1 / n : n, wide = node.is("Div") ? 0 : u;
      if (!node.is("Mul") && !node.is("Div")) continue;
      z.mean[c] = m * by;
      z.variance[c] = v * wide + v * by * by + m * m * wide;
    }
    return z;
  }

  std::optional<LikelyValues> normalised(const Node& node) const {
    const LikelyValues scale = of(node, 1);
    LikelyValues y = spread({{0}, {1}, {}}, constant(node, 1) ? scale.mean.size() : 1);
    const LikelyValues bias = constant(node, 2) ? spread(of(node, 2), y.mean.size()) : LikelyValues{{0}, {0}, {}};
    for (size_t c = 0; c < y.mean.size(); ++c) {
      const double s = constant(node, 1) ? scale.mean[c] : 1;
      y.mean[c] = of_channel(bias.mean, c);
      y.variance[c] = s * s;
    }
    return y;
  }

  std::optional<LikelyValues> function(const Node& node) const {
    const LikelyValues x = of(node, 0);
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    if (node.op == "Tanh") return through(x, [](double v) { return std::tanh(v); });
    if (node.op == "Sigmoid") return through(x, sigmoid);
    if (node.op == "Exp") return through(x, [](double v) { return std::exp(std::min(v, 20.0)); });
    if (node.op == "Gelu") return through(x, [](double v) { return v * below(v); });
    if (node.op == "Swish" || node.op == "HardSwish") return through(x, [&](double v) { return v * sigmoid(v); });
    if (node.op == "LeakyRelu") {
      const double slope = node.real("alpha", 0.01);
      return through(x, [&](double v) { return v < 0 ? slope * v : v; });
    }
    return {};
  }

  std::optional<LikelyValues> unclamped(const Node& node) const {
    static const std::set<std::string> moved = {"Reshape", "Flatten", "Transpose", "Split",  "Slice",   "Concat",
                                                "Squeeze", "Pad",     "Unsqueeze", "Gather", "Identity"};
    if (node.op == "Conv" && (node.domain.empty() || node.domain == "tarn"))
      return layer(node, true, std::max<int64_t>(1, node.integer("group", 1)));
    if (!node.domain.empty()) return {};
    if (node.op == "Gemm") return layer(node, node.integer("transB", 0) != 0, 1);
    if (node.op == "MatMul") return layer(node, false, 1);
    if (node.op == "Add" || node.op == "Sub" || node.op == "Mul" || node.op == "Div") return two(node);
    if (node.op.ends_with("Normalization")) return normalised(node);
    if (node.op == "Relu") {
      LikelyValues x = of(node, 0);
      x.floor = 0;
      return x;
    }
    if (node.op == "MaxPool") return of(node, 0);
    if (node.op == "AveragePool" || node.op == "GlobalAveragePool" || node.op == "ReduceMean") {
      constexpr double kAlike = 0.25;  // values that lie side by side are, in part
      LikelyValues x = of(node, 0);
      for (double& v : x.variance) v *= kAlike;
      return x;
    }
    if (moved.contains(node.op)) return joined(of(node, 0));
    return function(node);
  }

  std::optional<LikelyValues> of_node(const Node& node) const {
    std::optional<LikelyValues> y = unclamped(node);
    constexpr size_t kResidual = 3;
    const bool is_layer = node.op == "Conv" || node.op == "Gemm" || node.op == "MatMul";
    if (y && is_layer && node.has_input(kResidual)) {
      const LikelyValues r = spread(of(node, kResidual), y->mean.size());
      for (size_t c = 0; c < y->mean.size(); ++c) {
        y->mean[c] += r.mean[c];
        y->variance[c] += r.variance[c];
      }
    }
    if (y && node.has("clamp_lo")) y->floor = node.real("clamp_lo", 0);
    return y;
  }

  const Graph& graph_;
  std::vector<LikelyValues> all_;
};

}  // namespace

std::vector<LikelyValues> likely_values(const Graph& graph) { return Follow(graph).take(); }

double share_up_to(const LikelyValues& values, double bound) {
  if (values.floor && bound < *values.floor) return 0;
  double all = 0;
  for (size_t c = 0; c < values.mean.size(); ++c) {
    const double deviation = std::sqrt(of_channel(values.variance, c));
    all += deviation > 0 ? below((bound - values.mean[c]) / deviation) : bound >= values.mean[c];
  }
  return values.mean.empty() ? 0 : all / static_cast<double>(values.mean.size());
}

double share_cut(const LikelyValues& values) { return values.floor ? share_up_to(values, *values.floor) : 0; }

}  // namespace tarn::graph
