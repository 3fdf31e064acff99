// Small networks of the shared ones have a total of time on every target, but for those named here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/time_figures.h"
#include "sampling.h"
#include "support/text.h"
#include "unit/model/onnx_text.h"

namespace tarn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTargets[] = {"cortex-m0",  "cortex-m3",  "cortex-m4", "cortex-m7",
                                    "cortex-m33", "cortex-m55", "rv32imac",  "rv32imafc"};

// What has no total, and why.
const std::map<std::string, std::string> kWithout = {
    {"polygraphy_loop", "a loop as often as the largest number says"},
};

std::vector<fs::path> networks(uint64_t most_bytes) {
  const char* given = std::getenv("TARN_SHARED_DIR");
  const fs::path shared = given ? fs::path(given) : fs::path(TARN_SOURCE_DIR) / "../shared";
  std::vector<fs::path> found;
  for (const char* kind : {"exported", "models"}) {
    std::error_code none;
    for (const auto& folder : fs::directory_iterator(shared / kind, none)) {
      const fs::path file = folder.path() / "model.onnx";
      if (fs::exists(file) && fs::file_size(file) < most_bytes) found.push_back(file);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Kernels are changed, and terms added to those that are measured, on one core at a time: a network that had a total
// may lose it.
TEST(WholeTime, SmallNetworksHaveATotal) {
  const std::vector<fs::path> files = networks(sampling::full() ? 1'500'000 : sampling::larger() ? 100'000 : 20'000);
  if (files.empty()) GTEST_SKIP() << "no shared networks";
  std::set<std::string> needed;
  size_t analysed = 0;
  for (const fs::path& file : files) {
    const std::string name = file.parent_path().filename();
    for (const char* target : kTargets) {
      CompileOptions options;
      options.model_path = file;
      options.target = target;
      options.effort = 0;
      options.stream.mode = stream::Mode::off;
      const Result<Analysis> analysis = analyze(options);
      if (!analysis) continue;
      ++analysed;
      const auto figures = report::time_figures(*analysis, target);
      ASSERT_TRUE(figures) << target;
      if (figures->complete()) continue;
      if (kWithout.contains(name)) {
        needed.insert(name);
        continue;
      }
      std::string lacking = figures->why;
      for (const auto& [kernel, steps] : figures->missing) lacking += cat(" ", kernel);
      ADD_FAILURE() << name << " has no total on " << target << ":" << lacking
                    << ": see generator/doc/time_model.md, tests/bench/time/fit.py";
    }
  }
  std::cout << analysed << " analyses of " << files.size() << " networks\n";
  for (const auto& [name, why] : kWithout) {
    const bool there = std::any_of(files.begin(), files.end(),
                                   [&](const fs::path& file) { return file.parent_path().filename() == name; });
    EXPECT_TRUE(!there || needed.contains(name)) << name << " has a total on every target now: " << why;
  }
}

}  // namespace
}  // namespace tarn
