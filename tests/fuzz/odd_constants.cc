#include "fuzz/odd_constants.h"

#include <vector>

#include "support/text.h"
#include "tensor/dtype.h"

namespace tarn::fuzz {

namespace {

using onnx::TensorProto;

constexpr int64_t kMostElements = 2000;

// The same name, and zeros or strings for the type and the dimensions.
TensorProto filled(const std::string& name, int type, const std::vector<int64_t>& dims, char byte = 0) {
  TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  int64_t count = 1;
  for (int64_t d : dims) {
    tensor.add_dims(d);
    count *= d;
  }
  if (type == TensorProto::STRING) {
    for (int64_t i = 0; i < count; ++i) tensor.add_string_data("a");
  } else if (const auto dtype = dtype_from_onnx(type)) {
    tensor.set_raw_data(std::string(static_cast<size_t>(bytes_for(*dtype, count)), byte));
  }
  return tensor;
}

struct Odd {
  std::string what;
  TensorProto tensor;
};

std::vector<Odd> odd_forms(const std::string& name, int type, const std::vector<int64_t>& dims) {
  std::vector<Odd> forms;
  TensorProto absent = filled(name, type, dims);
  absent.clear_raw_data();
  absent.clear_string_data();
  absent.set_data_location(TensorProto::EXTERNAL);
  auto* location = absent.add_external_data();
  location->set_key("location");
  location->set_value("missing.bin");
  forms.push_back({"without its data", absent});
  forms.push_back({"no elements", filled(name, type, {0})});
  forms.push_back({"a matrix of no elements", filled(name, type, {2, 0})});
  forms.push_back({"a scalar", filled(name, type, {})});
  forms.push_back({"three elements", filled(name, type, {3})});
  forms.push_back({"zeros", filled(name, type, dims)});
  // Minus one, NaN, true in another spelling.
  forms.push_back({"all bits set", filled(name, type, dims, '\xff')});
  forms.push_back({"large", filled(name, type, dims, '\x7f')});
  for (int other : {TensorProto::STRING, TensorProto::COMPLEX64, TensorProto::FLOAT, TensorProto::INT64,
                    TensorProto::UINT64, TensorProto::BOOL, TensorProto::UINT4, TensorProto::FLOAT8E4M3FN})
    if (other != type) forms.push_back({cat("of type ", other), filled(name, other, dims)});
  return forms;
}

// The sizes of a tensor of a few elements; nothing for others.
bool small(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (int64_t d : dims) {
    if (d < 0 || d > kMostElements || (count *= d) > kMostElements) return false;
  }
  return true;
}

}  // namespace

void for_each_odd_constant(const onnx::ModelProto& model,
                           const std::function<void(const std::string& what, const onnx::ModelProto&)>& use) {
  onnx::ModelProto changed = model;
  const auto in_place = [&](TensorProto& tensor, const std::string& where) {
    const TensorProto before = tensor;
    const std::vector<int64_t> dims(before.dims().begin(), before.dims().end());
    if (!small(dims)) return;
    for (Odd& odd : odd_forms(before.name(), before.data_type(), dims)) {
      tensor = std::move(odd.tensor);
      use(where + ": " + odd.what, changed);
    }
    tensor = before;
  };
  for (TensorProto& tensor : *changed.mutable_graph()->mutable_initializer())
    in_place(tensor, "initializer '" + tensor.name() + "'");
  for (onnx::NodeProto& node : *changed.mutable_graph()->mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) in_place(*attribute.mutable_t(), node.op_type() + " " + attribute.name());
    }
  }
  for (int i = 0; i < model.graph().input_size(); ++i) {
    const onnx::ValueInfoProto& input = model.graph().input(i);
    if (!input.type().has_tensor_type()) continue;
    std::vector<int64_t> dims;
    for (const auto& dim : input.type().tensor_type().shape().dim()) dims.push_back(dim.dim_value());
    if (!small(dims)) continue;
    changed = model;
    changed.mutable_graph()->mutable_input()->DeleteSubrange(i, 1);
    TensorProto& tensor = *changed.mutable_graph()->add_initializer();
    for (Odd& odd : odd_forms(input.name(), input.type().tensor_type().elem_type(), dims)) {
      tensor = std::move(odd.tensor);
      use("input '" + input.name() + "' as a constant: " + odd.what, changed);
    }
  }
}

}  // namespace tarn::fuzz
