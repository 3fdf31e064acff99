// Formulas over the sizes of a dimension: evaluated here by an evaluator of its own, and compared with the plan of each
// size, made by itself.
#include "cli/formulas.h"

#include <gtest/gtest.h>

#include <map>

#include "support/text.h"
#include "unit/compile/analysed.h"

namespace tarn::cli {
namespace {

// sum: product {(+|-) product}; product: factor {* factor}; factor: N, number, (sum), floor(product/number), ceil(...)
class Evaluator {
 public:
  Evaluator(const std::string& text, int64_t n) : n_(n) {
    for (const char c : text)
      if (c != ' ') text_ += c;
  }
  int64_t value() {
    const int64_t result = sum();
    EXPECT_EQ(at_, text_.size()) << text_;
    return result;
  }

 private:
  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  int64_t sum() {
    int64_t result = take("-") ? -product() : product();
    while (true) {
      if (take("+")) result += product();
      else if (take("-")) result -= product();
      else return result;
    }
  }
  int64_t product() {
    int64_t result = factor();
    while (take("*")) result *= factor();
    return result;
  }
  int64_t factor() {
    const bool down = take("floor("), up = !down && take("ceil(");
    if (down || up) {
      const int64_t whole = product();
      EXPECT_TRUE(take("/")) << text_;
      const int64_t by = factor();
      EXPECT_TRUE(take(")")) << text_;
      return (whole + (up ? by - 1 : 0)) / by;
    }
    if (take("(")) {
      const int64_t result = sum();
      EXPECT_TRUE(take(")")) << text_;
      return result;
    }
    if (take("N")) return n_;
    size_t used = 0;
    const int64_t result = std::stoll(text_.substr(at_), &used);
    at_ += used;
    return result;
  }
  std::string text_;
  size_t at_ = 0;
  int64_t n_;
};

std::string piece_at(const std::vector<symbolic::Piece>& pieces, int64_t n) {
  for (const symbolic::Piece& piece : pieces)
    if (piece.from <= n && n <= piece.to) return piece.expression;
  ADD_FAILURE() << "no piece holds " << n;
  return "0";
}

// Odd lines halved by a stride, and scores of each line with each other: what grows by N*N overtakes what grows by N.
constexpr const char* kNet = R"(g (float[N, 6] x) => (float[N, 6] y, float[1, M, 3] halves, float[N, 1] widest)
  <int64[2] axes = {0, 1}, int64[1] zero = {0}, float[6, 6] w = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
   0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1}> {
    q = MatMul(x, w)  r = Relu(q)  t = Transpose<perm = [1, 0]>(r)  s = MatMul(q, t)  p = Tanh(s)  y = MatMul(p, x)
    e = Unsqueeze(x, zero)  halves = MaxPool<kernel_shape = [2], strides = [2], ceil_mode = 0>(e)
    c = Concat<axis = 1>(q, x, q) d = Softmax(c) widest = ReduceMax<axes = [1]>(d) })";

Options over(const std::string& path, int64_t low, int64_t high) {
  Options options;
  options.compile.model_path = path;
  options.range = Options::Range{"N", low, high};
  return options;
}

TEST(Formulas, EqualThePlanOfEachSize) {
  const model::ScratchFolder scratch;
  const Options options = over(scratch.write("net.onnx", model::parse_graph(kNet)), 1, 40);
  const Result<report::Symbolic> formulas = formulas_over(options);
  ASSERT_TRUE(formulas) << model::texts(formulas.faults());
  EXPECT_GT(formulas->arena.size(), 1u) << "the network was made to have a breakpoint: "
                                        << symbolic::to_text(formulas->arena);
  EXPECT_LT(formulas->arena.size(), 6u) << symbolic::to_text(formulas->arena);
  EXPECT_EQ(formulas->proved, 40);
  int64_t tensors = 0;
  for (int64_t n = 1; n <= 40; ++n) {
    CompileOptions compile = options.compile;
    compile.dims["N"] = n;
    compile.stream.mode = stream::Mode::off;
    const Result<Analysis> alone = analyze(compile);
    ASSERT_TRUE(alone) << model::texts(alone.faults());
    EXPECT_EQ(Evaluator(piece_at(formulas->arena, n), n).value(), alone->plan.arena) << n;
    EXPECT_EQ(Evaluator(piece_at(formulas->lower_bound, n), n).value(), alone->plan.lower_bound) << n;
    EXPECT_EQ(Evaluator(piece_at(formulas->weights, n), n).value(), alone->weight_bytes()) << n;
    int64_t macs = 0;
    for (const program::Operation& operation : alone->program.operations) macs += operation.macs;
    EXPECT_EQ(Evaluator(piece_at(formulas->macs, n), n).value(), macs) << n;
    for (const report::SizedTensor& row : formulas->tensors) {
      for (const program::Tensor& tensor : alone->program.tensors) {
        if (tensor.name != row.name || row.bytes.find(" for ") != std::string::npos) continue;
        ++tensors;
        EXPECT_EQ(Evaluator(row.bytes, n).value(), tensor.bytes()) << row.name << " at " << n;
        ASSERT_EQ(row.shape.size(), tensor.type.shape.dims.size());
        for (size_t axis = 0; axis < row.shape.size(); ++axis)
          EXPECT_EQ(Evaluator(row.shape[axis], n).value(), tensor.type.shape.dims[axis]) << row.name << " at " << n;
      }
    }
  }
  EXPECT_GE(tensors, 120);
}

TEST(Formulas, APointThatTheModelDoesNotTakeIsNamed) {
  const model::ScratchFolder scratch;
  const std::string path = scratch.write(
      "net.onnx", model::parse_graph("g (float[N, 6] x, float[4, 6] z) => (float[4, 6] y) { y = Add(x, z) }"));
  const Result<report::Symbolic> formulas = formulas_over(over(path, 1, 8));
  ASSERT_FALSE(formulas);
  EXPECT_NE(formulas.faults().front().message.find("at N=2: "), std::string::npos) << formulas.faults().front().message;
}

}  // namespace
}  // namespace tarn::cli
