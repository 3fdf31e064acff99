// The JSON report against generator/report/report.schema.json, and its sums re-added.
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "report/compare.h"
#include "report/report.h"
#include "support/text.h"
#include "unit/compile/analysed.h"

namespace tarn::report {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

Value parse(const std::string& text) {
  Value value;
  const auto status = google::protobuf::util::JsonStringToMessage(text, &value);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return value;
}

const Value* member(const Value& object, const std::string& key) {
  const auto& fields = object.struct_value().fields();
  const auto it = fields.find(key);
  return it == fields.end() ? nullptr : &it->second;
}

std::string type_of(const Value& v) {
  switch (v.kind_case()) {
    case Value::kNullValue: return "null";
    case Value::kBoolValue: return "boolean";
    case Value::kNumberValue: return v.number_value() == std::floor(v.number_value()) ? "integer" : "number";
    case Value::kStringValue: return "string";
    case Value::kListValue: return "array";
    default: return "object";
  }
}

bool allows(const Value& type, const std::string& found) {
  if (type.kind_case() == Value::kStringValue)
    return type.string_value() == found || (type.string_value() == "number" && found == "integer");
  for (const Value& one : type.list_value().values()) {
    if (allows(one, found)) return true;
  }
  return false;
}

// The part of JSON Schema that the report's uses: type, enum, pattern, minimum, items, properties, required,
// additionalProperties.
void check(const Value& schema, const Value& value, const std::string& path, std::vector<std::string>& faults) {
  if (const Value* type = member(schema, "type"); type && !allows(*type, type_of(value)))
    faults.push_back(path + " is " + type_of(value));
  if (const Value* minimum = member(schema, "minimum"); minimum && value.number_value() < minimum->number_value())
    faults.push_back(path + " is too small");
  if (const Value* pattern = member(schema, "pattern");
      pattern && !std::regex_match(value.string_value(), std::regex(pattern->string_value()))) {
    faults.push_back(path + " does not match");
  }
  if (const Value* list = member(schema, "enum")) {
    bool found = false;
    for (const Value& one : list->list_value().values()) found = found || one.string_value() == value.string_value();
    if (!found) faults.push_back(path + " is '" + value.string_value() + "'");
  }
  if (const Value* items = member(schema, "items")) {
    for (int i = 0; i < value.list_value().values_size(); ++i)
      check(*items, value.list_value().values(i), cat(path, "[", i, "]"), faults);
  }
  if (const Value* required = member(schema, "required")) {
    for (const Value& key : required->list_value().values()) {
      if (!member(value, key.string_value())) faults.push_back(path + " has no '" + key.string_value() + "'");
    }
  }
  const Value* properties = member(schema, "properties");
  const Value* others = member(schema, "additionalProperties");
  for (const auto& [key, inner] : value.struct_value().fields()) {
    const Value* rule = properties ? member(*properties, key) : nullptr;
    if (rule) check(*rule, inner, path + "." + key, faults);
    else if (others && others->kind_case() == Value::kStructValue) check(*others, inner, path + "." + key, faults);
    else if (others && !others->bool_value()) faults.push_back(path + " has a key '" + key + "' that the schema lacks");
  }
}

std::vector<std::string> faults_of(const std::string& json) {
  std::ifstream in(TARN_SOURCE_DIR "/generator/report/report.schema.json");
  std::ostringstream text;
  text << in.rdbuf();
  std::vector<std::string> faults;
  check(parse(text.str()), parse(json), "report", faults);
  return faults;
}

const std::vector<std::string> kNone;

TEST(ReportSchema, EveryReportFits) {
  for (const bool caller_io : {false, true}) {
    CompileOptions options;
    options.caller_io = caller_io;
    const Analysis analysis = analyze_ok(network(), options);
    EXPECT_EQ(faults_of(to_json(make_report(analysis, {"tarn"}))), kNone);
  }
}

TEST(ReportSchema, OptionalPartsFitToo) {
  const Analysis analysis = analyze_ok(network());
  Report report = make_report(analysis, {"tarn", "analyze", "net.onnx"});
  report.compare = compare_variants(analysis);
  report.ram_budget = Budget{100, 1152, false, true};
  report.flash_budget = Budget{100, 10, true, true};
  report.advice.push_back({"a change", "--order min_peak", 10, 20, true, "optimal", ""});
  report.sweep.push_back({{{"n", 1}}, 10, 10, 5, 7, "optimal", ""});
  report.sweep.push_back({{{"n", 2}}, 0, 0, 0, {}, "", "E205"});
  report.symbolic = Symbolic{"n", 1, 4, {{1, 4, "64*n"}}, {{1, 4, "64*n"}}, {{1, 4, "9*n"}}, {{1, 4, "3"}}, 4, {}};
  report.symbolic->run_time = true;
  report.dim_offsets = DimOffsets{true, 2048};
  report.grid.emplace();
  report.grid->axes = {{"n", 1, 2}, {"t", 1, 3}};
  report.grid->run_time = true;
  report.grid->arena = {{{1, 1}, {2, 3}, "64"}};
  report.symbolic->fits = Symbolic::Fits{200, 3, true};
  report.symbolic->tensors.push_back({"x", {"n", "3"}, "12*n"});
  report.pareto.push_back({"--stream off", 10, 10, 5, 0, 0, 0, 0, 20, 100, "optimal", true, false});
  report.pareto.push_back({"--stream fed", 12, 10, 5, 0, 0, 0, 0, 20, {}, "best_found", false, true});
  VerifyRow row;
  row.on = "cortex-m4";
  row.reference = "ort";
  row.reference_detail = "onnxruntime 1.32.0";
  row.outputs.push_back({"scores", 1e-7, 1e-6, 0});
  report.verify.push_back(row);
  EXPECT_EQ(faults_of(to_json(report)), kNone);
  EXPECT_FALSE(report.compare.empty());
}

TEST(ReportSchema, EstimatesOfTimeFitToo) {
  for (const bool by_lines : {false, true}) {
    CompileOptions options;
    options.target = "cortex-m4";
    if (by_lines) options.stream.mode = stream::Mode::resident;
    Report report = make_report(analyze_ok(network(), options), {"tarn"});
    ASSERT_TRUE(report.time);
    EXPECT_TRUE(report.time->why.empty());
    report.clock = 64'000'000;
    VerifyRow row;
    row.on = "cortex-m4";
    row.reference = "data";
    row.instructions = 1000;
    row.predicted = 1010;
    report.verify.push_back(row);
    EXPECT_EQ(faults_of(to_json(report)), kNone);
    int64_t sum = 0;
    for (const StepRow& step : report.steps) sum += step.instructions.value_or(0);
    EXPECT_EQ(sum, report.time->modelled);
    EXPECT_EQ(report.time->instructions().has_value(), report.time->missing_steps == 0);
  }
  EXPECT_FALSE(make_report(analyze_ok(network()), {"tarn"}).time) << "no target";
}

// Numbers that users calculate with read as what they are, whatever their digits.
TEST(ReportSchema, ScalesKeepAllDigits) {
  Report report = make_report(analyze_ok(network()), {"tarn"});
  for (const double scale : {static_cast<double>(0.0235389601f), 3.0517578125e-05, 0.1 + 0.2, 1e-40}) {
    report.inputs[0].codes = graph::Codes{scale, 3};
    const Value value = parse(to_json(report));
    EXPECT_EQ(faults_of(to_json(report)), kNone);
    EXPECT_EQ(member(member(value, "inputs")->list_value().values(0), "scale")->number_value(), scale);
  }
}

// Each way in which a plan can be proved has keys of its own, and one line of the text.
TEST(ReportSchema, SaysByWhatThePlanIsProved) {
  Report report = make_report(analyze_ok(network()), {"tarn"});
  ASSERT_EQ(report.proof, "optimal");
  ASSERT_TRUE(report.certificate.has_value());
  const auto lines_of_proof = [](const std::string& text) {
    size_t count = 0;
    for (size_t at = text.find("\n       proof: "); at != std::string::npos; at = text.find("\n       proof: ", at + 1))
      ++count;
    return count;
  };
  for (const Certificate::By by :
       {Certificate::By::peak, Certificate::By::core, Certificate::By::search, Certificate::By::lines}) {
    report.certificate =
        Certificate{by, 3, {{"x", 64, 0, 4}, {"y", 64, 3, 5}}, {{0, 1, {{-64, 8}, {16, 64}}}}, 7, true};
    EXPECT_EQ(faults_of(to_json(report)), kNone) << to_string(by);
    EXPECT_NE(to_json(report).find("\"by\": \"" + to_string(by) + "\""), std::string::npos);
    EXPECT_EQ(lines_of_proof(to_text(report)), 1U) << to_string(by);
  }
  report.certificate.reset();
  EXPECT_EQ(lines_of_proof(to_text(report)), 0U);
  CompileOptions greedy;
  greedy.strategy = planner::Strategy::naive;
  EXPECT_FALSE(make_report(analyze_ok(network(), greedy), {"tarn"}).certificate.has_value());
}

TEST(ReportSchema, SeveralMemoriesFitToo) {
  for (const int64_t fast : {64, 700, 1 << 20}) {
    CompileOptions options;
    options.memory.banks = {{"fast", fast, ".fast", false}, {"slow", fast == 64 ? 128 : 1 << 20, "", true}};
    const Report r = make_report(analyze_ok(network(), options), {"tarn"});
    EXPECT_EQ(faults_of(to_json(r)), kNone);
    int64_t sum = 0, tensors = 0;
    for (const BankRow& bank : r.banks) {
      sum += bank.arena;
      tensors += bank.tensors;
      for (const TensorRow& row : r.tensors) {
        if (row.bank != bank.name) continue;
        EXPECT_LE(*row.offset + row.bytes, bank.arena) << row.name;
      }
    }
    EXPECT_EQ(sum, r.arena);
    EXPECT_EQ(tensors, static_cast<int64_t>(r.tensors.size()));
    EXPECT_EQ(r.inputs[0].bank, "slow");
    EXPECT_EQ(r.split->fits, fast != 64);
  }
}

// By lines: memories inside the arena, each alive in some step; what a step holds is at most the arena.
TEST(ReportSchema, PlansByLinesFitToo) {
  for (const stream::Mode mode : {stream::Mode::resident, stream::Mode::fed}) {
    for (const stream::Lines lines : {stream::Lines::ring, stream::Lines::table}) {
      CompileOptions options;
      options.stream.mode = mode;
      options.stream.lines = lines;
      const Report r = make_report(analyze_ok(network(), options), {"tarn"});
      ASSERT_TRUE(r.stream.has_value());
      EXPECT_EQ(faults_of(to_json(r)), kNone);
      for (const LinesRow& row : r.stream->memories) {
        EXPECT_LT(row.first, row.end) << row.name;
        EXPECT_LE(row.end, static_cast<int64_t>(r.steps.size())) << row.name;
        int64_t end = row.parts.empty() ? row.offset + row.bytes : 0;
        for (const auto& [offset, bytes] : row.parts) end = std::max(end, offset + bytes);
        EXPECT_LE(end, r.arena) << row.name;
      }
      int64_t most = 0;
      for (const StepRow& step : r.steps) most = std::max(most, step.live_bytes);
      EXPECT_LE(most, r.arena);
      EXPECT_EQ(r.steps[static_cast<size_t>(r.peak_step)].live_bytes, most);
    }
  }
}

TEST(ReportSchema, TheCheckCanFail) {
  std::string json = to_json(make_report(analyze_ok(network()), {"tarn"}));
  EXPECT_EQ(faults_of("{}").size(), 13u);  // the keys that every report has
  const size_t at = json.find("\"sha256\"");
  json.replace(at, 8, "\"sha265\"");
  EXPECT_EQ(faults_of(json).size(), 2u);
}

TEST(Report, SumsAddUp) {
  for (const bool in_place : {false, true}) {
    CompileOptions options;
    options.share.in_place = options.share.overlap = in_place;
    const Report r = make_report(analyze_ok(network(), options), {"tarn"});
    EXPECT_EQ(r.arena, r.activations + r.scratch + r.padding);
    EXPECT_EQ(r.ram_total(), r.arena + r.static_bytes + r.stack.value_or(0));
    int64_t macs = 0, parameters = 0, weights = 0, peak = 0;
    std::set<std::string> known, c_names;
    for (const TensorRow& row : r.tensors) {
      EXPECT_EQ(row.bytes, row.type.bytes());
      EXPECT_LT(row.first, row.end) << row.name;
      EXPECT_LE(row.offset.value_or(0) + (row.offset ? row.bytes : 0), r.arena);
      EXPECT_TRUE(known.insert(row.name).second) << row.name;
      EXPECT_TRUE(c_names.insert(row.c_name).second) << row.c_name;
    }
    for (size_t s = 0; s < r.steps.size(); ++s) {
      const StepRow& step = r.steps[s];
      EXPECT_EQ(step.step, static_cast<int64_t>(s));
      macs += step.macs;
      parameters += step.parameters;
      weights += step.weight_bytes;
      peak = std::max(peak, step.live_bytes);
      for (const auto* list : {&step.live, &step.reads, &step.writes, &step.scratch}) {
        for (const std::string& name : *list) EXPECT_TRUE(known.contains(name)) << name;
      }
      EXPECT_LE(step.live_bytes, r.arena);
    }
    EXPECT_EQ(macs, r.macs);
    EXPECT_EQ(parameters, r.parameters);
    EXPECT_LE(r.weights, weights);  // weights that several steps read are stored once
    EXPECT_EQ(r.steps[static_cast<size_t>(r.peak_step)].live_bytes, peak);
    EXPECT_LE(r.lower_bound, r.arena);
    EXPECT_EQ(r.proof == "optimal", r.lower_bound == r.arena);
  }
}

TEST(Report, TextFitsAScreen) {
  const std::string text = to_text(make_report(analyze_ok(network()), {"tarn"}));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
}

}  // namespace
}  // namespace tarn::report
