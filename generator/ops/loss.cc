// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss, which is LogSoftmax over the classes and then the former.
#include <limits>

#include "ops/cast.h"
#include "ops/softmax.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

std::optional<int64_t> reduction_of(const Node& node) {
  const std::string text = node.text("reduction", "mean");
  if (text == "none") return 0;
  if (text == "mean") return 1;
  if (text == "sum") return 2;
  return {};
}

Answer<Types> infer_loss(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs scores and targets"};
  const auto reduction = reduction_of(facts.node);
  if (!reduction) return Fault{"unknown reduction '" + facts.node.text("reduction", "") + "'"};
  const Shape &x = facts.shape(0), &target = facts.shape(1);
  Shape places = x;
  if (x.rank() >= 2) places.dims.erase(places.dims.begin() + 1);
  if (x.rank() < 2 || target != places)
    return Fault{"targets " + to_string(target) + " do not fit scores " + to_string(x)};
  if (facts.has(2) && (facts.types[2].dtype != facts.types[0].dtype || facts.shape(2).count() != x[1])) {
    return Fault{cat("weights ", to_string(facts.types[2]), " for ", x[1], " classes")};
  }
  Types types{{facts.types[0].dtype, *reduction == 0 ? target : Shape{}}};
  if (facts.node.op == "SoftmaxCrossEntropyLoss") types.push_back(facts.types[0]);
  return types;
}

std::optional<Fault> lower_loss(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]), index = low.dtype(node.inputs[1]);
  if (!is_kernel_float(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const std::string& name = low.graph()[node.outputs[0].valid() ? node.outputs[0] : node.inputs[0]].name;
  const int64_t outer = x[0], classes = x[1], inner = x.count(2, x.rank());
  Argument scores = low.read(node.inputs[0]);
  if (node.op == "SoftmaxCrossEntropyLoss") {
    const TensorId to = node.has_output(1) ? low.tensor(node.outputs[1])
                                           : low.new_tensor(name + "_log_prob", dtype, x, program::Kind::activation);
    const int64_t bundle = classes * inner;
    low.call(node, "tarn_logsoftmax_" + kernel_suffix(dtype),
             {"tarn_softmax_params",
              {{"outer", outer}, {"count", classes}, {"inner", inner}, {"x_pitch", bundle}, {"y_pitch", bundle}}},
             {std::move(scores), low.write(to)});
    scores = low.read(to);
  }
  if (!node.has_output(0)) return {};
  Argument target = low.read(node.inputs[1]);
  if (index != DType::int64) {
    const TensorId wide =
        low.new_tensor(name + "_target", DType::int64, low.shape(node.inputs[1]), program::Kind::activation);
    lower_cast(node, low, std::move(target), low.write(wide), index, DType::int64, outer * inner);
    target = low.read(wide);
  }
  const int64_t ignored = node.integer("ignore_index", -1);
  // Beyond 32 bits it is no class, and no target can be meant by it in a model that works.
  const bool has_ignored = node.has("ignore_index") && ignored >= INT32_MIN && ignored <= INT32_MAX;
  const std::string kernel = "tarn_nllloss_" + kernel_suffix(dtype);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"outer", outer},
                 {"classes", classes},
                 {"inner", inner},
                 {"reduction", *reduction_of(node)},
                 {"has_ignored", int64_t{has_ignored}},
                 {"ignored", has_ignored ? ignored : 0}}},
               {std::move(scores), std::move(target), node.has_input(2) ? low.read(node.inputs[2]) : low.none(),
                low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> loss_entries() {
  return {{"", "NegativeLogLikelihoodLoss", "floats", lower_loss, infer_loss},
          {"", "SoftmaxCrossEntropyLoss", "floats", lower_loss, infer_loss}};
}

}  // namespace tarn::ops
