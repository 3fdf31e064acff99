// --quantize: the same code as that of the file which `tarn quantize` writes, and everything that it was made from is
// known.
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "support/temporary_folder.h"
#include "unit/cli/executable.h"
#include "unit/model/onnx_text.h"

namespace tarn::cli {
namespace {

class QuantizeFirst : public testing::Test {
 protected:
  void SetUp() override {
    // One layer: each more is tried by itself.
    onnx::ModelProto model = model::parse_graph(
        "digits (float[1,64] image) => (float[1,4] scores) { h = MatMul (image, w) scores = Relu (h) }");
    onnx::TensorProto& w = *model.mutable_graph()->add_initializer();
    w.set_name("w");
    w.set_data_type(onnx::TensorProto::FLOAT);
    for (const int64_t d : {64, 4}) w.add_dims(d);
    for (int i = 0; i < 64 * 4; ++i) w.add_float_data(std::sin(1.7F * static_cast<float>(i)));
    std::ofstream file(here() / "digits.onnx", std::ios::binary);
    ASSERT_TRUE(model.SerializeToOstream(&file));
    fs::create_directory(here() / "samples");
    for (int i = 0; i < 8; ++i) {
      std::vector<float> image(64);
      for (size_t p = 0; p < image.size(); ++p)
        image[p] = std::abs(std::sin(static_cast<float>(i) + 0.3F * static_cast<float>(p)));
      std::ofstream(here() / "samples" / cat(i, ".bin"), std::ios::binary)
          .write(reinterpret_cast<const char*>(image.data()),
                 static_cast<std::streamsize>(image.size() * sizeof(float)));
    }
  }
  fs::path here() const { return folder_->path(); }
  verify::Ended run(const std::string& line) const { return run_tarn(line, here().string()); }

  std::optional<TemporaryFolder> folder_ = TemporaryFolder::make(fs::temp_directory_path().string(), "quantize-first-");
};

TEST_F(QuantizeFirst, WritesWhatTheQuantisedFileGives) {
  const verify::Ended two = run("quantize digits.onnx --data samples -o codes.onnx");
  ASSERT_EQ(two.code, 0) << two.err;
  ASSERT_EQ(run("generate codes.onnx --name digits -o two --cc none --emit all").code, 0);
  const verify::Ended one = run("generate digits.onnx --quantize samples -o one --cc none --depfile one.d");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.out.find("quantised on 8 samples"), std::string::npos) << one.out;
  for (const char* file : {"digits_weights.c", "digits_arena.h"}) {
    // All but the head, which names the model's file, and the id, which is made of its name too.
    const auto code = [&](const char* folder) {
      std::string kept;
      std::istringstream lines(content_of(here() / folder / file));
      bool head = true;
      for (std::string text; std::getline(lines, text);) {
        head = head && !text.starts_with("#i");
        if (!head && text.find("_ID ") == std::string::npos) kept += text + "\n";
      }
      return kept;
    };
    EXPECT_EQ(code("one"), code("two")) << file;
  }
  const std::string rule = content_of(here() / "one.d");
  for (const char* file : {"digits.onnx", "samples/0.bin", "samples/7.bin", "samples"})
    EXPECT_NE(rule.find(std::string(" ") + file), std::string::npos) << rule;
}

// Programs that are run keep what they keep in that folder.
class Cache {
 public:
  explicit Cache(const fs::path& folder) {
    const char* was = std::getenv("TARN_CACHE_DIR");
    if (was) was_ = was;
    ::setenv("TARN_CACHE_DIR", folder.c_str(), 1);
  }
  ~Cache() {
    if (was_) ::setenv("TARN_CACHE_DIR", was_->c_str(), 1);
    else ::unsetenv("TARN_CACHE_DIR");
  }
  Cache(const Cache&) = delete;

 private:
  std::optional<std::string> was_;
};

// The same model and data are quantised once; a change of what is in them, or a damaged entry, is seen.
TEST_F(QuantizeFirst, CachedByContent) {
  const fs::path entries = here() / "cache" / "quantised";
  const std::string line = "generate digits.onnx --quantize samples --cc none -o ";
  const Cache cache(here() / "cache");
  const auto out_of = [&](const std::string& folder) {
    const verify::Ended done = run(line + folder);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.out;
  };
  const auto files = [&] { return std::distance(fs::directory_iterator(entries), fs::directory_iterator()); };
  const std::string first = out_of("a");
  ASSERT_EQ(files(), 1);
  const fs::path entry = *fs::directory_iterator(entries);
  const std::string kept = content_of(entry);
  const auto last = fs::last_write_time(here() / "samples" / "0.bin");
  fs::last_write_time(here() / "samples" / "0.bin", last + std::chrono::seconds(5));
  EXPECT_EQ(out_of("b"), first);
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(content_of(here() / "a" / "digits_weights.c"), content_of(here() / "b" / "digits_weights.c"));
  std::ofstream(entry, std::ios::binary) << kept.substr(0, kept.size() / 2);
  EXPECT_EQ(out_of("c"), first);
  EXPECT_EQ(content_of(entry), kept);
  fs::copy_file(here() / "samples" / "0.bin", here() / "samples" / "8.bin");
  EXPECT_NE(out_of("d").find("quantised on 9 samples"), std::string::npos);
  EXPECT_EQ(files(), 2);
}

TEST_F(QuantizeFirst, IsVerifiedInOneCommand) {
  fs::copy_file(fs::path(TARN_SOURCE_DIR) / "examples/digits/digits.onnx", here() / "digits.onnx",
                fs::copy_options::overwrite_existing);
  const verify::Ended done = run("verify digits.onnx --quantize samples --on host --report verified.json");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("signal to noise"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("VERIFY"), std::string::npos) << done.out;
  const std::string report = content_of(here() / "verified.json");
  EXPECT_NE(report.find("_s8\""), std::string::npos);
  EXPECT_NE(report.find("on stored inputs"), std::string::npos);
  EXPECT_EQ(run("verify digits.onnx --quantize samples --reference data").code, 2);
}

TEST_F(QuantizeFirst, PortsAreCodesWhereAskedFor) {
  EXPECT_EQ(run("generate digits.onnx --quantize samples --quantized-io -o codes --cc none").code, 0);
  const std::string header = content_of(here() / "codes" / "digits.h");
  EXPECT_NE(header.find("int8_t *digits_input_"), std::string::npos) << header;
  EXPECT_NE(header.find("const int8_t *digits_output_"), std::string::npos) << header;
}

TEST_F(QuantizeFirst, FaultsAreThoseOfQuantize) {
  const verify::Ended none = run("analyze digits.onnx --quantize nowhere");
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("error E420"), std::string::npos) << none.err;
  const verify::Ended both = run("generate digits.onnx --quantize samples --selftest -o out");
  EXPECT_EQ(both.code, 2);
  EXPECT_FALSE(fs::exists(here() / "out"));
}

}  // namespace
}  // namespace tarn::cli
