#include "program/windows.h"

#include <algorithm>

#include "program/state_step.h"
#include "support/text.h"

namespace tarn::program {

namespace {

// The last steps of the whole as a tensor of its own, which lies there where the layout allows.
Operation last_steps(const Program& program, TensorId whole, TensorId part, int axis) {
  const Tensor &w = program[whole], &p = program[part];
  const int rank = w.type.shape.rank();
  const int64_t element = w.element_bytes(), outer = w.type.shape.count(0, axis);
  const int64_t run = p.type.shape.count(axis, rank), pitch = w.type.shape.count(axis, rank);
  Operation operation = state_step(program, "tarn_copy",
                                   {"tarn_copy_params",
                                    {{"outer", outer},
                                     {"inner", run * element},
                                     {"x_pitch", pitch * element},
                                     {"y_pitch", run * element},
                                     {"x_offset", (pitch - run) * element},
                                     {"y_offset", int64_t{0}}}},
                                   whole, part);
  operation.nodes = {w.name};
  if (outer == 1) operation.view = View{part, whole, pitch - run};
  return operation;
}

}  // namespace

std::optional<int> grown_axis(const TensorType& out, const TensorType& in) {
  const int rank = out.shape.rank();
  std::optional<int> axis;
  if (out.dtype != in.dtype || in.shape.rank() != rank || is_packed(out.dtype)) return {};
  for (int i = 0; i < rank; ++i) {
    if (out.shape[i] == in.shape[i]) continue;
    if (axis || out.shape[i] < in.shape[i] || in.shape[i] == 0) return {};
    axis = i;
  }
  return axis;
}

std::vector<std::pair<std::string, std::string>> keep_windows(
    Program& program, const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::pair<std::string, std::string>> notes;
  for (const auto& [out, in] : pairs) {
    const auto o = std::find(program.output_names.begin(), program.output_names.end(), out);
    const auto i = std::find(program.input_names.begin(), program.input_names.end(), in);
    if (o == program.output_names.end() || i == program.input_names.end()) continue;
    const TensorId from = program.outputs[static_cast<size_t>(o - program.output_names.begin())];
    TensorId& input = program.inputs[static_cast<size_t>(i - program.input_names.begin())];
    const std::optional<int> axis = grown_axis(program[from].type, program[input].type);
    if (!axis || !program[from].runtime.empty()) continue;
    Tensor whole = program[from];
    whole.name = program[input].name;
    whole.kind = Kind::input;
    program[input].name += "_last";
    program[input].kind = Kind::activation;
    notes.emplace_back(in, cat("the next run reads the last ", program[input].type.shape[*axis], " of ",
                               whole.type.shape[*axis], " along axis ", *axis));
    const TensorId part = input;
    program.tensors.push_back(std::move(whole));
    input = TensorId(program.tensors.size() - 1);
    program.main.insert(program.main.begin(), OperationId(program.operations.size()));
    program.operations.push_back(last_steps(program, input, part, *axis));
  }
  return notes;
}

}  // namespace tarn::program
