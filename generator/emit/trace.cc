#include "emit/trace.h"

#include "emit/ids.h"
#include "emit/parts.h"
#include "emit/stream_ports.h"
#include "report/taps.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string tensor_rows(const Context& c) {
  std::string rows;
  for (const report::Tap& tap : report::taps_of(c.analysis, c.report)) {
    rows += cat("    {", tap.step, "u, ", tap.bank, "u, ", tap.offset, "u, ", tap.piece, "u, ", tap.pieces, "u, ",
                tap.stride, "u, \"", tap.c_name, "\"},\n");
  }
  return rows;
}

std::string put_input(const std::string& name, const std::string& place, int64_t bytes) {
  return bytes == 0 ? "" : cat("    put_input(&t, \"", name, "\", ", place, ", ", bytes, "u);\n");
}

// What the run finds: the inputs, and what earlier runs have left.
std::string inputs(const Context& c) {
  std::string text;
  for (size_t i = 0; i < c.report.inputs.size(); ++i) {
    const report::Port& port = c.report.inputs[i];
    const std::string place = c.report.io == "caller" ? c.names.inputs[i] : port.accessor + "(arena)";
    text += put_input(port.c_name, place, port.type.bytes());
  }
  for (program::TensorId id : c.analysis.program.states) {
    const std::string& name = c.names.tensors[id.pos()];
    text += put_input(name, cat(c.names.prefix, "_state_", name, "(arena)"), c.analysis.program[id].bytes());
  }
  return text;
}

std::string banks(const Context& c) {
  if (!c.analysis.several_arenas()) return "    banks[0] = (const uint8_t *)arena;\n";
  std::string text;
  for (size_t b = 0; b < c.report.banks.size(); ++b)
    text += cat("    banks[", b, "] = (const uint8_t *)arena->", c.report.banks[b].name, ";\n");
  return text;
}

}  // namespace

std::vector<OutputFile> trace_files(const Analysis& analysis, const report::Report& report) {
  const Context c{analysis, report, make_names(analysis.name, analysis.program), {}};
  const std::string& p = c.names.prefix;
  // Accessors of inputs look at no pointer: none may be told before it is seen to be one.
  std::string checks = "arena == NULL || put == NULL";
  if (report.io == "caller") {
    for (const std::string& name : c.names.inputs) checks += " || " + name + " == NULL";
  }
  for (const report::BankRow& bank : report.banks) {
    if (analysis.several_arenas() && bank.arena > 0) checks += " || arena->" + bank.name + " == NULL";
  }
  std::map<std::string, std::string> holes = {
      {"FILE", p + "_trace.h"},
      {"VERSION", report.version},
      {"MODEL", comment_text(report.file)},
      {"PREFIX", p},
      {"CAPS", c.names.capitals},
      {"CHECK", own_id_check(c, plan_ids(c.names.capitals).header, ".h")},
      {"ARENA", arena_parameter(c)},
      {"PARAMETERS", io_parameters(c)},
  };
  OutputFile header = text_file(p + "_trace.h", fill_template("templates/trace.h", holes));
  holes.erase("CHECK");
  holes["FILE"] = p + "_trace.c";
  holes["TENSORS"] = tensor_rows(c);
  holes["BANK_COUNT"] = std::to_string(analysis.several_arenas() ? report.banks.size() : 1);
  holes["CHECKS"] = checks;
  holes["BANKS"] = banks(c);
  holes["ID"] = report.plan_id;
  holes["INPUTS"] = inputs(c);
  holes["NAMES"] = io_names(c);
  return {std::move(header), text_file(p + "_trace.c", fill_template("templates/trace.c", holes))};
}

}  // namespace tarn::emit
