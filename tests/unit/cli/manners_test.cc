// What the command line says to people: help, what a misspelt word was meant to be, colours, completion.
#include <gtest/gtest.h>

#include <chrono>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/progress_line.h"
#include "cli/terminal.h"
#include "support/nearest.h"
#include "support/progress.h"
#include "unit/cli/executable.h"

namespace tarn::cli {
namespace {

const std::string kDigits = TARN_SOURCE_DIR "/examples/digits/digits.onnx";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Nearest, FewestChanges) {
  const std::vector<std::string> known = {"analyze", "generate", "verify", "ops"};
  EXPECT_EQ(nearest("analyse", known), "analyze");
  EXPECT_EQ(nearest("genrate", known), "generate");
  EXPECT_EQ(nearest("VERFIY", known), "verify");
  EXPECT_EQ(nearest("ops", known), "ops");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("q", known), "");
  EXPECT_EQ(nearest("quantise", known), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), known), "");
  EXPECT_EQ(did_you_mean("rma", {"ram"}, "--"), "; did you mean '--ram'?");
}

TEST(Manners, HelpAndVersion) {
  const verify::Ended version = run_tarn("-V", ".");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, run_tarn("--version", ".").out);
  const verify::Ended help = run_tarn("help", ".");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, run_tarn("--help", ".").out);
  for (const std::string& command : command_names()) {
    EXPECT_TRUE(holds(help.out, "tarn " + command)) << command;
    if (command == "help") continue;
    const verify::Ended of = run_tarn("help " + command, ".");
    EXPECT_EQ(of.code, 0) << command;
    EXPECT_TRUE(holds(of.out, "tarn " + command)) << of.out;
    EXPECT_EQ(of.out, run_tarn(command + " --help", ".").out);
  }
}

TEST(Manners, MostUsedOptionsComeFirst) {
  for (Command command : {Command::analyze, Command::generate, Command::verify}) {
    const std::string help = help_text(command);
    const size_t used = help.find("Most used options:"), next = help.find("Model options:");
    ASSERT_TRUE(used < next && next < help.find("Planning options:")) << help;
    const std::string first = help.substr(used, next - used);
    size_t count = 0;
    for (const std::string& line : split(first, '\n')) count += holds(line, " --") ? 1 : 0;
    EXPECT_EQ(count, 10u) << first;
    for (const char* option : {"--ram", "--flash", "--dim", "--target", "--report"}) EXPECT_TRUE(holds(first, option));
    // Every option is in a group that is shown.
    for (const std::string& name : option_names(declare(command))) EXPECT_TRUE(holds(help, "--" + name)) << name;
  }
}

TEST(Manners, DidYouMean) {
  const std::vector<std::pair<std::string, std::string>> typos = {
      {"analyse m.onnx", "did you mean 'analyze'?"},
      {"analyze m.onnx --rma 64K", "did you mean '--ram'?"},
      {"analyze m.onnx --flsh=64K", "did you mean '--flash'?"},
      {"analyze m.onnx --stream fedd", "did you mean 'fed'?"},
      {"analyze m.onnx --strategy hill-climb", "did you mean 'hill_climb'?"},
      {"analyze m.onnx --target cortex-n4", "did you mean 'cortex-m4'?"},
      {"explain E2033", "did you mean 'E203'?"},
  };
  for (const auto& [line, meant] : typos) {
    const verify::Ended ended = run_tarn(line, ".");
    EXPECT_EQ(ended.code, 2) << line;
    EXPECT_TRUE(holds(ended.err, meant)) << line << "\n" << ended.err;
  }
  const verify::Ended file = run_tarn("analyze digit.onnx", TARN_SOURCE_DIR "/examples/digits");
  EXPECT_EQ(file.code, 3);
  EXPECT_TRUE(holds(file.err, "did you mean 'digits.onnx'?")) << file.err;
}

