#include <gtest/gtest.h>

#include "report/report.h"

namespace tarn::report {
namespace {

Report sample() {
  Report r;
  r.file = "a|b.onnx";
  r.arena = 64;
  r.lower_bound = 64;
  r.proof = "optimal";
  r.ram_budget = Budget{32, 64, false, true};
  TensorRow t;
  t.name = "x,\"</script>\n";
  t.c_name = "x";
  t.kind = "activation";
  t.type = {DType::float32, Shape{{2, 8}}};
  t.bytes = 64;
  t.offset = 0;
  t.end = 1;
  r.tensors = {t};
  StepRow s;
  s.kernel = "relu_f32";
  s.op = "Relu";
  s.nodes = {"n"};
  s.shape = Shape{{2, 8}};
  s.live_bytes = 64;
  s.live = s.writes = {t.name};
  r.steps = {s};
  return r;
}

// Splits CSV by RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') rows.back().back() += c;
      else if (i + 1 < text.size() && text[i + 1] == '"') rows.back().back() += text[++i];
      else quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Formats, CsvIsRectangularWithNamesIntact) {
  const auto rows = parse_csv(to_csv(sample()));
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(rows[1][0], "step");
  EXPECT_EQ(rows[2][0], "tensor");
  EXPECT_EQ(rows[2][1], "x,\"</script>\n");
}

TEST(Formats, MarkdownTellsOfTimeWhatABudgetOfTimeAsks) {
  Report r = sample();
  r.time_budget = Budget{.limit = 10'000'000, .used = 35'317'185, .fits = false};
  r.advice = {{.change = "on cortex-m55", .ram = 9472, .fits = true, .instructions = 1'250'000, .cycles = 1'500'000}};
  const std::string text = to_markdown(r);
  EXPECT_NE(text.find("**Time does not fit**: 35.3 ms of 10.0 ms (estimated)"), std::string::npos) << text;
  EXPECT_NE(text.find("| change | RAM | instructions | cycles | fits | options |"), std::string::npos) << text;
  EXPECT_NE(text.find("| on cortex-m55 | 9 472 | 1 250 000 | 1 500 000 | yes |  |"), std::string::npos) << text;
}

TEST(Formats, MarkdownTablesKeepTheirColumns) {
  const std::string text = to_markdown(sample());
  EXPECT_NE(text.find("a\\|b.onnx"), std::string::npos);
  EXPECT_NE(text.find("**RAM does not fit**"), std::string::npos);
}

TEST(Formats, HtmlHoldsNoNameAsMarkup) {
  const std::string page = to_html(sample());
  EXPECT_NE(page.find("<title>DOES NOT FIT: a|b.onnx</title>"), std::string::npos);
  EXPECT_EQ(page.find("x,\\\"</script>"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
  // One page that asks the network for nothing.
  for (const char* word : {"src=\"", "<link rel=\"stylesheet", "@import", "url(http", "fetch(", "XMLHttpRequest"})
    EXPECT_EQ(page.find(word), page.npos) << word;
}

// The first line of the text that begins so, and the line below it.
std::string time_lines(const Report& r) {
  const std::string text = to_text(r);
  const size_t at = text.find("TIME ");
  if (at == std::string::npos) return "";
  return text.substr(at, text.find('\n', text.find('\n', at) + 1) - at);
}

TEST(Formats, TimeHasATotalOnlyWhereAllIsModelled) {
  Report r = sample();
  EXPECT_EQ(time_lines(r), "");
  r.macs = 4'000;
  r.time = TimeFigures{.target = "rv32imac", .steps = {StepTime{11'612'345, {}, ""}}, .modelled = 11'612'345};
  EXPECT_TRUE(time_lines(r).starts_with("TIME   11.6 M instructions (estimated, rv32imac)")) << time_lines(r);
  EXPECT_NE(to_json(r).find("\"instructions\": 11612345, \"least\": 11612345, \"most\": 11612345"), std::string::npos);
  EXPECT_NE(to_json(r).find("\"cycles\": null"), std::string::npos);
  r.clock = 168'000'000;
  EXPECT_NE(time_lines(r).find(", 69.1 ms at 168 MHz if each took one cycle"), std::string::npos) << time_lines(r);
  EXPECT_NE(to_json(r).find("\"ms\": null"), std::string::npos);
  r.time->steps.push_back({});
  r.steps.push_back(r.steps[0]);
  r.time->missing_steps = 1;
  r.time->missing_macs = 1'000;
  r.time->missing = {{"gru_f32", 1}};
  EXPECT_TRUE(time_lines(r).starts_with("TIME   more than 11.6 M instructions")) << time_lines(r);
  EXPECT_NE(to_text(r).find("without 1 of 2 steps (25.0 % of the MACs), which are not modelled: gru_f32"),
            std::string::npos)
      << to_text(r);
  EXPECT_NE(to_json(r).find("\"instructions\": null, \"least\": 11612345, \"most\": null"), std::string::npos);
  r.time->why = "loops and branches are not modelled";
  EXPECT_TRUE(time_lines(r).starts_with("TIME   not estimated: loops and branches are not modelled")) << time_lines(r);
}

TEST(Formats, CyclesAreToldWithTheirTimeAndWhatTheyWaitFor) {
  Report r = sample();
  r.steps[0].instructions = 11'612'345;
  r.steps[0].cycles = 15'200'000;
  r.time = TimeFigures{.target = "cortex-m4",
                       .steps = {StepTime{11'612'345, 15'200'000, "the borders of the image 18 %"}},
                       .modelled = 11'612'345,
                       .modelled_cycles = 15'200'000};
  r.clock = 168'000'000;
  EXPECT_TRUE(
      time_lines(r).starts_with("TIME   11.6 M instructions, about 15.2 M cycles, 90.5 ms at 168 MHz "
                                "(estimated, cortex-m4)"))
      << time_lines(r);
  const std::string text = to_text(r), json = to_json(r);
  EXPECT_NE(text.find("; at worst 6 % off in 4 published measurements"), std::string::npos) << text;
  EXPECT_NE(text.find(": 100.0 %; the borders of the image 18 %"), std::string::npos) << text;
  EXPECT_NE(json.find("\"cycles\": 15200000"), std::string::npos);
  EXPECT_NE(json.find("\"ms\": 90.4761"), std::string::npos) << json;
  EXPECT_EQ(json.find("\"memories\""), std::string::npos);
  EXPECT_NE(to_csv(r).find(",11612345,15200000\n"), std::string::npos);
  EXPECT_NE(to_markdown(r).find("about 15 200 000 cycles"), std::string::npos) << to_markdown(r);
  r.time->memories.weights = {5, 16};
  EXPECT_NE(time_lines(r).find("cycles of waiting: 5 for 16 B of weights"), std::string::npos) << time_lines(r);
  EXPECT_NE(to_json(r).find("\"weights\": {\"wait\": 5, \"line\": 16}"), std::string::npos) << to_json(r);
}

TEST(Formats, ByExtension) {
  EXPECT_TRUE(render(sample(), ".csv"));
  EXPECT_TRUE(render(sample(), ".html"));
  EXPECT_FALSE(render(sample(), ".pdf"));
}

}  // namespace
}  // namespace tarn::report
