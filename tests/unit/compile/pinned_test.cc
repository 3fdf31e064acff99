// Plans of fixed networks under many options, to the last address: what storage, lives, sharing and banks come to.
#include "stream/check/check_plan.h"
#include "unit/compile/digest_analysis.h"
#include "unit/compile/joined.h"
#include "unit/compile/random_text.h"

namespace tarn {
namespace {

using test::Digest;

// Convolutions, pools, branches, a transposed matrix, slices and parts of the channels.
std::vector<std::string> networks() {
  return {
      network(),
      "g (float[1, 2, 14, 10] x) => (float[1, 4, 7, 5] y, float[1, 2, 14, 10] z) <" + ones("u", "4, 2, 3, 3", 72) +
          ", " + ones("v", "4, 1, 3, 3", 36) + ", " + ones("w", "4, 4, 1, 1", 16) + R"(> {
    a = Conv <pads = [1, 1, 1, 1], strides = [2, 2]>(x, u)  b = Conv <group = 4, pads = [1, 1, 1, 1]>(a, v)
    c = Conv(b, w)  d = Add(a, c)  e = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(d)  f = Mul(e, c)
    y = Sigmoid(f)  h = Softmax <axis = 3>(x)  z = Sub(x, h) })",
      R"(g (float[6, 8] x, float[6, 8] k) => (float[8, 6] y, float[3, 8] z) <int64[2] to = {8, 6}, int64[1] zero = {0},
      int64[1] three = {3}> { a = Softmax(x)  b = Transpose(a)  c = Softmax(b)  d = Reshape(k, to)  y = Add(c, d)
    e = Slice(a, zero, three, zero)  f = Slice(k, zero, three, zero)  z = Mul(e, f) })",
      R"(g (float[1, 4, 8, 8] x) => (float[1, 12, 8, 8] y) {
    a = Sigmoid(x)  b = Softmax <axis = 1>(x)  c = Tanh(a)  d = Concat <axis = 1>(a, b, c)  e = Softmax <axis = 1>(d)
    f = Sigmoid(d)  y = Mul(e, f) })"};
}

// Options by which layers are planned, drawn with the network.
CompileOptions layer_options(planner::Random& random) {
  CompileOptions options;
  options.share = {random.below(5) > 0, random.below(5) > 0, random.below(5) > 0};
  options.share.parts = random.below(4) > 0;
  options.alignment = int64_t{1} << 2 * random.below(4);
  options.caller_io = random.below(4) == 0;
  options.blocks = random.below(2) == 0;
  options.nhwc_inputs = random.below(3) == 0;
  options.nhwc_outputs = random.below(3) == 0;
  if (random.below(5) == 0) options.order = schedule::OrderKind::given;
  options.effort = static_cast<int>(random.below(2));
  if (random.below(4) == 0) {
    const int64_t first = 256 << random.below(6);
    options.memory.banks = {{"fast", first, "", true}, {"slow", random.below(2) == 0 ? 2 * first : 1 << 17, "", false}};
    if (random.below(2) == 0) options.memory.pins = {{"x0", "slow"}};
  }
  return options;
}

uint64_t analyses(const std::vector<CompileOptions>& all) {
  Digest digest;
  for (const std::string& text : networks()) {
    for (const CompileOptions& options : all) {
      const Result<Analysis> analysis = try_analyze(text, options);
      digest.add(static_cast<bool>(analysis));
      if (analysis) add(digest, *analysis);
    }
  }
  return digest.value();
}

TEST(PinnedAnalyses, OfEveryWayToShare) {
  std::vector<CompileOptions> all;
  for (int share = 0; share < 16; ++share) {
    CompileOptions options;
    options.share = {(share & 1) != 0, (share & 2) != 0, (share & 4) != 0};
    options.share.parts = (share & 8) == 0;
    options.alignment = share % 3 == 0 ? 1 : share % 3 == 1 ? 4 : 64;
    options.caller_io = share % 5 == 0;
    options.blocks = share % 2 == 0;
    options.nhwc_inputs = options.nhwc_outputs = share % 4 == 1;
    options.order = share % 7 == 0 ? schedule::OrderKind::given : schedule::OrderKind::min_peak;
    all.push_back(options);
  }
  EXPECT_EQ(analyses(all), 1915076084303898671u);
}

// Branches and loops, their bodies one within the other, what they read from around them and what comes out.
TEST(PinnedAnalyses, OfControlFlow) {
  const char* const networks[] = {
      R"(g (float[64] x, bool c) => (float[64] y) {
        y = If <then_branch = t () => (float[64] p) { a = Exp(x)  b = Neg(a)  p = Add(b, x) },
                else_branch = e () => (float[64] q) { d = Abs(x)  f = Sin(d)  q = Mul(f, x) }>(c) })",
      R"(g (float[64] x, float[16] w, bool c) => (float[64] y, float[16] z) {
        u = Sigmoid(x)  v = Softmax(w)  k = Softmax(u)
        m = If <then_branch = t () => (float[64] p) { a = Exp(u)  b = Softmax(a)  p = Add(b, u) },
                else_branch = e () => (float[64] q) { d = Abs(k)  q = Mul(d, u) }>(c)
        z = Mul(v, w)  n = Softmax(m)  y = Add(n, k) })",
      R"(g (float[32] x, int64 trips) => (float[32] y) <bool yes = {1}> {
        s = Softmax(x)
        r = Loop <body = b (int64 i, bool go, float[32] state) => (bool on, float[32] next) {
          on = Identity(go)  f = Sigmoid(state)  h = Softmax(f)  k = Add(h, s)  next = Mul(k, f) }>(trips, yes, s)
        e = Sigmoid(r)  y = Add(e, r) })",
      R"(g (float[32] x, int64 trips, bool c) => (float[32] y, float[32] z) <bool yes = {1}> {
        s = Softmax(x)  o = Sigmoid(s)
        r, q = Loop <body = b (int64 i, bool go, float[32] state, float[32] kept) => (bool on, float[32] next, float[32] same) {
          on = Identity(go)  f = Sigmoid(state)
          g = If <then_branch = t () => (float[32] p) { a = Exp(f)  d = Softmax(a)  p = Add(d, o) },
                  else_branch = e () => (float[32] l) { m = Neg(state)  l = Mul(m, f) }>(c)
          next = Softmax(g)  same = Mul(kept, f) }>(trips, yes, s, o)
        y = Add(r, q)  z = Mul(r, o) })",
  };
  Digest digest;
  int planned = 0;
  for (const char* text : networks) {
    planner::Random random(31);
    for (int t = 0; t < 24; ++t) {
      const Result<Analysis> analysis = try_analyze(text, layer_options(random));
      digest.add(static_cast<bool>(analysis));
      if (!analysis) continue;
      add(digest, *analysis);
      ++planned;
    }
  }
  EXPECT_EQ(digest.value(), 18369249057999887249u);
  EXPECT_GT(planned, 60);
}

