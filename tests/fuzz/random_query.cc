#include "fuzz/random_query.h"

#include <limits>

#include "model/node_facts.h"
#include "model/schema_lookup.h"
#include "support/text.h"

namespace tarn::fuzz {

namespace {

using model::Dim;
using model::Type;
using onnx::AttributeProto;

constexpr int64_t kWild[] = {0,
                             -1,
                             -2,
                             int64_t{1} << 20,
                             int64_t{1} << 24,
                             int64_t{1} << 31,
                             int64_t{1} << 36,
                             int64_t{1} << 62,
                             -(int64_t{1} << 62),
                             std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()};

int64_t number(Decisions& decide) {
  if (decide.one_in(8)) return decide.pick(kWild);
  return static_cast<int64_t>(decide.below(10)) - (decide.one_in(4) ? 3 : 0);
}

const char* const kWords[] = {
    "",       "NOTSET",   "SAME_UPPER", "SAME_LOWER", "VALID",       "forward",   "reverse",     "bidirectional",
    "linear", "nearest",  "cubic",      "DCR",        "CRD",         "none",      "add",         "mean",
    "sum",    "constant", "edge",       "not_larger", "not_smaller", "ij,jk->ik", "...ii->...i", "bij,bjk",
    "i->",    "->",       ",,,->zz",    "LEFT",       "avg",         "max",       "round",       "RGB",
    "NONE"};

DType random_dtype(Decisions& decide) {
  constexpr DType kCommon[] = {DType::float32, DType::int64, DType::float32,
                               DType::int32,   DType::uint8, DType::boolean};
  if (!decide.one_in(4)) return decide.pick(kCommon);
  return static_cast<DType>(1 + decide.below(static_cast<uint64_t>(DType::string)));
}

std::vector<Dim> random_dims(Decisions& decide) {
  std::vector<Dim> dims(decide.one_in(16) ? decide.below(20) : decide.below(6));
  for (Dim& d : dims) {
    if (decide.one_in(10)) {
      d.symbol = decide.one_in(2) ? "N" : "";
    } else {
      d.value = decide.one_in(12) ? decide.pick(kWild) : static_cast<int64_t>(decide.below(9));
    }
  }
  return dims;
}

Type random_type(Decisions& decide, int depth = 0) {
  Type type;
  if (decide.one_in(20) && depth < 3) {
    constexpr Type::Kind kKinds[] = {Type::Kind::unknown, Type::Kind::sparse_tensor, Type::Kind::sequence,
                                     Type::Kind::optional, Type::Kind::map};
    type.kind = decide.pick(kKinds);
    type.dtype = random_dtype(decide);
    if (type.kind != Type::Kind::sparse_tensor && !decide.one_in(8)) {
      type.element = std::make_shared<const Type>(random_type(decide, depth + 1));
    }
    return type;
  }
  type.kind = Type::Kind::tensor;
  type.dtype = random_dtype(decide);
  if (!decide.one_in(10)) type.dims = random_dims(decide);
  return type;
}

std::unique_ptr<Constant> random_constant(Decisions& decide, DType dtype) {
  Shape shape;
  if (!decide.one_in(5)) shape.dims.push_back(static_cast<int64_t>(decide.below(6)));
  if (decide.one_in(8)) shape.dims.push_back(static_cast<int64_t>(decide.below(4)));
  const auto count = static_cast<size_t>(shape.count());
  if (dtype == DType::string)
    return std::make_unique<Constant>(Constant::strings(shape, std::vector<std::string>(count, "x")));
  if (dtype == DType::complex64 || dtype == DType::complex128) {
    const TensorType type{dtype, shape};
    return std::make_unique<Constant>(Constant::of(type, std::vector<uint8_t>(static_cast<size_t>(type.bytes()))));
  }
  if (decide.one_in(40)) return std::make_unique<Constant>(Constant::absent({dtype, shape}, "weights.bin"));
  if (is_float(dtype)) {
    constexpr double kFloats[] = {1,
                                  2,
                                  0.5,
                                  0,
                                  -1,
                                  -2,
                                  1e30,
                                  -1e30,
                                  1e-30,
                                  std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN(),
                                  3,
                                  1.5};
    std::vector<double> values(count);
    for (double& v : values) v = decide.pick(kFloats);
    return std::make_unique<Constant>(Constant::floats(dtype, shape, values));
  }
  std::vector<int64_t> values(count);
  for (int64_t& v : values) v = number(decide);
  return std::make_unique<Constant>(Constant::ints(dtype, shape, values));
}

model::Attribute random_attribute(Decisions& decide, AttributeProto::AttributeType type) {
  const size_t length = decide.one_in(10) ? decide.below(12) : decide.below(5);
  switch (type) {
    case AttributeProto::FLOAT: return static_cast<float>(number(decide));
    case AttributeProto::INT: return number(decide);
    case AttributeProto::STRING: return std::string(decide.pick(kWords));
    case AttributeProto::TENSOR: return *random_constant(decide, random_dtype(decide));
    case AttributeProto::FLOATS: {
      std::vector<float> out(length);
      for (float& v : out) v = static_cast<float>(number(decide));
      return out;
    }
    case AttributeProto::INTS: {
      std::vector<int64_t> out(length);
      for (int64_t& v : out) v = number(decide);
      return out;
    }
    case AttributeProto::STRINGS: {
      std::vector<std::string> out(length);
      for (std::string& v : out) v = decide.pick(kWords);
      return out;
    }
    case AttributeProto::TYPE_PROTO: return random_type(decide);
    default: return int64_t{0};
  }
}

// The type that a formal input most likely has; often right, sometimes not.
DType formal_dtype(Decisions& decide, const onnx::OpSchema& schema, size_t input) {
  if (schema.inputs().empty() || decide.one_in(8)) return random_dtype(decide);
  const auto& formal = schema.inputs()[std::min(input, schema.inputs().size() - 1)];
  std::vector<std::string> names;
  for (const auto& type : formal.GetTypes()) names.push_back(*type);
  std::sort(names.begin(), names.end());  // the set is ordered by address
  constexpr DType kLikely[] = {DType::float32, DType::int64, DType::int32, DType::uint8, DType::boolean, DType::string};
  const size_t start = decide.below(std::size(kLikely));
  for (size_t i = 0; i < std::size(kLikely); ++i) {
    const DType dtype = kLikely[(start + i) % std::size(kLikely)];
    const std::string spelled = dtype == DType::float32 ? "float" : to_string(dtype);
    for (const std::string& name : names) {
      if (name == "tensor(" + spelled + ")") return dtype;
    }
  }
  return random_dtype(decide);
}

const std::vector<const onnx::OpSchema*>& all_schemas() {
  static const std::vector<const onnx::OpSchema*> schemas = [] {
    std::map<std::tuple<std::string, std::string, int>, const onnx::OpSchema*> sorted;
    for (const onnx::OpSchema& s : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
      if (s.domain().empty() && s.SinceVersion() > 27) continue;
      sorted[{s.domain(), s.Name(), s.SinceVersion()}] =
          onnx::OpSchemaRegistry::Schema(s.Name(), s.SinceVersion(), s.domain());
    }
    std::vector<const onnx::OpSchema*> out;
    for (const auto& [key, schema] : sorted) out.push_back(schema);
    return out;
  }();
  return schemas;
}

}  // namespace

uint64_t Decisions::below(uint64_t end) {
  uint64_t value = 0;
  if (at_ < bytes_.size()) {
    const size_t width = end <= 256 ? 1 : 2;
    for (size_t i = 0; i < width && at_ < bytes_.size(); ++i) value = value << 8 | bytes_[at_++];
  } else {
    state_ += 0x9E3779B97F4A7C15;
    value = state_;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    value ^= value >> 31;
  }
  return value % end;
}

std::unique_ptr<RandomQuery> random_query(Decisions& decide) {
  const onnx::OpSchema& schema = *all_schemas()[decide.below(all_schemas().size())];
  auto q = std::make_unique<RandomQuery>();
  q->node.index = 3;
  q->node.name = "fuzzed";
  q->node.op = schema.Name();
  q->node.domain = schema.domain();
  q->opsets[schema.domain()] = schema.SinceVersion();
  const auto most = static_cast<uint64_t>(std::min(schema.max_input(), 9));
  const auto least = static_cast<uint64_t>(schema.min_input());
  const uint64_t inputs =
      decide.one_in(20) ? decide.below(10) : least + (most > least ? decide.below(most - least + 1) : 0);
  for (uint64_t i = 0; i < inputs; ++i) {
    q->node.inputs.push_back(decide.one_in(16) ? "" : cat("x", i));
    Type type = random_type(decide);
    if (type.kind == Type::Kind::tensor) type.dtype = formal_dtype(decide, schema, i);
    std::unique_ptr<Constant> value;
    if (type.kind == Type::Kind::tensor && type.dtype != DType::undefined && decide.one_in(i == 0 ? 6 : 2)) {
      value = random_constant(decide, type.dtype);
      if (!decide.one_in(12)) type = model::tensor_type(value->dtype(), value->shape());
    }
    q->query.input_types.push_back(std::move(type));
    q->query.input_values.push_back(value.get());
    q->values.push_back(std::move(value));
  }
  const auto outputs = static_cast<uint64_t>(std::min(std::max(schema.min_output(), 1), 4)) + decide.below(3);
  for (uint64_t i = 0; i < std::min(outputs, static_cast<uint64_t>(std::max(schema.max_output(), 1))); ++i) {
    q->node.outputs.push_back(decide.one_in(16) && i > 0 ? "" : cat("y", i));
  }
  for (const auto& [name, attribute] : schema.attributes()) {
    if (attribute.type == AttributeProto::GRAPH || attribute.type == AttributeProto::GRAPHS) continue;
    if (!attribute.required && decide.one_in(2)) continue;
    const auto type =
        decide.one_in(40) ? static_cast<AttributeProto::AttributeType>(1 + decide.below(8)) : attribute.type;
    q->node.attributes.emplace(name, random_attribute(decide, type));
  }
  q->query.node = &q->node;
  q->query.opsets = &q->opsets;
  return q;
}

std::string to_text(const RandomQuery& q) {
  std::string out = cat(q.node.domain, ".", q.node.op, "-", q.opsets.begin()->second, "(");
  for (size_t i = 0; i < q.node.inputs.size(); ++i) {
    out += (i ? ", " : "") + (q.node.inputs[i].empty() ? "omitted" : to_string(q.query.input_types[i]));
    const Constant* value = q.query.input_values[i];
    if (value != nullptr && !value->is_absent() && (is_integer(value->dtype()) || is_float(value->dtype()))) {
      out += "{" + join(value->reals()) + "}";
    }
  }
  out += ")";
  for (const auto& [name, attribute] : q.node.attributes) {
    out += " " + name + "=";
    if (const auto* v = std::get_if<int64_t>(&attribute)) out += cat(*v);
    if (const auto* v = std::get_if<float>(&attribute)) out += cat(*v);
    if (const auto* v = std::get_if<std::string>(&attribute)) out += "'" + *v + "'";
    if (const auto* v = std::get_if<std::vector<int64_t>>(&attribute)) out += "[" + join(*v) + "]";
  }
  return out + cat(" -> ", q.node.outputs.size(), " outputs");
}

}  // namespace tarn::fuzz
