// Damaged and hostile input, from fixed seeds: no crash, no hang, bounded memory, and never an exception.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/random_query.h"
#include "model/node_facts.h"
#include "sanitized.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

using fuzz::Decisions;

constexpr bool kLimitsMemory = !sanitized::kAddresses;  // the sanitizer reserves terabytes

class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &old_);
    const rlimit now{bytes, old_.rlim_max};
    if (kLimitsMemory) setrlimit(RLIMIT_AS, &now);
  }
  ~MemoryLimit() {
    if (kLimitsMemory) setrlimit(RLIMIT_AS, &old_);
  }

 private:
  rlimit old_;
};

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (
      const char* text : {
          R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,3,8,8] x) => (float[1,2,8,8] y) <float[2,3,1,1] w = {1,2,3,4,5,6}> {
             c = Conv <kernel_shape = [1,1], pads = [0,0,0,0], group = 1>(x, w)  r = Relu(c)  y = Sigmoid(r) })",
          R"(<ir_version: 10, opset_import: ["" : 18, "local" : 1]> g (float[2] x) => (float[2] y) { y = local.f <k = 0.5>(x) }
             <domain: "local", opset_import: ["" : 18]> f <k> (a) => (b) { t = LeakyRelu <alpha: float = @k>(a)  b = Neg(t) })",
          R"(<ir_version: 8, opset_import: ["" : 17]> g (bool c, float[N,2] x) => (float[M,2] y) { y = If <then_branch = t () => (float[N,2] p)
             { p = Relu(x) }, else_branch = e () => (float[N,2] q) { s = Shape(x)  q = Reshape(x, s) }>(c) })",
          R"(<ir_version: 3, opset_import: ["" : 6]> g (float[2,3,4] x, float[3] b) => (float[2,3,4] y) { y = Add <axis = 1, broadcast = 1>(x, b) })",
          R"(<ir_version: 3, opset_import: ["" : 4]> g (float[2,3] x) => (float[6] y) { y = Reshape <shape = [6]>(x) })",
          R"(<ir_version: 8, opset_import: ["" : 17]> g (float[4,6] x) => (float[2,6] y) <int64[1] s = {1}, int64[1] e = {3}> {
             k = Constant <value = int64[1] {0}>()  y = Slice(x, s, e, k) })"}) {
    out.push_back(parse_model(text).SerializeAsString());
  }
  // A few of the standard's own, when its test data is at hand.
  for (const char* name : {"test_lstm_defaults", "test_resize_upsample_sizes_nearest", "test_loop11",
                           "test_sequence_map_add_1_sequence_1_tensor", "test_cast_FLOAT_to_INT4",
                           "test_attention_4d_gqa_with_past_and_present"}) {
    std::ifstream file(std::string(TARN_BACKEND_DATA) + "/node/" + name + "/model.onnx", std::ios::binary);
    if (file) out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return out;
}

std::string mutated(const std::vector<std::string>& all, Decisions& decide) {
  std::string bytes = decide.pick(all);
  const uint64_t changes = 1 + decide.below(4);
  for (uint64_t i = 0; i < changes && !bytes.empty(); ++i) {
    const size_t at = decide.below(bytes.size());
    constexpr char kBytes[] = {'\0', '\x7F', '\x80', '\xFF', '\x01'};
    switch (decide.below(7)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << decide.below(8))); break;
      case 1: bytes[at] = decide.pick(kBytes); break;
      case 2: bytes[at] = static_cast<char>(decide.below(256)); break;
      case 3: bytes.resize(at); break;
      case 4: bytes.erase(at, 1 + decide.below(8)); break;
      case 5: bytes.insert(at, 1 + decide.below(10), decide.pick(kBytes)); break;
      default: {
        const std::string& other = decide.pick(all);
        bytes = bytes.substr(0, at) + other.substr(decide.below(other.size()));
      }
    }
  }
  return bytes;
}

TEST(Robustness, DamagedModels) {
  const std::vector<std::string> originals = seeds();
  const MemoryLimit limit(rlim_t{3} << 30);
  Decisions decide({}, 7);
  int loaded = 0;
  const auto start = std::chrono::steady_clock::now();
  constexpr int kRuns = 20000;
  for (int run = 0; run < kRuns; ++run) {
    const std::string bytes = mutated(originals, decide);
    SCOPED_TRACE(run);
    const auto model = load_onnx_bytes("damaged.onnx", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    if (!model) {
      ASSERT_FALSE(model.faults().empty());
      for (const Diagnostic& d : model.faults()) {
        ASSERT_NE(find_diagnostic(d.code), nullptr) << d.code;
        ASSERT_EQ(d.where.file, "damaged.onnx");
      }
      continue;
    }
    ++loaded;
    infer_graph(model->graph, model->opsets);
  }
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GT(loaded, kRuns / 50);  // else the mutations are too coarse to reach anything
  EXPECT_LT(seconds, 120);
}

TEST(Robustness, RandomQuestions) {
  const MemoryLimit limit(rlim_t{3} << 30);
  int answered = 0, refused = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Decisions decide({}, seed * 7919 + 1);
    const auto question = fuzz::random_query(decide);
    SCOPED_TRACE(fuzz::to_text(*question));
    const auto types = infer_types(question->query);
    std::map<std::string, int> opsets;
    function_body(question->query, &opsets);
    attribute_defaults(question->query);
    if (!types) {
      ++refused;
      ASSERT_TRUE(types.faults()[0].code == "E205" || types.faults()[0].code == "E207" ||
                  types.faults()[0].code == "E211");
      continue;
    }
    ++answered;
    ASSERT_EQ(types->size(), question->node.outputs.size());
    for (const Type& type : *types) {
      Checked count = 1;
      for (const Dim& d : type.dims.value_or(std::vector<Dim>{})) {
        ASSERT_GE(d.value.value_or(0), 0);
        count = checked_mul(count, d.value.value_or(1));
      }
      ASSERT_TRUE(count);
    }
  }
  EXPECT_GT(answered, 1000);
  EXPECT_GT(refused, 1000);
}

// The same question twice, and the loader twice: nothing may depend on addresses or on what was asked before.
TEST(Robustness, AnswersRepeat) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    auto ask = [&] {
      Decisions decide({}, seed * 104729 + 3);
      const auto question = fuzz::random_query(decide);
      const auto types = infer_types(question->query);
      std::string text = fuzz::to_text(*question);
      if (!types) return text + to_text(types.faults()[0]);
      for (const Type& type : *types) text += " " + to_string(type);
      return text;
    };
    ASSERT_EQ(ask(), ask());
  }
}

}  // namespace
}  // namespace tarn::model
