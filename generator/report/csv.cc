// The report as one rectangular CSV: a row per step, then a row per tensor; the first column says which it is.
#include "report/report.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// RFC 4180: quoted where a comma, a quote or a line break stands in it.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string cell(int64_t number) { return std::to_string(number); }

std::string shape_cell(const Shape& shape) {
  std::string text;
  for (int64_t d : shape.dims) text += (text.empty() ? "" : "x") + std::to_string(d);
  return text;
}

std::string row(const std::vector<std::string>& cells) { return join(cells, ",") + "\n"; }

}  // namespace

std::string to_csv(const Report& r) {
  std::string text =
      row({"row",        "name",        "kernel",     "op",           "nodes", "kind",         "dtype",        "shape",
           "bytes",      "offset",      "first",      "end",          "macs",  "params",       "weight_bytes", "zeros",
           "live_bytes", "shares_with", "shares_how", "shares_bytes", "bank",  "instructions", "cycles"});
  for (const StepRow& s : r.steps) {
    text += row({"step",
                 cell(cat("step", s.step)),
                 cell(s.kernel),
                 cell(s.op),
                 cell(join(s.nodes, ";")),
                 "",
                 "",
                 shape_cell(s.shape),
                 "",
                 "",
                 cell(s.step),
                 cell(s.step + 1),
                 cell(s.macs),
                 cell(s.parameters),
                 cell(s.weight_bytes),
                 s.zeros ? cell(*s.zeros) : "",
                 cell(s.live_bytes),
                 "",
                 "",
                 "",
                 "",
                 s.instructions ? cell(*s.instructions) : "",
                 s.cycles ? cell(*s.cycles) : ""});
  }
  for (const TensorRow& t : r.tensors) {
    text += row({"tensor",
                 cell(t.name),
                 "",
                 "",
                 "",
                 t.kind,
                 to_string(t.type.dtype),
                 shape_cell(t.type.shape),
                 cell(t.bytes),
                 t.offset ? cell(*t.offset) : "",
                 cell(t.first),
                 cell(t.end),
                 "",
                 "",
                 "",
                 "",
                 "",
                 t.shares ? cell(t.shares->with) : "",
                 t.shares ? t.shares->how : "",
                 t.shares ? cell(t.shares->bytes) : "",
                 t.bank,
                 "",
                 ""});
  }
  return text;
}

}  // namespace tarn::report
