// From a model and its data to what verification runs: the emitted files, and the numbers they are compared with.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"
#include "emit/selftest.h"
#include "model/model.h"
#include "report/report.h"
#include "verify/dataset.h"
#include "verify/firmware.h"

namespace tarn::cli {

struct Verification {
  Analysis analysis;
  report::Report report;
  std::vector<std::string> fixed;  // inputs that had to be fixed to their stored values
  verify::Firmware firmware;
  std::vector<verify::Sample> samples;
  // With --weight-type: the float network's outputs, whose distance is told; the samples' are those of the same weights
  // in floats.
  std::vector<verify::Sample> floats;
  std::string floats_detail;
  std::string reference;         // "data", "naive" or "ort": where the samples' outputs come from
  std::string reference_detail;  // the same for people: "onnxruntime 1.32.0"
  Diagnostics warnings;          // W401
};

// The sets that the options name, else those beside the model.
Result<std::vector<verify::DataSet>> load_data_sets(const Options& options);

// E405, for a data set of another model.
Diagnostic misfit(const Options& options, const verify::DataSet& set, const std::string& what);

// Stored inputs and outputs of the tensors that the firmware has. E405 when they do not fit.
Result<std::vector<verify::Sample>> stored_samples(const Options& options, const report::Report& report,
                                                   const std::vector<verify::DataSet>& data, const model::Model& model);

// What a self-test compares with: a sample's outputs, each with its tolerance.
emit::SelfTestData selftest_data(const Analysis& analysis, const report::Report& report, const verify::Sample& sample);
// The same of a data set of the model, which holds what is kept from run to run as inputs and outputs. E405 when it
// does not fit.
Result<emit::SelfTestData> selftest_data(const Options& options, const Analysis& analysis, const report::Report& report,
                                         verify::DataSet data, model::Model model);

// Writes the files to `folder`. Dimensions that the options leave open follow from the data. Outputs are those that the
// options name as reference; where they name none the stored ones, and without any those of the same model planned
// without sharing (W401). E405 when data are missing or do not fit the model, E410 when onnxruntime cannot be had.
Result<Verification> prepare_verification(Options options, const model::Model& model,
                                          const std::vector<verify::DataSet>& data, const std::string& folder);

}  // namespace tarn::cli
