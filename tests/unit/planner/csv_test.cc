#include "planner/csv.h"

#include <gtest/gtest.h>

#include "planner/plan.h"
#include "planner/svg.h"

namespace tarn::planner {
namespace {

TEST(Csv, AllColumnsInAnyOrder) {
  const CsvTable t = read_csv(
      "size,gaps,id,upper,start,hint,alignment,offset\r\n8,2-3 5-6@1:4,x,9,0,-1,4,16\r\n3,,y,2,1,7,,\r\n\r\nnot read");
  ASSERT_TRUE(t.faults.empty());
  ASSERT_EQ(t.problem.items.size(), 2u);
  const Item& x = t.problem.items[0];
  EXPECT_EQ(x.id, "x");
  EXPECT_EQ(x.size, 8);
  EXPECT_EQ(x.first, 0);
  EXPECT_EQ(x.end, 9);
  EXPECT_EQ(x.alignment, 4);
  EXPECT_EQ(x.offset, 16);
  EXPECT_FALSE(x.hint);
  ASSERT_EQ(x.gaps.size(), 2u);
  EXPECT_EQ(x.gaps[0], (Gap{2, 3, {}, {}}));
  EXPECT_EQ(x.gaps[1], (Gap{5, 6, 1, 4}));
  const Item& y = t.problem.items[1];
  EXPECT_EQ(y.alignment, 1);
  EXPECT_EQ(y.hint, 7);
  EXPECT_FALSE(y.offset);
}

TEST(Csv, EndIsInclusive) {
  const CsvTable t = read_csv("buffer_id,begin,end,size,gaps\nx,0,8,1,2-3\n");
  ASSERT_TRUE(t.faults.empty());
  EXPECT_EQ(t.problem.items[0].end, 9);
  EXPECT_EQ(t.problem.items[0].gaps[0].end, 4);
}

size_t fault_count(const char* text) { return read_csv(text).faults.size(); }

TEST(Csv, FaultsAreToldByLine) {
  EXPECT_EQ(fault_count(""), 1u);
  EXPECT_EQ(fault_count("\nid,lower,upper,size\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size,size\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,begin,upper,size\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size,colour\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size\na,1,2\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size\na,1,2,3,4\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size\na,1,2,\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size\na,1,2,3x\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size\na,1,2,99999999999999999999\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size,gaps\na,1,2,3,4\n"), 1u);
  EXPECT_EQ(fault_count("id,lower,upper,size,gaps\na,1,2,3,4-5@1\n"), 1u);
  const CsvTable t = read_csv("id,lower,upper,size\na,1,2,3\nb,x,y,z\n");
  ASSERT_EQ(t.faults.size(), 3u);
  EXPECT_EQ(t.faults[0].line, 3u);
  std::string many = "id,lower,upper,size\n";
  for (int i = 0; i < 100'000; ++i) many += "bad\n";
  EXPECT_LE(read_csv(many).faults.size(), 101u);
}

TEST(Csv, OffsetsAreAddedOrReplaced) {
  EXPECT_EQ(with_offsets("id,lower,upper,size\r\na,0,1,2\r\nb,0,1,3\r\n\r\nrest", {3, 0}),
            "id,lower,upper,size,offset\na,0,1,2,3\nb,0,1,3,0\n");
  EXPECT_EQ(with_offsets("offset,id,lower,upper,size\n,a,0,1,2\n", {5}), "offset,id,lower,upper,size\n5,a,0,1,2\n");
}

TEST(Csv, PlansCanBeReadBack) {
  const std::string text = "id,lower,upper,size\na,0,2,3\nb,1,4,2\nc,2,4,2\n";
  const Problem problem = read_csv(text).problem;
  const Plan plan = solve(problem, Strategy::automatic, {});
  const Problem again = read_csv(with_offsets(text, plan.offsets)).problem;
  const Plan second = solve(again, Strategy::automatic, {});
  EXPECT_EQ(second.offsets, plan.offsets);
}

TEST(Svg, NamesAreEscaped) {
  Problem problem = read_csv("id,lower,upper,size\n<&\",0,2,3\n").problem;
  const std::string picture = draw_svg(problem, solve(problem, Strategy::automatic, {}));
  EXPECT_NE(picture.find("&lt;&amp;&quot;"), std::string::npos);
  EXPECT_EQ(picture.find("<&"), std::string::npos);
}

}  // namespace
}  // namespace tarn::planner
