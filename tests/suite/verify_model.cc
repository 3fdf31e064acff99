#include "suite/verify_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cli/verification.h"
#include "model/load_onnx.h"
#include "support/text.h"
#include "tensor/numeric.h"
#include "verify/files.h"
#include "verify/verify.h"

namespace tarn::suite {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// What a plan says, before anything is run.
void note_plan(Outcome& outcome, const Analysis& analysis, const report::Report& report) {
  outcome.arena = report.arena;
  outcome.lower_bound = report.lower_bound;
  outcome.naive = report.naive;
  outcome.proof = report.proof;
  outcome.macs = report.macs;
  outcome.parameters = report.parameters;
  outcome.nodes = analysis.model_nodes;
}

// Elements outside the rule, over all samples; the largest difference in relation to the output's largest element.
int64_t outside(const Rule& rule, const verify::Measurement& measured, const std::vector<verify::Sample>& samples,
                const verify::Firmware& firmware, std::string& where) {
  int64_t count = 0;
  for (size_t s = 0; s < samples.size(); ++s) {
    for (size_t i = 0; i < samples[s].outputs.size(); ++i) {
      const DType type = firmware.outputs[i].type.dtype;
      const verify::Output& got = measured.results[s][i];
      const verify::Sample::Expected& want = samples[s].outputs[i];
      if (!is_float(type)) continue;  // compared exactly by verification
      for (int64_t e = 0; e < want.shape.count(); ++e) {
        const double a = read_as_double(type, got.bytes.data(), e), b = read_as_double(type, want.bytes.data(), e);
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        if (std::fabs(a - b) <= rule.absolute + rule.relative * std::fabs(b)) continue;
        if (count++ == 0)
          where = cat("output '", firmware.outputs[i].name, "' element ", e, " is ", a, ", expected ", b);
      }
    }
  }
  return count;
}

double largest_error(const verify::Measurement& measured, const std::vector<verify::Sample>& samples,
                     const verify::Firmware& firmware) {
  double worst = 0;
  for (size_t i = 0; i < measured.outputs.size(); ++i) {
    const DType type = firmware.outputs[i].type.dtype;
    double largest = 0;
    for (const verify::Sample& sample : samples) {
      const verify::Sample::Expected& want = sample.outputs[i];
      for (int64_t e = 0; e < want.shape.count(); ++e) {
        const double value = std::fabs(read_as_double(type, want.bytes.data(), e));
        if (std::isfinite(value)) largest = std::max(largest, value);
      }
    }
    if (measured.outputs[i].max_abs > 0)
      worst = std::max(worst, measured.outputs[i].max_abs / (largest > 0 ? largest : 1));
  }
  return worst;
}

void note_measurement(Outcome& outcome, const verify::Measurement& m, const std::vector<verify::Sample>& samples,
                      const verify::Firmware& firmware, const Settings& settings) {
  outcome.stack = m.stack;
  outcome.stack_bound = m.stack_bound;
  outcome.instructions = m.instructions;
  outcome.error = largest_error(m, samples, firmware);
  outcome.verdict = Verdict::passed;
  judge(outcome, m.faults);
  if (outcome.verdict != Verdict::passed || !settings.rule) return;
  std::string where;
  if (const int64_t count = outside(*settings.rule, m, samples, firmware, where); count > 0) {
    outcome.verdict = Verdict::failed;
    outcome.code = "rule";
    outcome.message = cat(count, " elements outside relative ", settings.rule->relative, " and absolute ",
                          settings.rule->absolute, ", within what verification allows; ", where);
  }
}

Result<cli::Verification> prepare(const cli::Options& options, const std::vector<verify::DataSet>& given,
                                  const std::string& folder) {
  const Result<model::Model> model = model::load_onnx(options.compile.model_path);
  if (!model) return model.faults();
  if (!given.empty()) return cli::prepare_verification(options, *model, given, folder);
  const Result<std::vector<verify::DataSet>> data = cli::load_data_sets(options);
  if (!data) return data.faults();
  return cli::prepare_verification(options, *model, *data, folder);
}

}  // namespace

std::vector<Outcome> verify_model(const std::string& name, const cli::Options& options, const Settings& settings,
                                  const std::vector<verify::DataSet>& data) {
  std::vector<Outcome> outcomes;
  for (verify::Target target : settings.targets) {
    Outcome outcome;
    outcome.name = name;
    outcome.on = to_string(target);
    outcomes.push_back(std::move(outcome));
  }
  const Clock::time_point start = Clock::now();
  const auto all = [&](auto change) {
    for (Outcome& outcome : outcomes) {
      change(outcome);
      outcome.seconds = since(start);
    }
    return outcomes;
  };
  try {
    const Result<verify::Scratch> folder = verify::Scratch::make();
    if (!folder) return all([&](Outcome& outcome) { judge(outcome, folder.faults()); });
    const Result<cli::Verification> prepared = prepare(options, data, folder->path());
    if (!prepared) return all([&](Outcome& outcome) { judge(outcome, prepared.faults()); });
    for (Outcome& outcome : outcomes) {
      note_plan(outcome, prepared->analysis, prepared->report);
      outcome.fixed = join(prepared->fixed, " ");
    }
    verify::VerifyOptions run;
    run.sanitize = settings.sanitize;
    run.count_instructions = settings.count_instructions;
    run.firmware_flags = settings.firmware_flags;
    run.bound_stack = settings.stack_bounds;
    const double before = since(start);
    for (size_t i = 0; i < outcomes.size(); ++i) {
      const Clock::time_point begin = Clock::now();
      Outcome& outcome = outcomes[i];
      const Result<verify::Measurement> m =
          verify::run_on(prepared->firmware, settings.targets[i], prepared->samples, run);
      if (m) note_measurement(outcome, *m, prepared->samples, prepared->firmware, settings);
      else judge(outcome, m.faults());
      outcome.seconds = before + since(begin);
    }
    return outcomes;
  } catch (const std::exception& error) {
    return all([&](Outcome& outcome) {
      outcome.verdict = Verdict::failed;
      outcome.code = "internal";
      outcome.message = error.what();
    });
  }
}

Outcome analyze_model(const std::string& name, const cli::Options& options) {
  Outcome outcome;
  outcome.name = name;
  outcome.on = "analyze";
  const Clock::time_point start = Clock::now();
  try {
    const Result<Analysis> analysis = analyze(options.compile);
    if (analysis) {
      note_plan(outcome, *analysis, report::make_report(*analysis, {}));
      outcome.verdict = Verdict::passed;
    } else {
      judge(outcome, analysis.faults());
    }
  } catch (const std::exception& error) {
    outcome.code = "internal";
    outcome.message = error.what();
  }
  outcome.seconds = since(start);
  return outcome;
}

void use_ccache(const std::string& folder) {
  const std::string ccache = verify::find_program("ccache");
  if (ccache.empty()) return;
  const std::string links = folder + "/compilers";
  std::error_code ignored;
  fs::create_directories(links, ignored);
  for (const char* compiler : {"arm-none-eabi-gcc", "riscv64-unknown-elf-gcc"}) {
    if (!verify::find_program(compiler).empty()) fs::create_symlink(ccache, links + "/" + compiler, ignored);
  }
  const char* path = std::getenv("PATH");
  setenv("PATH", (fs::absolute(links).string() + ":" + (path ? path : "/usr/bin:/bin")).c_str(), 1);
  setenv("CC", "ccache gcc", 0);
  // Emitted files are always new; their content is what counts.
  setenv("CCACHE_SLOPPINESS", "include_file_ctime,include_file_mtime", 0);
}

}  // namespace tarn::suite
