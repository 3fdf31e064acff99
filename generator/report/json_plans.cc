// Plans in the JSON report: what proves one, by lines, in banks, and beside others.
#include "report/json_parts.h"

namespace tarn::report {

namespace {

void write_pieces(JsonWriter& json, const char* key, const std::vector<symbolic::Piece>& pieces) {
  json.rows(key, pieces, [&](const symbolic::Piece& piece) {
    json.key("from").value(piece.from);
    json.key("to").value(piece.to);
    json.key("expression").value(piece.expression);
  });
}

void write_sized(JsonWriter& json, const std::vector<SizedTensor>& tensors) {
  json.key("shapes").begin_object();
  for (const SizedTensor& tensor : tensors) json.key(tensor.name).list(tensor.shape);
  json.end_object();
  json.key("bytes").begin_object();
  for (const SizedTensor& tensor : tensors) json.key(tensor.name).value(tensor.bytes);
  json.end_object();
}

}  // namespace

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
  json.key("recomputed").value(figures.recomputed);
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
      if (row.recomputed > 0) json.key("recomputed").value(row.recomputed);
      if (row.stripes > 0 || row.recomputed > 0) json.key("extra_macs").value(row.extra_macs);
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
    json.key("ram").value(row.arena);
    json.key("flash").value(row.flash);
    json.key("instructions").value(row.instructions);
    json.key("macs").value(row.macs);
    json.key("arena").value(row.arena);
    json.key("bound").value(row.bound);
    json.key("extra_macs").value(row.extra_macs);
    json.key("stripes").value(row.stripes);
    json.key("passes").value(row.passes);
    json.key("table_bytes").value(row.table_bytes);
    json.key("proof").value(row.proof);
    json.key("chosen").value(row.chosen);
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
  write_sized(json, s.tensors);
  json.key("macs").value(symbolic::to_text(s.macs));
  json.key("weights").value(symbolic::to_text(s.weights));
  json.end_object();
}

void write(JsonWriter& json, const Grid& grid) {
  json.key("grid").begin_object();
  json.key("dims").begin_object(true);
  for (const symbolic::Axis& axis : grid.axes) json.key(axis.name).list(std::vector<int64_t>{axis.low, axis.high});
  json.end_object();
  json.key("tied").begin_array();
  for (const std::vector<std::string>& group : grid.tied) json.list(group);
  json.end_array();
  if (grid.run_time) json.key("run_time").value(true);
  if (grid.open) json.key("open").value(true);
  json.key("points").value(grid.points);
  json.key("proved").value(grid.proved);
  for (const auto& [key, boxes] : {std::pair{"arena", &grid.arena},
                                   {"lower_bound", &grid.lower_bound},
                                   {"macs", &grid.macs},
                                   {"weights", &grid.weights}}) {
    json.rows(key, *boxes, [&](const symbolic::Box& box) {
      for (const auto& [end, sizes] : {std::pair{"from", &box.from}, {"to", &box.to}}) {
        json.key(end).begin_object(true);
        for (size_t i = 0; i < grid.axes.size(); ++i) json.key(grid.axes[i].name).value((*sizes)[i]);
        json.end_object();
      }
      json.key("expression").value(box.expression);
    });
  }
  write_sized(json, grid.tensors);
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

}  // namespace tarn::report
