// Where the tensors of random programs lie that move parts of tensors into others and out of them: the elements of a
// part where its copy would have put them, and all of it in a digest.
#include <gtest/gtest.h>

#include "lifetimes/storage.h"
#include "planner/random.h"
#include "property/digest.h"

namespace tarn::lifetimes {
namespace {

using program::Argument;
using program::Geometry;
using program::Kind;
using program::LineArgument;
using program::Operation;

class RandomViews {
 public:
  explicit RandomViews(uint64_t seed) : random_(seed) {
    for (int64_t i = 2 + below(3); i > 0; --i) tensor({1 + below(4), 1 + below(5), 1 + below(5)});
    for (int64_t i = 1 + below(10); i > 0; --i) {
      const TensorId x = any();
      if (below(5) == 0) move(x, tensor(program[x].geometry), {});
      else view_of(x);
    }
    if (below(4) == 0) cut(any());
    // A whole may come to lie in another one before its parts are looked at, or behind them.
    for (size_t o = program.operations.size(); o > 1 && seed % 2 == 0; --o)
      std::swap(program.operations[o - 1], program.operations[static_cast<size_t>(below(static_cast<int64_t>(o)))]);
    for (size_t t = 0; t < program.tensors.size(); ++t) choose_kind(TensorId(t));
    for (size_t o = 0; o < program.operations.size(); ++o) {
      if (below(12) > 0) program.main.push_back(program::OperationId(o));
    }
  }

  Program program;

 private:
  int64_t below(int64_t n) { return random_.below(n); }
  TensorId any() { return TensorId(static_cast<size_t>(below(static_cast<int64_t>(program.tensors.size())))); }

