// ai.onnx.ml: what scales, fills in, selects and encodes features, and the linear models. Bodies of standard operators,
// but for the search of LabelEncoder.
#include "ops/ml.h"

#include <cmath>

#include "ops/elementwise.h"
#include "ops/lowering.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// A list attribute that holds one number for all features, or one for each; as a constant that broadcasts.
Answer<std::string> per_feature(Body& body, const std::string& name, const std::vector<double>& values,
                                int64_t features, DType dtype) {
  const auto count = static_cast<int64_t>(values.size());
  if (count != 1 && count != features)
    return Fault{cat("'", name, "' has ", count, " numbers for ", features, " features"), "", "E211"};
  return body.constant(Constant::floats(dtype, Shape{count}, values));
}

int64_t features_of(const Shape& shape) { return shape.rank() == 0 ? 1 : shape[shape.rank() - 1]; }

Answer<model::GraphDefPtr> expand_scaler(const Facts& facts) {
  Body body(facts);
  std::string y = body.cast(body.input(0), facts.types[0].dtype, DType::float32);
  const int64_t features = features_of(facts.shape(0));
  for (const char* name : {"offset", "scale"}) {
    const std::vector<double> values = facts.node.reals(name);
    if (values.empty()) continue;
    const Answer<std::string> operand = per_feature(body, name, values, features, DType::float32);
    if (const Fault* fault = std::get_if<Fault>(&operand)) return *fault;
    y = body.add(name == std::string("offset") ? "Sub" : "Mul", {y, std::get<std::string>(operand)});
  }
  body.output(0, y == body.input(0) ? body.add("Identity", {y}) : y);
  return body.finish();
}

