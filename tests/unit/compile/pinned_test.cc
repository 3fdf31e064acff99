// Plans of fixed networks under many options, to the last address: what storage, lives, sharing and banks come to.
#include "property/digest.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

using test::Digest;

void add(Digest& digest, const planner::Plan& plan) {
  digest.add(plan.offsets).add(plan.arena).add(plan.lower_bound).add(plan.proof).add(plan.core).add(plan.search_nodes);
}

void add(Digest& digest, const Analysis& a) {
  for (const lifetimes::Buffer& b : a.storage.buffers) digest.add(b.bytes).add(b.tensors.size()).add(b.external);
  for (const lifetimes::Place& p : a.storage.places)
    digest.add(p.buffer.pos()).add(p.offset).add(p.pixel_pitch).add(p.line_pitch);
  for (size_t i = 0; i < a.storage.left_out.size(); ++i) digest.add(static_cast<bool>(a.storage.left_out[i]));
  for (const schedule::Step& s : a.schedule.steps)
    digest.add(s.operation.pos()).add(s.first_line).add(s.lines).add(s.parent).add(s.end);
  digest.add(a.schedule.peak).add(a.schedule.lower_bound).add(a.schedule.search_states);
  for (const planner::Item& item : a.planning.problem.items) {
    digest.add(item.size).add(item.first).add(item.end).add(item.alignment).add(item.gaps.size());
    for (const planner::Gap& gap : item.gaps) {
      digest.add(gap.first).add(gap.end).add(gap.window_first.value_or(-1)).add(gap.window_end.value_or(-1));
    }
  }
  for (const planner::Pair& pair : a.planning.problem.pairs) {
    digest.add(pair.a).add(pair.b);
    for (const planner::Forbidden& f : pair.forbidden) digest.add(f.lo).add(f.hi);
  }
  digest.add(a.planning.problem.known_bound).add(a.naive_arena);
  for (const lifetimes::Sharing& s : a.planning.sharings) {
    digest.add(s.taker.pos()).add(s.giver.pos()).add(s.step);
    for (const lifetimes::Reach& r : s.reaches) {
      digest.add(r.argument).add(r.below).add(r.above).add(r.same_place).add(r.or_same_place);
    }
  }
  add(digest, a.plan);
  if (a.banked) {
    digest.add(a.banked->bank_of).add(a.banked->cost).add(a.banked->cost_bound).add(a.banked->proof);
    digest.add(a.banked->fits).add(a.banked->proved).add(a.banked->search_nodes).add(a.banked->core);
    for (const lifetimes::BankPlan& p : a.banked->plans)
      digest.add(p.base).add(p.arena).add(p.lower_bound).add(p.proof).add(p.traffic);
  }
  if (a.stream) digest.add(a.stream->arena).add(a.stream->bound).add(a.stream->search_nodes);
}

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
  EXPECT_EQ(analyses(all), 17288360718791834522u);
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
  EXPECT_EQ(analyses(all), 13497027207533418598u);
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
  EXPECT_EQ(analyses(all), 5126833216096714627u);
}

}  // namespace
}  // namespace tarn
