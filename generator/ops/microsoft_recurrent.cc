// DynamicQuantizeLSTM: the products of an LSTM in integers, with inputs and states quantised as they come. A Scan over
// time.
#include "ops/body.h"
#include "ops/microsoft.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// Nodes of the Scan's body; names of the graph around it may be read.
class BodySteps {
 public:
  BodySteps(const Node& node, std::string prefix) : node_(node), prefix_(std::move(prefix)) {}

  std::vector<std::string> add(size_t outputs, const std::string& op, std::vector<std::string> inputs,
                               model::Attributes attributes = {}) {
    model::NodeDef made;
    made.index = node_.origins.empty() ? -1 : node_.origins[0];
    made.name = node_.name;
    made.op = op;
    made.inputs = std::move(inputs);
    made.attributes = std::move(attributes);
    for (size_t i = 0; i < outputs; ++i) made.outputs.push_back(cat(prefix_, op, "_", count_++));
    graph_.nodes.push_back(made);
    return made.outputs;
  }
  std::string add(const std::string& op, std::vector<std::string> inputs, model::Attributes attributes = {}) {
    return add(1, op, std::move(inputs), std::move(attributes))[0];
  }
  std::string input(const std::string& name) {
    graph_.inputs.push_back({prefix_ + name, {}});
    return prefix_ + name;
  }
  void output(const std::string& name) { graph_.outputs.push_back({name, {}}); }
  model::GraphDefPtr finish() { return std::make_shared<const model::GraphDef>(std::move(graph_)); }

 private:
  const Node& node_;
  std::string prefix_;
  model::GraphDef graph_;
  int count_ = 0;
};

// Where inputs stand.
enum : size_t {
  kInput,
  kWeights,
  kRecurrence,
  kBiases,
  kStepCounts,
  kH,
  kC,
  kPeepholes,
  kWScale,
  kWZero,
  kRScale,
  kRZero
};

// x, quantised as it is, times integers w[rows, columns]: float32.
template <class Into>
std::string product(Into& into, const std::string& x, const std::string& w, const std::string& scale,
                    const std::string& zero) {
  const std::vector<std::string> q = into.add(3, "DynamicQuantizeLinear", {x});
  const std::string sums = into.add("MatMulInteger", {q[0], w, q[2], zero});
  const std::string both = into.add("Mul", {q[1], scale});
  return into.add("Mul", {into.add("Cast", {sums}, {{"to", int64_t{to_onnx(DType::float32)}}}), both});
}

model::GraphDefPtr one_step(const Facts& facts, const std::string& prefix, const std::string& w,
                            const std::string& scale, const std::string& zero) {
  BodySteps steps(facts.node, prefix);
  const std::string h = steps.input("h"), c = steps.input("c"), given = steps.input("gates");
  const std::string all = steps.add("Add", {product(steps, h, w, scale, zero), given});
  const std::vector<std::string> gates =
      steps.add(4, "Split", {all}, {{"axis", int64_t{1}}, {"num_outputs", int64_t{4}}});  // i, o, f, c
  const std::string in = steps.add("Sigmoid", {gates[0]}), out = steps.add("Sigmoid", {gates[1]}),
                    forget = steps.add("Sigmoid", {gates[2]});
  const std::string kept = steps.add("Mul", {forget, c}), added = steps.add("Mul", {in, steps.add("Tanh", {gates[3]})});
  const std::string cell = steps.add("Add", {kept, added});
  const std::string next = steps.add("Mul", {out, steps.add("Tanh", {cell})});
  steps.output(next);
  steps.output(cell);
  steps.output(steps.add("Identity", {next}));
  return steps.finish();
}

