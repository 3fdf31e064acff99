// What a report tells of its own parts.
#include "report/report.h"

namespace tarn::report {

std::string axes_of(const Port& port) {
  const int rank = port.type.shape.rank();
  if (!port.channels_last) return "";
  if (port.columns) return "N, W, H, C";
  if (rank == 3) return "N, L, C";
  if (rank == 4) return "N, H, W, C";
  return rank == 5 ? "N, D, H, W, C" : "N, ..., C";
}

Shape model_shape(const Port& port) {
  if (!port.channels_last) return {};
  const std::vector<int64_t>& dims = port.type.shape.dims;
  Shape shape{dims.front(), dims.back()};
  shape.dims.insert(shape.dims.end(), dims.begin() + 1, dims.end() - 1);
  if (port.columns) std::swap(shape.dims[2], shape.dims[3]);
  return shape;
}

std::optional<double> Report::milliseconds() const {
  const std::optional<int64_t> cycles = time ? time->cycles() : std::nullopt;
  if (!cycles || !clock) return {};
  return 1e3 * static_cast<double>(*cycles) / static_cast<double>(*clock);
}

}  // namespace tarn::report
