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

// All faults of a table: "line: message; ...".
std::string faults_of(const std::string& text) {
  std::string all;
  for (const CsvFault& fault : read_csv(text).faults)
    all += (all.empty() ? "" : "; ") + std::to_string(fault.line) + ": " + fault.message;
  return all;
}

TEST(Csv, FaultsOfTheHeader) {
  const std::string none = "1: no header: the first line names the columns";
  EXPECT_EQ(faults_of(""), none);
  EXPECT_EQ(faults_of("\nid,lower,upper,size\n"), none);
  EXPECT_EQ(faults_of("\xEF\xBB\xBFid , lower,upper\t,size\n"), "");
  EXPECT_EQ(faults_of("id,lower,upper"), "1: the column 'size' is missing");
  EXPECT_EQ(faults_of("hint"),
            "1: the column 'id' is missing; 1: the column 'lower' is missing; "
            "1: the column 'upper' is missing; 1: the column 'size' is missing");
  EXPECT_EQ(faults_of("id,lower,upper,size,size\n"), "1: the column 'size' is there twice");
  EXPECT_EQ(faults_of("id,lower,begin,upper,size\n"), "1: the column 'lower' is there twice");
  EXPECT_EQ(faults_of("id,lower,upper,size,colour\n"), "1: unknown column 'colour'");
  EXPECT_EQ(faults_of("id,lower,upper,size,\n"), "1: unknown column ''");
  EXPECT_EQ(faults_of("id,lower,upper,size,\x1F~ \x7F\n"), "1: unknown column '?~ ?'");
  EXPECT_EQ(faults_of("id,lower,upper,size," + std::string(61, 'x')),
            "1: unknown column '" + std::string(60, 'x') + "'");
  std::string many = "id,lower,upper,size";
  for (int i = 0; i < 1000; ++i) many += ",q";
  EXPECT_EQ(read_csv(many).faults.size(), 100u);
  // Rows behind a header that is wrong would only add to the confusion.
  EXPECT_EQ(faults_of("id,lower,upper\na,b,c\n"), "1: the column 'size' is missing");
}

