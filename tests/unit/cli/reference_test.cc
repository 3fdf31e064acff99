// verify --reference: what outputs are compared with is had, or the command fails, and it is told which it was.
#include <onnx/onnx_pb.h>

#include <cstdlib>

#include "unit/cli/executable.h"
#include "unit/model/onnx_text.h"

namespace tarn::cli {
namespace {

std::string ort_tensor(const std::vector<float>& values) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::FLOAT);
  proto.add_dims(static_cast<int64_t>(values.size()));
  proto.set_raw_data(std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
  return proto.SerializeAsString();
}

// A model without data, and stand-ins for Python that $TARN_PYTHON names.
class Reference : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("net.onnx", model::parse_graph("g (float[2] x) => (float[2] y) { y = Relu(x) }"));
    for (const char* name : {"stored", "inputs", "wrong"}) fs::create_directory(scratch_.path(name));
    for (const char* name : {"stored/input_0.pb", "inputs/input_0.pb", "wrong/input_0.pb"})
      scratch_.write(name, ort_tensor({3, -4}));
    scratch_.write("stored/output_0.pb", ort_tensor({3, 0}));
    scratch_.write("wrong/output_0.pb", ort_tensor({0, 3}));
    scratch_.write("wrong.pb", ort_tensor({3, 1}));
  }
  void TearDown() override { unsetenv("TARN_PYTHON"); }

  void use_python(const std::string& script) const {
    const std::string path = scratch_.write("python", "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms::owner_all);
    setenv("TARN_PYTHON", path.c_str(), 1);
  }
  verify::Ended run(const std::string& options) const {
    return run_tarn("verify net.onnx " + options, fs::path(scratch_.path("net.onnx")).parent_path().string());
  }
  std::string path(const std::string& name) const { return scratch_.path(name); }
  void write(const onnx::ModelProto& model) const { scratch_.write("net.onnx", model); }

 private:
  const model::ScratchFolder scratch_;
};

bool ort_says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST_F(Reference, IsNamedInTheVerdict) {
  const verify::Ended stored = run("--data stored --report r.json");
  EXPECT_EQ(stored.code, 0) << stored.err;
  EXPECT_TRUE(ort_says(stored.out, "outputs match (largest error 0), reference data (stored outputs)")) << stored.out;
  EXPECT_TRUE(ort_says(content_of(path("r.json")), "\"reference\": \"data\"")) << content_of(path("r.json"));
  EXPECT_FALSE(ort_says(stored.err, "W401")) << stored.err;
  const verify::Ended naive = run("--data stored --reference naive");
  EXPECT_TRUE(ort_says(naive.out, "reference naive (tarn's own plan without sharing, on stored inputs)")) << naive.out;
  EXPECT_FALSE(ort_says(naive.err, "W401")) << naive.err;
}

// Floats that are stored become codes of the port's own type: of 16 bits most lie beyond those of 8.
TEST_F(Reference, StoredFloatsAreCodesOfTheTypeThatIsHandedOver) {
  for (const char* type : {"int8", "uint8", "int16", "uint16"}) {
    const std::string codes = type, of_type = codes + " zero = {" + (codes[0] == 'u' ? "8" : "-7") + "}>";
    onnx::ModelProto model =
        model::parse_graph("g (float[2] x) => (float[2] y) <float scale = {0.03125}, " + of_type + R"({
        a = QuantizeLinear(x, scale, zero)
        b = DequantizeLinear(a, scale, zero)
        c = Relu(b)
        d = QuantizeLinear(c, scale, zero)
        y = DequantizeLinear(d, scale, zero)
      })");
    model.mutable_opset_import(0)->set_version(21);
    write(model);
    const verify::Ended ran = run("--data stored --quantized-io --report r.json");
    EXPECT_EQ(ran.code, 0) << type << ran.out << ran.err;
    EXPECT_TRUE(ort_says(content_of(path("r.json")), "\"" + codes + "\"")) << content_of(path("r.json"));
    EXPECT_EQ(run("--data wrong --quantized-io").code, 7) << type;
  }
}

TEST_F(Reference, WithoutStoredOutputsTarnIsComparedWithTarnAndSaysSo) {
  for (const char* data : {"", "--data inputs"}) {
    const verify::Ended none = run(data);
    EXPECT_EQ(none.code, 0) << none.err;
    EXPECT_TRUE(ort_says(none.out, "reference naive (tarn's own plan without sharing")) << none.out;
    EXPECT_TRUE(ort_says(none.err, "warning W401")) << none.err;
    const verify::Ended asked = run(std::string("--reference data ") + data);
    EXPECT_EQ(asked.code, 2) << asked.out;
    EXPECT_TRUE(ort_says(asked.err, "error E405") && !ort_says(asked.out, "VERIFY")) << asked.err << asked.out;
  }
}

TEST_F(Reference, OrtFailsWhereItCannotBeHad) {
  setenv("TARN_PYTHON", "/no/such/python", 1);
  const std::vector<std::string> pythons = {"",
                                            "echo no module >&2; exit 3",
                                            "exit 0",
                                            "echo 9.9.9",
                                            "echo 9.9.9; echo 'no kernel' >&2; exit 4",
                                            "echo 9.9.9; kill -9 $$",
                                            "exit 1"};
  for (const std::string& script : pythons) {
    if (!script.empty()) use_python(script);
    const verify::Ended ended = run("--data stored --reference ort");
    EXPECT_EQ(ended.code, 2) << script << ended.out;
    EXPECT_TRUE(ort_says(ended.err, "error E410")) << script << ended.err;
    EXPECT_FALSE(ort_says(ended.out, "VERIFY")) << ended.out;
  }
}

TEST_F(Reference, OrtDecides) {
  use_python("cp \"$(dirname \"$0\")/stored/output_0.pb\" \"$2/run_0/output_0.pb\"; echo 9.9.9\n");
  const verify::Ended right = run("--data stored --reference ort --report r.json");
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_TRUE(ort_says(right.out, "reference ort (onnxruntime 9.9.9)")) << right.out;
  EXPECT_TRUE(ort_says(content_of(path("r.json")), "\"reference_detail\": \"onnxruntime 9.9.9\""));
  use_python("cp \"$(dirname \"$0\")/wrong.pb\" \"$2/run_0/output_0.pb\"; echo 9.9.9\n");
  const verify::Ended wrong = run("--data stored --reference ort");
  EXPECT_EQ(wrong.code, 7) << wrong.out;
  EXPECT_TRUE(ort_says(wrong.err, "error E404") && ort_says(wrong.out, "reference ort (onnxruntime 9.9.9)"))
      << wrong.out;
}

TEST_F(Reference, TheRealOne) {
  const verify::Ended there = verify::run({.arguments = {"python3", "-c", "import onnxruntime"}});
  if (!there.ok()) GTEST_SKIP() << "python3 has no onnxruntime";
  const verify::Ended ended = run("--reference ort");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ort_says(ended.out, "outputs match") && ort_says(ended.out, "reference ort (onnxruntime 1")) << ended.out;
  EXPECT_FALSE(ort_says(ended.err, "W401")) << ended.err;
}

}  // namespace
}  // namespace tarn::cli
