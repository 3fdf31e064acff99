#include "quantize/round_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "quantize/tuning.h"

namespace tarn::quantize {

namespace {

// Rows that share matrices are worked on beside each other: a matrix is read once for all of them, and sums that wait
// for none of the others. Each is added up in the order in which it would be alone, so that it has the same bits.
constexpr size_t kLanes = 8;

// Numbers of several rows: element k of row l at [k * kLanes + l].
using Beside = std::vector<double>;

// visit(i, sums) for each row i of the matrices: sums[l] = sum over j of qq[i][j] codes[j] - times qx[i][j] wanted[j].
template <class Visit>
void multiply(const Moments& m, const Beside& codes, const Beside& wanted, double times, Visit visit) {
  const auto n = static_cast<size_t>(m.length);
  for (size_t i = 0; i < n; ++i) {
    const double *qq = m.qq.data() + i * n, *qx = m.qx.data() + i * n;
    double sums[kLanes] = {};
    for (size_t j = 0; j < n; ++j) {
      const double q = qq[j], x = times * qx[j], *c = codes.data() + j * kLanes, *w = wanted.data() + j * kLanes;
      for (size_t l = 0; l < kLanes; ++l) sums[l] += q * c[l] - x * w[l];
    }
    visit(i, sums);
  }
}

// The mean that a row's sum is off by, about that of the other moments.
double mean_error(const Moments& m, const Moments& fitted, const std::vector<double>& wanted, const int32_t* codes,
                  bool centred) {
  double mean = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    mean += codes[i] * (m.mean_q[i] - (centred ? fitted.mean_q[i] : 0));
    mean -= wanted[i] * (m.mean_x[i] - (centred ? fitted.mean_x[i] : 0));
  }
  return mean;
}

// A row of weights with codes, and what the slope of its error by each code is, but for the means.
struct Row {
  std::vector<double> wanted, slope;
  std::vector<int32_t> codes;
};

// The nearest codes of some rows that share their moments, at most kLanes of them.
std::vector<Row> nearest_rows(const Rows& rows, const Moments& m, const std::vector<size_t>& channels, bool slopes) {
  const size_t n = rows.length;
  std::vector<Row> some;
  Beside codes(n * kLanes, 0), wanted(n * kLanes, 0);
  for (size_t l = 0; l < channels.size(); ++l) {
    Row& row = some.emplace_back();
    row.wanted = rows.wanted(channels[l]);
    row.codes.resize(n);
    row.slope.resize(n);
    rows.nearest(row.wanted, row.codes.data());
    for (size_t k = 0; k < n; ++k) codes[k * kLanes + l] = row.codes[k], wanted[k * kLanes + l] = row.wanted[k];
  }
  if (!slopes) return some;
  multiply(m, codes, wanted, 1, [&](size_t i, const double* sums) {
    for (size_t l = 0; l < some.size(); ++l) some[l].slope[i] = sums[l];
  });
  return some;
}

// Coordinate descent on (q - w)' E (q - w) in steps: one code at a time goes up or down while that makes the error of
// the sum less. From nearest codes.
std::vector<int32_t> descend(const Moments& m, const Rounding& rounding, const Row& row, int32_t most) {
  const size_t n = row.wanted.size();
  const double trust = rounding.trust;
  const std::vector<double>& wanted = row.wanted;
  std::vector<int32_t> codes = row.codes;
  std::vector<double> slope = row.slope, mean(n, 0);
  if (!rounding.centred) mean = m.mean_q;
  double off = 0;  // the mean of the error
  for (size_t j = 0; j < n; ++j) off += codes[j] * m.mean_q[j] - wanted[j] * m.mean_x[j];
  for (size_t i = 0; i < n; ++i)
    slope[i] = trust * (slope[i] + mean[i] * off) +
               (1 - trust) * (m.qq[i * n + i] + mean[i] * mean[i]) * (codes[i] - wanted[i]);
  for (int pass = 0; pass < kPasses; ++pass) {
    bool moved = false;
    for (size_t k = 0; k < n; ++k) {
      const double own = m.qq[k * n + k] + mean[k] * mean[k];
      const int32_t by = slope[k] > 0 ? -1 : 1, next = codes[k] + by;
      if (2 * by * slope[k] + own >= -1e-12 * own || std::abs(next) > most) continue;
      if (std::fabs(next - wanted[k]) > kFarthest) continue;
      codes[k] = next;
      const double *line = m.qq.data() + k * n, step = by * trust, mean_k = mean[k];
      for (size_t i = 0; i < n; ++i) slope[i] += step * (line[i] + mean[i] * mean_k);
      slope[k] += by * (1 - trust) * own;
      moved = true;
    }
    if (!moved) break;
  }
  return codes;
}

// Of a row in several ways: what its sum is off by, squared, in steps, but for what does not depend on the codes.
std::vector<double> errors_of(const Moments& held, const Moments& fit, const std::vector<double>& wanted,
                              const std::vector<std::vector<int32_t>>& codes, const std::vector<Rounding>& ways) {
  const size_t n = wanted.size();
  std::vector<double> errors(codes.size(), 0);
  Beside same(n * kLanes, 0);
  for (size_t k = 0; k < n; ++k) std::fill_n(same.begin() + static_cast<std::ptrdiff_t>(k * kLanes), kLanes, wanted[k]);
  for (size_t first = 0; first < codes.size(); first += kLanes) {
    const size_t some = std::min(kLanes, codes.size() - first);
    Beside beside(n * kLanes, 0);
    for (size_t l = 0; l < some; ++l) {
      for (size_t k = 0; k < n; ++k) beside[k * kLanes + l] = codes[first + l][k];
    }
    multiply(held, beside, same, 2, [&](size_t i, const double* sums) {
      for (size_t l = 0; l < some; ++l) errors[first + l] += beside[i * kLanes + l] * sums[l];
    });
  }
  for (size_t w = 0; w < codes.size(); ++w) {
    const double mean = mean_error(held, fit, wanted, codes[w].data(), ways[w].centred);
    errors[w] += mean * mean;
  }
  return errors;
}

// The first of the channels from `at` on that belong to one group, at most kLanes of them.
std::vector<size_t> beside(const Rows& rows, const std::vector<size_t>& channels, size_t at) {
  std::vector<size_t> some;
  const size_t group = channels[at] / rows.per_group;
  for (; at < channels.size() && some.size() < kLanes && channels[at] / rows.per_group == group; ++at)
    some.push_back(channels[at]);
  return some;
}

}  // namespace

