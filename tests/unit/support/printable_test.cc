#include "support/printable.h"

#include <gtest/gtest.h>

#include "support/diagnostic.h"

namespace tarn {
namespace {

TEST(Printable, NamesCannotSteerATerminal) {
  EXPECT_EQ(printable("conv1/Relu:0 é 日 😀 \\"), "conv1/Relu:0 é 日 😀 \\");
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // the control sequence introducer in one character
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "x"),
            "\\u202ex");  // right to left from here
  EXPECT_EQ(printable("\x9b"
                      "31m \xff \xe2\x80"),
            "\\x9b31m \\xff \\xe2\\x80");  // no valid UTF-8
}

TEST(Printable, DiagnosticsKeepToTheirLines) {
  Where where;
  where.file = "m\n.onnx";
  where.node = 3;
  where.node_name = "n\x1b]0;t\x07";
  const Diagnostic d{"E201", where, "input 'a\nm.onnx: error E999: b\x1b[1m' is made by no node", "see 'c\rd'"};
  EXPECT_EQ(to_text(d),
            "m\\n.onnx: node 3 'n\\x1b]0;t\\x07': error E201: input 'a\n  m.onnx: error E999: b\\x1b[1m' is made by no "
            "node\n  hint: see 'c\\rd'");
}

}  // namespace
}  // namespace tarn
