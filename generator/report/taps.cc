#include "report/taps.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tarn::report {

namespace {

// By tensor, the step after which it is complete: the last one that writes it, or a part of it that is made in its
// place.
std::vector<int64_t> completed(const Analysis& analysis, const Report& report,
                               const std::map<std::string, program::TensorId>& tensors) {
  std::vector<int64_t> last(analysis.program.tensors.size(), -1);
  for (const StepRow& step : report.steps) {
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

}  // namespace

std::vector<Tap> taps_of(const Analysis& analysis, const Report& report) {
  if (analysis.stream) return {};
  std::map<std::string, program::TensorId> tensors;
  std::set<std::string> twice, written;
  for (size_t i = 0; i < analysis.program.tensors.size(); ++i) {
    if (!tensors.emplace(analysis.program.tensors[i].name, program::TensorId(i)).second)
      twice.insert(analysis.program.tensors[i].name);
  }
  // The next state has its output's name in the report, and lies where the one before it lay.
  for (size_t k = 0; k < analysis.program.kept.size(); ++k) {
    const program::KeptState& kept = analysis.program.kept[k];
    tensors.emplace(kept.why.empty() ? kept.out : kept.in + "_next", analysis.program.states[k]);
  }
  std::map<std::string, const TensorRow*> rows;
  for (const TensorRow& row : report.tensors) rows[row.name] = &row;
  const std::vector<int64_t> last = completed(analysis, report, tensors);
  for (const StepRow& step : report.steps) written.insert(step.writes.begin(), step.writes.end());
  std::vector<Tap> taps;
  for (const std::string& name : written) {
    const auto row = rows.find(name);
    if (row == rows.end() || !row->second->offset || twice.contains(name) || !tensors.contains(name)) continue;
    const program::TensorId id = tensors.at(name);
    const program::Tensor& tensor = analysis.program[id];
    if (!tensor.runtime.empty() || tensor.bytes() == 0) continue;
    const int64_t pitch = analysis.storage[id].pixel_pitch;
    Tap tap{last[id.pos()], name, tensor.type, 0, *row->second->offset, tensor.bytes(), 1, 0, row->second->c_name};
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
  std::sort(taps.begin(), taps.end(),
            [](const Tap& x, const Tap& y) { return std::tie(x.step, x.tensor) < std::tie(y.step, y.tensor); });
  return taps;
}

}  // namespace tarn::report
