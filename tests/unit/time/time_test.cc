// The data of the time model fit the kernels that they were measured on, and what is not known is not predicted.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "bench/time/kernel_code.h"
#include "report/time_figures.h"
#include "sampling.h"
#include "time/lines.h"
#include "time/predict.h"

namespace tarn::timing {
namespace {

TEST(Time, DataFitTheKernels) {
  ASSERT_FALSE(models().empty());
  // Some kernels of one core, of all families, as their names stand in order. With TARN_CI=1 all kernels, and some of
  // them once more on cores that have the instructions of another; in full all of every core.
  constexpr size_t kEach = 4;
  const std::set<std::string> relatives = {"cortex-m3", "cortex-m7", "cortex-m33", "rv32imafc"};
  const bool larger = sampling::larger(), all = sampling::full();
  std::map<std::string, std::optional<KernelCode>> code;
  size_t compared = 0, met = 0;
  for (const Model& model : models()) {
    if (!larger && model.target != "cortex-m4") continue;
    const bool some = !larger || (!all && relatives.contains(model.target));
    if (some && met++ % kEach != 0) continue;
    auto [at, is_new] = code.try_emplace(model.target);
    if (is_new) at->second = KernelCode::make(model.target);
    // Another compiler makes other code: nothing to compare.
    if (!at->second || at->second->compiler() != model.compiler) continue;
    ++compared;
    EXPECT_EQ(model.code, at->second->hash(model.kernel))
        << model.kernel << " has changed since it was measured: run tests/bench/time/fit.py --target " << model.target
        << " --write";
  }
  std::cout << compared << " of " << models().size() << " kernels compiled" << (all ? "" : "; with TARN_FULL=1 all are")
            << "\n";
  if (compared == 0) GTEST_SKIP() << "no compiler like those that the data were measured with";
}

TEST(Time, KernelsAreModelledOncePerTarget) {
  std::map<std::pair<std::string, std::string>, int> count;
  for (const Model& model : models()) ++count[{model.target, model.kernel}];
  for (const auto& [key, n] : count) EXPECT_EQ(n, 1) << key.first << " " << key.second;
}

// What networks by lines take beside kernels is counted in the same terms on all cores, but where these divide step by
// step: calls with a term that has no coefficient have no total.
TEST(Time, DriversHaveTheSameTermsOnAllCores) {
  std::map<std::string, std::set<std::string>> terms;
  for (const Model& model : models()) {
    if (model.kernel != "lines") continue;
    for (const auto& [term, cost] : model.coefficients) {
      if (!term.starts_with("quotient_")) terms[model.target].insert(term);
    }
  }
  ASSERT_GT(terms.size(), 1u);
  for (const auto& [target, own] : terms) EXPECT_EQ(own, terms.begin()->second) << target;
  EXPECT_TRUE(terms.begin()->second.contains("pushed_32_bits"));
}

TEST(Time, HashesTellWhatCompiles) {
  std::optional<KernelCode> code = KernelCode::make("cortex-m4");
  if (!code) GTEST_SKIP() << "no compiler";
  EXPECT_FALSE(KernelCode::make("no-core"));
  EXPECT_EQ(code->hash("tarn_add_f32").size(), 16u);
  EXPECT_NE(code->hash("tarn_add_f32"), code->hash("tarn_mul_f32"));
}

// The kernels of the vector extension have terms of their own: whole vectors of channels.
TEST(Time, TermsFollowTheCore) {
  const Parameters sum{{"outer", 2},
                       {"inner", 10},
                       {"a_step", 1},
                       {"b_step", 1},
                       {"requant.mask", -1},
                       {"requant.tie", 0},
                       {"requant.half_zone", 0},
                       {"null.3", 1}};
  const auto count = [&](const char* target, const std::string& term) {
    const Terms terms = terms_of(target, "tarn_int_add_s8", sum).value();
    for (const Term& t : terms) {
      if (t.name == term) return t.count;
    }
    return -1.0;
  };
  EXPECT_EQ(count("cortex-m55", "fours"), 4);
  EXPECT_EQ(count("cortex-m55", "singles"), 4);
  EXPECT_EQ(count("cortex-m4", "fours"), -1);
  EXPECT_EQ(count("cortex-m4", "elements"), 20);
}

TEST(Time, RunsAreTheSumOfTheirTerms) {
  const Model* model = find_model("cortex-m4", "tarn_add_f32");
  ASSERT_NE(model, nullptr);
  const auto of = [&](const char* term) { return model->coefficients.at(term).instructions; };
  const Prediction found = predict("cortex-m4", "tarn_add_f32", {{"outer", 3}, {"inner", 100}});
  ASSERT_TRUE(found.cost);
  EXPECT_NEAR(found.cost->instructions, of("call") + 3 * of("runs") + 300 * of("elements"), 0.5);
  EXPECT_GT(of("elements"), 4);  // two loads, a sum, a store, a step of the loop
  EXPECT_LT(of("elements"), 12);
}

// In software a product with a zero is short: half of those behind a Relu are, and how many there are data decide.
TEST(Time, SoftwareFloatsCountZeros) {
  Parameters layer{{"pixels", 1},    {"inputs", 100}, {"outputs", 40}, {"block_first", 0},
                   {"block_end", 0}, {"bounded", 0},  {"r_pitch", 0}};
  for (const char* target : {"cortex-m0", "cortex-m3", "rv32imac"}) {
    layer["zeros.0"] = layer["most_zeros.0"] = 0;
    const Prediction dense = predict(target, "tarn_dense_f32", layer);
    layer["zeros.0"] = 50;
    layer["most_zeros.0"] = 90;
    const Prediction half = predict(target, "tarn_dense_f32", layer);
    ASSERT_TRUE(dense.cost && half.cost) << target;
    EXPECT_LT(half.cost->instructions, 0.9 * dense.cost->instructions) << target;
    EXPECT_GT(half.cost->instructions, 0.4 * dense.cost->instructions) << target;
    EXPECT_NEAR(half.most, dense.most, 0.01 * dense.most) << target;  // none of them is
    // Nine tenths zeros, as far as calls held out were off: in software a zero takes up to three fifths of another
    // product.
    layer["zeros.0"] = 90;
    const Prediction thin = predict(target, "tarn_dense_f32", layer);
    const double off = find_model(target, "tarn_dense_f32")->worst_error / 100;
    ASSERT_TRUE(thin.cost) << target;
    EXPECT_NEAR(half.least, thin.cost->instructions * (1 - off), 1) << target;
    EXPECT_LT(half.least, 0.82 * half.cost->instructions) << target;
  }
  const Prediction hardware = predict("cortex-m4", "tarn_dense_f32", layer);
  ASSERT_TRUE(hardware.cost);
  EXPECT_EQ(hardware.least, hardware.cost->instructions);
}

// The driver of networks by lines, and functions that take a line.
bool is_by_lines(const std::string& model) {
  const auto has = [&](const char* word) { return model.find(word) != std::string::npos; };
  return model == kLineDriver || model == "tarn_rows" || has("_line") || file_of(model) != model;
}

// The figures of a target are its own, and keep to the goals on calls that they were not fitted on (time_model.md).
TEST(Time, KernelsOfACortexM4AreModelledOnACortexM33) {
  size_t found = 0;
  for (const Model& model : models()) {
    const bool wide = software_floats(model.target, model.kernel) || data_decide(model.kernel);
    const double median = wide ? 40 : 3, worst = wide ? 60 : 8;
    EXPECT_LE(model.median_error, median) << model.target << " " << model.kernel;
    EXPECT_LE(model.cycles_median_error, median) << model.target << " " << model.kernel;
    if (is_by_lines(model.kernel)) continue;  // of steps by themselves, many of them small; networks are sums of them
    EXPECT_LE(model.worst_error, worst) << model.target << " " << model.kernel;
    EXPECT_LE(model.cycles_worst_error, worst) << model.target << " " << model.kernel;
    if (model.target != "cortex-m4") continue;
    const Model* other = find_model("cortex-m33", model.kernel);
    ASSERT_NE(other, nullptr) << model.kernel;
    ++found;
  }
  EXPECT_GT(found, 30u);
}

// A memory without a buffer makes every access wait, one with long lines each line of what is read in order.
TEST(Time, CyclesWaitForMemories) {
  const Cost cost{1000, 1400, 50, 3000, 200, 800};
  EXPECT_EQ(cycles_of(cost, {}), 1400);
  EXPECT_EQ(cycles_of(cost, {{2, 4}, {}}), 1400 + 2 * (3000 / 4.0 + 50));
  EXPECT_EQ(cycles_of(cost, {{2, 16}, {}}), 1400 + 2 * (3000 / 16.0 + 50));
  EXPECT_EQ(cycles_of(cost, {{}, {5, 4}}), 1400 + 5 * 200);
  EXPECT_EQ(cycles_of(cost, {{}, {5, 32}}), 1400 + 5 * 25);
  EXPECT_FALSE(cycles_of(Cost{1000}, {}));  // a core whose timing is not known
  EXPECT_EQ(cycles_of(Cost{}, {}), 0);
}

TEST(Time, WhatIsNotKnownIsNotPredicted) {
  EXPECT_EQ(predict("cortex-m4", "tarn_no_kernel", {}).missing, "kernel");
  EXPECT_EQ(predict("no-core", "tarn_add_f32", {{"outer", 3}, {"inner", 9}}).missing, "kernel");
  // A parameter that the terms need is not there.
  EXPECT_FALSE(predict("cortex-m4", "tarn_add_f32", {{"outer", 3}}).cost);
}

// A term without a coefficient is no zero: only a term that does not occur is.
TEST(Time, TermsWithoutACoefficientAreNamed) {
  Parameters call{{"matrices", 1}, {"rows", 3000}, {"columns", 3001}, {"same.0", 0}, {"word.0", 1}};
  ASSERT_TRUE(predict("cortex-m4", "tarn_transpose_b4", call).cost);
  call["same.0"] = 1;  // more than terms are counted of
  const Prediction in_place = predict("cortex-m4", "tarn_transpose_b4", call);
  EXPECT_FALSE(in_place.cost);
  EXPECT_FALSE(in_place.missing.empty());
}

TEST(Time, TermsOfWindowsCountWhatLiesInTheImage) {
  // 3 x 3 over 4 x 5, padded by one: 4 rows of windows lose a row each at the two ends.
  Parameters call{{"images", 1},        {"out_pixels", 5}, {"line.in_pixels", 5}, {"line.taps", 3},  {"line.stride", 1},
                  {"line.dilation", 1}, {"line.pad", 1},   {"line.channels", 7},  {"line.option", 1}};
  for (const auto& [name, plane, line] : std::vector<std::tuple<std::string, int64_t, int64_t>>{
           {"in", 1, 4}, {"out", 1, 4}, {"kernel", 1, 3}, {"stride", 1, 1}, {"dilation", 1, 1}, {"pad", 0, 1}}) {
    call[name + ".0"] = plane;
    call[name + ".1"] = line;
  }
  const auto terms = terms_of("cortex-m4", "tarn_averagepool_f32", call);
  ASSERT_TRUE(terms);
  std::map<std::string, double> count;
  for (const Term& term : *terms) count[term.name] = term.count;
  EXPECT_EQ(count["lines"], 4);
  EXPECT_EQ(count["elements"], 4 * 5 * 7);
  EXPECT_EQ(count["rows"], (2 + 3 + 3 + 2) * 5 * 7);
  EXPECT_EQ(count["missing_rows"], 2 * 5 * 7);
  EXPECT_EQ(count["taps"], 10 * 13 * 7);
  EXPECT_EQ(count["clipped"], 4 * 2);
}

TEST(Time, PredictionsFarOffAreToldWithACode) {
  EXPECT_FALSE(report::check_prediction("cortex-m4", {104, 104, 104}, 100));
  EXPECT_FALSE(report::check_prediction("cortex-m4", {96, 96, 96}, 100));
  EXPECT_FALSE(report::check_prediction("cortex-m0", {115, 95, 140}, 100));  // as data decide
  for (const int64_t predicted : {int64_t{106}, int64_t{94}}) {
    const auto off = report::check_prediction("cortex-m4", {predicted, predicted, predicted}, 100);
    ASSERT_TRUE(off);
    EXPECT_EQ(off->code, "W406");
    EXPECT_NE(off->message.find("6.0 %"), std::string::npos) << off->message;
  }
}

TEST(Time, InstructionsInShort) {
  EXPECT_EQ(report::in_short(0), "0");
  EXPECT_EQ(report::in_short(999), "999");
  EXPECT_EQ(report::in_short(1'000), "1.0 k");
  EXPECT_EQ(report::in_short(999'949), "999.9 k");
  EXPECT_EQ(report::in_short(999'950), "1.0 M");
  EXPECT_EQ(report::in_short(11'612'345), "11.6 M");
  EXPECT_EQ(report::in_short(1'000'000'000), "1.0 G");
}

}  // namespace
}  // namespace tarn::timing