TEST(PinnedAnalyses, OfBanks) {
  std::vector<CompileOptions> all;
  for (int64_t first : {200, 600, 1400, 4000}) {
    for (const bool three : {false, true}) {
      CompileOptions options;
      options.memory.banks = {{"fast", first, "", true}, {"slow", three ? 2 * first : 1 << 16, "", !three}};
      if (three) options.memory.banks.push_back({"last", 1 << 16, "", true});
      all.push_back(options);
      if (!three) {
        options.memory.pins = {{"x", "slow"}};
        all.push_back(options);
      }
    }
  }
  EXPECT_EQ(analyses(all), 11583662980210814206u);
}

TEST(PinnedAnalyses, ByLines) {
  std::vector<CompileOptions> all;
  for (const auto mode : {stream::Mode::resident, stream::Mode::fed}) {
    CompileOptions options;
    options.stream.mode = mode;
    options.nhwc_inputs = options.nhwc_outputs = true;
    options.stream.recompute = mode == stream::Mode::fed ? 40 : 0;
    options.stream.lines = mode == stream::Mode::fed ? stream::Lines::table : stream::Lines::ring;
    all.push_back(options);
  }
  EXPECT_EQ(analyses(all), 2225477580597110555u);
}

CompileOptions line_options(planner::Random& random) {
  CompileOptions options;
  options.effort = 0;
  options.alignment = int64_t{1} << 2 * random.below(3);
  options.stream.mode = random.below(2) == 0 ? stream::Mode::resident : stream::Mode::fed;
  options.stream.drain = random.below(2) == 0;
  options.stream.lines = random.below(2) == 0 ? stream::Lines::ring : stream::Lines::table;
  options.stream.line_buffers = random.below(4) > 0;
  if (random.below(3) == 0) options.stream.scan = stream::Scan::columns;
  if (random.below(3) == 0) options.stream.recompute = static_cast<double>(10 + random.below(60));
  options.share.parts = random.below(4) > 0;
  options.share.views = random.below(4) > 0;
  options.caller_io = random.below(5) == 0;
  options.nhwc_inputs = options.nhwc_outputs = random.below(3) > 0;
  if (random.below(4) == 0) options.arena_budget = 200 + random.below(4000);
  if (random.below(5) == 0) options.stream.mode = stream::Mode::automatic;
  return options;
}

// Plans of random networks: valid, and what they were.
uint64_t random_analyses(uint64_t first_seed, uint64_t count, bool lines, int* planned) {
  Digest digest;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const std::string text = RandomText(seed).image();
    planner::Random random(seed);
    for (int t = 0; t < 2; ++t) {
      const Result<Analysis> analysis = try_analyze(text, lines ? line_options(random) : layer_options(random));
      digest.add(static_cast<bool>(analysis));
      if (!analysis) continue;
      add(digest, *analysis);
      *planned += !lines || analysis->stream;
      if (analysis->stream) {
        EXPECT_EQ(stream::check_plan(analysis->program, *analysis->stream), std::vector<std::string>{}) << text;
      }
    }
  }
  return digest.value();
}

TEST(PinnedAnalyses, OfRandomNetworks) {
  int planned = 0;
  EXPECT_EQ(random_analyses(1, 150, false, &planned), 15496930913425772593u);
  EXPECT_GT(planned, 220);
}

TEST(PinnedAnalyses, OfRandomNetworksByLines) {
  int planned = 0;
  EXPECT_EQ(random_analyses(101, 40, true, &planned), 9491797606137889516u);
  EXPECT_GT(planned, 50);
}

TEST(PinnedAnalyses, OfRandomSignals) {
  Digest digest;
  int endless = 0;
  for (uint64_t seed = 201; seed < 261; ++seed) {
    CompileOptions options;
    options.effort = 0;
    options.stream.mode = stream::Mode::time;
    options.stream.drain = true;
    options.nhwc_inputs = options.nhwc_outputs = true;
    const Result<Analysis> analysis = try_analyze(RandomText(seed).signal(), options);
    digest.add(static_cast<bool>(analysis));
    if (!analysis) continue;
    add(digest, *analysis);
    endless += analysis->stream && analysis->stream->endless;
  }
  EXPECT_EQ(digest.value(), 13118272504072346009u);
  EXPECT_GT(endless, 30);
}

}  // namespace
}  // namespace tarn
