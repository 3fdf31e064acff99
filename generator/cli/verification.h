// Between an analysed model and verification: what is run, and on which numbers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.h"
#include "emit/files.h"
#include "model/model.h"
#include "report/report.h"
#include "verify/dataset.h"
#include "verify/firmware.h"

namespace tarn::cli {

// The emitted files, written to `folder`, as verification wants them told.
verify::Firmware describe(const Analysis& analysis, const report::Report& report, const std::vector<emit::OutputFile>& files,
                          const std::string& folder);

// Stored inputs and outputs of the tensors that the firmware has. E405 when they do not fit.
Result<std::vector<verify::Sample>> stored_samples(const Options& options, const report::Report& report,
                                                   const std::vector<verify::DataSet>& data, const model::Model& model);

// Seeded numbers for a model without stored data: every value finite and small.
verify::Sample made_up_sample(const report::Report& report);

// The same model without any sharing, run on the host: what a plan must reproduce bit for bit.
Result<std::vector<verify::Sample>> naive_samples(const Options& options, std::vector<verify::Sample> samples);

}  // namespace tarn::cli
