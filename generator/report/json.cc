// The report as JSON, "tarn-report/1". Keys keep their order, so that equal reports are equal files.
#include "report/json_parts.h"

namespace tarn::report {

namespace {

void write(JsonWriter& json, const char* key, const std::optional<Budget>& budget) {
  if (!budget) return;
  json.key(key).begin_object(true);
  json.key("limit").value(budget->limit);
  json.key("used").value(budget->used);
  json.key("fits").value(budget->fits);
  json.key("proved").value(budget->proved);
  json.end_object();
}

void write(JsonWriter& json, const char* key, const std::vector<Port>& ports) {
  json.key(key).begin_array();
  for (const Port& port : ports) write(json, port);
  json.end_array();
}

void write_model(JsonWriter& json, const Report& r) {
  json.key("model").begin_object(true);
  json.key("name").value(r.name);
  json.key("file").value(r.file);
  json.key("sha256").value(r.sha256);
  json.key("opset").value(static_cast<int64_t>(r.opset));
  json.key("nodes").value(static_cast<int64_t>(r.nodes));
  json.key("dims").begin_object(true);
  for (const auto& [name, value] : r.dims) json.key(name).value(value);
  json.end_object();
  json.end_object();
}

void write_memory(JsonWriter& json, const Report& r) {
  json.key("ram").begin_object(true);
  json.key("arena").value(r.arena);
  json.key("activations").value(r.activations);
  json.key("scratch").value(r.scratch);
  json.key("padding").value(r.padding);
  json.key("static").value(r.static_bytes);
  json.key("stack").value(r.stack);
  json.key("total").value(r.ram_total());
  json.end_object();
  json.key("flash").begin_object(true);
  json.key("weights").value(r.weights);
  json.key("code").value(r.code);
  json.end_object();
  if (r.compiler.empty()) return;
  json.key("compiler").value(r.compiler);
  json.key("stack_path").list(r.stack_path);
}

void write_plan(JsonWriter& json, const Report& r) {
  json.key("plan").begin_object(true);
  json.key("strategy").value(r.strategy);
  json.key("order").value(r.order);
  json.key("share").list(r.share);
  json.key("align").value(r.alignment);
  json.key("arena").value(r.arena);
  json.key("lower_bound").value(r.lower_bound);
  json.key("proof").value(r.proof);
  json.key("naive").value(r.naive);
  json.key("floor").value(r.floor);
  json.key("peak_step").value(r.peak_step);
  json.key("search_nodes").value(static_cast<int64_t>(r.search_nodes));
  if (r.certificate) write_certificate(json, *r.certificate);
  json.end_object();
}

void write_budgets(JsonWriter& json, const Report& r) {
  if (!r.ram_budget && !r.flash_budget && !r.instruction_budget && !r.time_budget) return;
  json.key("budget").begin_object();
  write(json, "ram", r.ram_budget);
  write(json, "flash", r.flash_budget);
  write(json, "instructions", r.instruction_budget);
  write(json, "nanoseconds", r.time_budget);
  json.end_object();
}

bool is_over(const Report& r) {
  return (r.ram_budget && !r.ram_budget->fits) || (r.split && !r.split->fits) || r.over_time() ||
         (r.flash_budget && !r.flash_budget->fits);
}

}  // namespace

std::string to_json(const Report& r) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("tarn-report/1");
  json.key("tarn").value(r.version);
  if (r.plan_id != kNoPlanId) json.key("plan_id").value(r.plan_id);
  json.key("command").list(r.command);
  write_model(json, r);
  json.key("io").value(r.io);
  write(json, "inputs", r.inputs);
  write(json, "outputs", r.outputs);
  write_memory(json, r);
  write_plan(json, r);
  if (r.stream) write_stream(json, *r.stream);
  if (!r.streams.empty()) write_streams(json, r.streams);
  if (!r.pareto.empty()) write_pareto(json, r.pareto);
  if (r.split) write_banks(json, r);
  write_budgets(json, r);
  if (!r.compare.empty()) write_compare(json, r.compare);
  if (!r.sweep.empty()) write_sweep(json, r.sweep);
  if (r.symbolic) write(json, *r.symbolic);
  if (r.grid) write(json, *r.grid);
  if (r.dim_offsets) {
    json.key("dim_offsets").begin_object(true);
    json.key("follow").value(r.dim_offsets->follow);
    json.key("one_set").value(r.dim_offsets->one_set);
    json.end_object();
  }
  if (is_over(r)) write_advice(json, r.advice);
  json.key("tensors").begin_array();
  for (const TensorRow& row : r.tensors) write(json, row);
  json.end_array();
  json.key("steps").begin_array();
  for (const StepRow& row : r.steps) write(json, row);
  json.end_array();
  if (!r.states.empty()) write_states(json, r.states);
  if (!r.histories.empty()) write_histories(json, r.histories);
  if (!r.stored_weights.empty()) write_weights(json, r.stored_weights);
  if (r.transfers) write_transfers(json, *r.transfers);
  if (!r.sparsity.empty()) write_sparsity(json, r.sparsity);
  json.key("totals").begin_object(true);
  json.key("macs").value(r.macs);
  json.key("params").value(r.parameters);
  json.end_object();
  if (r.time) write_time(json, r);
  if (!r.verify.empty()) {
    json.key("verify").begin_array();
    for (const VerifyRow& row : r.verify) write(json, row);
    json.end_array();
  }
  json.end_object();
  return json.text() + "\n";
}

}  // namespace tarn::report
