#include "suite/without_passes.h"

#include <chrono>
#include <functional>

#include "cli/verification.h"
#include "cli/write_firmware.h"
#include "emit/emit.h"
#include "model/load_onnx.h"
#include "support/text.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::suite {
namespace {

std::string text_of(const std::set<std::string>& left_out) {
  return "without " + join(std::vector<std::string>(left_out.begin(), left_out.end()), " and ");
}

// The network with all its passes, and what it gives.
struct Whole {
  cli::Verification prepared;
  verify::VerifyOptions run;
};

// What is wrong with the variant; its plan's id is added to those that were run.
Diagnostics try_variant(const Whole& whole, cli::Options options, const std::set<std::string>& left_out,
                        std::set<std::string>& seen, Outcome& counts) {
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
  if (!seen.insert(emit::plan_id(*analysis, report, options.emit)).second) {
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

void run_variants(const cli::Options& options, const std::vector<std::set<std::string>>& sets,
                  const std::vector<verify::DataSet>& data, Outcome& outcome) {
  const auto fail = [&](const Diagnostics& faults) { judge(outcome, faults); };
  const Result<model::Model> model = model::load_onnx(options.compile.model_path);
  if (!model) return fail(model.faults());
  const Result<std::vector<verify::DataSet>> stored = cli::load_data_sets(options);
  if (!stored) return fail(stored.faults());
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return fail(folder.faults());
  Result<cli::Verification> prepared =
      cli::prepare_verification(options, *model, data.empty() ? *stored : data, folder->path());
  if (!prepared) return fail(prepared.faults());
  Whole whole{std::move(*prepared), {}};
  whole.run.repeat = whole.run.interleave = false;  // other tests ask that
  const Result<verify::Measurement> first =
      verify::run_on(whole.prepared.firmware, verify::Target::host, whole.prepared.samples, whole.run);
  if (!first) return fail(first.faults());
  if (!first->passed()) return fail(first->faults);
  for (size_t i = 0; i < whole.prepared.samples.size(); ++i) {
    whole.prepared.samples[i].outputs.clear();
    for (const verify::Output& output : first->results[i])
      whole.prepared.samples[i].outputs.push_back({output.bytes, output.shape});
  }
  std::set<std::string> seen{
      emit::plan_id(whole.prepared.analysis, report::make_report(whole.prepared.analysis, {}), options.emit)};
  outcome.verdict = Verdict::passed;
  for (const std::set<std::string>& left_out : sets) {
    Diagnostics faults;
    try {
      faults = try_variant(whole, options, left_out, seen, outcome);
    } catch (const std::exception& error) {
      outcome.verdict = Verdict::failed;
      outcome.code = "internal";
      outcome.message = error.what();
    }
    judge(outcome, faults);
    if (outcome.verdict == Verdict::passed) continue;
    outcome.verdict = Verdict::failed;
    outcome.message = text_of(left_out) + ": " + outcome.message;
    return;
  }
}

}  // namespace

std::vector<std::set<std::string>> sets_to_leave_out(const std::string& name, int pairs) {
  std::vector<std::string> names = passes::optional_passes();
  names.push_back(kFoldFloats);
  std::vector<std::set<std::string>> sets;
  for (const std::string& one : names) sets.push_back({one});
  sets.emplace_back(names.begin(), names.end());
  for (size_t i = 0; i < names.size() && pairs < 0; ++i) {
    for (size_t j = i + 1; j < names.size(); ++j) sets.push_back({names[i], names[j]});
  }
  size_t state = std::hash<std::string>()(name);
  for (int i = 0; i < pairs; ++i) {
    const auto next = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
    const size_t a = next() % names.size(), b = (a + 1 + next() % (names.size() - 1)) % names.size();
    sets.push_back({names[a], names[b]});
  }
  return sets;
}

Outcome run_without_passes(const std::string& name, const cli::Options& options,
                           const std::vector<std::set<std::string>>& sets, const std::vector<verify::DataSet>& data) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  outcome.name = name;
  outcome.on = "host";
  try {
    run_variants(options, sets, data, outcome);
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