Answer<model::GraphDefPtr> expand_normalizer(const Facts& facts) {
  Body body(facts);
  const std::string x = body.cast(body.input(0), facts.types[0].dtype, DType::float32);
  const std::string norm = facts.node.text("norm", "MAX");
  const char* reduce = norm == "MAX" ? "ReduceMax" : norm == "L1" ? "ReduceL1" : norm == "L2" ? "ReduceL2" : nullptr;
  if (!reduce) return Fault{"norm '" + norm + "' is unknown", "", "E211"};
  const std::string by = body.add(reduce, {x, body.ints({-1})}, {{"keepdims", int64_t{1}}});
  // A row of zeros stays what it is.
  const std::string zero = body.add("Equal", {by, body.number(0, DType::float32)});
  body.output(0, body.add("Div", {x, body.add("Where", {zero, body.number(1, DType::float32), by})}));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_binarizer(const Facts& facts) {
  Body body(facts);
  const DType dtype = facts.types[0].dtype;
  const double threshold = facts.node.real("threshold", 0);
  // Whole numbers above a threshold are above its floor.
  const std::string limit = body.number(is_float(dtype) ? threshold : std::floor(threshold), dtype);
  body.output(0, body.cast(body.add("Greater", {body.input(0), limit}), DType::boolean, dtype));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_imputer(const Facts& facts) {
  Body body(facts);
  const DType dtype = facts.types[0].dtype;
  std::vector<double> values = facts.node.reals("imputed_value_floats");
  const bool floats = !values.empty();
  for (int64_t v : facts.node.integers("imputed_value_int64s")) values.push_back(static_cast<double>(v));
  const Answer<std::string> operand = per_feature(body, "imputed_value", values, features_of(facts.shape(0)), dtype);
  if (const Fault* fault = std::get_if<Fault>(&operand)) return *fault;
  const double replaced = floats || is_float(dtype)
                              ? facts.node.real("replaced_value_float", 0)
                              : static_cast<double>(facts.node.integer("replaced_value_int64", 0));
  const std::string x = body.input(0);
  const std::string missing =
      std::isnan(replaced) ? body.add("IsNaN", {x}) : body.add("Equal", {x, body.number(replaced, dtype)});
  body.output(0, body.add("Where", {missing, std::get<std::string>(operand), x}));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_extractor(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two inputs"};
  std::string x = body.input(0);
  const int rank = facts.shape(0).rank();
  if (rank == 0) return Fault{"takes features from a tensor with axes"};
  if (rank == 1) x = body.reshape(x, {1, facts.shape(0)[0]});
  const std::string which =
      body.reshape(body.cast(body.input(1), facts.types[1].dtype, DType::int64), {facts.shape(1).count()});
  body.output(0, body.add("Gather", {x, which}, {{"axis", int64_t{-1}}}));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_one_hot(const Facts& facts) {
  Body body(facts);
  const std::vector<int64_t> categories = facts.node.integers("cats_int64s");
  if (!facts.node.texts("cats_strings").empty())
    return Fault{"categories that are strings are not supported", "encode them before the model", "E204"};
  const std::string x =
      body.add("Unsqueeze", {body.cast(body.input(0), facts.types[0].dtype, DType::int64), body.ints({-1})});
  body.output(0, body.cast(body.add("Equal", {x, body.ints(categories)}), DType::boolean, DType::float32));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_vectorizer(const Facts& facts) {
  Body body(facts);
  const std::vector<int64_t> widths = facts.node.integers("inputdimensions");
  std::vector<std::string> parts;
  for (size_t i = 0; i < facts.types.size(); ++i) {
    if (!facts.has(i)) continue;
    const Shape& shape = facts.shape(i);
    const int64_t examples = shape.rank() > 1 ? shape[0] : 1;
    const int64_t width = examples > 0 ? shape.count() / examples : 0;
    if (i < widths.size() && widths[i] != width)
      return Fault{cat("input ", i, " has ", width, " features, not ", widths[i])};
    parts.push_back(body.reshape(body.cast(body.input(i), facts.types[i].dtype, DType::float32), {examples, width}));
  }
  if (parts.empty()) return Fault{"has no inputs"};
  body.output(0, body.add("Concat", parts, {{"axis", int64_t{1}}}));
  return body.finish();
}

// x times coefficients [rows, features], plus intercepts.
Answer<std::string> linear(Body& body, const Facts& facts, const std::string& x, const TensorType& type, int64_t rows) {
  const std::vector<double> coefficients = facts.node.reals("coefficients"),
                            intercepts = facts.node.reals("intercepts");
  if (rows < 1 || static_cast<int64_t>(coefficients.size()) != rows * type.shape[1]) {
    return Fault{cat(coefficients.size(), " coefficients for ", rows, " x ", type.shape[1]), "", "E211"};
  }
  if (!intercepts.empty() && static_cast<int64_t>(intercepts.size()) != rows)
    return Fault{cat(intercepts.size(), " intercepts for ", rows), "", "E211"};
  std::vector<std::string> inputs{
      x, body.constant(Constant::floats(type.dtype, Shape{rows, type.shape[1]}, coefficients))};
  if (!intercepts.empty()) inputs.push_back(body.constant(Constant::floats(type.dtype, Shape{rows}, intercepts)));
  return body.add("Gemm", inputs, {{"transB", int64_t{1}}});
}

Answer<model::GraphDefPtr> expand_regressor(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const std::string x = examples_of(facts, body, type);
  Answer<std::string> y = linear(body, facts, x, type, facts.node.integer("targets", 1));
  if (const Fault* fault = std::get_if<Fault>(&y)) return *fault;
  y = post_transform(body, std::get<std::string>(y), facts.node.text("post_transform", "NONE"), type.dtype);
  if (const Fault* fault = std::get_if<Fault>(&y)) return *fault;
  body.output(0, body.cast(std::get<std::string>(y), type.dtype, DType::float32));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_classifier(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const std::string x = examples_of(facts, body, type);
  const auto count = static_cast<int64_t>(facts.node.reals("coefficients").size());
  const int64_t rows = type.shape[1] > 0 ? count / type.shape[1] : 0, labels = label_count(facts.node);
  Answer<std::string> made = linear(body, facts, x, type, rows);
  if (const Fault* fault = std::get_if<Fault>(&made)) return *fault;
  std::string scores = std::get<std::string>(made), numbers;
  std::string transform = facts.node.text("post_transform", "NONE");
  if (rows == 1) {
    const std::string above = body.add("Greater", {scores, body.number(0, type.dtype)});
    numbers = body.reshape(body.cast(above, DType::boolean, DType::int64), {type.shape[0]});
    // One score is put out as it is, whatever the transform; with two labels the first class has what the second one
    // lacks.
    if (labels == 2 && transform == "PROBIT")
      return Fault{"PROBIT for two classes with one score is not supported", "", "E203"};
    const bool logistic = labels == 2 && transform == "LOGISTIC";
    if (labels == 2) {
      const std::string other =
          logistic ? body.add("Neg", {scores}) : body.add("Sub", {body.number(1, type.dtype), scores});
      scores = body.add("Concat", {other, scores}, {{"axis", int64_t{1}}});
    }
    if (!logistic) transform = "NONE";
  } else {
    numbers = body.add("ArgMax", {scores}, {{"axis", int64_t{1}}, {"keepdims", int64_t{0}}});
  }
  if (labels > 0 && labels != rows && !(rows == 1 && labels == 2))
    return Fault{cat(labels, " labels for ", rows, " scores"), "", "E211"};
  body.output(0, labels_of(facts, body, numbers));
  made = post_transform(body, scores, transform, type.dtype);
  if (const Fault* fault = std::get_if<Fault>(&made)) return *fault;
  body.output(1, body.cast(std::get<std::string>(made), type.dtype, DType::float32));
  return body.finish();
}

// The probabilities without the names of their classes.
Answer<model::GraphDefPtr> expand_zip_map(const Facts& facts) {
  Body body(facts);
  body.output(0, body.add("Identity", {body.input(0)}));
  return body.finish();
}

// Keys or values: tensors since opset 4, lists before.
std::optional<Constant> table_of(const Node& node, const std::string& name) {
  if (const Constant* tensor = node.tensor(name + "_tensor")) return *tensor;
  const std::vector<int64_t> whole = node.integers(name + "_int64s");
  if (!whole.empty()) return Constant::ints(DType::int64, Shape{static_cast<int64_t>(whole.size())}, whole);
  const std::vector<double> reals = node.reals(name + "_floats");
  if (!reals.empty()) return Constant::floats(DType::float32, Shape{static_cast<int64_t>(reals.size())}, reals);
  return {};
}

Answer<model::GraphDefPtr> expand_label_encoder(const Facts& facts) {
  const Node& node = facts.node;
  const std::optional<Constant> keys = table_of(node, "keys"), values = table_of(node, "values");
  if (!keys || !values || keys->is_strings() || values->is_strings() || keys->is_absent() || values->is_absent()) {
    return Fault{"keys and values must be numbers", "strings have no form in memory: encode them outside", "E204"};
  }
  if (keys->count() != values->count())
    return Fault{cat(keys->count(), " keys for ", values->count(), " values"), "", "E211"};
  if (keys->dtype() != facts.types[0].dtype) {
    return Fault{cat("its keys are ", to_string(keys->dtype()), ", its input ", to_string(facts.types[0].dtype))};
  }
  const DType dtype = values->dtype();
  Constant otherwise = dtype == DType::int64 ? Constant::ints(dtype, Shape{1}, {node.integer("default_int64", -1)})
                                             : Constant::floats(dtype, Shape{1}, {node.real("default_float", -0.0)});
  if (const Constant* given = node.tensor("default_tensor")) {
    if (given->is_absent() || given->is_strings() || given->dtype() != dtype || given->count() != 1)
      return Fault{"its default is not of the type of its values", "", "E211"};
    otherwise = given->reshaped(Shape{1});
  }
  Body body(facts);
  const Shape flat{keys->count()};
  const std::string at = body.add("Find", {body.input(0)}, {{"keys", keys->reshaped(flat)}}, "tarn");
  const std::string table = body.add(
      "Concat", {body.constant(values->reshaped(flat)), body.constant(std::move(otherwise))}, {{"axis", int64_t{0}}});
  body.output(0, body.add("Gather", {table, at}, {{"axis", int64_t{0}}}));
  return body.finish();
}

Answer<Types> infer_find(const Facts& facts) { return Types{{DType::int64, facts.shape(0)}}; }

std::optional<Fault> lower_find(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Constant& keys = *node.tensor("keys");
  const std::string kernel = "tarn_find_" + kernel_suffix(dtype);
  Walk walk;
  walk.identity = true;
  low.call(node, kernel, {kernel + "_params", {{"count", low.shape(node.inputs[0]).count()}, {"keys", keys.count()}}},
           {low.read(node.inputs[0], walk), low.weight(low.key(node.outputs[0], "/keys"), keys),
            low.write(node.outputs[0])});
  return {};
}

Answer<Types> infer_text_labels(const Facts& facts) { return Types{{DType::string, facts.shape(0)}}; }

}  // namespace

std::vector<OperatorEntry> ml_entries() {
  std::vector<OperatorEntry> entries;
  auto add = [&](const char* op, Expand expand, const char* limits = "") {
    OperatorEntry entry{"ai.onnx.ml", op, "numbers"};
    entry.expand = expand;
    entry.limits = limits;
    entries.push_back(std::move(entry));
  };
  add("Scaler", expand_scaler);
  add("Normalizer", expand_normalizer);
  add("Binarizer", expand_binarizer);
  add("Imputer", expand_imputer);
  add("ArrayFeatureExtractor", expand_extractor);
  add("OneHotEncoder", expand_one_hot, "categories that are numbers; unknown ones give zeros");
  add("FeatureVectorizer", expand_vectorizer);
  add("LinearRegressor", expand_regressor);
  add("LinearClassifier", expand_classifier, "labels that are strings cannot be put out; their scores can");
  add("LabelEncoder", expand_label_encoder, "keys and values that are numbers");
  add("ZipMap", expand_zip_map, "its result is the tensor of scores, without the names");
  OperatorEntry labels{"tarn", "TextLabels", "", nullptr, infer_text_labels};
  labels.limits = "labels that are strings have no form in memory: use the scores, or drop the label output";
  entries.push_back(labels);
  entries.push_back({"tarn", "Find", "numbers", lower_find, infer_find});
  return entries;
}

}  // namespace tarn::ops