  TensorId tensor(Geometry g) {
    program::Tensor t;
    t.geometry = g;
    t.kind = Kind::activation;
    t.type = {below(12) == 0 ? DType::float32 : DType::int8, Shape{1, g.lines, g.pixels, g.channels}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  }

  void choose_kind(TensorId id) {
    Kind& kind = program[id].kind;
    if (kind != Kind::activation) return;
    switch (below(8)) {
      case 0: kind = Kind::input, program.inputs.push_back(id); break;
      case 1: kind = Kind::output, program.outputs.push_back(id); break;
      case 2: kind = Kind::state, program.states.push_back(id); break;
      default: break;
    }
  }

  // Ranges of its columns, copied out of an input.
  void cut(TensorId input) {
    const Geometry w = program[input].geometry;
    for (int64_t first = 0; first < w.pixels; ++first) {
      const TensorId part = tensor({w.lines - below(8) / 7 * (w.lines - 1), 1 + below(w.pixels - first), w.channels});
      const bool out = below(12) > 0;
      move(out ? input : part, out ? part : input,
           program::View{part, input, first * w.channels + below(12) / 11 * below(w.channels), true});
    }
    if (program[input].kind == Kind::activation) program[input].kind = Kind::input, program.inputs.push_back(input);
  }

  // A part of the tensor: channels, lines, columns, other lines of the same elements, a range of elements.
  void view_of(TensorId whole) {
    const Geometry w = program[whole].geometry;
    Geometry p = w;
    program::View view{{}, whole, 0, false};
    switch (below(6)) {
      case 0: p.channels = 1 + below(w.channels), view.offset = below(w.channels - p.channels + 1); break;
      case 1: p.lines = 1 + below(w.lines), view.offset = below(w.lines - p.lines + 1) * w.pixels * w.channels; break;
      case 2: p = {1, w.lines * w.pixels, w.channels}; break;
      case 3:
        p.lines = 1, p.pixels = 1 + below(w.pixels), p.channels = 1 + below(w.channels);
        view.offset = below(w.pixels - p.pixels + 1) * w.channels + below(w.channels - p.channels + 1);
        if (w.lines > 1) p.pixels = 1;
        break;
      case 4:
        p = {1, 1, 1 + below(w.count())};
        view.offset = below(w.count() - p.channels + 1);
        // What fits a pixel lies in one.
        if (p.channels <= w.channels && view.offset % w.channels + p.channels > w.channels)
          view.offset -= view.offset % w.channels;
        break;
      default:
        p.pixels = 1 + below(w.pixels), view.offset = below(w.pixels - p.pixels + 1) * w.channels;
        view.columns = true;
    }
    if (below(4) == 0 && view.offset == 0 && p.count() == w.count()) {  // other elements in a pixel
      p = {w.lines, 1, w.pixels * w.channels};
      view.columns = false;
    }
    view.part = below(6) == 0 ? any() : tensor(p);
    if (program[view.part].geometry != p) view.part = tensor(p);
    const bool made = below(2) == 0;
    move(made ? view.part : whole, made ? whole : view.part, view);
  }

  void move(TensorId from, TensorId to, std::optional<program::View> view) {
    Operation o;
    o.arguments.resize(2);
    o.arguments[0].role = Argument::Role::read;
    o.arguments[0].tensor = from;
    if (below(10) > 0) o.arguments[0].walk = program::Walk{};
    if (o.arguments[0].walk && below(10) == 0) o.arguments[0].walk->same_place = true;
    o.arguments[1].role = below(20) == 0 ? Argument::Role::update : Argument::Role::write;
    o.arguments[1].tensor = to;
    for (Argument& a : o.arguments) a.pitched = below(8) > 0;
    o.view = view;
    if (below(8) > 0) {
      o.line_form.emplace().accumulate = below(12) == 0;
      program::LineCall& call = o.line_form->calls.emplace_back();
      for (const size_t i : {0, 1}) call.arguments.push_back({LineArgument::How::line, i});
      if (below(8) == 0) call.arguments[0].how = static_cast<LineArgument::How>(below(8));
      if (below(12) == 0) call.arguments.push_back({static_cast<LineArgument::How>(below(8)), 1});
    }
    program.operations.push_back(std::move(o));
  }

  planner::Random random_;
};

bool follows(const Geometry& p, const Geometry& w) {
  return p.channels <= w.channels &&
         ((p.pixels == w.pixels && p.lines <= w.lines) || (p.lines == 1 && w.lines == 1 && p.pixels <= w.pixels));
}

// Each element of a part that is not copied is that of its whole.
void expect_in_place(const Program& program, const Storage& storage, const program::View& view, uint64_t seed) {
  const Geometry &p = program[view.part].geometry, &w = program[view.whole].geometry;
  const Place &part = storage[view.part], &whole = storage[view.whole];
  const int64_t bytes = program[view.part].element_bytes();
  ASSERT_EQ(part.buffer, whole.buffer) << seed;
  for (int64_t l = 0; l < p.lines; ++l) {
    for (int64_t x = 0; x < p.pixels; ++x) {
      for (int64_t c = 0; c < p.channels; ++c) {
        const bool steps = view.columns || follows(p, w);
        const int64_t at =
            view.offset + (steps ? (l * w.pixels + x) * w.channels : (l * p.pixels + x) * p.channels) + c;
        const int64_t line = at / (w.pixels * w.channels), pixel = at / w.channels % w.pixels,
                      channel = at % w.channels;
        ASSERT_EQ(part.offset + (l * part.line_pitch + x * part.pixel_pitch + c) * bytes,
                  whole.offset + (line * whole.line_pitch + pixel * whole.pixel_pitch + channel) * bytes)
            << seed;
      }
    }
  }
}

TEST(RandomStorage, PartsLieWhereTheirCopiesWouldPutThem) {
  test::Digest digest;
  int views = 0, copied = 0, apart = 0, pieces = 0;
  for (uint64_t seed = 1; seed <= 30000; ++seed) {
    const Program program = RandomViews(seed).program;
    ShareOptions share;
    share.views = seed % 16 > 0, share.parts = seed % 4 > 0, share.columns = seed % 8 > 2, share.pieces = seed % 3 > 0;
    const Storage storage = assign_storage(program, share, seed % 5 == 0);
    for (size_t o = 0; o < program.operations.size(); ++o) {
      const std::optional<program::View>& view = program.operations[o].view;
      digest.add(static_cast<bool>(storage.left_out[o]));
      if (!view) continue;
      const bool piece = std::any_of(storage.pieces.begin(), storage.pieces.end(),
                                     [&](const Piece& p) { return p.part == view->part && p.input == view->whole; });
      if (storage.left_out[o] && !piece) expect_in_place(program, storage, *view, seed);
      ++(storage.left_out[o] ? views : copied);
    }
    for (size_t t = 0; t < program.tensors.size(); ++t) {
      const Place& place = storage.places[t];
      digest.add(place.buffer.pos()).add(place.offset).add(place.pixel_pitch).add(place.line_pitch);
      digest.add(static_cast<bool>(storage.made_in_whole[t]));
      apart += place.line_pitch > program.tensors[t].geometry.pixels * place.pixel_pitch;
    }
    for (const Buffer& b : storage.buffers) {
      digest.add(b.bytes).add(b.external).add(b.tensors.size());
      for (TensorId id : b.tensors) digest.add(id.pos());
    }
    for (const Piece& p : storage.pieces) digest.add(p.part.pos()).add(p.input.pos()).add(p.first_column);
    pieces += static_cast<int>(storage.pieces.size());
  }
  EXPECT_GT(views, 10000);
  EXPECT_GT(copied, 10000);
  EXPECT_GT(apart, 1000);
  EXPECT_GT(pieces, 200);
  EXPECT_EQ(digest.value(), 14856451878543368390u);
}

}  // namespace
}  // namespace tarn::lifetimes
