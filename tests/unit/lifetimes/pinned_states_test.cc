// Plans of random networks with states and of random networks at several sizes, to the last address: when buffers live
// that go from run to run, whose bytes they hand on, and what holds at every size.
#include <algorithm>

#include "planner/random.h"
#include "support/text.h"
#include "unit/compile/analysed.h"
#include "unit/compile/digest_analysis.h"

namespace tarn::lifetimes {
namespace {

struct Value {
  std::string name;
  bool rows = false;  // as many as the size says
  int64_t width = 0;
};

// Rows of numbers that are mapped, added, put side by side and cut.
class RandomRows {
 public:
  explicit RandomRows(planner::Random& random) : random_(random) {}

  void given(const Value& value) { values_.push_back(value); }

  void add() {
    const Value x = any();
    const int64_t what = below(8);
    if (what < 2) return push("Softmax", x, {}, x.width);
    if (what == 2) return push("Sigmoid", x, {}, x.width);
    if (what == 3 && x.width >= 16) {
      const int64_t first = below(2) * x.width / 2;
      constants_ += cat(constants_.empty() ? "" : ", ", "int64[1] f", names_, " = {", first, "}, int64[1] e", names_,
                        " = {", first + x.width / 2, "}, int64[1] a", names_, " = {1}");
      return call(cat("Slice(", x.name, ", f", names_, ", e", names_, ", a", names_, ")"), x.rows, x.width / 2);
    }
    std::vector<Value> fit;
    for (const Value& v : values_) {
      if (what > 5 ? v.rows == x.rows && v.width + x.width <= 64 : v.width == x.width) fit.push_back(v);
    }
    if (fit.empty()) return push("Softmax", x, {}, x.width);
    const Value other = fit[static_cast<size_t>(below(static_cast<int64_t>(fit.size())))];
    if (what > 5) return call(cat("Concat<axis = 1>(", x.name, ", ", other.name, ")"), x.rows, x.width + other.width);
    push(what == 4 ? "Add" : "Mul", x, other, x.width);
  }

  // Makes `name` of something of this width, or of all of it.
  void make(const std::string& name, int64_t width) {
    std::vector<Value> fit;
    for (const Value& v : values_) {
      if (v.width == width && v.name[0] == 't') fit.push_back(v);
    }
    const Value from = fit.empty() ? values_[0] : fit[static_cast<size_t>(below(static_cast<int64_t>(fit.size())))];
    nodes_ += cat("  ", name, " = ", below(2) == 0 ? "Softmax(" : "Sigmoid(", from.name, ")\n");
    values_.push_back({name, from.rows, from.width});
  }

  const Value& last() const { return values_.back(); }
  std::string body() const { return cat("<", constants_, "> {\n", nodes_, "}"); }

 private:
  int64_t below(int64_t n) { return random_.below(n); }
  Value any() {
    const auto count = static_cast<int64_t>(values_.size());
    return values_[static_cast<size_t>(below(3) > 0 ? count - 1 : below(count))];
  }
  void push(const char* op, const Value& x, const Value& other, int64_t width) {
    call(cat(op, "(", x.name, other.name.empty() ? "" : ", ", other.name, ")"), x.rows || other.rows, width);
  }
  void call(const std::string& text, bool rows, int64_t width) {
    const std::string name = cat("t", names_++);
    nodes_ += cat("  ", name, " = ", text, "\n");
    values_.push_back({name, rows, width});
  }

  planner::Random& random_;
  std::vector<Value> values_;
  std::string nodes_, constants_;
  int64_t names_ = 0;
};

CompileOptions some_options(planner::Random& random) {
  CompileOptions options;
  options.share = {random.below(4) > 0, random.below(4) > 0, random.below(4) > 0};
  options.alignment = int64_t{1} << 2 * random.below(3);
  options.caller_io = random.below(5) == 0;
  options.blocks = random.below(2) == 0;
  options.effort = 0;
  return options;
}

TEST(PinnedStates, OfRandomNetworks) {
  planner::Random random(7);
  test::Digest digest;
  int planned = 0, gaps = 0, shared = 0;
  for (int round = 0; round < 300; ++round) {
    RandomRows net(random);
    for (const char* name : {"x", "s", "r"}) net.given({name, false, 16});
    const int64_t count = 4 + random.below(7), s = random.below(count), r = random.below(count);
    for (int64_t i = 0; i < count; ++i) {
      net.add();
      if (i == s) net.make("s_out", 16);
      if (i == r) net.make("r_out", 16);
    }
    const std::string text = cat("g (float[1, 16] x, float[1, 16] s, float[1, 16] r) => (float[1, ", net.last().width,
                                 "] ", net.last().name, ", float[1, 16] s_out, float[1, 16] r_out) ", net.body());
    CompileOptions options = some_options(random);
    options.states = {{"s_out", "s"}, {"r_out", "r"}};
    options.separate_states = random.below(4) == 0;
    const Result<Analysis> analysis = try_analyze(text, options);
    digest.add(static_cast<bool>(analysis));
    if (!analysis) continue;
    ++planned;
    add(digest, *analysis);
    for (const Life& life : analysis->planning.lives) {
      digest.add(life.first).add(life.end).add(life.gap.exists).add(life.gap.first).add(life.gap.end);
      digest.add(life.gap.last_reader).add(life.part.has_value());
      gaps += life.gap.exists;
    }
    for (const Sharing& sharing : analysis->planning.sharings) {
      const std::vector<Life>& lives = analysis->planning.lives;
      shared += lives[sharing.giver.pos()].gap.exists || lives[sharing.taker.pos()].gap.exists;
    }
  }
  EXPECT_EQ(planned, 300);
  EXPECT_GT(gaps, 100);
  EXPECT_GT(shared, 50);
  EXPECT_EQ(digest.value(), 7528915138634419402u);
}

TEST(PinnedSizes, OfRandomNetworks) {
  planner::Random random(8);
  test::Digest digest;
  int planned = 0, pairs = 0;
  for (int round = 0; round < 60; ++round) {
    RandomRows net(random);
    net.given({"x", true, 8});
    net.given({"s", false, 8});
    const int64_t count = 3 + random.below(6);
    for (int64_t i = 0; i < count; ++i) net.add();
    net.make("y", 8);
    const Value y = net.last();
    const std::string text = cat("g (float[N, 8] x, float[1, 8] s) => (float[", y.rows ? "N" : "1", ", ", y.width,
                                 "] y, float[N, 8] z) ", net.body());
    std::string more = text;
    more.insert(more.rfind('}'), "  z = Softmax(x)\n");
    CompileOptions options = some_options(random);
    options.run_time = {{"N", 1, 2 + random.below(4)}};
    const Result<Analysis> analysis = try_analyze(more, options);
    digest.add(static_cast<bool>(analysis));
    if (!analysis) continue;
    ++planned;
    add(digest, *analysis);
    for (const Analysis& size : analysis->sizes) add(digest, size);
    pairs += static_cast<int>(analysis->planning.problem.pairs.size());
  }
  EXPECT_EQ(planned, 60);
  EXPECT_GT(pairs, 60);
  EXPECT_EQ(digest.value(), 315915077863281460u);
}

}  // namespace
}  // namespace tarn::lifetimes
