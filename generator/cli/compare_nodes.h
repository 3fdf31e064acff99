// verify --nodes: every step of the emitted code beside the reference, value by value.
#pragma once
#include "cli/verification.h"
#include "verify/boards.h"
#include "verify/taps.h"

namespace tarn::cli {

struct NodeComparison {
  std::string reference;               // "onnxruntime 1.32.0", or "tarn's own plan without sharing"
  std::vector<report::NodeRow> rows;   // by step
  std::optional<Diagnostic> diverges;  // E404: the first step that does
};

// The bytes of each tap, of one run; empty where a run broke off before.
using NodeValues = std::vector<std::vector<uint8_t>>;

// What the steps of prepared.firmware write on `target`, for every sample. The reference is onnxruntime where it can be
// had and the options do not name `naive`; else the same network planned without any sharing, on the host. A value that
// the reference does not have - one inside a fused step, or of another type - is not compared.
class NodeReference {
 public:
  static Result<NodeReference> make(const Options& options, const model::Model& model,
                                    const std::vector<verify::DataSet>& data, const Verification& prepared);
  // The values of `taps` in runs of the same network planned without any sharing, on the host.
  static Result<NodeReference> naive(const Options& options, std::vector<verify::Tap> taps,
                                     std::vector<verify::Sample> samples);

  // Those in onnxruntime; `data` has the inputs of each run. E410 where it cannot be had.
  static Result<NodeReference> ort(const Options& options, const model::Model& model,
                                   const std::vector<verify::DataSet>& data, std::vector<verify::Tap> taps);

  Result<NodeComparison> compare(const Verification& prepared, verify::Target target) const;
  // Of values that were read elsewhere, by run as the samples are, and by tap.
  NodeComparison compare(const Analysis& analysis, const report::Report& report, const std::string& on,
                         const std::vector<NodeValues>& runs) const;

 private:
  std::string name_;
  std::vector<verify::Tap> taps_;
  std::vector<verify::Sample> samples_;
  std::vector<std::map<std::string, Constant>> values_;  // by sample, by tensor
};

}  // namespace tarn::cli
