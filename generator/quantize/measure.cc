#include "quantize/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile.h"
#include "quantize/logarithm.h"
#include "quantize/tuning.h"
#include "report/integer_lines.h"
#include "report/report.h"

namespace tarn::quantize {

namespace {

double decibels(double signal, double noise) {
  if (noise <= 0) return std::numeric_limits<double>::infinity();
  return decibels_of(std::max(signal, 1e-300) / noise);
}

std::ptrdiff_t largest(const std::vector<float>& v) { return std::max_element(v.begin(), v.end()) - v.begin(); }

// Scores as a Softmax sees them.
std::vector<float> below_largest(std::vector<float> scores, int64_t row) {
  const auto length = static_cast<size_t>(row);
  for (size_t first = 0; first + length <= scores.size(); first += length) {
    const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(first), end = begin + row;
    const float most = *std::max_element(begin, end);
    for (auto v = begin; v != end; ++v) *v = std::max(*v - most, kLowestScore);
  }
  return scores;
}

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
      for (size_t i = 0; i < watched.size(); ++i) {
        const Watched& one = watched[i];
        const std::vector<float>&was = floats[s].at(one.before), &is = values.at(one.after);
        if (one.scores > 0) add(noise[i], below_largest(was, one.scores), below_largest(is, one.scores), first + s);
        else add(noise[i], was, is, first + s);
      }
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

std::vector<WeightRule> model_codes(const std::vector<std::string>& layers) {
  std::vector<WeightRule> rules;
  for (const std::string& layer : layers) {
    if (!layer.empty()) rules.push_back({layer, WeightType{.kind = WeightType::Kind::model}});
  }
  return rules;
}

Result<Footprint> measure_plan(const PlanRequest& request, std::vector<std::pair<std::string, std::string>>* floats) {
  CompileOptions options;
  options.model_path = request.path;
  options.quantised = request.bytes;
  options.dims = request.dims;
  options.name = "network";
  options.target = request.target;
  options.weight_types = model_codes(request.recurrent);
  const Result<Analysis> analysis = analyze(options);
  if (!analysis) return analysis.faults();
  const report::Report report = report::make_report(*analysis, {});
  Footprint footprint{report.arena, analysis->plan.lower_bound, report.weights, {}, {}, {}};
  if (report.time) {
    footprint.instructions = report.time->instructions();
    footprint.cycles = report.time->cycles();
    for (const auto& [kernel, steps] : report.time->missing)
      footprint.not_modelled += (footprint.not_modelled.empty() ? "" : ", ") + kernel;
    if (footprint.not_modelled.empty()) footprint.not_modelled = report.time->why;
  }
  if (floats) {
    for (const report::StepRow* step : report::steps_in_floats(report))
      floats->emplace_back(step->nodes.empty() ? std::string() : step->nodes.front(), step->op);
  }
  return footprint;
}

}  // namespace tarn::quantize
