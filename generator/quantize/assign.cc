#include "quantize/assign.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "support/printable.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%", 100 * share);
  return text;
}

class Search {
 public:
  Search(const Options& options, const Limits& limits) : options_(options), limits_(limits) {}

  Result<Assigned> run() {
    const Result<bool> codes = try_with({});
    if (!codes) return codes.faults();
    if (*codes) return std::move(result_);
    if (!limits_.loss) return nearest();  // floats only take more memory
    std::vector<Gain> gains;
    const double noise = noise_;
    for (const std::string& name : names_) {
      const Result<bool> alone = try_with({name});
      if (!alone) return alone.faults();
      if (*alone) return std::move(result_);
      const Assignment &all = result_.tried.front(), &one = result_.tried.back();
      const auto bytes = static_cast<double>(std::max<int64_t>(1, one.arena - all.arena + one.weights - all.weights));
      gains.push_back({name, (noise - noise_) / bytes});
    }
    std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.worth > b.worth; });
    std::vector<std::string> floats;
    for (const Gain& gain : gains) {
      floats.push_back(gain.name);
      if (floats.size() < 2) continue;  // seen already
      const Result<bool> more = try_with(floats);
      if (!more) return more.faults();
      if (*more) return std::move(result_);
    }
    return nearest();
  }

 private:
  struct Gain {
    std::string name;
    double worth = 0;  // noise that goes, for each byte
  };

  // Whether it keeps to all limits.
  Result<bool> try_with(const std::vector<std::string>& floats) {
    note_progress("trying assignments of layers", result_.tried.size());
    Options options = options_;
    options.floats.insert(floats.begin(), floats.end());
    Result<Quantised> made = quantize(options);
    // Without its only layer in codes nothing is left to quantise: no assignment.
    if (!made && !floats.empty() && made.faults()[0].code == "E421") return false;
    if (!made) return made.faults();
    Assignment row{floats, loss_of(*made), made->cost.arena_after, made->cost.weights_after, true};
    row.fits = (!limits_.ram || row.arena <= *limits_.ram) && (!limits_.flash || row.weights <= *limits_.flash);
    noise_ = 0;
    for (const OutputRow& output : made->outputs) noise_ += std::pow(10, -output.snr_db / 10);
    const bool good = row.fits && (!limits_.loss || row.loss <= *limits_.loss);
    result_.tried.push_back(std::move(row));
    if (floats.empty()) names_ = made->names;
    if (good) {
      result_.best = std::move(*made);
      result_.chosen = result_.tried.size() - 1;
    }
    return good;
  }

  // Within the memory the least loss; where nothing is, the least memory.
  Diagnostic nearest() const {
    const auto before = [](const Assignment& a, const Assignment& b) {
      if (a.fits != b.fits) return a.fits;
      return a.fits ? a.loss < b.loss : a.arena + a.weights < b.arena + b.weights;
    };
    const Assignment& best = *std::min_element(result_.tried.begin(), result_.tried.end(), before);
    const std::string layers =
        best.floats.empty() ? "all layers as codes" : cat(best.floats.size(), " of its layers in floats");
    return {
        "E422",
        {.file = options_.model_path},
        cat("none of the ", result_.tried.size(), " assignments that were made keeps to the limits; the nearest, ",
            layers, ": loss ", percent(best.loss), ", arena ", best.arena, " bytes, weights ", best.weights, " bytes"),
        "allow more loss or memory, give more data, or try other --ranges"};
  }

  const Options& options_;
  const Limits& limits_;
  Assigned result_;
  std::vector<std::string> names_;  // of the layers
  double noise_ = 0;                // beside the signal, of the last one that was made
};

}  // namespace

double loss_of(const Quantised& result) {
  if (result.accuracy) {
    const Accuracy& a = *result.accuracy;
    return a.before > a.after ? static_cast<double>(a.before - a.after) / static_cast<double>(a.samples) : 0;
  }
  if (result.outputs.empty()) return 0;
  const OutputRow& output = result.outputs.front();
  return output.elements > 1 ? 1 - output.agreement : std::pow(10, -output.snr_db / 20);
}

Result<Assigned> quantize_within(const Options& options, const Limits& limits) { return Search(options, limits).run(); }

std::string to_text(const Assigned& assigned, const Limits& limits) {
  std::string text = "\nassignments";
  if (limits.loss) text += cat(", loss of at most ", percent(*limits.loss));
  for (size_t i = 0; i < assigned.tried.size(); ++i) {
    const Assignment& row = assigned.tried[i];
    std::string names;
    for (const std::string& name : row.floats) names += (names.empty() ? "in floats " : ", ") + printable(name);
    text += cat("\n", i == assigned.chosen ? "> " : "  ", "loss ", percent(row.loss), ", arena ",
                with_thousands(row.arena), " B, weights ", with_thousands(row.weights), " B",
                row.fits ? "" : " (too large)", ": ", names.empty() ? "all layers as codes" : names);
  }
  return text + "\n";
}

}  // namespace tarn::quantize
