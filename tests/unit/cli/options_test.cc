// Every option of the command line: accepted with good values, refused with exit 2 and a text that names it otherwise.
#include "cli/options.h"

#include <gtest/gtest.h>

#include "cli/size_literal.h"
#include "support/text.h"

namespace tarn::cli {
namespace {

std::variant<Options, UsageError> parse(Command command, const std::string& line) {
  std::vector<std::string> words = split("tarn " + line, ' ');
  std::erase(words, "");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parse_options(command, static_cast<int>(words.size()), argv.data());
}

Options good(Command command, const std::string& line) {
  auto result = parse(command, line);
  if (auto* options = std::get_if<Options>(&result)) return *options;
  ADD_FAILURE() << line << ": " << join(std::get<UsageError>(result).messages, "; ");
  return {};
}

std::vector<std::string> bad(Command command, const std::string& line) {
  auto result = parse(command, line);
  if (auto* error = std::get_if<UsageError>(&result)) return error->messages;
  ADD_FAILURE() << line << " was accepted";
  return {};
}

TEST(Options, Defaults) {
  const Options o = good(Command::analyze, "m.onnx");
  EXPECT_EQ(o.compile.model_path, "m.onnx");
  EXPECT_EQ(o.compile.strategy, planner::Strategy::automatic);
  EXPECT_EQ(o.compile.order, schedule::OrderKind::min_peak);
  EXPECT_TRUE(o.compile.share.views && o.compile.share.in_place && o.compile.share.overlap);
  EXPECT_EQ(o.compile.alignment, 16);
  EXPECT_EQ(o.compile.effort, 1);
  EXPECT_FALSE(o.compile.caller_io || o.compile.nhwc_inputs || o.compile.nhwc_outputs || o.compile.arena_only);
  EXPECT_FALSE(o.ram || o.flash || o.compare || o.json_diagnostics);
  EXPECT_EQ(good(Command::verify, "m.onnx").reference, "");  // stored data, else the naive plan
  EXPECT_EQ(good(Command::verify, "m.onnx").targets, std::vector<std::string>{"host"});
}

TEST(Options, TheOutputMayFollowItsLetterAtOnce) {
  for (const char* line :
       {"m.onnx -o ../out/a.b", "m.onnx -o../out/a.b", "-o../out/a.b m.onnx", "m.onnx --libm -o../out/a.b"})
    EXPECT_EQ(good(Command::generate, line).output, "../out/a.b") << line;
  EXPECT_EQ(good(Command::generate, "m.onnx -oout").output, "out");
  EXPECT_EQ(good(Command::generate, "m.onnx -o out --cflags -of/x").cflags, std::vector<std::string>{"-of/x"});
  EXPECT_EQ(good(Command::generate, "-o out -- -o/m.onnx").compile.model_path, "-o/m.onnx");
  EXPECT_EQ(bad(Command::generate, "m.onnx -x/y").size(), 1u);
}

TEST(Options, Lines) {
  const stream::Options none = good(Command::analyze, "m.onnx").compile.stream;
  EXPECT_EQ(none.mode, stream::Mode::automatic);
  EXPECT_TRUE(none.line_buffers && !none.drain);
  EXPECT_EQ(none.lines, stream::Lines::ring);
  const stream::Options some =
      good(Command::generate, "m.onnx -o out --stream fed --drain --lines table").compile.stream;
  EXPECT_EQ(some.mode, stream::Mode::fed);
  EXPECT_TRUE(some.drain);
  EXPECT_EQ(some.lines, stream::Lines::table);
  EXPECT_EQ(bad(Command::analyze, "m.onnx --stream whole --lines here").size(), 2u);
}

TEST(Options, Values) {
  const Options o = good(
      Command::generate,
      "m.onnx -o out --name kws --dim batch=1 --dim a=b=3 --ram 64K --flash 1.5M --strategy hill_climb --order given "
      "--share views,overlap --align 32 --io caller --input-layout nhwc --output-layout nhwc --target cortex-m4 "
      "--files single "
      "--weights incbin --report a.json --report b.html --depfile d.d --const axes=x/a.pb --effort 3 --diagnostics "
      "json --libm");
  EXPECT_EQ(o.output, "out");
  EXPECT_EQ(o.compile.name, "kws");
  EXPECT_EQ(o.compile.dims, (std::map<std::string, int64_t>{{"batch", 1}, {"a=b", 3}}));
  EXPECT_EQ(o.ram, 65536);
  EXPECT_EQ(o.flash, 1572864);
  EXPECT_EQ(o.compile.strategy, planner::Strategy::hill_climb);
  EXPECT_EQ(o.compile.order, schedule::OrderKind::given);
  EXPECT_EQ(o.compile.share, (lifetimes::ShareOptions{true, false, true}));
  EXPECT_EQ(o.compile.alignment, 32);
  EXPECT_TRUE(o.compile.caller_io && o.compile.nhwc_inputs && o.compile.nhwc_outputs);
  EXPECT_EQ(o.compile.target, "cortex-m4");
  EXPECT_TRUE(o.emit.single_file && o.emit.libm);
  EXPECT_EQ(o.compile.weights, WeightForm::incbin);
  EXPECT_EQ(o.reports, (std::vector<std::string>{"a.json", "b.html"}));
  EXPECT_EQ(o.depfile, "d.d");
  EXPECT_EQ(o.compile.constants, (std::map<std::string, std::string>{{"axes", "x/a.pb"}}));
  EXPECT_EQ(o.compile.effort, 3);
  EXPECT_TRUE(o.json_diagnostics);
}

TEST(Options, EveryNamedValue) {
  for (const char* s :
       {"naive", "greedy_by_size", "greedy_by_breadth", "first_fit", "best_fit", "hill_climb", "exact", "auto"}) {
    good(Command::analyze, cat("m.onnx --strategy ", s));
  }
  for (const char* t : {"host", "cortex-m0", "m3", "m4", "m7", "m33", "m55", "rv32imac", "rv32imafc"}) {
    good(Command::analyze, cat("m.onnx --target ", t));
    good(Command::verify, cat("m.onnx --on host,", t));
  }
  for (const char* w : {"auto", "c", "incbin"}) good(Command::generate, cat("m.onnx -o d --weights ", w));
  for (const char* r : {"data", "naive", "ort"}) good(Command::verify, cat("m.onnx --reference ", r));
  for (const char* f : {"a.txt", "a.json", "a.html", "a.csv", "a.md"})
    good(Command::analyze, cat("m.onnx --report ", f));
  good(Command::analyze, "m.onnx --compare --share none --emit arena");
  good(Command::verify, "m.onnx --data a --data b");
}

TEST(Options, BadValuesAreNamed) {
  for (const char* option :
       {"--dim x",      "--dim x=-1",      "--dim x=two",    "--ram 12Q",          "--ram -5",
        "--flash lots", "--strategy best", "--order random", "--share all",        "--align 3",
        "--align 0",    "--align 131072",  "--io heap",      "--input-layout chw", "--output-layout chw",
        "--target z80", "--emit some",     "--files many",   "--weights gold",     "--report a.pdf",
        "--const x",    "--effort 4",      "--effort 1s",    "--diagnostics xml",  "--name 2x",
        "--name a-b",   "--frobnicate"}) {
    const std::string name = split(option, ' ')[0];
    const std::vector<std::string> messages = bad(Command::analyze, cat("m.onnx ", option));
    ASSERT_EQ(messages.size(), 1u) << option << ": " << join(messages, "; ");
    EXPECT_NE(messages[0].find(name.substr(2)), std::string::npos) << messages[0];
  }
  EXPECT_EQ(bad(Command::verify, "m.onnx --on abacus").size(), 1u);
  EXPECT_EQ(bad(Command::verify, "m.onnx --reference truth").size(), 1u);
  EXPECT_EQ(bad(Command::generate, "m.onnx").size(), 1u);  // no folder
  EXPECT_EQ(bad(Command::analyze, "").size(), 1u);         // no model
  EXPECT_EQ(bad(Command::analyze, "m.onnx n.onnx").size(), 1u);
  EXPECT_EQ(bad(Command::analyze, "m.onnx --dim x=1 --dim x=2").size(), 1u);
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --compare").size(), 1u);
}

TEST(Options, RangesOfADimension) {
  const Options o = good(Command::analyze, "m.onnx --dim n=1..64 --dim x:0=2");
  ASSERT_TRUE(o.range.has_value());
  EXPECT_EQ(o.range->name, "n");
  EXPECT_EQ(o.range->low, 1);
  EXPECT_EQ(o.range->high, 64);
  EXPECT_EQ(o.compile.dims, (std::map<std::string, int64_t>{{"n", 64}, {"x:0", 2}}));
  EXPECT_EQ(good(Command::analyze, "m.onnx --dim x:0=3..3").range->name, "x:0");
  const std::pair<const char*, const char*> faults[] = {
      {"--dim n=5..4", "empty"},
      {"--dim n=1..1099511627776", "256"},
      {"--dim n=0..9223372036854775807", "256"},
      {"--dim n=1..99999999999999999999", "no range"},
      {"--dim n=-1..4", "no range"},
      {"--dim n=1..", "no range"},
      {"--dim n=..4", "no range"},
      {"--dim n=1..4 --dim n=2", "twice"},
      {"--dim n=1..4 --dim n=2..3", "twice"},
      {"--dim n=1..17 --dim m=1..16", "256"},
      {"--dim n=1..4 --dim m=1,2", "one of the two"},
  };
  for (const auto& [option, word] : faults) {
    const std::vector<std::string> messages = bad(Command::analyze, cat("m.onnx ", option));
    ASSERT_EQ(messages.size(), 1u) << option << ": " << join(messages, "; ");
    EXPECT_NE(messages[0].find(word), std::string::npos) << messages[0];
  }
  const Options run_time = good(Command::generate, "m.onnx -o d --dim n=1..4000");
  EXPECT_EQ(run_time.compile.run_time, (SizeBox{{"n", 1, 4000}}));
  EXPECT_TRUE(o.compile.run_time.empty());
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --dim n=1..1099511627776").size(), 1u);
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --dim n=1..4 --stream time --selftest").size(), 2u);
  // By lines one height is open, in rings.
  good(Command::generate, "m.onnx -o d --dim n=1..4 --stream fed --drain");
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --dim n=1..4 --stream fed --lines table").size(), 1u);
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --dim n=1..4 --dim m=2..3 --stream fed").size(), 1u);
  const Options several = good(Command::verify, "m.onnx --dim n=1..17 --dim m=2..17 --dim k=3");
  EXPECT_EQ(several.compile.run_time, (SizeBox{{"n", 1, 17}, {"m", 2, 17}}));
  EXPECT_TRUE(several.grid.empty());
  EXPECT_EQ(several.compile.dims, (std::map<std::string, int64_t>{{"k", 3}, {"m", 17}, {"n", 17}}));
  const std::vector<std::pair<std::string, std::string>> together{
      {"--dim n=1..100 --dim m=1..100", "4096 sizes together"},
      {"--dim x:0=1..2 --dim x.0=1..2", "both are 'x_0' in C"},
      {"--dim n=2147483646..2147483648", "int32_t"},
  };
  for (const auto& [option, word] : together) {
    const std::vector<std::string> messages = bad(Command::generate, cat("m.onnx -o d ", option));
    ASSERT_EQ(messages.size(), 1u) << option << ": " << join(messages, "; ");
    EXPECT_NE(messages[0].find(word), std::string::npos) << messages[0];
  }
}

TEST(Options, AllFaultsAtOnce) { EXPECT_EQ(bad(Command::analyze, "--align 3 --order x --ram y --io z").size(), 5u); }

TEST(Options, Banks) {
  const Options o = good(
      Command::analyze, "m.onnx --bank dtcm=64K@.dtcm,dma=no --bank sram=1.5M --pin a=b=dtcm --pin c=sram --dim n=1,2");
  EXPECT_EQ(o.compile.memory.banks,
            (std::vector<lifetimes::Bank>{{"dtcm", 65536, ".dtcm", false}, {"sram", 1572864, "", true}}));
  EXPECT_EQ(o.compile.memory.pins, (std::vector<std::pair<std::string, std::string>>{{"a=b", "dtcm"}, {"c", "sram"}}));
  EXPECT_EQ(o.sweep.at("n"), (std::vector<int64_t>{1, 2}));
  for (const char* option : {"--bank dtcm", "--bank dtcm=", "--bank dtcm=64Q", "--bank dtcm=64K@",
                             "--bank dtcm=64K@a\"b", "--bank dtcm=64K,fast", "--bank 2x=64K", "--bank int=64K",
                             "--bank a=1K --bank A=2K", "--pin x=dtcm", "--pin x"}) {
    const std::vector<std::string> messages = bad(Command::analyze, cat("m.onnx ", option));
    ASSERT_EQ(messages.size(), 1u) << option << ": " << join(messages, "; ");
    EXPECT_NE(messages[0].find(split(option, ' ')[0]), std::string::npos) << messages[0];
  }
  std::string many = "m.onnx";
  for (int i = 0; i < 17; ++i) many += cat(" --bank b", i, "=1K");
  EXPECT_EQ(bad(Command::analyze, many).size(), 1u);
}

TEST(Options, CommandLineHoldsNoPaths) {
  const Options o =
      good(Command::generate,
           "/home/me/m.onnx -o /tmp/out --report /tmp/r.json --const axes=/data/a.pb --depfile /d --ram 64K");
  EXPECT_EQ(o.command_line,
            (std::vector<std::string>{"tarn", "generate", "m.onnx", "--const", "axes=a.pb", "--ram", "64K"}));
}

TEST(Options, WorkDoneTwiceIsAPercentage) {
  EXPECT_EQ(good(Command::analyze, "m.onnx").compile.stream.recompute, 0);
  EXPECT_EQ(good(Command::analyze, "m.onnx --stream fed --recompute 4.5").compile.stream.recompute, 4.5);
  EXPECT_EQ(good(Command::analyze, "m.onnx --recompute 10").compile.stream.recompute, 10);
  for (const char* text : {"-1", "x", "5%", "1e3", "nan", "1001", "inf"})
    EXPECT_EQ(bad(Command::analyze, std::string("m.onnx --stream fed --recompute=") + text).size(), 1u) << text;
  EXPECT_EQ(bad(Command::analyze, "m.onnx --stream off --recompute 5").size(), 1u);
  EXPECT_EQ(bad(Command::analyze, "m.onnx --stream time --recompute 5").size(), 1u);
  EXPECT_TRUE(good(Command::analyze, "m.onnx --pareto").pareto);
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --pareto").size(), 1u);
  good(Command::analyze, "m.onnx --stream fed --scan rows");
  EXPECT_EQ(good(Command::analyze, "m.onnx --stream fed --scan columns").compile.stream.scan, stream::Scan::columns);
  EXPECT_EQ(bad(Command::analyze, "m.onnx --stream time --scan columns").size(), 1u);
}

TEST(Options, Frequencies) {
  EXPECT_EQ(parse_frequency("168M"), 168'000'000);
  EXPECT_EQ(parse_frequency("16000000"), 16'000'000);
  EXPECT_EQ(parse_frequency("1.5GHz"), 1'500'000'000);
  EXPECT_EQ(parse_frequency("32.768kHz"), 32'768);
  for (const char* text : {"", "0", "M", "Hz", "-1M", "1.5", "168 M", "168m", "99999999999G", "1e6"})
    EXPECT_FALSE(parse_frequency(text)) << text;
}

TEST(Options, Durations) {
  EXPECT_EQ(parse_duration("50ms"), 50'000'000);
  EXPECT_EQ(parse_duration("800us"), 800'000);
  EXPECT_EQ(parse_duration("1.5s"), 1'500'000'000);
  EXPECT_EQ(parse_duration("7ns"), 7);
  for (const char* text : {"", "s", "ms", "0ms", "50", "-1ms", "50 ms", "50m", "1e3ms", "99999999999s"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Options, TimeBudgetsNeedATarget) {
  const Options both = good(Command::analyze, "m.onnx --target m4 --clock 168M --time 50ms --instructions 1000");
  EXPECT_EQ(both.time, 50'000'000);
  EXPECT_EQ(both.instructions, 1000);
  EXPECT_EQ(bad(Command::analyze, "m.onnx --instructions 1000").size(), 1u);
  EXPECT_EQ(bad(Command::generate, "m.onnx -o d --target m4 --time 50ms").size(), 1u);
  EXPECT_EQ(bad(Command::verify, "m.onnx --target m4 --instructions 1K").size(), 1u);
}

TEST(SizeLiteral, UnitsAndLimits) {
  EXPECT_EQ(parse_size("0"), 0);
  EXPECT_EQ(parse_size("65536"), 65536);
  EXPECT_EQ(parse_size("64K"), 65536);
  EXPECT_EQ(parse_size("64k"), 65536);
  EXPECT_EQ(parse_size("1.5M"), 1572864);
  EXPECT_EQ(parse_size("0.5K"), 512);
  EXPECT_EQ(parse_size("64KB"), 65536);
  EXPECT_EQ(parse_size("64kb"), 65536);
  EXPECT_EQ(parse_size("64KiB"), 65536);
  EXPECT_EQ(parse_size("1.5MiB"), 1572864);
  EXPECT_EQ(parse_size("0x10000"), 65536);
  EXPECT_EQ(parse_size("0Xff"), 255);
  for (const char* text : {"",   "K",    "-1",   "1.5", "1e3", " 64",  "9999999999999G", "nan",
                           "B",  "64B",  "64iB", "KB",  "KiB", "64KK", "64KBB",          "0x8000000000000000",
                           "0x", "0x-1", "0x1K", "x10", "64Ki"})
    EXPECT_FALSE(parse_size(text)) << text;
}

}  // namespace
}  // namespace tarn::cli