std::vector<double> Rows::wanted(size_t c) const {
  std::vector<double> row(length);
  for (size_t k = 0; k < length; ++k)
    row[k] = static_cast<double>(weights[c * length + k]) / static_cast<double>(scale[c]);
  return row;
}

void Rows::nearest(const std::vector<double>& row, int32_t* codes) const {
  for (size_t k = 0; k < length; ++k)
    codes[k] =
        static_cast<int32_t>(std::clamp(std::nearbyint(row[k]), -static_cast<double>(most), static_cast<double>(most)));
}

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
  std::vector<size_t> tried;
  for (size_t c = 0; c < rows.channels; c += step) {
    const size_t group = c / rows.per_group;
    if (moments.fit[group].count > 0 && moments.held[group].count > 0) tried.push_back(c);
  }
  if (tried.empty()) return {0, options.correct_bias};
  for (size_t at = 0; at < tried.size();) {
    const std::vector<size_t> channels = beside(rows, tried, at);
    at += channels.size();
    const Moments &fit = moments.fit[channels[0] / rows.per_group], &held = moments.held[channels[0] / rows.per_group];
    const std::vector<Row> some = nearest_rows(rows, fit, channels, options.round_by_sums);
    for (size_t l = 0; l < some.size(); ++l) {
      const auto scale = static_cast<double>(rows.scale[channels[l]]);
      std::vector<std::vector<int32_t>> codes;
      for (const Rounding& way : ways)
        codes.push_back(way.trust > 0 ? descend(fit, way, some[l], rows.most) : some[l].codes);
      const std::vector<double> more = errors_of(held, fit, some[l].wanted, codes, ways);
      for (size_t w = 0; w < ways.size(); ++w) errors[w] += scale * scale * more[w];
    }
  }
  return ways[static_cast<size_t>(std::min_element(errors.begin(), errors.end()) - errors.begin())];
}

void round_rows(const Rows& rows, const std::vector<Moments>& moments, const Rounding& rounding,
                std::vector<int32_t>& codes) {
  std::vector<size_t> all;
  for (size_t c = 0; c < rows.channels; ++c) {
    if (rounding.trust > 0 && moments[c / rows.per_group].count > 0) all.push_back(c);
    else rows.nearest(rows.wanted(c), codes.data() + c * rows.length);
  }
  for (size_t at = 0; at < all.size();) {
    const std::vector<size_t> channels = beside(rows, all, at);
    at += channels.size();
    const Moments& m = moments[channels[0] / rows.per_group];
    const std::vector<Row> some = nearest_rows(rows, m, channels, true);
    for (size_t l = 0; l < some.size(); ++l) {
      const std::vector<int32_t> rounded = descend(m, rounding, some[l], rows.most);
      std::copy(rounded.begin(), rounded.end(), codes.begin() + static_cast<std::ptrdiff_t>(channels[l] * rows.length));
    }
  }
}

}  // namespace tarn::quantize
