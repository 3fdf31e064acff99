// Formulas over several open dimensions: which of them are free, and what their grid tells. tests/models/formulas.py
// compares the formulas of real networks with the plan of each point.
#include "cli/grid.h"

#include <gtest/gtest.h>

#include "unit/compile/analysed.h"

namespace tarn::cli {
namespace {

Options of(const model::ScratchFolder& scratch, const char* graph) {
  Options options;
  options.compile.model_path = scratch.write("net.onnx", model::parse_graph(graph));
  return options;
}

TEST(Grids, DimensionsThatChangeAloneAreAxes) {
  const model::ScratchFolder scratch;
  const auto over = over_open_dimensions(
      of(scratch, "g (float[batch, steps, 3] x) => (float[batch, steps, 3] y) { y = Softmax(x) }"));
  ASSERT_TRUE(over);
  EXPECT_EQ(over->grid, (std::vector<symbolic::Axis>{{"batch", 1, 6}, {"steps", 1, 6}}));
  EXPECT_TRUE(over->tied.empty());
  const Result<report::Grid> grid = grid_formulas(*over);
  ASSERT_TRUE(grid) << model::texts(grid.faults());
  EXPECT_EQ(grid->points, 36);
  EXPECT_EQ(grid->proved, 36);
  ASSERT_FALSE(grid->tensors.empty());
  EXPECT_EQ(grid->tensors[0].shape, (std::vector<std::string>{"batch", "steps", "3"}));
  EXPECT_EQ(grid->tensors[0].bytes, "12*steps*batch");
}

// At sizes of 1 each may change alone, since an operand of one row is repeated.
TEST(Grids, DimensionsThatTheModelTiesAreOneAxis) {
  const model::ScratchFolder scratch;
  const auto over = over_open_dimensions(
      of(scratch,
         "g (float[N, 2] x, float[M, 2] y, float[K] z) => (float[N, 2] a, float[K] b) { a = Add(x, y) "
         "b = Relu(z) }"));
  ASSERT_TRUE(over);
  ASSERT_EQ(over->tied.size(), 1u);
  EXPECT_EQ(over->tied[0], (std::vector<std::string>{"N", "M"}));
  ASSERT_EQ(over->grid.size(), 2u);
  EXPECT_GT(over->grid[0].low, 1);
  const Result<report::Grid> grid = grid_formulas(*over);
  ASSERT_TRUE(grid) << model::texts(grid.faults());
  EXPECT_EQ(grid->tied, over->tied);
}

TEST(Grids, FourDimensionsHaveOneFormula) {
  const model::ScratchFolder scratch;
  const auto over =
      over_open_dimensions(of(scratch, "g (float[a, b, c, d] x) => (float[a, b, c, d] y) { y = Softmax(x) }"));
  ASSERT_TRUE(over);
  const Result<report::Grid> grid = grid_formulas(*over);
  ASSERT_TRUE(grid) << model::texts(grid.faults());
  EXPECT_EQ(grid->points, 256);
  ASSERT_FALSE(grid->tensors.empty());
  EXPECT_EQ(grid->tensors[0].shape, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(grid->tensors[0].bytes, "4*d*c*b*a");
}

TEST(Grids, TooManyDimensionsAreLeftAlone) {
  const model::ScratchFolder scratch;
  EXPECT_FALSE(
      over_open_dimensions(of(scratch, "g (float[a, b, c, d, e] x) => (float[a, b, c, d, e] y) { y = Relu(x) }")));
  EXPECT_FALSE(over_open_dimensions(of(scratch, "g (float[a, 3] x) => (float[a, 3] y) { y = Relu(x) }")));
}

TEST(Grids, APointThatTheModelDoesNotTakeIsNamed) {
  const model::ScratchFolder scratch;
  Options options = of(scratch, "g (float[N, 2] x, float[M, 2] y) => (float[N, 2] a) { a = Add(x, y) }");
  options.grid = {{"N", 2, 4}, {"M", 2, 4}};
  const Result<report::Grid> grid = grid_formulas(options);
  ASSERT_FALSE(grid);
  EXPECT_NE(grid.faults().front().message.find("at N=2, M=3: "), std::string::npos) << grid.faults().front().message;
}

}  // namespace
}  // namespace tarn::cli
