// Types, tensors, attributes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fuzz/mutate.h"
#include "model/schema_lookup.h"
#include "support/text.h"
#include "tensor/dtype.h"

namespace tarn::fuzz {

namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

constexpr int64_t kWild[] = {
    -1,         -2,         1 << 10,   1 << 16,       1 << 20,       1 << 24,      int64_t{1} << 31,
    -(1 << 20), 0x7fffffff, 1ll << 32, 1ll << 36,     1ll << 62,     -(1ll << 62), std::numeric_limits<int64_t>::max(),
    255,        65535,      100000,    -0x80000000ll, 0x100000001ll, 1000000007ll, std::numeric_limits<int64_t>::min()};

constexpr float kReals[] = {0.0f,   -0.0f, 1.0f,  -1.0f,  0.5f,   2.0f,     0.1f,   -0.3f,    1e-3f,     127.0f,
                            255.0f, 3.5f,  1e30f, -1e30f, 1e-30f, 65504.0f, 1e-45f, INFINITY, -INFINITY, NAN};

constexpr const char* kWords[] = {"",
                                  "NOTSET",
                                  "SAME_UPPER",
                                  "SAME_LOWER",
                                  "VALID",
                                  "forward",
                                  "reverse",
                                  "bidirectional",
                                  "linear",
                                  "nearest",
                                  "cubic",
                                  "DCR",
                                  "CRD",
                                  "none",
                                  "add",
                                  "mean",
                                  "sum",
                                  "constant",
                                  "edge",
                                  "reflect",
                                  "wrap",
                                  "mul",
                                  "max",
                                  "min",
                                  "Relu",
                                  "Tanh",
                                  "Sigmoid",
                                  "HardSigmoid",
                                  "Affine",
                                  "LeakyRelu",
                                  "Elu",
                                  "ij,jk->ik",
                                  "...ii->...i",
                                  "bij,bjk",
                                  "bhwc,hkc->bhwk",
                                  "i->",
                                  "asymmetric",
                                  "align_corners",
                                  "half_pixel",
                                  "half_pixel_symmetric",
                                  "pytorch_half_pixel",
                                  "tf_crop_and_resize",
                                  "floor",
                                  "ceil",
                                  "round_prefer_floor",
                                  "round_prefer_ceil",
                                  "tanh",
                                  "bilinear",
                                  "zeros",
                                  "border",
                                  "reflection",
                                  "stretch",
                                  "not_larger",
                                  "avg",
                                  "output_half_pixel",
                                  "TF",
                                  "TFIDF"};

// A number such as attributes have: mostly small.
int64_t number(Decisions& decide) {
  if (decide.one_in(10)) return decide.pick(kWild);
  return static_cast<int64_t>(decide.below(6)) - (decide.one_in(5) ? 3 : 0);
}

float real(Decisions& decide) {
  return decide.one_in(2) ? decide.pick(kReals) : static_cast<float>(decide.below(2001)) / 1000 - 1;
}

AttributeProto* pick_attribute(const Body& body, Decisions& decide) {
  std::vector<AttributeProto*> all;
  for (onnx::NodeProto& node : *body.nodes) {
    for (AttributeProto& a : *node.mutable_attribute()) all.push_back(&a);
  }
  return all.empty() ? nullptr : decide.pick(all);
}

// One more or one less, around the end of what there is.
int64_t beside(int64_t value, bool more) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) + (more ? 1u : ~uint64_t{0}));
}

void change_value(AttributeProto& a, Decisions& decide) {
  switch (a.type()) {
    case AttributeProto::INT: a.set_i(decide.one_in(2) ? beside(a.i(), decide.one_in(2)) : number(decide)); break;
    case AttributeProto::FLOAT: a.set_f(real(decide)); break;
    case AttributeProto::STRING: a.set_s(decide.pick(kWords)); break;
    case AttributeProto::INTS: {
      const uint64_t how = decide.below(8);
      if (how == 0 || a.ints_size() == 0) a.add_ints(number(decide));
      else if (how == 1) a.mutable_ints()->RemoveLast();
      else a.set_ints(static_cast<int>(decide.below(static_cast<uint64_t>(a.ints_size()))), number(decide));
      break;
    }
    case AttributeProto::FLOATS: {
      const uint64_t how = decide.below(8);
      if (how == 0 || a.floats_size() == 0) a.add_floats(real(decide));
      else if (how == 1) a.mutable_floats()->RemoveLast();
      else a.set_floats(static_cast<int>(decide.below(static_cast<uint64_t>(a.floats_size()))), real(decide));
      break;
    }
    case AttributeProto::STRINGS:
      if (a.strings_size() == 0 || decide.one_in(5)) a.add_strings(decide.pick(kWords));
      else a.set_strings(static_cast<int>(decide.below(static_cast<uint64_t>(a.strings_size()))), decide.pick(kWords));
      break;
    case AttributeProto::TENSOR: fill_tensor(*a.mutable_t(), decide); break;
    default: break;
  }
}

