// tarn diff: what changed between two reports.
#include <iostream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "emit/compare_images.h"
#include "report/diff.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

cxxopts::Options declare_diff() {
  cxxopts::Options options(
      "tarn diff",
      "What changed between two JSON reports: bytes, per tensor, per step; or between two images of weights.");
  options.positional_help("OLD NEW").show_positional_help();
  options.add_options()("files", "the two reports or images; also the words behind the command",
                        cxxopts::value<std::vector<std::string>>(), "FILE")(
      "fail-if",
      "exit with 5 if this holds: FIGURE>+N (grew by more than N), FIGURE>+N%, FIGURE>N; repeatable. Figures: " +
          join(report::condition_figures()),
      cxxopts::value<std::vector<std::string>>(), "CONDITION")("h,help", "this text");
  options.parse_positional({"files"});
  return options;
}

}  // namespace

std::string diff_help() { return declare_diff().help(); }

int run_diff(int argc, char** argv) {
  cxxopts::Options options = declare_diff();
  std::vector<report::Condition> conditions;
  std::vector<std::string> files;
  try {
    const cxxopts::ParseResult parsed = parse(options, argc, argv);
    if (parsed.count("help") > 0) {
      std::cout << options.help();
      return 0;
    }
    if (parsed.count("files") > 0) files = parsed["files"].as<std::vector<std::string>>();
    if (files.size() != 2) throw std::runtime_error("give two files: OLD.json NEW.json, or two images");
    if (parsed.count("fail-if") > 0) {
      for (const std::string& text : parsed["fail-if"].as<std::vector<std::string>>()) {
        const std::optional<report::Condition> condition = report::parse_condition(text);
        if (!condition)
          throw std::runtime_error("--fail-if does not understand '" + text + "'; write for example arena>+0");
        conditions.push_back(*condition);
      }
    }
  } catch (const std::exception& error) {
    std::cerr << "tarn: " << error.what() << "\n";
    return 2;
  }
  if (emit::is_image(files[0]) && emit::is_image(files[1])) {
    const Result<std::string> told = emit::compare_images(files[0], files[1]);
    if (!told) {
      print(told.faults(), false);
      return exit_code(told.faults());
    }
    std::cout << *told;
    return 0;
  }
  const Result<report::Diff> diff = report::compare_reports(files[0], files[1], conditions);
  if (!diff) {
    print(diff.faults(), false);
    return exit_code(diff.faults());
  }
  std::cout << diff->text;
  Diagnostics failed;
  for (const std::string& text : diff->failed) {
    Where where;
    where.file = files[1];
    failed.push_back({"E308", where, "the condition " + text + " holds", ""});
  }
  print(failed, false);
  return exit_code(failed);
}

}  // namespace tarn::cli
