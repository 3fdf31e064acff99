// What joined layers need, beside the lines and columns that they make and keep, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "planner/random.h"
#include "stream/network/chains.h"

namespace tarn::stream {
namespace {

using program::Argument;
using program::Operation;
using program::Walk;

constexpr int64_t kAlignment = 8;

int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Pixels, a window over them, and layers that take its pixels. Each operand stands at any place among the arguments.
class RandomChain {
 public:
  explicit RandomChain(uint64_t seed) : random_(seed) {
    TensorId x = tensor({4 + random_.below(8), 3 + random_.below(8), 1 + random_.below(3)});
    const int64_t before = random_.below(3);
    for (int64_t i = 0; i < before; ++i) x = pointwise(x);
    chain.mid = chain.operations.size();
    x = window(x);
    const int64_t after = (before == 0 ? 1 : 0) + random_.below(4);
    for (int64_t i = 0; i < after; ++i) x = pointwise(x);
    chain.chunk = 1 + random_.below(8);
  }

  Program program;
  Chain chain;

  const Argument& main_of(size_t position) const {
    const TensorId id = mains_[position];
    const std::vector<Argument>& all = program[chain.operations[position]].arguments;
    return *std::find_if(all.begin(), all.end(), [&](const Argument& a) { return a.tensor == id; });
  }
  TensorId result(size_t position) const { return results_[position]; }