onnx::TensorProto* pick_tensor(const Body& body, Decisions& decide) {
  std::vector<TensorProto*> all;
  if (body.graph != nullptr) {
    for (TensorProto& t : *body.graph->mutable_initializer()) all.push_back(&t);
  }
  for (onnx::NodeProto& node : *body.nodes) {
    for (AttributeProto& a : *node.mutable_attribute()) {
      if (a.has_t()) all.push_back(a.mutable_t());
    }
  }
  return all.empty() ? nullptr : decide.pick(all);
}

}  // namespace

int64_t wild_number(Decisions& decide) { return number(decide); }

int element_type(Decisions& decide) {
  constexpr int kCommon[] = {TensorProto::FLOAT, TensorProto::INT8, TensorProto::UINT8,  TensorProto::INT64,
                             TensorProto::INT32, TensorProto::BOOL, TensorProto::FLOAT16};
  return decide.one_in(3) ? static_cast<int>(1 + decide.below(26)) : decide.pick(kCommon);
}

onnx::TypeProto tensor_type(int element, const std::vector<int64_t>& dims) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element);
  for (int64_t d : dims) type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(d);
  return type;
}

void fill_tensor(TensorProto& tensor, Decisions& decide) {
  int64_t count = 1;
  for (int64_t d : tensor.dims()) {
    if (d < 0 || d > 4096 || count > 4096) count = 0;
    else count *= d;
  }
  if (count > 4096) count = 0;
  const int type = tensor.data_type();
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_int32_data();
  tensor.clear_int64_data();
  tensor.clear_double_data();
  tensor.clear_uint64_data();
  tensor.clear_string_data();
  const bool wild = decide.one_in(8);
  for (int64_t i = 0; i < count; ++i) {
    const double r = wild ? real(decide) : static_cast<double>(decide.below(401)) / 200 - 1;
    const int64_t n = wild ? number(decide) : static_cast<int64_t>(decide.below(8));
    switch (type) {
      case TensorProto::FLOAT:
      case TensorProto::COMPLEX64: tensor.add_float_data(static_cast<float>(r)); break;
      case TensorProto::DOUBLE:
      case TensorProto::COMPLEX128: tensor.add_double_data(r); break;
      case TensorProto::INT64: tensor.add_int64_data(n); break;
      case TensorProto::UINT64:
      case TensorProto::UINT32: tensor.add_uint64_data(static_cast<uint64_t>(n)); break;
      case TensorProto::STRING: tensor.add_string_data(decide.pick(kWords)); break;
      case TensorProto::FLOAT16:
      case TensorProto::BFLOAT16: tensor.add_int32_data(static_cast<int32_t>(0x3000 + decide.below(0x1000))); break;
      case TensorProto::BOOL: tensor.add_int32_data(static_cast<int32_t>(n & 1)); break;
      case TensorProto::INT32: tensor.add_int32_data(static_cast<int32_t>(n)); break;
      default: tensor.add_int32_data(static_cast<int32_t>(decide.below(128)));
    }
  }
  if ((type == TensorProto::COMPLEX64 || type == TensorProto::COMPLEX128)) {
    for (int64_t i = 0; i < count; ++i) {
      if (type == TensorProto::COMPLEX64) tensor.add_float_data(0.5f);
      else tensor.add_double_data(0.5);
    }
  }
  // Packed types have fewer bytes than elements.
  if (type == TensorProto::INT4 || type == TensorProto::UINT4 || type == TensorProto::FLOAT4E2M1)
    tensor.mutable_int32_data()->Truncate(static_cast<int>((count + 1) / 2));
  if (type == TensorProto::INT2 || type == TensorProto::UINT2)
    tensor.mutable_int32_data()->Truncate(static_cast<int>((count + 3) / 4));
}

onnx::TensorProto small_constant(const std::string& name, int element, const std::vector<int64_t>& dims,
                                 Decisions& decide) {
  TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(element);
  for (int64_t d : dims) tensor.add_dims(d);
  fill_tensor(tensor, decide);
  return tensor;
}

