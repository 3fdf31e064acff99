// Time in the JSON report: as predicted, and as verified.
#include <algorithm>

#include "report/json_parts.h"
#include "time/published.h"

namespace tarn::report {

namespace {

void write(JsonWriter& json, const char* name, const timing::Memory& memory) {
  json.key(name).begin_object(true);
  json.key("wait").value(memory.wait);
  json.key("line").value(memory.line);
  json.end_object();
}

void write_nodes(JsonWriter& json, const VerifyRow& row) {
  const auto first =
      std::find_if(row.nodes.begin(), row.nodes.end(), [](const NodeRow& n) { return n.mismatches > 0; });
  json.key("nodes").begin_object();
  json.key("reference").value(row.nodes_reference);
  json.key("first").value(first == row.nodes.end() ? std::optional<int64_t>() : first->step);
  json.rows("values", row.nodes, [&](const NodeRow& node) {
    json.key("step").value(node.step);
    json.key("tensor").value(node.tensor);
    json.key("compared").value(node.compared);
    if (!node.compared) return;
    json.key("max_abs").value(node.max_abs);
    json.key("max_rel").value(node.max_rel);
    json.key("mismatches").value(node.mismatches);
  });
  json.end_object();
}

}  // namespace

void write_time(JsonWriter& json, const Report& r) {
  const TimeFigures& time = *r.time;
  const std::optional<int64_t> total = time.instructions();
  json.key("time").begin_object(true);
  json.key("target").value(time.target);
  json.key("instructions").value(total);
  json.key("least").value(time.least());
  json.key("most").value(total ? std::optional(time.most()) : std::nullopt);
  json.key("cycles").value(time.cycles());
  json.key("clock").value(r.clock);
  const std::optional<double> ms = r.milliseconds();
  json.key("ms");
  if (ms) json.value(*ms);
  else json.null();
  json.key("missing_steps").value(time.missing_steps);
  json.key("missing_macs").value(time.missing_macs);
  std::vector<std::string> kernels;
  for (const auto& [kernel, steps] : time.missing) kernels.push_back(kernel);
  json.key("missing_kernels").list(kernels);
  if (!time.why.empty()) json.key("missing_because").value(time.why);
  if (time.memories.code.wait > 0 || time.memories.weights.wait > 0) {
    json.key("memories").begin_object(true);
    write(json, "code", time.memories.code);
    write(json, "weights", time.memories.weights);
    json.end_object();
  }
  if (time.modelled_cycles) {
    json.key("cycles_by").value(timing::cycles_basis(time.target));
    if (const timing::Published* found = timing::published(time.target)) {
      json.key("published").begin_object(true);
      json.key("board").value(found->board);
      json.key("measurements").value(int64_t{found->measurements});
      json.key("mean_error").value(found->mean_error);
      json.key("worst_error").value(found->worst_error);
      json.end_object();
    }
  }
  json.key("slowest").begin_array();
  for (const size_t s : time.slowest(3)) {
    json.begin_object(true);
    json.key("step").value(r.steps[s].step);
    json.key("kernel").value(r.steps[s].kernel);
    json.key("instructions").value(time.steps[s]->instructions);
    if (time.steps[s]->cycles) json.key("cycles").value(*time.steps[s]->cycles);
    json.key("why").value(time.steps[s]->why);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write(JsonWriter& json, const VerifyRow& row) {
  json.begin_object();
  json.key("on").value(row.on);
  if (!row.board.empty()) json.key("board").value(row.board);
  json.key("reference").value(row.reference);
  json.key("reference_detail").value(row.reference_detail);
  json.rows("outputs", row.outputs, [&](const VerifyOutput& output) {
    json.key("name").value(output.name);
    json.key("max_abs").value(output.max_abs);
    json.key("max_rel").value(output.max_rel);
    json.key("mismatches").value(output.mismatches);
    if (output.moved > 0) json.key("moved").value(output.moved);
    if (output.snr_db) json.key("snr_db").value(*output.snr_db);
  });
  json.key("arena").value(row.arena);
  json.key("static").value(row.static_bytes);
  json.key("stack").value(row.stack);
  json.key("stack_bound").value(row.stack_bound);
  json.key("text").value(row.text);
  json.key("rodata").value(row.rodata);
  json.key("instructions").value(row.instructions);
  if (!row.noise_reference.empty()) json.key("noise_reference").value(row.noise_reference);
  if (!row.nodes_reference.empty()) write_nodes(json, row);
  if (row.predicted) json.key("predicted").value(*row.predicted);
  if (row.cycles) json.key("cycles").value(*row.cycles);
  json.end_object();
}

}  // namespace tarn::report
