#include "quantize/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile.h"
#include "report/integer_lines.h"
#include "report/report.h"

namespace tarn::quantize {

namespace {

constexpr size_t kAtOnce = 8;  // samples whose numbers are held

double decibels(double signal, double noise) {
  if (noise <= 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(std::max(signal, 1e-300) / noise);
}

std::ptrdiff_t largest(const std::vector<float>& v) { return std::max_element(v.begin(), v.end()) - v.begin(); }

void add(Noise& sum, const std::vector<float>& before, const std::vector<float>& after, size_t sample) {
  double signal = 0, noise = 0;
  for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
    const auto x = static_cast<double>(before[i]), y = static_cast<double>(after[i]);
    signal += x * x;
    noise += (x - y) * (x - y);
  }
  sum.signal += signal;
  sum.noise += noise;
  const double db = decibels(signal, noise);
  if (sum.samples == 0 || db < sum.worst_db) sum.worst_db = db, sum.worst_sample = sample;
  ++sum.samples;
  if (largest(before) == largest(after)) ++sum.agreeing;
}

}  // namespace

double Noise::db() const { return decibels(signal, noise); }

Result<std::vector<Noise>> measure_noise(const Network& before, const Network& after,
                                         const std::vector<Watched>& watched, const std::vector<Sample>& samples) {
  std::vector<Noise> noise(watched.size());
  for (size_t first = 0; first < samples.size(); first += kAtOnce) {
    const std::vector<Sample> some(
        samples.begin() + static_cast<std::ptrdiff_t>(first),
        samples.begin() + static_cast<std::ptrdiff_t>(std::min(samples.size(), first + kAtOnce)));
    std::vector<Values> floats;
    const Result<Done> run = before.run(some, [&](size_t, const Values& values) { floats.push_back(values); });
    if (!run) return run.faults();
    const Result<Done> again = after.run(some, [&](size_t s, const Values& values) {
      for (size_t i = 0; i < watched.size(); ++i)
        add(noise[i], floats[s].at(watched[i].before), values.at(watched[i].after), first + s);
    });
    if (!again) return again.faults();
  }
  return noise;
}

Result<Accuracy> measure_accuracy(const Network& before, const Network& after, const Watched& output,
                                  const std::vector<Sample>& samples, const std::vector<size_t>& labels) {
  Accuracy accuracy{.samples = samples.size()};
  const Result<Done> floats = before.run(samples, [&](size_t s, const Values& values) {
    accuracy.before += largest(values.at(output.before)) == static_cast<std::ptrdiff_t>(labels[s]);
  });
  if (!floats) return floats.faults();
  const Result<Done> codes = after.run(samples, [&](size_t s, const Values& values) {
    accuracy.after += largest(values.at(output.after)) == static_cast<std::ptrdiff_t>(labels[s]);
  });
  if (!codes) return codes.faults();
  return accuracy;
}

Result<Cost> measure_cost(const std::string& before, const std::string& after,
                          const std::map<std::string, int64_t>& dims, const std::vector<std::string>& recurrent) {
  CompileOptions options;
  options.model_path = before;
  options.dims = dims;
  options.name = "network";
  const Result<Analysis> from = analyze(options);
  if (!from) return from.faults();
  options.model_path = after;
  options.dims.clear();
  for (const std::string& layer : recurrent) {
    if (!layer.empty()) options.weight_types.push_back({layer, WeightType{}});
  }
  const Result<Analysis> to = analyze(options);
  if (!to) return to.faults();
  const report::Report was = report::make_report(*from, {}), is = report::make_report(*to, {});
  Cost cost{was.arena, is.arena, was.weights, is.weights, {}};
  for (const report::StepRow* step : report::steps_in_floats(is))
    cost.floats.emplace_back(step->nodes.empty() ? std::string() : step->nodes.front(), step->op);
  return cost;
}

}  // namespace tarn::quantize