 private:
  TensorId tensor(program::Geometry g) {
    program::Tensor t;
    t.geometry = g;
    t.type = {random_.below(3) == 0 ? DType::float32 : DType::int8, Shape{1, g.lines, g.pixels, g.channels}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  }

  void push(TensorId x, TensorId y, Walk walk) {
    Operation o;
    o.line_form = program::LineForm{};
    o.line_form->scratch_pixel_bytes = random_.below(5);
    o.line_form->scratch_bytes = o.line_form->scratch_pixel_bytes * program[y].geometry.pixels + random_.below(20);
    if (!walk.identity && random_.below(3) == 0) {
      program::LineMap map;
      map.scale = 1 + random_.below(2);
      map.first = -random_.below(3);
      map.count = 1 + random_.below(3);
      map.step = 1 + random_.below(2);
      o.line_form->columns = map;
    }
    Argument read, weight, write;
    read.role = Argument::Role::read;
    read.tensor = x;
    read.walk = std::move(walk);
    weight.role = Argument::Role::weight;
    write.role = Argument::Role::write;
    write.tensor = y;
    o.arguments = {read};
    // The first operand of a chain is its first operation's main one.
    if (!chain.operations.empty() && random_.below(2) == 0) {
      Argument other = read;
      other.tensor = tensor(program[y].geometry);
      other.walk = Walk{};
      other.walk->identity = true;
      o.arguments.insert(o.arguments.begin() + random_.below(2), other);
    }
    o.arguments.insert(o.arguments.begin() + random_.below(static_cast<int64_t>(o.arguments.size()) + 1), weight);
    o.arguments.push_back(write);
    program.operations.push_back(std::move(o));
    chain.operations.push_back(OperationId(program.operations.size() - 1));
    mains_.push_back(x);
    results_.push_back(y);
  }

  TensorId pointwise(TensorId x) {
    program::Geometry g = program[x].geometry;
    Walk walk;
    walk.identity = random_.below(2) == 0;
    walk.read_before_write = random_.below(4) > 0;
    if (!walk.identity || random_.below(4) == 0) g.channels = 1 + random_.below(4);
    const TensorId y = tensor(g);
    for (int64_t r = 0; r < g.lines && !walk.identity; ++r) walk.lines.push_back({r, r + 1});
    for (int64_t p = 0; p < g.pixels && !walk.identity; ++p) walk.columns.push_back({p, p + 1});
    push(x, y, std::move(walk));
    return y;
  }

  // Windows that go on; some of pads alone, which need nothing.
  TensorId window(TensorId x) {
    const program::Geometry g = program[x].geometry;
    const TensorId y = tensor({1 + random_.below(g.lines), 1 + random_.below(g.pixels), 1 + random_.below(3)});
    Walk walk;
    walk.lines = spans(program[y].geometry.lines, g.lines);
    walk.columns = spans(program[y].geometry.pixels, g.pixels);
    push(x, y, std::move(walk));
    return y;
  }

  std::vector<Span> spans(int64_t count, int64_t of) {
    std::vector<Span> spans;
    const int64_t stride = 1 + random_.below(3), length = 1 + random_.below(4);
    int64_t first = -random_.below(2);
    for (int64_t i = 0; i < count; ++i, first += stride) {
      const int64_t from = std::clamp<int64_t>(first, 0, of), to = std::clamp<int64_t>(first + length, 0, of);
      spans.push_back(random_.below(6) == 0 ? Span{} : Span{from, to});
    }
    return spans;
  }

  planner::Random random_;
  std::vector<TensorId> mains_, results_;
};

TEST(ChainShape, IsWhatItsLinesNeed) {
  int kept = 0, grown = 0, in_place = 0, narrow = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    const RandomChain random(seed);
    const Program& program = random.program;
    const Chain& chain = random.chain;
    const ChainShape shape = shape_of(program, chain);
    const size_t count = chain.operations.size();
    for (size_t i = 1; i < count; ++i) {
      const auto& arguments = program[chain.operations[i]].arguments;
      ASSERT_EQ(&arguments[main_argument(program, chain, i)], &random.main_of(i)) << seed;
    }
    const Argument& operand = random.main_of(chain.mid);
    const program::Tensor& middle = program[operand.tensor];
    const int64_t pixel_bytes = middle.geometry.channels * middle.element_bytes();
    ASSERT_EQ(shape.middle, operand.tensor);
    ASSERT_EQ(shape.result, random.result(count - 1));

    // Lines of the middle tensor are made in order, those that a step needs at the latest with it.
    std::set<int64_t> made;
    int64_t window_lines = 1, history_lines = 0, first_window = 0;
    for (size_t r = 0; r < operand.walk->lines.size(); ++r) {
      const Span needs = operand.walk->lines[r];
      int64_t old = 0;
      for (int64_t l = needs.first; l < static_cast<int64_t>(made.size()); ++l) old += needs.first < needs.end;
      history_lines = std::max(history_lines, old);
      const auto before = static_cast<int64_t>(made.size());
      for (int64_t l = before; l < needs.end; ++l) made.insert(l);
      ASSERT_EQ(shape.fresh[r], (Span{before, static_cast<int64_t>(made.size())})) << seed;
      if (r == 0) first_window = needs.end - needs.first;
      else window_lines = std::max(window_lines, static_cast<int64_t>(made.size()) - before);
    }
    ASSERT_EQ(shape.fresh.size(), operand.walk->lines.size());
    history_lines = std::max(history_lines, first_window - window_lines);

    const std::vector<Span> columns =
        columns_read(program, program[chain.operations[chain.mid]], main_argument(program, chain, chain.mid));
    int64_t window_columns = 1;
    for (size_t p = 0; p < columns.size(); p += static_cast<size_t>(chain.chunk)) {
      std::set<int64_t> needed;
      for (size_t q = p; q < std::min(columns.size(), p + static_cast<size_t>(chain.chunk)); ++q) {
        for (int64_t c = columns[q].first; c < columns[q].end; ++c) needed.insert(c);
      }
      if (!needed.empty()) window_columns = std::max(window_columns, *needed.rbegin() - *needed.begin() + 1);
    }
    window_columns = std::min(window_columns, middle.geometry.pixels);

    const bool makes = chain.mid > 0;
    ASSERT_EQ(shape.form.window_lines, makes ? window_lines : 0) << seed;
    ASSERT_EQ(shape.form.history_lines, makes ? history_lines : 0) << seed;
    ASSERT_EQ(shape.history_lines, shape.form.history_lines);
    ASSERT_EQ(shape.form.window_columns, makes ? window_columns : 0) << seed;
    ASSERT_EQ(shape.history_bytes, makes ? middle.geometry.pixels * pixel_bytes : 0) << seed;
    ASSERT_EQ(shape.form.mid, chain.mid);
    ASSERT_EQ(shape.form.chunk, chain.chunk);
    kept += shape.form.history_lines > 0, grown += window_lines > 1;
    narrow += makes && window_columns < middle.geometry.pixels;

    // Behind the window each chunk has a place of its own, or that of the chunk that it is made of.
    int64_t bytes = makes ? aligned(window_lines * window_columns * pixel_bytes) : 0, at = -1, at_bytes = 0,
            scratch = 0;
    for (size_t i = 0; i < count; ++i) {
      const Operation& operation = program[chain.operations[i]];
      const program::LineForm& form = *operation.line_form;
      const program::Tensor& t = program[random.result(i)];
      const int64_t pixels = i < chain.mid ? t.geometry.pixels : std::min(t.geometry.pixels, chain.chunk);
      scratch = std::max(scratch, form.scratch_bytes - (t.geometry.pixels - pixels) * form.scratch_pixel_bytes);
      if (i < chain.mid || i + 1 == count) {
        ASSERT_EQ(shape.form.made[i], -1);
        continue;
      }
      const int64_t needed = aligned(chain.chunk * t.geometry.channels * t.element_bytes());
      const Argument& from = random.main_of(i);
      const bool same = i > chain.mid && from.walk->identity && from.walk->read_before_write && needed <= at_bytes &&
                        t.element_bytes() <= program[from.tensor].element_bytes();
      if (!same) at = bytes, at_bytes = needed, bytes += needed;
      in_place += same;
      ASSERT_EQ(shape.form.made[i], at) << seed;
    }
    ASSERT_EQ(shape.window_bytes, bytes) << seed;
    ASSERT_EQ(shape.scratch_bytes, aligned(scratch)) << seed;
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(grown, 500);
  EXPECT_GT(in_place, 200);
  EXPECT_GT(narrow, 500);
}

// Of a walk, of one that is the same everywhere, and of what a call for some pixels reads.
TEST(ChainShape, ColumnsReadAreThoseOfTheCall) {
  int mapped = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    const RandomChain random(seed);
    const Operation& operation = random.program[random.chain.operations[random.chain.mid]];
    const size_t argument = main_argument(random.program, random.chain, random.chain.mid);
    const std::vector<Span> columns = columns_read(random.program, operation, argument);
    const int64_t pixels = random.program[random.result(random.chain.mid)].geometry.pixels;
    const int64_t width = random.program[operation.arguments[argument].tensor].geometry.pixels;
    ASSERT_EQ(static_cast<int64_t>(columns.size()), pixels);
    for (int64_t p = 0; p < pixels; ++p) {
      Span expected = operation.arguments[argument].walk->columns[static_cast<size_t>(p)];
      if (operation.line_form->columns) {
        const program::LineMap& map = *operation.line_form->columns;
        expected = {std::max<int64_t>(0, p * map.scale + map.first), 0};
        for (int64_t j = 0; j < map.count; ++j)
          expected.end = std::min(width, p * map.scale + map.first + j * map.step + 1);
        ++mapped;
      }
      ASSERT_EQ(columns[static_cast<size_t>(p)], expected) << seed;
    }
  }
  EXPECT_GT(mapped, 200);
}

// By what the header says: pixels one by one, some of which read nothing.
TEST(Chains, ColumnsOfChunks) {
  planner::Random random(5);
  int nothing = 0, back = 0;
  for (int round = 0; round < 3000; ++round) {
    const int64_t columns = 1 + random.below(12), pixels = 1 + random.below(10), chunk = 1 + random.below(pixels + 2);
    std::vector<Span> reads;
    for (int64_t p = 0; p < pixels; ++p) {
      const int64_t first = random.below(columns);
      reads.push_back(random.below(4) == 0 ? Span{first, first}
                                           : Span{first, first + 1 + random.below(columns - first)});
    }
    const std::vector<Span> found = columns_of_chunks(reads, chunk, columns);
    ASSERT_EQ(std::ssize(found), (pixels + chunk - 1) / chunk);
    for (int64_t c = 0; c < std::ssize(found); ++c) {
      int64_t first = columns, end = 0;
      for (int64_t p = 0; p < pixels; ++p) {
        const Span& read = reads[static_cast<size_t>(p)];
        if (read.first == read.end) continue;
        if (p >= c * chunk) first = std::min(first, read.first);
        if (p < (c + 1) * chunk) end = std::max(end, read.end);
      }
      const Span& of = found[static_cast<size_t>(c)];
      EXPECT_EQ(of.first, first) << round;
      EXPECT_EQ(of.end, end) << round;
      nothing += first == columns || end == 0;
      back += c > 0 && first < found[static_cast<size_t>(c) - 1].end;
    }
  }
  EXPECT_GT(nothing, 100);
  EXPECT_GT(back, 100);
}

// Each step makes the lines that it needs, whoever has made them before.
TEST(ChainShape, RecomputesWhatItsLinesNeed) {
  int again = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    RandomChain random(seed);
    const Program& program = random.program;
    Chain chain = random.chain;
    const ChainShape kept = shape_of(program, chain);
    EXPECT_EQ(extra_macs_of(program, chain), 0) << seed;
    for (size_t i = 0; i < chain.operations.size(); ++i) random.program[chain.operations[i]].macs = 0;
    int64_t lines = 0, made = 0;
    for (size_t i = 0; i < chain.mid; ++i) {
      lines = program[random.result(i)].geometry.lines;
      random.program[chain.operations[i]].macs = lines * static_cast<int64_t>(10 + i);
    }
    chain.recompute = true;
    const ChainShape shape = shape_of(program, chain);
    const std::vector<Span>& needs = random.main_of(chain.mid).walk->lines;
    int64_t most = 1;
    ASSERT_EQ(shape.fresh.size(), needs.size());
    for (size_t r = 0; r < needs.size(); ++r) {
      const int64_t count = std::max<int64_t>(0, needs[r].end - needs[r].first);
      ASSERT_EQ(shape.fresh[r].end - shape.fresh[r].first, count) << seed;
      if (count > 0) {
        ASSERT_EQ(shape.fresh[r], needs[r]) << seed;
      }
      made += count;
      most = std::max(most, count);
    }
    EXPECT_EQ(shape.history_lines, 0);
    EXPECT_EQ(shape.form.history_lines, 0);
    EXPECT_TRUE(shape.form.recompute);
    EXPECT_EQ(shape.form.window_lines, chain.mid > 0 ? most : 0) << seed;
    EXPECT_EQ(shape.form.window_columns, kept.form.window_columns);
    EXPECT_EQ(shape.scratch_bytes, kept.scratch_bytes);
    int64_t extra = 0;
    for (size_t i = 0; i < chain.mid; ++i) extra += std::max<int64_t>(0, made - lines) * static_cast<int64_t>(10 + i);
    EXPECT_EQ(extra_macs_of(program, chain), extra) << seed;
    again += extra > 0;
  }
  EXPECT_GT(again, 100);
}

}  // namespace
}  // namespace tarn::stream
