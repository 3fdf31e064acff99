#include "emit/transfers.h"

#include "emit/call.h"
#include "emit/image.h"
#include "program/stage_weights.h"
#include "schedule/read_ahead.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

const program::Operation& operation_at(const Context& c, size_t step) {
  return c.analysis.program[c.analysis.schedule.steps[step].operation];
}

// "status = kws_weights_read(...)", each only where all went well so far; `sure`: it did until here.
std::string read_calls(const Context& c, size_t step, int indent, bool& sure) {
  const program::Staging& staging = *operation_at(c, step).staging;
  const std::string pad(static_cast<size_t>(indent), ' '), ok = c.names.macro("OK");
  std::string out;
  for (const Transfer& t : transfers_of(c.analysis.program, staging)) {
    const std::string inner = pad + (sure ? "" : "    ");
    const std::string call =
        cat(inner, "status = ",
            call_text(c.names.prefix + "_weights_read",
                      {cat(t.offset, "u"), cat(t.bytes, "u"), staged_place(c.names, staging, t.at)},
                      static_cast<int>(inner.size()) + 9),
            ";\n");
    out += sure ? call : cat(pad, "if (status == ", ok, ") {\n", call, pad, "}\n");
    sure = false;
  }
  return out;
}

}  // namespace

bool reads_weights(const Analysis& analysis) {
  return analysis.options.weights == WeightForm::stream && !analysis.program.weights.empty();
}

std::vector<Transfer> transfers_of(const program::Program& program, const program::Staging& staging) {
  const std::vector<int64_t> offsets = image_offsets(program);
  std::vector<Transfer> transfers;
  for (const program::Staging::Part& part : staging.parts) {
    const int64_t offset = offsets[part.weight.pos()], bytes = program[part.weight].bytes();
    if (bytes == 0) continue;
    Transfer* last = transfers.empty() ? nullptr : &transfers.back();
    if (last != nullptr && offset >= last->offset && offset - last->offset == part.at - last->at)
      last->bytes = offset + bytes - last->offset;
    else transfers.push_back({offset, bytes, part.at});
  }
  return transfers;
}

std::string transfer_api(const Context& c) {
  if (!reads_weights(c.analysis)) return "";
  return fill_template(
      "templates/transfers.h",
      {{"CAPS", c.names.capitals}, {"PREFIX", c.names.prefix}, {"BYTES", std::to_string(image_bytes(c))}});
}

std::string transfer_source(const Context& c) {
  if (!reads_weights(c.analysis)) return "";
  return fill_template("templates/transfers.c", {{"CAPS", c.names.capitals}, {"PREFIX", c.names.prefix}});
}

std::string transfer_statements(const Context& c, size_t step, int indent) {
  if (!reads_weights(c.analysis)) return "";
  const schedule::Schedule& schedule = c.analysis.schedule;
  const std::string pad(static_cast<size_t>(indent), ' ');
  std::string out;
  bool sure = schedule.steps[step].parent < 0;
  if (operation_at(c, step).staging) {
    if (!schedule::is_read_ahead(c.analysis.program, schedule, step)) out += read_calls(c, step, indent, sure);
    out += sure ? cat(pad, "status = ", c.names.prefix, "_weights_wait();\n")
                : cat(pad, "if (status == ", c.names.macro("OK"), ") {\n", pad, "    status = ", c.names.prefix,
                      "_weights_wait();\n", pad, "}\n");
    sure = false;
  }
  if (const std::optional<size_t> next = schedule::begun_by(c.analysis.program, schedule, step))
    out += read_calls(c, *next, indent, sure);
  return out;
}

std::string read_statement(const Context& c, program::WeightId weight, const std::string& destination) {
  return cat(c.names.prefix, "_weights_read(", image_offsets(c.analysis.program)[weight.pos()], "u, ",
             c.analysis.program[weight].bytes(), "u, ", destination, ")");
}

}  // namespace tarn::emit