void random_attribute(AttributeProto& a, const std::string& name, int type, Decisions& decide) {
  a.Clear();
  a.set_name(name);
  a.set_type(static_cast<AttributeProto::AttributeType>(type));
  const uint64_t length = decide.one_in(10) ? decide.below(9) : 1 + decide.below(4);
  switch (type) {
    case AttributeProto::INT: a.set_i(number(decide)); break;
    case AttributeProto::FLOAT: a.set_f(real(decide)); break;
    case AttributeProto::STRING: a.set_s(decide.pick(kWords)); break;
    case AttributeProto::INTS:
      for (uint64_t i = 0; i < length; ++i) a.add_ints(number(decide));
      break;
    case AttributeProto::FLOATS:
      for (uint64_t i = 0; i < length; ++i) a.add_floats(real(decide));
      break;
    case AttributeProto::STRINGS:
      for (uint64_t i = 0; i < length; ++i) a.add_strings(decide.pick(kWords));
      break;
    case AttributeProto::TENSOR:
      *a.mutable_t() = small_constant("", element_type(decide), {static_cast<int64_t>(decide.below(4))}, decide);
      break;
    case AttributeProto::TYPE_PROTO: *a.mutable_tp() = tensor_type(element_type(decide), {2, 3}); break;
    default: break;
  }
}

void change_attribute(const Body& body, Decisions& decide) {
  AttributeProto* a = pick_attribute(body, decide);
  if (a != nullptr && !decide.one_in(4)) {
    if (decide.one_in(30)) random_attribute(*a, a->name(), static_cast<int>(1 + decide.below(8)), decide);
    else change_value(*a, decide);
    return;
  }
  if (body.nodes->empty()) return;
  onnx::NodeProto& node =
      *body.nodes->Mutable(static_cast<int>(decide.below(static_cast<uint64_t>(body.nodes->size()))));
  if (node.attribute_size() > 0 && decide.one_in(3)) {
    node.mutable_attribute()->DeleteSubrange(
        static_cast<int>(decide.below(static_cast<uint64_t>(node.attribute_size()))), 1);
    return;
  }
  const onnx::OpSchema* schema = model::newest_definition(node.domain(), node.op_type(), 27);
  if (schema == nullptr || schema->attributes().empty()) return;
  auto it = schema->attributes().begin();
  std::vector<std::string> names;
  for (; it != schema->attributes().end(); ++it) names.push_back(it->first);
  std::sort(names.begin(), names.end());
  const std::string& name = names[decide.below(names.size())];
  for (AttributeProto& known : *node.mutable_attribute()) {
    if (known.name() == name) return change_value(known, decide);
  }
  random_attribute(*node.add_attribute(), name, schema->attributes().at(name).type, decide);
}

const onnx::TypeProto* declared_type(const Body& body, const std::string& name) {
  if (body.graph == nullptr) return nullptr;
  for (const auto* list : {&body.graph->input(), &body.graph->value_info(), &body.graph->output()}) {
    for (const auto& value : *list) {
      if (value.name() == name && value.has_type()) return &value.type();
    }
  }
  return nullptr;
}

