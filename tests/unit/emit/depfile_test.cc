#include "emit/depfile.h"

#include <gtest/gtest.h>

namespace tarn::emit {
namespace {

TEST(Depfile, IsARule) {
  EXPECT_EQ(depfile({"out/k.h", "out/k.c"}, {"k.onnx", "k.bin"}), "out/k.h out/k.c: \\\n  k.onnx \\\n  k.bin\n");
}

TEST(Depfile, EscapesWhatMakeWouldRead) { EXPECT_EQ(depfile({"a b"}, {"$x #1"}), "a\\ b: \\\n  $$x\\ \\#1\n"); }

}  // namespace
}  // namespace tarn::emit