std::optional<Fault> refuse(const Facts& facts) {
  const Node& node = facts.node;
  for (size_t i : {kInput, kWeights, kRecurrence, kWScale, kWZero, kRScale, kRZero}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  const int64_t hidden = node.integer("hidden_size", 0);
  const Shape &x = facts.shape(kInput), &w = facts.shape(kWeights), &r = facts.shape(kRecurrence);
  const std::string direction = node.text("direction", "forward");
  const int64_t count = direction == "bidirectional" ? 2 : 1;
  const Checked gates = checked_mul(4, hidden);
  if (x.rank() != 3 || hidden < 1 || !gates || w != Shape{count, x[2], *gates} || r != Shape{count, hidden, *gates}) {
    return Fault{cat("X, W and R of ", to_string(x), ", ", to_string(w), ", ", to_string(r),
                     " do not fit a hidden size of ", hidden)};
  }
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return Fault{"direction '" + direction + "' is unknown"};
  for (size_t i : {kWScale, kWZero, kRScale, kRZero}) {
    if (facts.shape(i).count() != count && facts.shape(i).count() != count * *gates)
      return Fault{cat("input ", i, " is no number per direction or gate")};
  }
  if (facts.has(kBiases) && facts.shape(kBiases) != Shape{count, 2 * *gates})
    return Fault{"B of " + to_string(facts.shape(kBiases)) + " does not fit"};
  for (size_t i : {kH, kC}) {
    if (facts.has(i) && facts.shape(i) != Shape{count, x[1], hidden})
      return Fault{"an initial state of " + to_string(facts.shape(i)) + " does not fit"};
  }
  if (facts.has(kStepCounts) || facts.has(kPeepholes) || node.has("clip") || node.integer("input_forget", 0) != 0) {
    return Fault{"sequence lengths, peepholes, clip and input_forget are not supported", "", "E203"};
  }
  const std::vector<std::string> activations = node.texts("activations");
  for (size_t i = 0; i < activations.size(); ++i) {
    if (activations[i] != (i % 3 == 0 ? "Sigmoid" : "Tanh"))
      return Fault{"only the activations Sigmoid, Tanh, Tanh are supported", "", "E203"};
  }
  return {};
}

Answer<model::GraphDefPtr> expand_lstm(const Facts& facts) {
  if (auto fault = refuse(facts)) return *fault;
  Body body(facts);
  const Shape& x = facts.shape(kInput);
  const int64_t hidden = facts.node.integer("hidden_size", 0), gates = 4 * hidden, count = facts.shape(kWeights)[0];
  const std::string rows = body.reshape(body.input(kInput), {x[0] * x[1], x[2]});
  auto part = [&](size_t i, int64_t d) {
    return body.add("Gather", {body.input(i), body.number(static_cast<double>(d), DType::int64)},
                    {{"axis", int64_t{0}}});
  };
  // A number per direction, or one per direction and gate.
  auto numbers = [&](size_t i, int64_t d) {
    const int64_t each = facts.shape(i).count() / count;
    const std::string all = body.reshape(body.input(i), {count, each});
    const std::string own =
        body.add("Gather", {all, body.number(static_cast<double>(d), DType::int64)}, {{"axis", int64_t{0}}});
    return each == 1 ? body.add("Squeeze", {own}) : own;
  };
  std::vector<std::string> outputs, states, cells;
  for (int64_t d = 0; d < count; ++d) {
    std::string given = product(body, rows, part(kWeights, d), numbers(kWScale, d), numbers(kWZero, d));
    if (facts.has(kBiases)) {
      const std::vector<std::string> biases =
          body.add(2, "Split", {part(kBiases, d)}, {{"axis", int64_t{0}}, {"num_outputs", int64_t{2}}});
      given = body.add("Add", {given, body.add("Add", {biases[0], biases[1]})});
    }
    given = body.reshape(given, {x[0], x[1], gates});
    auto state = [&](size_t i) {
      if (facts.has(i)) return part(i, d);
      return body.constant(Constant::splat({DType::float32, Shape{x[1], hidden}}, std::vector<uint8_t>(4, 0)));
    };
    const std::string r = part(kRecurrence, d), scale = numbers(kRScale, d), zero = numbers(kRZero, d);
    const bool back = d == 1 || facts.node.text("direction", "forward") == "reverse";
    const std::vector<int64_t> directions{back ? 1 : 0};
    const std::vector<std::string> scan = body.add(3, "Scan", {state(kH), state(kC), given},
                                                   {{"body", one_step(facts, cat("step_", d, "_"), r, scale, zero)},
                                                    {"num_scan_inputs", int64_t{1}},
                                                    {"scan_input_directions", directions},
                                                    {"scan_output_directions", directions}});
    states.push_back(body.reshape(scan[0], {1, x[1], hidden}));
    cells.push_back(body.reshape(scan[1], {1, x[1], hidden}));
    outputs.push_back(body.reshape(scan[2], {x[0], 1, x[1], hidden}));
  }
  auto joined = [&](const std::vector<std::string>& parts, int64_t axis) {
    return body.add("Concat", parts, {{"axis", axis}});
  };
  body.output(0, joined(outputs, 1));
  body.output(1, joined(states, 0));
  body.output(2, joined(cells, 0));
  return body.finish();
}

}  // namespace

std::vector<OperatorEntry> microsoft_recurrent_entries() {
  OperatorEntry entry{"com.microsoft", "DynamicQuantizeLSTM", "float32"};
  entry.expand = expand_lstm;
  entry.limits = "usual activations; no sequence lengths, peepholes or clip";
  return {entry};
}

}  // namespace tarn::ops
