// Networks run by layers and by lines, in every way that lines are addressed and handed over.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "property/stream/line_plan.h"
#include "sampling.h"
#include "stream/check/check_plan.h"
#include "unit/compile/analysed.h"
#include "unit/emit/trivial_stream.h"
#include "unit/emit/written.h"

namespace tarn {

struct Way {
  stream::Mode mode = stream::Mode::resident;
  bool drain = false, single_file = false;
};

// Runs the model by layers and in some ways by lines on the host; the number of actors that are whole
// layers in the plans that the planner makes.
inline size_t compare(const std::string& text, const std::vector<Way>& ways) {
  const Result<verify::Scratch> scratch = verify::Scratch::make();
  EXPECT_TRUE(scratch);
  CompileOptions options = by_layers();
  const Analysis analysis = analyze_ok(text, options);
  const verify::Sample sample = noise(analysis);
  const auto layers =
      verify::run_on(write(analysis, false, *scratch / "layers"), verify::Target::host, {sample}, quickly());
  EXPECT_TRUE(layers) << layers.faults()[0].message;
  if (!layers) return 0;
  size_t whole = 0;
  // By default every second way, which of them the network's text decides.
  const size_t each = sampling::larger() ? 1 : 2, first = text.size() / 2 % std::min(each, ways.size());
  if (each > 1 && ways.size() > 1) std::cout << "every second of " << ways.size() << " ways; all with TARN_CI=1\n";
  for (size_t w = first; w < ways.size(); w += each) {
    const Way& way = ways[w];
    Analysis streamed = analysis;
    streamed.stream = TrivialStream(analysis, way.mode, way.drain).plan();
    const std::string folder = cat("lines", w);
    const auto lines =
        verify::run_on(write(streamed, way.single_file, *scratch / folder), verify::Target::host, {sample}, quickly());
    EXPECT_TRUE(lines) << lines.faults()[0].message;
    if (!lines) return 0;
    EXPECT_EQ(layers->results, lines->results);
    // The plans that the planner makes, with lines in rings and at any address; by default one network has one of them.
    for (const stream::Lines how : {stream::Lines::ring, stream::Lines::table}) {
      const bool turn = (text.size() % 2 == 0) == (how == stream::Lines::ring);
      if (!turn && !sampling::larger()) {
        std::cout << to_string(how) << ": with TARN_CI=1\n";
        continue;
      }
      std::vector<program::OperationId> order;
      for (const schedule::Step& step : analysis.schedule.steps) order.push_back(step.operation);
      stream::Options asked;
      asked.mode = way.mode;
      asked.drain = way.drain;
      asked.lines = how;
      streamed.stream = stream::make_plan(
          analysis.program, stream::layers_of(analysis.program, analysis.storage, order, {}), asked, {16, 1});
      for (const stream::Actor& actor : streamed.stream->actors) whole += actor.whole;
      EXPECT_EQ(stream::check_plan(analysis.program, *streamed.stream), std::vector<std::string>{});
      const std::string planned = folder + to_string(how);
      const auto found = verify::run_on(write(streamed, way.single_file, *scratch / planned), verify::Target::host,
                                        {sample}, quickly());
      EXPECT_TRUE(found) << found.faults()[0].message;
      if (!found) return 0;
      EXPECT_EQ(layers->results, found->results) << planned;
    }
  }
  return whole;
}

}  // namespace tarn
