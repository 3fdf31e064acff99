// --cut A:B: a part of the model is verified on data of its own.
#include <onnx/onnx_pb.h>

#include "unit/cli/executable.h"
#include "unit/model/onnx_text.h"

namespace tarn::cli {
namespace {

std::string tensor(const std::vector<float>& values) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::FLOAT);
  proto.add_dims(1);
  proto.add_dims(static_cast<int64_t>(values.size()));
  for (const float v : values) proto.add_float_data(v);
  return proto.SerializeAsString();
}

// `b` needs `x` besides `a`: the part has two inputs, the model has one.
TEST(Cut, IsVerifiedOnItsOwnInputs) {
  const model::ScratchFolder scratch;
  const fs::path model = scratch.write(
      "net.onnx", model::parse_graph("g (float[1, 2] x) => (float[1, 2] y) { a = Relu(x) b = Add(a, x) y = Neg(b) }"));
  const std::string folder = model.parent_path().string();
  for (const char* name : {"own", "test_data_set_0"}) fs::create_directory(fs::path(folder) / name);
  scratch.write("own/input_0.pb", tensor({10, 20}));  // not what the model makes of x
  scratch.write("own/input_1.pb", tensor({3, 4}));
  scratch.write("own/output_0.pb", tensor({13, 24}));
  const verify::Ended right = run_tarn("verify net.onnx --cut a:b --data own", folder);
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_NE(right.out.find("outputs match"), std::string::npos) << right.out;
  scratch.write("own/output_0.pb", tensor({13, 25}));
  EXPECT_EQ(run_tarn("verify net.onnx --cut a:b --data own", folder).code, 7);
  // What lies beside the model belongs to the whole of it.
  scratch.write("test_data_set_0/input_0.pb", tensor({3, 4}));
  scratch.write("test_data_set_0/output_0.pb", tensor({-6, -8}));
  EXPECT_EQ(run_tarn("verify net.onnx", folder).code, 0);
  const verify::Ended beside = run_tarn("verify net.onnx --cut a:b", folder);
  EXPECT_EQ(beside.code, 0) << beside.err;
}

}  // namespace
}  // namespace tarn::cli
