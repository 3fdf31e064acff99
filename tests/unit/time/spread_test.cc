// What it takes to spread constants out before a call.
#include <gtest/gtest.h>

#include "program/spread_forms.h"
#include "report/time_figures.h"
#include "time/predict.h"
#include "unit/compile/analysed.h"

namespace tarn {
namespace {

using program::Weight;
using Form = Weight::Spread::Form;

std::map<std::string, double> terms_of(const Weight::Spread& spread) {
  const auto terms =
      timing::terms_of("cortex-m4", program::spreading_kernel(spread), program::spread_parameters(spread));
  std::map<std::string, double> counts;
  for (const timing::Term& term : terms.value_or(timing::Terms{})) counts[term.name] = term.count;
  return counts;
}

TEST(SpreadTime, TermsCountWhatIsMade) {
  Weight::Spread spread{.lanes = 4, .m = 5, .own = std::vector<int32_t>(24)};
  EXPECT_EQ(terms_of(spread),
            (std::map<std::string, double>{{"spread_call", 1}, {"spread_numbers", 24}, {"spread_blocks", 6}}));
  spread.m = 0;  // half of the numbers are m
  EXPECT_EQ(terms_of(spread),
            (std::map<std::string, double>{{"spread_call", 1}, {"spread_pairs", 12}, {"spread_blocks_of_pairs", 3}}));
  // Numbers of 12 bits take two bytes, then one.
  const Weight::Spread shorts{.form = Form::shorts, .bits = 12, .own = std::vector<int32_t>(10)};
  EXPECT_EQ(terms_of(shorts),
            (std::map<std::string, double>{
                {"spread_call", 1}, {"spread_numbers", 10}, {"spread_bytes", 15}, {"spread_fetching", 10}}));
  const Weight::Spread narrow{.form = Form::narrow, .bits = 2, .bytes = 100};
  EXPECT_EQ(terms_of(narrow),
            (std::map<std::string, double>{{"spread_call", 1}, {"spread_words", 7}, {"spread_made", 28}}));
}

TEST(SpreadTime, EveryFormIsMeasuredOnEveryTarget) {
  std::set<std::string> targets;
  for (const timing::Model& model : timing::models()) targets.insert(model.target);
  for (const Form form : {Form::one, Form::factors, Form::exponentials, Form::codes, Form::shorts, Form::narrow}) {
    const Weight::Spread spread{
        .form = form, .lanes = 4, .m = 5, .bits = 2, .bytes = 1024, .own = std::vector<int32_t>(256)};
    for (const std::string& target : targets) {
      const timing::Prediction found =
          timing::predict(target, program::spreading_kernel(spread), program::spread_parameters(spread));
      ASSERT_TRUE(found.cost) << target << " " << program::spreading_kernel(spread);
      EXPECT_GT(found.cost->instructions, 200) << target;
      EXPECT_EQ(found.least, found.most) << target;  // no data decide
    }
  }
}

TEST(SpreadTime, AStepTakesItToo) {
  CompileOptions options;
  options.target = "cortex-m4";
  Analysis analysis = analyze_ok("net (float[1, 64] x) => (float[1, 64] y) { y = Tanh(x) }", options);
  const auto before = report::time_figures(analysis, "cortex-m4");
  const Weight::Spread spread{.lanes = 4, .m = 5, .own = std::vector<int32_t>(96)};
  program::Program& program = analysis.program;
  program.weights.emplace_back().spread = spread;
  program::Operation& operation = program.operations[analysis.schedule.steps[0].operation.pos()];
  operation.staging.emplace().parts.push_back({program::WeightId(program.weights.size() - 1), 0});
  // It is read as it lies.
  EXPECT_EQ(report::time_figures(analysis, "cortex-m4")->modelled, before->modelled);
  operation.staging->made = true;
  const auto after = report::time_figures(analysis, "cortex-m4");
  const timing::Prediction more = timing::predict("cortex-m4", "tarn_int_spread", program::spread_parameters(spread));
  EXPECT_NEAR(static_cast<double>(after->modelled - before->modelled), more.cost->instructions, 1);
}

}  // namespace
}  // namespace tarn
