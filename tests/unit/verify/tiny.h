// Firmware written by a test: one input float[4], one output float[4], and the body of its run function.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sample.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::verify {

// A folder for one test's files.
class TestFolder {
 public:
  TestFolder() {
    std::string path = testing::TempDir() + "/tarn-test-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    path_ = path;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(path_ + "/" + name, text));
  }

 private:
  std::string path_;
};

struct Tiny {
  std::string before;                                                    // declarations and functions
  std::string body = "for (i = 0; i < 4; ++i) { y[i] = 2.0f * x[i]; }";  // sees x, y, i and the arena
  int64_t arena_bytes = 64;
};

// Input at 0, output at 16.
inline Firmware write_tiny(const TestFolder& folder, const Tiny& tiny) {
  folder.write("tiny.h",
               cat("#ifndef TINY_H\n#define TINY_H\n#include <stdint.h>\n#define TINY_ARENA_BYTES ", tiny.arena_bytes,
                   "u\n#define TINY_ARENA_ALIGN 16u\n#define TINY_STEPS 1u\n"
                   "typedef enum tiny_status { TINY_OK = 0, TINY_ERR = -7 } tiny_status;\n"
                   "extern uint8_t tiny_arena[TINY_ARENA_BYTES];\nfloat *tiny_input_x(void *arena);\n"
                   "const float *tiny_output_y(const void *arena);\ntiny_status tiny_run(void *arena);\n"
                   "tiny_status tiny_run_step(void *arena, uint32_t step);\n#endif\n"));
  folder.write("tiny.c", cat("#include \"tiny.h\"\n#include <math.h>\n#include <string.h>\n"
                             "#ifdef TINY_ARENA_SECTION\n__attribute__((section(TINY_ARENA_SECTION)))\n#endif\n"
                             "__attribute__((aligned(16))) uint8_t tiny_arena[TINY_ARENA_BYTES];\n"
                             "float *tiny_input_x(void *arena) { return (float *)arena; }\n"
                             "const float *tiny_output_y(const void *arena) { return (const float *)arena + 4; }\n",
                             tiny.before,
                             "\ntiny_status tiny_run(void *arena) {\n  const float *x = (const float *)arena;\n"
                             "  float *y = (float *)arena + 4;\n  tiny_status status = TINY_OK;\n  int32_t i;\n  "
                             "(void)x; (void)y; (void)i;\n  ",
                             tiny.body,
                             "\n  return status;\n}\n"
                             "tiny_status tiny_run_step(void *arena, uint32_t step) {\n"
                             "  return step == 0u ? tiny_run(arena) : TINY_ERR;\n}\n"));
  Firmware firmware;
  firmware.name = "tiny";
  firmware.folder = folder.path();
  firmware.sources = {"tiny.c"};
  firmware.inputs = {float_port("x", "tiny_input_x", {4})};
  firmware.outputs = {float_port("y", "tiny_output_y", {4})};
  firmware.macs = 4;
  firmware.arena_bytes = tiny.arena_bytes;
  firmware.static_bytes = 0;
  return firmware;
}

inline std::vector<Sample> tiny_data() {
  return {{{bytes_of({1, -2, 3.5f, 0})}, {{bytes_of({2, -4, 7, 0}), {4}}}},
          {{bytes_of({0.5f, 8, -1, 16})}, {{bytes_of({1, 16, -2, 32}), {4}}}}};
}

}  // namespace tarn::verify