TEST(Csv, FaultsOfRows) {
  const auto row = [](const std::string& text) { return faults_of("id,lower,upper,size,gaps,hint\n" + text); };
  EXPECT_EQ(row("a,1,2,3,,"), "");
  EXPECT_EQ(row("a,1,2,3,"), "2: 5 fields, the header has 6");
  EXPECT_EQ(row("a,1,2,3,,,"), "2: 7 fields, the header has 6");
  EXPECT_EQ(row("a,1,2,,,"), "2: '' is no number for the column 'size'");
  EXPECT_EQ(row("a,,2,1,,"), "2: '' is no number for the column 'lower'");
  EXPECT_EQ(row("a,1,2,3x,,"), "2: '3x' is no number for the column 'size'");
  EXPECT_EQ(row("a,1,2,99999999999999999999,,"), "2: '99999999999999999999' is no number for the column 'size'");
  EXPECT_EQ(row("a,-2305843009213693952,2305843009213693952,1,,"), "");
  EXPECT_EQ(row("a,-2305843009213693953,2,1,,"), "2: '-2305843009213693953' is no number for the column 'lower'");
  EXPECT_EQ(row("a,0,2305843009213693953,1,,"), "2: '2305843009213693953' is no number for the column 'upper'");
  for (const char* gap :
       {"4", "-", "--5", "4-", "4:5", "x-5", "4-5@1", "4-5@1:", "4-5@:2", "4-5@1-2", "4-5@1:2x", "4-5x"})
    EXPECT_EQ(row(std::string("a,1,9,3,") + gap + ","),
              std::string("2: '") + gap + "' is no gap; write a-b or a-b@lo:hi");
  EXPECT_EQ(row("a,1,9,3,x y,z"),
            "2: 'x' is no gap; write a-b or a-b@lo:hi; 2: 'z' is no number for the column 'hint'");
  EXPECT_EQ(row("a,1,2,3,,\nb,x,y,z,,"),
            "3: 'x' is no number for the column 'lower'; "
            "3: 'y' is no number for the column 'upper'; "
            "3: 'z' is no number for the column 'size'");
  std::string many = "id,lower,upper,size\n";
  for (int i = 0; i < 100'000; ++i) many += "bad\n";
  EXPECT_EQ(read_csv(many).faults.size(), 100u);
}

TEST(Csv, GapsAreSortedAndHintsBelow0AreNone) {
  const CsvTable t = read_csv("id,lower,upper,size,gaps,hint\na,0,9,8,  5-6  2-3@1:4 2-2 ,0\nb,0,9,8,,-1");
  ASSERT_TRUE(t.faults.empty());
  EXPECT_EQ(t.problem.items[0].gaps, (std::vector<Gap>{{2, 2, {}, {}}, {2, 3, 1, 4}, {5, 6, {}, {}}}));
  EXPECT_EQ(t.problem.items[0].hint, 0);
  EXPECT_EQ(t.problem.items[1].hint, std::nullopt);
}

TEST(Csv, OffsetsAreAddedOrReplaced) {
  EXPECT_EQ(with_offsets("id,lower,upper,size\r\na,0,1,2\r\nb,0,1,3\r\n\r\nrest", {3, 0}),
            "id,lower,upper,size,offset\na,0,1,2,3\nb,0,1,3,0\n");
  EXPECT_EQ(with_offsets("offset,id,lower,upper,size\n,a,0,1,2\n", {5}), "offset,id,lower,upper,size\n5,a,0,1,2\n");
}

TEST(Csv, OtherColumnsStayWhereTheyAre) {
  EXPECT_EQ(with_offsets("id,offset,lower,upper,size\na,7,0,1,2\nb,,0,1,3\n", {3, 0}),
            "id,offset,lower,upper,size\na,3,0,1,2\nb,0,0,1,3\n");
  EXPECT_EQ(with_offsets("id,lower,upper,size, offset \na,0,1,2,\n", {4}), "id,lower,upper,size, offset\na,0,1,2,4\n");
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

// x: 90 + 1100 * (t - 2) / 8; y: 30 + 620 * (1 - at / 16).
TEST(Svg, ItemsGapsAndLevels) {
  Problem problem = read_csv("id,lower,upper,size,gaps\nnever,0,0,9,\na,4,10,8,5-6 7-8@2:4\nb,2,4,12,\n").problem;
  problem.capacity = 16;
  Plan plan{.offsets = {0, 4, 0}, .arena = 12, .lower_bound = 11};
  const std::string picture = draw_svg(problem, plan);
  const auto rect = [&](const char* x, const char* y, const char* width, const char* height) {
    const std::string text =
        std::string("<rect x=\"") + x + "\" y=\"" + y + "\" width=\"" + width + "\" height=\"" + height;
    return picture.find(text) != std::string::npos;
  };
  EXPECT_TRUE(rect("90.00", "185.00", "275.00", "465.00")) << picture;   // b
  EXPECT_TRUE(rect("365.00", "185.00", "137.50", "310.00")) << picture;  // a before its first gap
  EXPECT_TRUE(rect("640.00", "185.00", "137.50", "310.00")) << picture;  // between its gaps
  EXPECT_TRUE(rect("777.50", "340.00", "137.50", "77.50")) << picture;   // the window
  EXPECT_TRUE(rect("915.00", "185.00", "275.00", "310.00")) << picture;  // after
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (size_t at = picture.find(what); at != std::string::npos; at = picture.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<title>"), 5);
  EXPECT_EQ(count("<title>b: 12 bytes at 0, [2, 4)</title>"), 1);
  EXPECT_EQ(count("M90 185.00H1190"), 1);
  EXPECT_EQ(count("y=\"189.00\" text-anchor=\"end\" fill=\"#222222\">arena 12<"), 1);
  EXPECT_EQ(count(">bound 11<"), 1);
  EXPECT_EQ(count("y=\"670\">2</text>"), 1);
  EXPECT_EQ(count(">10</text>"), 1);
  plan.lower_bound = 12;
  EXPECT_EQ(draw_svg(problem, plan).find(">bound "), std::string::npos);
}

TEST(Svg, TheLargestOfTooManyItems) {
  Problem problem;
  for (int i = 0; i < 20'002; ++i) {
    Item item;
    item.id = "n" + std::to_string(i);
    item.size = i == 7 || i == 20'001 ? 1 : 2;
    item.end = i % 2 == 0 ? 2 : 1;
    problem.items.push_back(item);
  }
  problem.items[8].end = 1;  // as large as item 7 would be
  problem.items[8].size = 1;
  const Plan plan{.offsets = std::vector<Offset>(problem.items.size(), 0), .arena = 2};
  const std::string picture = draw_svg(problem, plan);
  const auto drawn = [&](int i) { return picture.find("<title>n" + std::to_string(i) + ":") != std::string::npos; };
  EXPECT_TRUE(drawn(0));
  EXPECT_TRUE(drawn(7));
  EXPECT_FALSE(drawn(8));
  EXPECT_FALSE(drawn(20'001));
  problem.items.pop_back();
  problem.items.pop_back();
  EXPECT_NE(draw_svg(problem, plan).find("<title>n8:"), std::string::npos);
}

TEST(Svg, NothingIsDrawnOfNothing) {
  EXPECT_EQ(draw_svg({}, {}).find("<title>"), std::string::npos);
  const std::string picture = draw_svg({}, {});
  EXPECT_NE(picture.find(">arena 0<"), std::string::npos);
  EXPECT_NE(picture.find("y=\"670\">0</text>"), std::string::npos);
  EXPECT_NE(picture.find(">1</text>"), std::string::npos);
}

}  // namespace
}  // namespace tarn::planner
