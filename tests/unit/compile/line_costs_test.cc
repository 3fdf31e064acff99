// What joined layers are said to cost is what the plan that joins them is told to take beyond that which does not.
#include "line_costs.h"

#include "plan_lines.h"
#include "plan_steps.h"
#include "stream/make_plan.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

// Many lines, so that those at the borders count little.
std::string blocks() {
  return "g (float[1, 4, 60, 20] image) => (float[1, 3, 30, 10] y) <" + ones("u", "12, 4, 1, 1", 48) + ", " +
         ones("v", "12, 1, 3, 3", 108) + ", " + ones("w", "4, 12, 1, 1", 48) + ", " + ones("p", "8, 4, 3, 3", 288) +
         ", " + ones("q", "3, 8, 1, 1", 24) + R"(> {
    a = Conv(image, u)  b = Conv <group = 12, pads = [1, 1, 1, 1]>(a, v)  c = Conv(b, w)
    d = Conv <pads = [1, 1, 1, 1], strides = [2, 2]>(c, p)  e = Relu(d)  y = Conv(e, q) })";
}

struct NetworkByLines {
  Analysis analysis;
  stream::Layers layers;

  explicit NetworkByLines(const std::string& target) {
    CompileOptions options;
    options.target = target;
    options.stream.mode = stream::Mode::resident;
    options.stream.line_buffers = false;
    options.nhwc_inputs = options.nhwc_outputs = true;
    analysis = analyze_ok(blocks(), options);
    analysis.stream.reset();
    layers = {analysis.storage, line_order(analysis)};
  }

  int64_t time_with(const std::vector<stream::Chain>& chains) {
    const stream::Options& options = analysis.options.stream;
    const stream::SearchLimits limits{4, 0};
    stream::JoinedLayers choice;
    choice.chains = chains;
    choice.storage = layers.storage;
    choice.order = layers.order;
    choice.net = stream::make_net(analysis.program, layers.storage, layers.order, options, chains);
    stream::Work work;
    choice.best = stream::search_cuts(choice.net, options.lines, limits, INT64_MAX, work);
    analysis.stream = stream::plan_of(choice, options, limits);
    const std::optional<int64_t> time = time_as_planned(analysis);
    analysis.stream.reset();
    EXPECT_TRUE(time);
    return time.value_or(0);
  }
};

TEST(LineCosts, AreWhatPlansAreToldToTake) {
  int compared = 0;
  for (const char* target : {"cortex-m0", "cortex-m4", "cortex-m55", "rv32imac"}) {
    NetworkByLines planned(target);
    const std::optional<stream::Costs> costs = line_costs(planned.analysis, planned.layers, 1000);
    ASSERT_TRUE(costs) << target;
    const auto apart = static_cast<double>(planned.time_with({}));
    EXPECT_EQ(costs->times.by_layers, 1000);
    EXPECT_NEAR(static_cast<double>(costs->times.by_lines), apart, apart * 0.04) << target;
    for (stream::Chain chain : chains_of(planned.analysis)) {
      for (chain.chunk = 1; chain.chunk <= 10; chain.chunk += 3) {
        const double told = static_cast<double>(planned.time_with({chain})) - apart;
        const int64_t cost = costs->of_chain(chain);
        EXPECT_NEAR(static_cast<double>(cost), told, std::max(told * 0.1, apart * 0.01))
            << target << ", chunks of " << chain.chunk;
        EXPECT_EQ(costs->of_chain(chain), cost) << "asked again";
        ++compared;
      }
    }
    EXPECT_FALSE(planned.analysis.stream) << "the plan that is asked about stays";
  }
  EXPECT_GE(compared, 32);
}

TEST(LineCosts, AreNoneWithoutModels) {
  NetworkByLines planned("generic");
  EXPECT_FALSE(line_costs(planned.analysis, planned.layers, 1000));
  NetworkByLines other("cortex-m4");
  EXPECT_FALSE(line_costs(other.analysis, other.layers, 0)) << "a run by layers is not modelled";
}

}  // namespace
}  // namespace tarn
