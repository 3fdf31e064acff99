#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<std::pair<std::string, std::string>>;

// y = x + w, and w, four floats, is stored as the entries say.
onnx::ModelProto model_with(const Entries& entries) {
  onnx::ModelProto proto = parse_graph("g (float[4] x) => (float[4] y) { y = Add(x, w) }");
  auto* w = proto.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(onnx::TensorProto::FLOAT);
  w->add_dims(4);
  w->set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    auto* entry = w->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  return proto;
}

class ExternalData : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("model/weights.bin",
                   std::string(8, '\0') + std::string("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40", 16));
    scratch_.write("secret.bin", std::string(64, '\0'));
  }
  Result<Model> load_with(const Entries& entries) {
    return load_onnx(scratch_.write("model/model.onnx", model_with(entries)));
  }
  std::string code_of(const Entries& entries) { return codes(load_with(entries)); }

  ScratchFolder scratch_;
};

TEST_F(ExternalData, IsMapped) {
  const auto model =
      load_with({{"location", "weights.bin"}, {"offset", "8"}, {"length", "16"}, {"checksum", "unused"}});
  ASSERT_TRUE(model.ok()) << texts(model.faults());
  EXPECT_EQ(model->graph.initializers[0].value.reals(), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(model->external_files, std::vector<std::string>{"weights.bin"});
  EXPECT_TRUE(model->warnings.empty());
}

TEST_F(ExternalData, LengthMayBeLeftOut) {
  EXPECT_EQ(code_of({{"location", "weights.bin"}, {"offset", "8"}}), "");
  EXPECT_EQ(code_of({{"location", "./weights.bin"}}), "");
}

TEST_F(ExternalData, InAFolderBelow) {
  scratch_.write("model/data/deep/w.bin", std::string(16, '\0'));
  EXPECT_EQ(code_of({{"location", "data/deep/w.bin"}}), "");
  EXPECT_EQ(code_of({{"location", "data//deep/./w.bin"}}), "");
}

TEST_F(ExternalData, MissingFileIsAWarning) {
  const auto model = load_with({{"location", "none.bin"}, {"offset", "0"}, {"length", "16"}});
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->warnings.size(), 1u);
  EXPECT_EQ(model->warnings[0].code, "W101");
  EXPECT_NE(model->warnings[0].message.find("none.bin"), std::string::npos);
  const Constant& w = model->graph.initializers[0].value;
  EXPECT_TRUE(w.is_absent());
  EXPECT_EQ(w.source(), "none.bin");
  EXPECT_EQ(to_string(w.type()), "float32[4]");
  EXPECT_EQ(code_of({{"location", "no/such/folder.bin"}}), "");
}

TEST_F(ExternalData, OneWarningForAllTensorsOfAFile) {
  onnx::ModelProto proto = model_with({{"location", "none.bin"}});
  for (int i = 0; i < 3; ++i) {
    auto* w = proto.mutable_graph()->add_initializer();
    *w = proto.graph().initializer(0);
    w->set_name("w" + std::to_string(i));
  }
  const auto model = load(proto);
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->warnings.size(), 1u);
  EXPECT_NE(model->warnings[0].message.find("and 3 more"), std::string::npos);
}

TEST_F(ExternalData, StaysInTheFolder) {
  EXPECT_EQ(code_of({{"location", "../secret.bin"}}), "E105");
  EXPECT_EQ(code_of({{"location", "data/../../secret.bin"}}), "E105");
  EXPECT_EQ(code_of({{"location", scratch_.path("secret.bin")}}), "E105");
  EXPECT_EQ(code_of({{"location", "/etc/passwd"}}), "E105");
  EXPECT_EQ(code_of({{"location", ""}}), "E105");
  EXPECT_EQ(code_of({{"location", std::string("weights.bin\0x", 13)}}), "E105");
  EXPECT_EQ(code_of({{"location", ".."}}), "E105");
  EXPECT_EQ(code_of({{"location", "."}}), "E105");
}

TEST_F(ExternalData, FollowsNoLinks) {
  fs::create_symlink(scratch_.path("secret.bin"), scratch_.path("model/link.bin"));
  fs::create_symlink("weights.bin", scratch_.path("model/inner_link.bin"));
  fs::create_directory_symlink(scratch_.path(""), scratch_.path("model/up"));
  EXPECT_EQ(code_of({{"location", "link.bin"}}), "E105");
  EXPECT_EQ(code_of({{"location", "inner_link.bin"}}), "E105");
  EXPECT_EQ(code_of({{"location", "up/secret.bin"}}), "E105");
}

TEST_F(ExternalData, PlainFilesOnly) {
  fs::create_directory(scratch_.path("model/folder"));
  ASSERT_EQ(mkfifo(scratch_.path("model/pipe").c_str(), 0600), 0);
  EXPECT_EQ(code_of({{"location", "folder"}}), "E105");
  EXPECT_EQ(code_of({{"location", "pipe"}}), "E105");  // and does not wait for a writer
}

TEST_F(ExternalData, RangesLieInsideTheFile) {
  const std::string file = "weights.bin";  // 24 bytes
  EXPECT_EQ(code_of({{"location", file}, {"offset", "9"}}), "E106");
  EXPECT_EQ(code_of({{"location", file}, {"offset", "25"}}), "E106");
  EXPECT_EQ(code_of({{"location", file}, {"offset", "9223372036854775807"}}), "E106");
  EXPECT_EQ(code_of({{"location", file}, {"length", "12"}}), "E106");
  EXPECT_EQ(code_of({{"location", file}, {"length", "24"}}), "E106");
}

TEST_F(ExternalData, NumbersAreDecimal) {
  for (const char* text : {"-1", "+8", "0x8", "8 ", " 8", "eight", "", "8.0", "99999999999999999999"}) {
    EXPECT_EQ(code_of({{"location", "weights.bin"}, {"offset", text}}), "E106") << text;
    EXPECT_EQ(code_of({{"location", "weights.bin"}, {"length", text}}), "E106") << text;
  }
}

TEST_F(ExternalData, EntriesMakeSense) {
  EXPECT_EQ(code_of({}), "E106");
  EXPECT_EQ(code_of({{"offset", "0"}}), "E106");
  EXPECT_EQ(code_of({{"location", "weights.bin"}, {"location", "other.bin"}}), "E106");
  EXPECT_EQ(code_of({{"location", "weights.bin"}, {"offset", "0"}, {"offset", "8"}}), "E106");
  // A missing file does not hide a wrong length.
  EXPECT_EQ(code_of({{"location", "none.bin"}, {"length", "15"}}), "E106");

  onnx::ModelProto both = model_with({{"location", "weights.bin"}});
  both.mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(16, '\0'));
  EXPECT_EQ(codes(load(both)), "E107");
}

TEST_F(ExternalData, EveryFaultIsReported) {
  onnx::ModelProto proto = model_with({{"location", "../secret.bin"}});
  auto* second = proto.mutable_graph()->add_initializer();
  *second = model_with({{"location", "weights.bin"}, {"offset", "-1"}}).graph().initializer(0);
  second->set_name("v");
  EXPECT_EQ(codes(load(proto)), "E105 E106");
}

}  // namespace
}  // namespace tarn::model
