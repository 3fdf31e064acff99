// Plans by lines of random networks at several heights, and why there is none, to the last address.
#include <regex>

#include "unit/compile/digest_analysis.h"
#include "unit/compile/random_text.h"

namespace tarn {
namespace {

// The lines of the first input are N, the outputs' follow.
std::string of_any_height(const std::string& text, int64_t& height) {
  static const std::regex shape("float\\[1, ([0-9]+), ([0-9]+), ([0-9]+)\\] ([a-z0-9]+)");
  const size_t outputs = text.find("=>"), end = text.find('<', outputs);
  std::string given = text.substr(0, outputs), made;
  std::smatch first;
  EXPECT_TRUE(std::regex_search(given, first, shape));
  height = std::stoll(first[2]);
  given = std::regex_replace(given, shape, "float[1, $1, N, $3] $4", std::regex_constants::format_first_only);
  made = std::regex_replace(text.substr(outputs, end - outputs), shape, "float[1, $1, L$4, P$4] $4");
  return given + made + text.substr(end);
}

TEST(PinnedLineSizes, OfRandomNetworks) {
  test::Digest digest;
  int planned = 0, refused = 0;
  for (uint64_t seed = 301; seed < 331; ++seed) {
    planner::Random random(seed);
    int64_t height = 0;
    const std::string text = of_any_height(RandomText(seed).image(), height);
    CompileOptions options;
    options.effort = 0;
    options.stream.mode = random.below(2) == 0 ? stream::Mode::resident : stream::Mode::fed;
    options.stream.drain = random.below(2) == 0;
    options.stream.line_buffers = random.below(3) > 0;
    options.nhwc_inputs = options.nhwc_outputs = true;
    options.run_time = {{"N", height - random.below(3), height + random.below(3)}};
    const Result<Analysis> analysis = try_analyze(text, options);
    if (!analysis) {
      for (const Diagnostic& fault : analysis.faults()) digest.add(fault.code).add(fault.message);
      ++refused;
      continue;
    }
    add(digest, *analysis);
    for (const Analysis& size : analysis->sizes) {
      planned += size.stream.has_value();
      if (size.stream) stream::add(digest, *size.stream);
    }
  }
  EXPECT_GT(planned, 15);
  EXPECT_GT(refused, 3);
  EXPECT_EQ(digest.value(), 14517735925430421796u);
}

}  // namespace
}  // namespace tarn
