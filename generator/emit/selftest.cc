#include "emit/selftest.h"

#include "emit/ids.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string byte_array(const std::string& name, const std::vector<uint8_t>& bytes) {
  std::string text = cat("static const unsigned char ", name, "[", std::max<size_t>(bytes.size(), 1), "] = {");
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += i % 24 == 0 ? "\n    " : "";
    text += std::to_string(bytes[i]) + (i + 1 < bytes.size() ? "," : "");
  }
  return text + (bytes.empty() ? "0" : "") + "};\n";
}

int kind_of(DType dtype) {
  switch (dtype) {
    case DType::float64: return 8;
    case DType::float32: return 4;
    case DType::float16: return 2;
    case DType::bfloat16: return 3;
    default: return 0;
  }
}

// With --io caller the buffers are the program's; their type only has to align them.
std::string buffer(const std::string& name, int64_t bytes) {
  return cat("static double ", name, "[", bytes / 8 + 1, "];\n");
}

}  // namespace

std::string selftest_source(const Analysis& analysis, const report::Report& report, const SelfTestData& data) {
  const bool caller = analysis.options.caller_io;
  const std::string& p = report.name;
  const std::string arena = (analysis.several_arenas() ? "&" : "") + p + "_arena";
  std::string arrays, buffers, run, compare, pointers;
  auto element_type = [](const report::Port& port) { return std::string(c_type(port.type.dtype)); };
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    const report::Port& port = report.inputs[i];
    const std::string array = cat("input_", i), place = caller ? cat("in_", i) : cat(port.accessor, "(", arena, ")");
    arrays += byte_array(array, data.inputs[i]);
    if (caller) buffers += buffer(place, port.type.bytes());
    if (!data.inputs[i].empty()) run += cat("    copy(", place, ", ", array, ", sizeof ", array, ");\n");
    pointers += cat(", (const ", element_type(port), " *)", place);
  }
  for (size_t i = 0; i < data.outputs.size(); ++i) {
    const report::Port& port = report.outputs[i];
    const std::string array = cat("output_", i), place = caller ? cat("out_", i) : cat(port.accessor, "(", arena, ")");
    arrays += byte_array(array, data.outputs[i]);
    if (data.outputs[i].empty()) continue;
    compare += cat("    failed |= differs(", json_string(port.c_name), ", ", place, ", ", array, ", sizeof ", array,
                   ", ", kind_of(port.type.dtype), ");\n");
  }
  for (size_t i = 0; caller && i < report.outputs.size(); ++i) {
    buffers += buffer(cat("out_", i), report.outputs[i].type.bytes());
    pointers += cat(", (", element_type(report.outputs[i]), " *)out_", i);
  }
  run += cat("    status = (int)", p, "_run(", arena, caller ? pointers : "", ");\n");
  return fill_template("templates/selftest.c",
                       {{"FILE", p + "_selftest.c"},
                        {"VERSION", report.version},
                        {"MODEL", report.file},
                        {"PREFIX", p},
                        {"CHECK", id_check(plan_ids(upper(p)).header, report.plan_id, p + ".h")},
                        {"DATA", arrays},
                        {"BUFFERS", buffers.empty() ? "" : buffers + "\n"},
                        {"RUN", run},
                        {"COMPARE", compare}});
}

}  // namespace tarn::emit