TEST(Manners, CodesInAnyCase) {
  EXPECT_EQ(run_tarn("explain e203", ".").out, run_tarn("explain E203", ".").out);
  EXPECT_EQ(run_tarn("explain e203", ".").code, 0);
}

TEST(Manners, VerdictsAreColoured) {
  EXPECT_EQ(with_coloured_verdicts("total 9 B of 8 B  DOES NOT FIT, 1 B\nFIX    by lines: 4 B, fits\n"),
            "total 9 B of 8 B  \033[1;31mDOES NOT FIT\033[0m, 1 B\n\033[1;36mFIX\033[0m    by lines: 4 B, fits\n");
  EXPECT_EQ(with_coloured_verdicts("  total 8 B  FITS\n"), "  total 8 B  \033[1;32mFITS\033[0m\n");
}

TEST(Manners, ColourOnlyWhereAsked) {
  const Diagnostic error = {"E203", {.file = "m.onnx", .op = "error E2"}, "unknown", "tarn ops"};
  EXPECT_EQ(coloured(error, false), to_text(error));
  const std::string text = coloured(error, true);
  EXPECT_TRUE(holds(text, "\033[1;31merror E203:\033[0m unknown")) << text;
  EXPECT_TRUE(holds(text, "\n  \033[36mhint:\033[0m tarn ops")) << text;
  EXPECT_TRUE(holds(coloured({"W301", {}, "lines", ""}, true), "\033[1;33mwarning W301:\033[0m lines"));
  // Not through a pipe.
  EXPECT_FALSE(holds(run_tarn("analyze none.onnx", ".").err, "\033"));
}

TEST(Manners, ProgressWithoutATerminalIsSeldomLines) {
  testing::internal::CaptureStderr();
  {
    const ProgressLine line(true, std::chrono::milliseconds(0));
    note_progress("packing, placements", 7);
    note_progress("reading the model", 0);
  }
  {
    const ProgressLine line(true);  // ten seconds
    note_progress("packing, placements", 8);
  }
  {
    const ProgressLine line(false, std::chrono::milliseconds(0));  // stderr is for programs
    note_progress("packing, placements", 9);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tarn: packing, placements, 7, after 0 s\ntarn: reading the model, after 0 s\n");
}

TEST(Manners, CompletionKnowsEveryOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const verify::Ended ended = run_tarn(cat("completion ", shell), ".");
    ASSERT_EQ(ended.code, 0) << shell;
    for (const char* word : {"analyze", "E203", "ram", "reference"}) EXPECT_TRUE(holds(ended.out, word)) << shell;
  }
  EXPECT_EQ(run_tarn("completion tcsh", ".").code, 2);
  const std::string script =
      "source <(\"$0\" completion bash); COMP_WORDS=(tarn verify --ref); COMP_CWORD=2; _tarn; echo "
      "\"${COMPREPLY[*]}\"; "
      "COMP_WORDS=(tarn compl); COMP_CWORD=1; _tarn; echo \"${COMPREPLY[*]}\"";
  const verify::Ended bash = verify::run({.arguments = {"bash", "-c", script, TARN_EXECUTABLE}, .folder = "."});
  EXPECT_EQ(bash.out, "--reference\ncompletion\n") << bash.err;
}

TEST(Manners, ABudgetThatIsExceededLeavesTheReportOfThisPlan) {
  const fs::path folder = fs::path(testing::TempDir()) / "tarn_over_budget";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string command = "generate " + kDigits + " -o out --cc none --report page.md";
  ASSERT_EQ(run_tarn(command, folder.string()).code, 0);
  const auto before = files_in(folder / "out");
  const std::string page = content_of(folder / "page.md");
  EXPECT_EQ(run_tarn(command + " --ram 100 --stream off", folder.string()).code, 5);
  EXPECT_TRUE(files_in(folder / "out") == before);
  EXPECT_NE(content_of(folder / "page.md"), page);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tarn::cli