void forget_shapes(const Body& body) {
  if (body.graph == nullptr) return;
  body.graph->clear_value_info();
  for (auto& output : *body.graph->mutable_output()) {
    if (output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
}

void change_type(const Body& body, Decisions& decide) {
  if (body.graph == nullptr) return;
  auto* list = decide.one_in(4) ? (decide.one_in(3) ? body.graph->mutable_value_info() : body.graph->mutable_output())
                                : body.graph->mutable_input();
  if (list->empty()) return;
  onnx::ValueInfoProto& value = *list->Mutable(static_cast<int>(decide.below(static_cast<uint64_t>(list->size()))));
  if (!value.type().has_tensor_type() || decide.one_in(40)) {
    *value.mutable_type() = tensor_type(element_type(decide), {1, 2, 3});
    return;
  }
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  const uint64_t how = decide.below(10);
  if (how == 0) {
    tensor.set_elem_type(element_type(decide));
    // What is computed with it has that type too, as far as anybody says.
    if (decide.one_in(2)) {
      for (auto& output : *body.graph->mutable_output())
        output.mutable_type()->mutable_tensor_type()->set_elem_type(tensor.elem_type());
    }
    return;
  }
  if (how == 1) {
    tensor.clear_shape();
    return;
  }
  auto& dims = *tensor.mutable_shape()->mutable_dim();
  if (!decide.one_in(8)) forget_shapes(body);
  if (list != body.graph->mutable_input()) return;
  if (how == 2 || dims.empty()) {
    dims.Add()->set_dim_value(static_cast<int64_t>(1 + decide.below(4)));
  } else if (how == 3) {
    dims.RemoveLast();
  } else {
    auto& dim = *dims.Mutable(static_cast<int>(decide.below(static_cast<uint64_t>(dims.size()))));
    if (decide.one_in(12)) dim.set_dim_param(decide.one_in(2) ? "N" : "");
    else if (decide.one_in(12)) dim.set_dim_value(decide.pick(kWild));
    else dim.set_dim_value(static_cast<int64_t>(decide.below(decide.one_in(4) ? 40 : 8)));
  }
}

void change_constant(const Body& body, Decisions& decide) {
  TensorProto* tensor = pick_tensor(body, decide);
  if (tensor == nullptr) return;
  switch (decide.below(6)) {
    case 0:  // another type
      tensor->set_data_type(element_type(decide));
      break;
    case 1:
      if (tensor->dims_size() == 0 || decide.one_in(3)) tensor->add_dims(1);
      else tensor->mutable_dims()->RemoveLast();
      break;
    case 2:
      if (tensor->dims_size() > 0)
        tensor->set_dims(static_cast<int>(decide.below(static_cast<uint64_t>(tensor->dims_size()))),
                         decide.one_in(8) ? decide.pick(kWild) : static_cast<int64_t>(decide.below(6)));
      break;
    case 3:  // one value; numbers that decide shapes are mostly int64
      if (tensor->data_type() == TensorProto::INT64 && tensor->int64_data_size() > 0) {
        tensor->set_int64_data(static_cast<int>(decide.below(static_cast<uint64_t>(tensor->int64_data_size()))),
                               number(decide));
        return;
      }
      if (tensor->data_type() == TensorProto::FLOAT && tensor->float_data_size() > 0) {
        tensor->set_float_data(static_cast<int>(decide.below(static_cast<uint64_t>(tensor->float_data_size()))),
                               real(decide));
        return;
      }
      if (tensor->has_raw_data() && !tensor->raw_data().empty()) {
        std::string& raw = *tensor->mutable_raw_data();
        raw[decide.below(raw.size())] = static_cast<char>(decide.below(256));
        return;
      }
      break;
    case 4:  // data that do not fit
      if (decide.one_in(4)) {
        if (tensor->has_raw_data() && !tensor->raw_data().empty()) tensor->mutable_raw_data()->pop_back();
        else tensor->add_int32_data(1);
        return;
      }
      break;
    default: break;
  }
  fill_tensor(*tensor, decide);
}

void change_external(const Body& body, Decisions& decide) {
  TensorProto* tensor = pick_tensor(body, decide);
  if (tensor == nullptr) return;
  if (tensor->data_location() != TensorProto::EXTERNAL) {
    onnx::TensorProto plain;
    plain.set_name(tensor->name());
    plain.set_data_type(tensor->data_type());
    *plain.mutable_dims() = tensor->dims();
    *tensor = plain;
    tensor->set_data_location(TensorProto::EXTERNAL);
    auto* location = tensor->add_external_data();
    location->set_key("location");
    location->set_value("weights.bin");
    if (decide.one_in(2)) return;
  }
  constexpr const char* kKeys[] = {"offset", "length", "location", "checksum", "", "basepath"};
  constexpr const char* kValues[] = {
      "0",         "64", "4096", "-1", "18446744073709551615", "weights.bin", "missing.bin", "../x",
      "/dev/zero", "",   ".",    "4",  "9223372036854775807",  "1e3",         "016",         "model.onnx"};
  auto* entry = tensor->external_data_size() > 0 && decide.one_in(2)
                    ? tensor->mutable_external_data(
                          static_cast<int>(decide.below(static_cast<uint64_t>(tensor->external_data_size()))))
                    : tensor->add_external_data();
  if (entry->key().empty()) entry->set_key(decide.pick(kKeys));
  entry->set_value(decide.pick(kValues));
}

void hold_still(const Body& body, Decisions& decide) {
  if (body.graph == nullptr) return;
  auto& inputs = *body.graph->mutable_input();
  auto& constants = *body.graph->mutable_initializer();
  if (!inputs.empty() && !decide.one_in(4)) {
    const int at = static_cast<int>(decide.below(static_cast<uint64_t>(inputs.size())));
    const onnx::ValueInfoProto& value = inputs[at];
    std::vector<int64_t> dims;
    int64_t count = 1;
    for (const auto& dim : value.type().tensor_type().shape().dim()) {
      dims.push_back(dim.dim_value());
      if (dim.dim_value() < 0 || dim.dim_value() > 2000 || (count *= dim.dim_value()) > 2000) return;
    }
    *constants.Add() = small_constant(value.name(), value.type().tensor_type().elem_type(), dims, decide);
    if (!decide.one_in(6)) inputs.DeleteSubrange(at, 1);
  } else if (!constants.empty()) {
    const int at = static_cast<int>(decide.below(static_cast<uint64_t>(constants.size())));
    const TensorProto& tensor = constants[at];
    onnx::ValueInfoProto& value = *inputs.Add();
    value.set_name(tensor.name());
    *value.mutable_type() = tensor_type(tensor.data_type(), {tensor.dims().begin(), tensor.dims().end()});
    constants.DeleteSubrange(at, 1);
  }
}

}  // namespace tarn::fuzz
