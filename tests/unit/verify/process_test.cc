#include "verify/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tiny.h"

namespace tarn::verify {
namespace {

TEST(Process, GivesStatusAndOutput) {
  const Ended ended = run({.arguments = {"sh", "-c", "echo out; echo err >&2; exit 3"}});
  EXPECT_EQ(ended.how, Ended::How::exited);
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.out, "out\n");
  EXPECT_EQ(ended.err, "err\n");
}

TEST(Process, PassesArgumentsAsTheyAre) {
  const Ended ended = run({.arguments = {"printf", "%s|", "a b", "$HOME", "`x`", "*", ""}});
  EXPECT_EQ(ended.out, "a b|$HOME|`x`|*||");
}

TEST(Process, RunsInItsFolderWithoutInput) {
  const TestFolder folder;
  const Ended ended = run({.arguments = {"sh", "-c", "pwd; cat"}, .folder = folder.path()});
  EXPECT_EQ(ended.out, std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(Process, TellsSignals) {
  const Command command{.arguments = {"sh", "-c", "kill -SEGV $$"}};
  const Ended ended = run(command);
  EXPECT_EQ(ended.how, Ended::How::signalled);
  EXPECT_EQ(ended.code, 11);
  EXPECT_EQ(describe(ended, command), "signal 11 (Segmentation fault)");
}

TEST(Process, CannotStart) {
  Command command{.arguments = {"no-such-program-anywhere"}};
  EXPECT_EQ(run(command).how, Ended::How::not_started);
  EXPECT_EQ(describe(run(command), command), "cannot be started: No such file or directory");
  command = {.arguments = {"sh"}, .folder = "/no/such/folder"};
  EXPECT_EQ(run(command).how, Ended::How::not_started);
  EXPECT_EQ(run({}).how, Ended::How::not_started);
}

TEST(Process, StopsWhatBurnsTime) {
  const Command command{.arguments = {"sh", "-c", "while :; do :; done"}, .cpu_seconds = 1};
  const Ended ended = run(command);
  EXPECT_EQ(ended.how, Ended::How::out_of_time);
  EXPECT_EQ(describe(ended, command), "no end within 1 s of CPU time");
}

// A child that keeps the streams open does not keep the caller waiting: it is stopped with its parent.
TEST(Process, StopsChildrenToo) {
  const auto begin = std::chrono::steady_clock::now();
  const Ended ended = run({.arguments = {"sh", "-c", "sleep 1000 & echo done"}});
  EXPECT_EQ(ended.out, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(Process, LimitsMemory) {
  const Ended ended = run({.arguments = {"python3", "-c", "x = bytearray(1 << 30)"}, .memory_bytes = 256 << 20});
  if (ended.how == Ended::How::not_started) GTEST_SKIP() << "no python3";
  EXPECT_FALSE(ended.ok());
}

TEST(Process, KeepsABoundedPartOfTheOutput) {
  const Ended ended = run({.arguments = {"sh", "-c", "head -c 1000000 /dev/zero"}, .output_bytes = 1000});
  EXPECT_TRUE(ended.ok());
  EXPECT_EQ(ended.out.size(), 1000u);
}

TEST(Process, RunsManyInOrder) {
  std::vector<Command> commands;
  for (int i = 0; i < 20; ++i) commands.push_back({.arguments = {"sh", "-c", cat("echo ", i)}});
  const std::vector<Ended> ended = run_all(commands);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ended[static_cast<size_t>(i)].out, cat(i, "\n"));
}

TEST(Scratch, GoesWithItsObject) {
  std::string path;
  {
    Result<Scratch> made = Scratch::make();
    ASSERT_TRUE(made.ok());
    path = made->path();
    const Scratch moved = std::move(*made);
    EXPECT_TRUE(write_file(moved / "file", "content"));
    EXPECT_EQ(read_file(moved / "file"), "content");
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Files, MissingOnesAndFoldersAreNone) {
  EXPECT_FALSE(read_file("/no/such/file"));
  EXPECT_FALSE(read_file("/tmp"));
  EXPECT_TRUE(find_program("no-such-program-anywhere").empty());
  EXPECT_FALSE(find_program("sh").empty());
}

}  // namespace
}  // namespace tarn::verify
