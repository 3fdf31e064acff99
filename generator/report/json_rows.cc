// The rows of the JSON report: ports, tensors, steps, states, weights.
#include "report/json_parts.h"

namespace tarn::report {

namespace {

void write(JsonWriter& json, const TensorType& type) {
  json.key("dtype").value(to_string(type.dtype));
  json.key("shape").list(type.shape.dims);
}

}  // namespace

void write(JsonWriter& json, const Port& port) {
  json.begin_object(true);
  json.key("name").value(port.name);
  json.key("c_name").value(port.c_name);
  json.key("accessor").value(port.accessor);
  write(json, port.type);
  json.key("bytes").value(port.type.bytes());
  json.key("offset").value(port.offset);
  if (!port.bank.empty()) json.key("bank").value(port.bank);
  if (port.codes) {
    json.key("scale").value(port.codes->scale);
    json.key("zero_point").value(port.codes->zero);
  }
  if (const std::string axes = axes_of(port); !axes.empty()) {
    json.key("axes").value(axes);
    json.key("model_shape").list(model_shape(port).dims);
  }
  if (port.lines > 0) {
    json.key("lines").value(port.lines);
    json.key("line").list(port.line);
  }
  if (port.passes > 0) json.key("passes").value(port.passes);
  json.end_object();
}

void write(JsonWriter& json, const TensorRow& row) {
  json.begin_object(true);
  json.key("name").value(row.name);
  json.key("c_name").value(row.c_name);
  json.key("kind").value(row.kind);
  write(json, row.type);
  json.key("bytes").value(row.bytes);
  json.key("offset").value(row.offset);
  if (!row.bank.empty()) json.key("bank").value(row.bank);
  json.key("first").value(row.first);
  json.key("end").value(row.end);
  if (row.shares) {
    json.key("shares").begin_object(true);
    json.key("with").value(row.shares->with);
    json.key("how").value(row.shares->how);
    json.key("bytes").value(row.shares->bytes);
    json.end_object();
  }
  json.end_object();
}

void write(JsonWriter& json, const StepRow& row) {
  json.begin_object(true);
  json.key("step").value(row.step);
  json.key("kernel").value(row.kernel);
  json.key("op").value(row.op);
  json.key("nodes").list(row.nodes);
  json.key("shape").list(row.shape.dims);
  json.key("macs").value(row.macs);
  json.key("params").value(row.parameters);
  json.key("weight_bytes").value(row.weight_bytes);
  if (!row.form.empty()) json.key("form").value(row.form);
  if (row.zeros) json.key("zeros").value(*row.zeros);
  if (row.instructions) json.key("instructions").value(*row.instructions);
  if (row.cycles) json.key("cycles").value(*row.cycles);
  json.key("live_bytes").value(row.live_bytes);
  json.key("live").list(row.live);
  json.key("reads").list(row.reads);
  json.key("writes").list(row.writes);
  json.key("scratch").list(row.scratch);
  json.end_object();
}

void write_states(JsonWriter& json, const std::vector<StateRow>& rows) {
  json.rows("states", rows, [&](const StateRow& row) {
    json.key("out").value(row.out);
    json.key("in").value(row.in);
    json.key("bytes").value(row.bytes);
    json.key("in_place").value(row.in_place);
    json.key("first_values").value(row.first);
    json.key("why").value(row.why);
    if (!row.note.empty()) json.key("note").value(row.note);
    if (!row.moves.empty()) json.key("moves").value(row.moves);
    if (row.stored.empty()) return;
    json.key("stored").value(row.stored);
    json.key("float_bytes").value(row.float_bytes);
    json.key("relative_error").value(row.relative_error);
  });
}

void write_histories(JsonWriter& json, const std::vector<HistoryRow>& rows) {
  json.rows("histories", rows, [&](const HistoryRow& row) {
    json.key("out").value(row.out);
    json.key("in").value(row.in);
    json.key("steps").value(row.steps);
  });
}

void write_weights(JsonWriter& json, const std::vector<WeightRow>& rows) {
  json.rows("weights", rows, [&](const WeightRow& row) {
    json.key("tensor").value(row.tensor);
    json.key("stored").value(row.stored);
    json.key("bytes").value(row.bytes);
    json.key("float_bytes").value(row.float_bytes);
    json.key("snr_db").value(row.snr_db);
    if (row.entropy_bytes) json.key("entropy_bytes").value(*row.entropy_bytes);
  });
}

void write_transfers(JsonWriter& json, const TransferFigures& transfers) {
  json.key("transfers").begin_object(true);
  json.key("bytes").value(transfers.bytes);
  json.key("reads").value(transfers.reads);
  json.key("buffer").value(transfers.buffer);
  json.key("bandwidth").value(transfers.bandwidth > 0 ? std::optional(transfers.bandwidth) : std::nullopt);
  json.key("nanoseconds").value(transfers.nanoseconds);
  json.key("stall").value(transfers.stall);
  json.end_object();
}

void write_sparsity(JsonWriter& json, const std::vector<SparsityRow>& rows) {
  json.rows("sparsity", rows, [&](const SparsityRow& row) {
    json.key("tensor").value(row.tensor);
    json.key("type").value(row.type);
    json.key("elements").value(row.elements.all);
    json.key("zeros").value(row.elements.zero);
    json.key("zero").value(row.elements.share());
    json.key("blocks_1x4").value(row.along.share());
    json.key("blocks_4x1").value(row.across.share());
    json.key("blocks_4x4").value(row.squares.share());
    json.key("two_of_four").value(row.two_of_four.share());
  });
}

}  // namespace tarn::report
