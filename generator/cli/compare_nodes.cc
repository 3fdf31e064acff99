#include "cli/compare_nodes.h"

#include <algorithm>
#include <set>
#include <tuple>

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

// By tensor, the step after which it is complete: the last one that writes it, or a part of it that is made in its
// place.
std::vector<int64_t> completed(const Analysis& analysis, const report::Report& report,
                               const std::map<std::string, program::TensorId>& tensors) {
  std::vector<int64_t> last(analysis.program.tensors.size(), -1);
  for (const report::StepRow& step : report.steps) {
    for (const std::string& name : step.writes) {
      const auto found = tensors.find(name);
      if (found == tensors.end()) continue;
      for (program::TensorId id = found->second; id.valid(); id = analysis.storage.whole[id.pos()]) {
        last[id.pos()] = std::max(last[id.pos()], step.step);
        if (!analysis.storage.made_in_whole[id.pos()]) break;
      }
    }
  }
  return last;
}

// What the steps write into the arena and is as large as the plan has it.
std::vector<verify::Tap> taps_of(const Analysis& analysis, const report::Report& report) {
  std::map<std::string, program::TensorId> tensors;
  std::set<std::string> twice, written;
  for (size_t i = 0; i < analysis.program.tensors.size(); ++i) {
    if (!tensors.emplace(analysis.program.tensors[i].name, program::TensorId(i)).second)
      twice.insert(analysis.program.tensors[i].name);
  }
  std::map<std::string, const report::TensorRow*> rows;
  for (const report::TensorRow& row : report.tensors) rows[row.name] = &row;
  const std::vector<int64_t> last = completed(analysis, report, tensors);
  for (const report::StepRow& step : report.steps) written.insert(step.writes.begin(), step.writes.end());
  std::vector<verify::Tap> taps;
  for (const std::string& name : written) {
    const auto row = rows.find(name);
    if (row == rows.end() || !row->second->offset || twice.contains(name)) continue;
    const program::TensorId id = tensors.at(name);
    const program::Tensor& tensor = analysis.program[id];
    if (!tensor.runtime.empty() || tensor.bytes() == 0) continue;
    const int64_t pitch = analysis.storage[id].pixel_pitch;
    verify::Tap tap{last[id.pos()], name, tensor.type, 0, *row->second->offset, tensor.bytes(), 1, 0};
    if (pitch > 0 && pitch != tensor.geometry.channels && tensor.geometry.lines * tensor.geometry.pixels > 1) {
      tap.pieces = tensor.geometry.lines * tensor.geometry.pixels;
      tap.piece = tensor.geometry.channels * tensor.element_bytes();
      tap.stride = pitch * tensor.element_bytes();
    }
    for (size_t b = 0; analysis.several_arenas() && b < report.banks.size(); ++b) {
      if (report.banks[b].name == row->second->bank) tap.bank = b;
    }
    taps.push_back(std::move(tap));
  }
  std::sort(taps.begin(), taps.end(), [](const verify::Tap& x, const verify::Tap& y) {
    return std::tie(x.step, x.tensor) < std::tie(y.step, y.tensor);
  });
  return taps;
}

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
  NodeReference result;
  result.taps_ = taps_of(prepared.analysis, prepared.report);
  std::vector<std::string> names;
  for (const verify::Tap& tap : result.taps_) names.push_back(tap.tensor);
  if (options.reference != "naive") {
    Result<OrtReference> ort = ort_reference(options, model, data, names);
    if (!ort && options.reference == "ort") return ort.faults();
    if (ort) {
      result.name_ = "onnxruntime " + ort->version;
      result.values_ = std::move(ort->values);
      Result<std::vector<verify::Sample>> samples = stored_samples(options, prepared.report, ort->data, model);
      if (!samples) return samples.faults();
      result.samples_ = std::move(*samples);
      return result;
    }
  }
  result.name_ = "tarn's own plan without sharing";
  result.samples_ = prepared.samples;
  const Options naive = naive_options(options);
  const Result<Analysis> analysis = analyze(naive.compile);
  if (!analysis) return analysis.faults();
  const report::Report report = report::make_report(*analysis, naive.command_line);
  const std::vector<verify::Tap> taps = taps_of(*analysis, report);
  const Result<verify::Scratch> folder = verify::Scratch::make();
  if (!folder) return folder.faults();
  const Result<verify::Firmware> firmware = write_firmware(*analysis, report, naive, folder->path());
  if (!firmware) return firmware.faults();
  for (const verify::Sample& sample : result.samples_) {
    const auto values = verify::read_taps(*firmware, verify::Target::host, sample, taps);
    if (!values) return values.faults();
    Values& of_sample = result.values_.emplace_back();
    for (size_t i = 0; i < taps.size(); ++i)
      of_sample.emplace(taps[i].tensor, Constant::of(taps[i].type, std::move((*values)[i])));
  }
  return result;
}

Result<NodeComparison> NodeReference::compare(const Verification& prepared, verify::Target target) const {
  NodeComparison result;
  result.reference = name_;
  const Accuracy accuracy = accuracy_of(prepared.analysis);
  std::vector<std::optional<verify::Comparison>> sums(taps_.size());
  for (size_t s = 0; s < samples_.size(); ++s) {
    const auto got = verify::read_taps(prepared.firmware, target, samples_[s], taps_);
    if (!got) return got.faults();
    for (size_t i = 0; i < taps_.size(); ++i) {
      const auto want = values_[s].find(taps_[i].tensor);
      if (want == values_[s].end()) continue;
      const std::optional<verify::Comparison> one = compare_value(taps_[i], (*got)[i], want->second, accuracy);
      if (one && sums[i]) verify::accumulate(*sums[i], *one);
      else if (one) sums[i] = one;
    }
  }
  for (size_t i = 0; i < taps_.size(); ++i) {
    const report::StepRow& step = prepared.report.steps[static_cast<size_t>(taps_[i].step)];
    report::NodeRow row{step.step, taps_[i].tensor, step.op, step.nodes, sums[i].has_value(), 0, 0, 0};
    if (sums[i]) row.max_abs = sums[i]->max_abs, row.max_rel = sums[i]->max_rel, row.mismatches = sums[i]->mismatches;
    if (row.mismatches > 0 && !result.diverges)
      result.diverges = divergence({.compile = prepared.analysis.options}, row, verify::to_string(target), name_);
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace tarn::cli
