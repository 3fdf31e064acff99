// Ranges of columns that lie in their wholes: what touches them has to work by lines.
#include "lifetimes/storage.h"

#include <gtest/gtest.h>

namespace tarn::lifetimes {
namespace {

using program::Argument;
using program::LineArgument;
using program::Operation;

// A layer from x to part, and a copy of part into some columns of whole.
struct Columns {
  Program program;
  TensorId x = tensor(3), part = tensor(3), whole = tensor(5);

  Columns() {
    layer(x, part);
    layer(part, whole);
    program.operations[1].view = program::View{part, whole, 2 * 2, true};
  }

  TensorId tensor(int64_t pixels) {
    program::Tensor t;
    t.geometry = {4, pixels, 2};
    t.type = {DType::int8, Shape{1, 4, pixels, 2}};
    program.tensors.push_back(t);
    return TensorId(program.tensors.size() - 1);
  }

  // Line r of `to` of line r of `from`.
  void layer(TensorId from, TensorId to) {
    Operation o;
    o.arguments.resize(2);
    o.arguments[0].role = Argument::Role::read;
    o.arguments[0].tensor = from;
    o.arguments[0].walk = program::Walk{};
    o.arguments[1].role = Argument::Role::write;
    o.arguments[1].tensor = to;
    o.line_form = program::LineForm{};
    program::LineCall call;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      call.arguments.emplace_back();
      call.arguments.back().how = LineArgument::How::line;
      call.arguments.back().argument = i;
    }
    o.line_form->calls = {call};
    program.operations.push_back(std::move(o));
  }

  // Is the copy left out?
  bool lies_there() const {
    ShareOptions share;
    share.columns = true;
    const Storage storage = assign_storage(program, share, false);
    EXPECT_EQ(storage.left_out[1], storage.whole[part.pos()] == whole);
    return storage.left_out[1];
  }
};

TEST(Storage, ColumnsLieInTheirWholeWhereAllGoesByLines) {
  EXPECT_TRUE(Columns().lies_there());
  const auto lies = [](auto change) {
    Columns columns;
    change(columns.program.operations[0]);
    return columns.lies_there();
  };
  using How = LineArgument::How;
  EXPECT_FALSE(lies([](Operation& o) { o.line_form.reset(); }));
  EXPECT_FALSE(lies([](Operation& o) { o.arguments[1].role = Argument::Role::update; }));
  // Sums are written when all lines have been read.
  EXPECT_FALSE(lies([](Operation& o) { o.line_form->accumulate = true; }));
  EXPECT_FALSE(lies([](Operation& o) { o.line_form->calls[0].arguments[1].how = How::same; }));
  EXPECT_FALSE(lies([](Operation& o) { o.line_form->calls[0].arguments.pop_back(); }));
  // What a call is told beside its operands is not the operand that it names.
  for (const How how : {How::number, How::pixels, How::apart, How::sums}) {
    for (const size_t argument : {size_t{0}, size_t{1}}) {
      EXPECT_TRUE(lies([&](Operation& o) {
        o.line_form->calls[0].arguments.push_back({.how = how, .argument = argument});
      })) << static_cast<int>(how);
    }
  }
  // How its operand is read is of no interest to its result.
  EXPECT_TRUE(lies([](Operation& o) { o.arguments[0].walk.reset(); }));
}

TEST(Storage, ColumnsAreReadByLines) {
  const auto lies = [](auto change) {
    Columns columns;
    columns.layer(columns.part, columns.tensor(3));
    change(columns.program.operations[2]);
    return columns.lies_there();
  };
  using How = LineArgument::How;
  EXPECT_TRUE(lies([](Operation&) {}));
  EXPECT_TRUE(lies([](Operation& o) { o.line_form->calls[0].arguments[0].how = How::rows; }));
  EXPECT_FALSE(lies([](Operation& o) { o.line_form->calls[0].arguments[0].how = How::part; }));
  EXPECT_FALSE(lies([](Operation& o) { o.arguments[0].walk.reset(); }));
  EXPECT_FALSE(lies([](Operation& o) { o.arguments[0].walk->same_place = true; }));
  EXPECT_TRUE(lies([](Operation& o) { o.arguments[0].walk->same_place = o.arguments[0].walk->identity = true; }));
  // Sums take in line by line without saying so in a walk.
  EXPECT_TRUE(lies([](Operation& o) {
    o.arguments[0].walk.reset();
    o.line_form->accumulate = true;
  }));
}

}  // namespace
}  // namespace tarn::lifetimes
