#include "cli/compare_nodes.h"

#include <algorithm>
#include <set>

#include "cli/naive_reference.h"
#include "cli/ort_reference.h"
#include "cli/write_firmware.h"
#include "passes/layout/permutation.h"
#include "support/text.h"
#include "verify/compare.h"
#include "verify/files.h"

namespace tarn::cli {

namespace {

using Values = std::map<std::string, Constant>;

Shape without_ones(const Shape& shape) {
  Shape out;
  for (const int64_t extent : shape.dims) {
    if (extent != 1) out.dims.push_back(extent);
  }
  return out;
}

// The reference's bytes in every order of axes that gives the step's shape: which of them is meant the shapes alone may
// not say, but only the right one agrees.
std::vector<std::vector<uint8_t>> in_shape(const Constant& value, const TensorType& type) {
  std::vector<std::vector<uint8_t>> ways;
  const int rank = value.shape().rank();
  if (value.dtype() != type.dtype || value.is_strings() || value.is_absent()) return ways;
  if (without_ones(value.shape()).dims == without_ones(type.shape).dims) ways.push_back(value.bytes());
  if (rank < 3 || bits_of(type.dtype) < 8) return ways;
  Perm last = {0};
  Shape shape{value.shape()[0]};
  for (int axis = 2; axis < rank; ++axis) last.push_back(axis), shape.dims.push_back(value.shape()[axis]);
  last.push_back(1);
  shape.dims.push_back(value.shape()[1]);
  if (without_ones(shape).dims != without_ones(type.shape).dims) return ways;
  if (const std::optional<Constant> moved = passes::permuted(value, value.shape(), last))
    ways.push_back(moved->bytes());
  return ways;
}

// Nothing where the reference has no such value.
std::optional<verify::Comparison> compare_value(const verify::Tap& tap, const std::vector<uint8_t>& got,
                                                const Constant& want, const Accuracy& accuracy) {
  verify::Port port;
  port.name = tap.tensor;
  port.type = tap.type;
  port.accuracy = accuracy;
  std::optional<verify::Comparison> best;
  for (std::vector<uint8_t>& bytes : in_shape(want, tap.type)) {
    const verify::Comparison one = verify::compare(port, {got, tap.type.shape}, {std::move(bytes), tap.type.shape});
    if (!best || one.mismatches < best->mismatches) best = one;
  }
  return best;
}

// The coarsest of all outputs: a step lies on the way to one of them.
Accuracy accuracy_of(const Analysis& analysis) {
  Accuracy accuracy;
  for (const Accuracy& one : analysis.output_accuracy) accuracy = coarser(accuracy, one);
  return accuracy;
}

Diagnostic divergence(const Options& options, const report::NodeRow& row, const std::string& on,
                      const std::string& reference) {
  Where where{.file = options.compile.model_path, .op = row.op, .tensor = row.tensor};
  if (!row.nodes.empty()) where.node_name = row.nodes.front();
  return {"E404", where,
          cat("on ", on, ": step ", row.step, " is the first that differs from ", reference, ": ", row.mismatches,
              " elements, by at most ", row.max_abs, " (", row.max_rel, " relative)"),
          ""};
}

}  // namespace

Result<NodeReference> NodeReference::make(const Options& given, const model::Model& model,
                                          const std::vector<verify::DataSet>& data, const Verification& prepared) {
  Options options = given;
  options.compile = prepared.analysis.options;
  const std::vector<verify::Tap> taps = report::taps_of(prepared.analysis, prepared.report);
  if (options.reference != "naive") {
    std::vector<std::string> names;
    for (const verify::Tap& tap : taps) names.push_back(tap.tensor);
    Result<OrtReference> ort = ort_reference(options, model, data, names);
    if (!ort && options.reference == "ort") return ort.faults();
    if (ort) {
      Result<std::vector<verify::Sample>> samples = stored_samples(options, prepared.report, ort->data, model);
      if (!samples) return samples.faults();
      NodeReference result;
      result.name_ = "onnxruntime " + ort->version;
      result.taps_ = taps;
      result.values_ = std::move(ort->values);
      result.samples_ = std::move(*samples);
      return result;
    }
  }
  return naive(options, taps, prepared.samples);
}

Result<NodeReference> NodeReference::ort(const Options& options, const model::Model& model,
                                         const std::vector<verify::DataSet>& data, std::vector<verify::Tap> taps) {
  std::vector<std::string> names;
  for (const verify::Tap& tap : taps) names.push_back(tap.tensor);
  Result<OrtReference> ort = ort_reference(options, model, data, names);
  if (!ort) return ort.faults();
  NodeReference result;
  result.name_ = "onnxruntime " + ort->version;
  result.taps_ = std::move(taps);
  result.values_ = std::move(ort->values);
  return result;
}

Result<NodeReference> NodeReference::naive(const Options& options, std::vector<verify::Tap> read,
                                           std::vector<verify::Sample> samples) {
  NodeReference result;
  result.name_ = "tarn's own plan without sharing";
  result.taps_ = std::move(read);
  result.samples_ = std::move(samples);
  const Options naive = naive_options(options);
  const Result<Analysis> analysis = analyze(naive.compile);
  if (!analysis) return analysis.faults();
  const report::Report report = report::make_report(*analysis, naive.command_line);
  const std::vector<verify::Tap> taps = report::taps_of(*analysis, report);
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return folder.faults();
  const Result<verify::Firmware> firmware = write_firmware(*analysis, report, naive, folder->path());
  if (!firmware) return firmware.faults();
  for (const verify::Sample& sample : result.samples_) {
    auto values = verify::read_taps(*firmware, verify::native_target(naive.compile.target), sample, taps);
    if (!values) return values.faults();
    Values& of_sample = result.values_.emplace_back();
    for (size_t i = 0; i < taps.size(); ++i)
      of_sample.emplace(taps[i].tensor, Constant::of(taps[i].type, std::move((*values)[i])));
  }
  return result;
}

Result<NodeComparison> NodeReference::compare(const Verification& prepared, verify::Target target) const {
  std::vector<NodeValues> runs;
  for (const verify::Sample& sample : samples_) {
    auto got = verify::read_taps(prepared.firmware, target, sample, taps_);
    if (!got) return got.faults();
    runs.push_back(std::move(*got));
  }
  return compare(prepared.analysis, prepared.report, verify::to_string(target), runs);
}

NodeComparison NodeReference::compare(const Analysis& analysis, const report::Report& report, const std::string& on,
                                      const std::vector<NodeValues>& runs) const {
  NodeComparison result;
  result.reference = name_;
  const Accuracy accuracy = accuracy_of(analysis);
  std::vector<std::optional<verify::Comparison>> sums(taps_.size());
  std::set<std::string> stored;  // states in a form of their own, which the reference does not have
  for (size_t k = 0; k < analysis.program.kept.size(); ++k) {
    if (analysis.program.kept[k].model_type) stored.insert(analysis.program[analysis.program.states[k]].name);
  }
  for (size_t s = 0; s < runs.size(); ++s) {
    for (size_t i = 0; i < taps_.size(); ++i) {
      if (stored.contains(taps_[i].tensor)) continue;
      const auto want = values_[s].find(taps_[i].tensor);
      if (want == values_[s].end() || runs[s][i].empty()) continue;
      const std::optional<verify::Comparison> one = compare_value(taps_[i], runs[s][i], want->second, accuracy);
      if (one && sums[i]) verify::accumulate(*sums[i], *one);
      else if (one) sums[i] = one;
    }
  }
  for (size_t i = 0; i < taps_.size(); ++i) {
    const report::StepRow& step = report.steps[static_cast<size_t>(taps_[i].step)];
    report::NodeRow row{step.step, taps_[i].tensor, step.op, step.nodes, sums[i].has_value(), 0, 0, 0};
    if (sums[i]) row.max_abs = sums[i]->max_abs, row.max_rel = sums[i]->max_rel, row.mismatches = sums[i]->mismatches;
    if (row.mismatches > 0 && !result.diverges)
      result.diverges = divergence({.compile = analysis.options}, row, on, name_);
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace tarn::cli
