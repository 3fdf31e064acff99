// The report as JSON, "tarn-report/1". Keys keep their order, so that equal reports are equal files.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/json_writer.h"
#include "report/report.h"
#include "time/published.h"

namespace tarn::report {

namespace {

void write(JsonWriter& json, const TensorType& type) {
  json.key("dtype").value(to_string(type.dtype));
  json.key("shape").list(type.shape.dims);
}

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

void write(JsonWriter& json, const char* key, const std::optional<Budget>& budget) {
  if (!budget) return;
  json.key(key).begin_object(true);
  json.key("limit").value(budget->limit);
  json.key("used").value(budget->used);
  json.key("fits").value(budget->fits);
  json.key("proved").value(budget->proved);
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

void write(JsonWriter& json, const char* name, const timing::Memory& memory) {
  json.key(name).begin_object(true);
  json.key("wait").value(memory.wait);
  json.key("line").value(memory.line);
  json.end_object();
}

void write_time(JsonWriter& json, const Report& r) {
  const TimeFigures& time = *r.time;
  const std::optional<int64_t> total = time.instructions();
  json.key("time").begin_object(true);
  json.key("target").value(time.target);
  json.key("instructions").value(total);
  json.key("least").value(time.modelled);
  json.key("most").value(total);
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

void write_compare(JsonWriter& json, const std::vector<CompareRow>& rows) {
  json.rows("compare", rows, [&](const CompareRow& row) {
    json.key("strategy").value(row.strategy);
    json.key("order").value(row.order);
    json.key("share").list(row.share);
    json.key("arena").value(row.arena);
    json.key("lower_bound").value(row.lower_bound);
    json.key("proof").value(row.proof);
    json.key("search_nodes").value(static_cast<int64_t>(row.search_nodes));
  });
}

void write_certificate(JsonWriter& json, const Certificate& certificate) {
  json.key("certificate").begin_object(true);
  json.key("by").value(to_string(certificate.by));
  json.key("every_order").value(certificate.every_order);
  if (certificate.by == Certificate::By::peak) {
    json.key("step").value(certificate.instant / 2);
    json.key("instant").value(certificate.instant);
  }
  if (certificate.by == Certificate::By::search) json.key("nodes").value(static_cast<int64_t>(certificate.nodes));
  if (certificate.by == Certificate::By::peak || certificate.by == Certificate::By::core) {
    json.rows("tensors", certificate.items, [&](const CertificateItem& item) {
      json.key("name").value(item.name);
      json.key("bytes").value(item.bytes);
      json.key("first").value(item.first);
      json.key("end").value(item.end);
    });
  }
  if (certificate.by == Certificate::By::core) {
    json.rows("pairs", certificate.pairs, [&](const CertificatePair& pair) {
      json.key("a").value(pair.a);
      json.key("b").value(pair.b);
      json.rows("forbidden", pair.forbidden, [&](const auto& interval) {
        json.key("above").value(interval.first);
        json.key("below").value(interval.second);
      });
    });
  }
  json.end_object();
}

void write_stream(JsonWriter& json, const StreamFigures& figures) {
  json.key("stream").begin_object();
  json.key("mode").value(figures.mode);
  json.key("drain").value(figures.drain);
  json.key("for_budget").value(figures.for_budget);
  json.key("calls").list(figures.calls);
  json.key("lines").value(figures.lines);
  json.key("bound_of").value(figures.bound_of);
  json.key("steps").value(figures.steps);
  json.key("table_bytes").value(figures.table_bytes);
  json.key("stripes").value(figures.stripes);
  if (figures.stripes > 0) json.key("stripes_end").value(figures.stripes_end);
  json.key("extra_macs").value(figures.extra_macs);
  json.key("bytes").begin_object(true);
  json.key("inputs").value(figures.inputs);
  json.key("outputs").value(figures.outputs);
  json.key("between").value(figures.between);
  json.key("accumulators").value(figures.accumulators);
  json.key("histories").value(figures.histories);
  json.key("windows").value(figures.windows);
  json.key("scratch").value(figures.scratch);
  json.key("driver").value(figures.driver);
  json.end_object();
  json.rows("segments", figures.segments,
            [&](const std::vector<std::string>& segment) { json.key("nodes").list(segment); });
  json.rows("memories", figures.memories, [&](const LinesRow& row) {
    json.key("name").value(row.name);
    json.key("holds").value(row.holds);
    json.key("addressing").value(row.addressing);
    json.key("lines").value(row.lines);
    json.key("slots").value(row.slots);
    json.key("line_bytes").value(row.line_bytes);
    json.key("bytes").value(row.bytes);
    json.key("offset").value(row.offset);
    json.key("kind").value(row.kind);
    json.key("first").value(row.first);
    json.key("end").value(row.end);
    if (!row.parts.empty()) {
      json.rows("parts", row.parts, [&](const auto& part) {
        json.key("offset").value(part.first);
        json.key("bytes").value(part.second);
      });
    }
  });
  json.end_object();
}

void write_streams(JsonWriter& json, const std::vector<StreamRow>& rows) {
  json.rows("streams", rows, [&](const StreamRow& row) {
    json.key("mode").value(row.mode);
    json.key("drain").value(row.drain);
    json.key("lines").value(row.lines);
    if (row.fault.empty()) {
      json.key("arena").value(row.arena);
      json.key("bound").value(row.bound);
      json.key("table_bytes").value(row.table_bytes);
      if (row.stripes > 0) json.key("stripes").value(row.stripes);
      if (row.stripes > 0) json.key("extra_macs").value(row.extra_macs);
      json.key("proof").value(row.proof);
    } else {
      json.key("fault").value(row.fault);
    }
  });
}

void write_pareto(JsonWriter& json, const std::vector<ParetoRow>& rows) {
  json.key("pareto").begin_array();
  for (const ParetoRow& row : rows) {
    json.begin_object(true);
    json.key("options").value(row.options);
    json.key("arena").value(row.arena);
    json.key("bound").value(row.bound);
    json.key("macs").value(row.macs);
    json.key("extra_macs").value(row.extra_macs);
    json.key("stripes").value(row.stripes);
    json.key("passes").value(row.passes);
    json.key("table_bytes").value(row.table_bytes);
    json.key("proof").value(row.proof);
    json.key("dominated").value(row.dominated);
    json.end_object();
  }
  json.end_array();
}

void write_advice(JsonWriter& json, const std::vector<Advice>& rows) {
  json.rows("advice", rows, [&](const Advice& row) {
    json.key("change").value(row.change);
    json.key("options").value(row.options);
    json.key("arena").value(row.arena);
    json.key("ram").value(row.ram);
    json.key("fits").value(row.fits);
    json.key("proof").value(row.proof);
    json.key("note").value(row.note);
    if (row.instructions) json.key("instructions").value(*row.instructions);
    if (row.cycles) json.key("cycles").value(*row.cycles);
    if (row.flash) json.key("flash").value(*row.flash);
  });
}

void write_pieces(JsonWriter& json, const char* key, const std::vector<symbolic::Piece>& pieces) {
  json.rows(key, pieces, [&](const symbolic::Piece& piece) {
    json.key("from").value(piece.from);
    json.key("to").value(piece.to);
    json.key("expression").value(piece.expression);
  });
}

void write(JsonWriter& json, const Symbolic& s) {
  json.key("symbolic").begin_object();
  json.key("dims").begin_object(true);
  json.key(s.name).list(std::vector<int64_t>{s.low, s.high});
  json.end_object();
  if (s.run_time) json.key("run_time").value(true);
  if (s.open) json.key("open").value(true);
  json.key("proved").value(s.proved);
  write_pieces(json, "arena", s.arena);
  write_pieces(json, "lower_bound", s.lower_bound);
  if (s.open) {
    json.rows("beyond", s.beyond, [&](const Symbolic::Beyond& row) {
      json.key("n").value(row.n);
      json.key("arena").value(row.arena);
      json.key("continues").value(row.continues);
    });
  }
  if (s.fits) {
    json.key("fits").begin_object(true);
    json.key("limit").value(s.fits->limit);
    json.key("largest").value(s.fits->largest);
    json.key("proved").value(s.fits->proved);
    json.end_object();
  }
  json.key("shapes").begin_object();
  for (const Symbolic::Tensor& tensor : s.tensors) json.key(tensor.name).list(tensor.shape);
  json.end_object();
  json.key("bytes").begin_object();
  for (const Symbolic::Tensor& tensor : s.tensors) json.key(tensor.name).value(tensor.bytes);
  json.end_object();
  json.key("macs").value(symbolic::to_text(s.macs));
  json.key("weights").value(symbolic::to_text(s.weights));
  json.end_object();
}

void write_sweep(JsonWriter& json, const std::vector<SweepRow>& rows) {
  json.rows("sweep", rows, [&](const SweepRow& row) {
    json.key("dims").begin_object(true);
    for (const auto& [name, value] : row.dims) json.key(name).value(value);
    json.end_object();
    if (row.fault.empty()) {
      json.key("arena").value(row.arena);
      json.key("lower_bound").value(row.lower_bound);
      json.key("proof").value(row.proof);
      json.key("macs").value(row.macs);
      if (row.instructions) json.key("instructions").value(*row.instructions);
    } else {
      json.key("fault").value(row.fault);
    }
  });
}

void write_banks(JsonWriter& json, const Report& r) {
  json.rows("banks", r.banks, [&](const BankRow& row) {
    json.key("name").value(row.name);
    json.key("section").value(row.section);
    json.key("symbol").value(row.symbol);
    json.key("dma").value(row.dma);
    json.key("size").value(row.bytes);
    json.key("arena").value(row.arena);
    json.key("fits").value(row.fits);
    json.key("lower_bound").value(row.lower_bound);
    json.key("proof").value(row.proof);
    json.key("traffic").value(row.traffic);
    json.key("tensors").value(row.tensors);
    json.key("base").value(row.base);
  });
  json.key("split").begin_object(true);
  json.key("cost").value(r.split->cost);
  json.key("lower_bound").value(r.split->lower_bound);
  json.key("proof").value(r.split->proof);
  json.key("fits").value(r.split->fits);
  json.key("proved").value(r.split->proved);
  json.key("core").list(r.split->core);
  json.end_object();
}

}  // namespace

std::string to_json(const Report& r) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("tarn-report/1");
  json.key("tarn").value(r.version);
  if (r.plan_id != kNoPlanId) json.key("plan_id").value(r.plan_id);
  json.key("command").list(r.command);
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
  json.key("io").value(r.io);
  json.key("inputs").begin_array();
  for (const Port& port : r.inputs) write(json, port);
  json.end_array();
  json.key("outputs").begin_array();
  for (const Port& port : r.outputs) write(json, port);
  json.end_array();
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
  if (!r.compiler.empty()) {
    json.key("compiler").value(r.compiler);
    json.key("stack_path").list(r.stack_path);
  }
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
  if (r.stream) write_stream(json, *r.stream);
  if (!r.streams.empty()) write_streams(json, r.streams);
  if (!r.pareto.empty()) write_pareto(json, r.pareto);
  if (r.split) write_banks(json, r);
  if (r.ram_budget || r.flash_budget || r.instruction_budget || r.time_budget) {
    json.key("budget").begin_object();
    write(json, "ram", r.ram_budget);
    write(json, "flash", r.flash_budget);
    write(json, "instructions", r.instruction_budget);
    write(json, "nanoseconds", r.time_budget);
    json.end_object();
  }
  if (!r.compare.empty()) write_compare(json, r.compare);
  if (!r.sweep.empty()) write_sweep(json, r.sweep);
  if (r.symbolic) write(json, *r.symbolic);
  if ((r.ram_budget && !r.ram_budget->fits) || (r.split && !r.split->fits) || r.over_time() ||
      (r.flash_budget && !r.flash_budget->fits))
    write_advice(json, r.advice);
  json.key("tensors").begin_array();
  for (const TensorRow& row : r.tensors) write(json, row);
  json.end_array();
  json.key("steps").begin_array();
  for (const StepRow& row : r.steps) write(json, row);
  json.end_array();
  if (!r.states.empty()) {
    json.rows("states", r.states, [&](const StateRow& row) {
      json.key("out").value(row.out);
      json.key("in").value(row.in);
      json.key("bytes").value(row.bytes);
      json.key("in_place").value(row.in_place);
      json.key("first_values").value(row.first);
      json.key("why").value(row.why);
      if (!row.note.empty()) json.key("note").value(row.note);
      if (row.stored.empty()) return;
      json.key("stored").value(row.stored);
      json.key("float_bytes").value(row.float_bytes);
      json.key("relative_error").value(row.relative_error);
    });
  }
  if (!r.stored_weights.empty()) {
    json.rows("weights", r.stored_weights, [&](const WeightRow& row) {
      json.key("tensor").value(row.tensor);
      json.key("stored").value(row.stored);
      json.key("bytes").value(row.bytes);
      json.key("float_bytes").value(row.float_bytes);
      json.key("snr_db").value(row.snr_db);
      if (row.entropy_bytes) json.key("entropy_bytes").value(*row.entropy_bytes);
    });
  }
  if (r.transfers) {
    json.key("transfers").begin_object(true);
    json.key("bytes").value(r.transfers->bytes);
    json.key("reads").value(r.transfers->reads);
    json.key("buffer").value(r.transfers->buffer);
    json.key("bandwidth").value(r.transfers->bandwidth > 0 ? std::optional(r.transfers->bandwidth) : std::nullopt);
    json.key("nanoseconds").value(r.transfers->nanoseconds);
    json.key("stall").value(r.transfers->stall);
    json.end_object();
  }
  if (!r.sparsity.empty()) {
    json.rows("sparsity", r.sparsity, [&](const SparsityRow& row) {
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
