#include "suite/without_passes.h"

#include <chrono>
#include <functional>
#include <set>

#include "cli/verification.h"
#include "cli/write_firmware.h"
#include "emit/emit.h"
#include "model/load_onnx.h"
#include "support/text.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::suite {
namespace {

using LeftOut = std::set<std::string>;

std::string text_of(const LeftOut& left_out) {
  return "without " + join(std::vector<std::string>(left_out.begin(), left_out.end()), " and ");
}

// The network with all its passes, what it gives, and what is known of it without some.
struct Whole {
  cli::Verification prepared;
  verify::VerifyOptions run;
  std::set<std::string> seen;  // plans that were run
};

// What is wrong with the variant.
Diagnostics try_variant(Whole& whole, cli::Options options, const LeftOut& left_out, Outcome& counts) {
  options.compile = whole.prepared.analysis.options;
  options.compile.left_out = left_out;
  ++counts.variants;
  const Result<Analysis> analysis = analyze(options.compile);
  if (!analysis) {
    if (!left_out.contains(kFoldFloats)) return analysis.faults();
    ++counts.not_possible;
    return {};
  }
  const report::Report report = report::make_report(*analysis, options.command_line);
  if (!whole.seen.insert(emit::plan_id(*analysis, report, options.emit)).second) {
    ++counts.same_text;
    return {};
  }
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return folder.faults();
  const Result<verify::Firmware> firmware = cli::write_firmware(*analysis, report, options, folder->path());
  if (!firmware) return firmware.faults();
  const Result<verify::Measurement> m =
      verify::run_on(*firmware, verify::Target::host, whole.prepared.samples, whole.run);
  return m ? m->faults : m.faults();
}

// With all passes: the outputs that every variant must give.
Diagnostics run_whole(const cli::Options& options, const std::vector<verify::DataSet>& data, Whole& whole) {
  const Result<model::Model> model = model::load_onnx(options.compile.model_path);
  if (!model) return model.faults();
  const Result<std::vector<verify::DataSet>> stored = cli::load_data_sets(options);
  if (!stored) return stored.faults();
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return folder.faults();
  Result<cli::Verification> prepared =
      cli::prepare_verification(options, *model, data.empty() ? *stored : data, folder->path());
  if (!prepared) return prepared.faults();
  whole.prepared = std::move(*prepared);
  whole.run.repeat = whole.run.interleave = whole.run.bound_stack = false;  // other tests ask that
  std::vector<verify::Sample>& samples = whole.prepared.samples;
  const Result<verify::Measurement> m =
      verify::run_on(whole.prepared.firmware, verify::Target::host, samples, whole.run);
  if (!m) return m.faults();
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i].outputs.clear();
    for (const verify::Output& output : m->results[i]) samples[i].outputs.push_back({output.bytes, output.shape});
  }
  const Analysis& analysis = whole.prepared.analysis;
  whole.seen = {emit::plan_id(analysis, report::make_report(analysis, options.command_line), options.emit)};
  return m->faults;
}

// false: it does not pass, and the outcome says why. `changed`: the emitted code is another without them.
bool variant_passes(Whole& whole, const cli::Options& options, const LeftOut& left_out, Outcome& outcome,
                    bool* changed = nullptr) {
  const int64_t same = outcome.same_text;
  try {
    judge(outcome, try_variant(whole, options, left_out, outcome));
  } catch (const std::exception& error) {
    outcome.verdict = Verdict::failed;
    outcome.code = "internal";
    outcome.message = error.what();
  }
  if (changed) *changed = outcome.same_text == same;
  if (outcome.verdict == Verdict::passed) return true;
  outcome.verdict = Verdict::failed;
  outcome.message = text_of(left_out) + ": " + outcome.message;
  return false;
}

std::vector<LeftOut> pairs_of(const std::vector<std::string>& names, const std::set<std::string>& active, int pairs,
                              size_t seed) {
  std::vector<LeftOut> sets;
  for (size_t i = 0; i < names.size() && pairs < 0; ++i) {
    for (size_t j = i + 1; j < names.size(); ++j) {
      if (active.contains(names[i]) || active.contains(names[j])) sets.push_back({names[i], names[j]});
    }
  }
  for (int i = 0; i < pairs; ++i) {
    const auto next = [&] { return (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33; };
    const size_t a = next() % names.size(), b = (a + 1 + next() % (names.size() - 1)) % names.size();
    sets.push_back({names[a], names[b]});
  }
  return sets;
}

void run_variants(const cli::Options& options, int pairs, const std::vector<verify::DataSet>& data, Outcome& outcome) {
  Whole whole;
  outcome.verdict = Verdict::passed;
  judge(outcome, run_whole(options, data, whole));
  if (outcome.verdict != Verdict::passed) return;
  std::vector<std::string> names = passes::optional_passes();
  names.emplace_back(kFoldFloats);
  std::set<std::string> active;
  for (const std::string& name : names) {
    bool changed = false;
    if (!variant_passes(whole, options, {name}, outcome, &changed)) return;
    if (changed) active.insert(name);
  }
  if (!variant_passes(whole, options, LeftOut(names.begin(), names.end()), outcome)) return;
  for (const LeftOut& pair : pairs_of(names, active, pairs, std::hash<std::string>()(outcome.name))) {
    if (!variant_passes(whole, options, pair, outcome)) return;
  }
}

}  // namespace

Outcome run_without_passes(const std::string& name, const cli::Options& options, int pairs,
                           const std::vector<verify::DataSet>& data) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  outcome.name = name;
  outcome.on = "host";
  try {
    run_variants(options, pairs, data, outcome);
  } catch (const std::exception& error) {
    outcome.verdict = Verdict::failed;
    outcome.code = "internal";
    outcome.message = error.what();
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

std::string variants_line(const std::vector<Outcome>& outcomes) {
  int64_t variants = 0, same = 0, refused = 0;
  for (const Outcome& o : outcomes) {
    variants += o.variants;
    same += o.same_text;
    refused += o.not_possible;
  }
  return cat(variants, " variants: ", same, " the same text, ", variants - same - refused, " run, ", refused,
             " refused");
}

}  // namespace tarn::suite
