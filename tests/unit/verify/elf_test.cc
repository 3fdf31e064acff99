#include "verify/elf.h"

#include <gtest/gtest.h>

#include "tiny.h"
#include "verify/process.h"

namespace tarn::verify {
namespace {

// An object of the host's compiler, and one of 32 bits where that compiler is installed.
std::string object_of(const std::string& compiler) {
  const TestFolder folder;
  folder.write("a.c",
               "int table[5] = {1, 2};\nint room[7];\nstatic const char text[] = \"abc\";\nint f(int i) { return "
               "text[i] + table[i] + room[i]; }\n");
  const Ended ended = run({.arguments = {compiler, "-fno-pie", "-c", "a.c", "-o", "a.o"}, .folder = folder.path()});
  return ended.ok() ? read_file(folder.path() + "/a.o").value_or("") : "";
}

class ElfOf : public testing::TestWithParam<const char*> {};

TEST_P(ElfOf, HasItsSymbolsAndSections) {
  const std::string content = object_of(GetParam());
  if (content.empty()) GTEST_SKIP() << "no " << GetParam();
  const std::optional<Elf> elf = read_elf(content);
  ASSERT_TRUE(elf);
  const ElfSymbol* table = find_symbol(*elf, "table");
  const ElfSymbol* room = find_symbol(*elf, "room");
  const ElfSymbol* f = find_symbol(*elf, "f");
  ASSERT_TRUE(table && room && f);
  EXPECT_EQ(table->bytes, 20u);
  EXPECT_EQ(room->bytes, 28u);
  EXPECT_TRUE(f->function);
  EXPECT_FALSE(table->function);
  const ElfSection& data = elf->sections[static_cast<size_t>(table->section)];
  EXPECT_TRUE(data.allocated() && data.writable() && !data.executable());
  EXPECT_TRUE(elf->sections[static_cast<size_t>(f->section)].executable());
  EXPECT_EQ(function_at(*elf, (f->address & ~uint64_t{1}) + 2), f);
  EXPECT_EQ(find_symbol(*elf, "nothing"), nullptr);
}

// Whatever is cut off or overwritten, the reader answers and does not crash.
TEST_P(ElfOf, DamagedFilesAreRefusedOrRead) {
  const std::string content = object_of(GetParam());
  if (content.empty()) GTEST_SKIP() << "no " << GetParam();
  for (size_t bytes = 0; bytes < content.size(); bytes += 7) read_elf(content.substr(0, bytes));
  EXPECT_FALSE(read_elf(content.substr(0, content.size() / 2)));
  uint32_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = content;
    for (int change = 0; change < 3; ++change) {
      state = state * 1664525u + 1013904223u;
      const size_t at = (state >> 8) % (round % 2 == 0 ? 64 : damaged.size());  // half of the rounds hit the header
      damaged[at] = static_cast<char>(state >> 3);
    }
    read_elf(damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, ElfOf, testing::Values("gcc", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc"),
                         [](const auto& info) {
                           return std::string(info.param).substr(0, std::string(info.param).find('-'));
                         });

TEST(Elf, OtherFilesAreNone) {
  EXPECT_FALSE(read_elf(""));
  EXPECT_FALSE(read_elf("\177ELF"));
  EXPECT_FALSE(read_elf(std::string(200, '\0')));
}

}  // namespace
}  // namespace tarn::verify
