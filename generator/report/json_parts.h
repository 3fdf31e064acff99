// The parts of the JSON report, each written where the writer stands: an object or an array of its own, or a key with
// its value. to_json joins them.
#pragma once
#include <vector>

#include "report/json_writer.h"
#include "report/report.h"

namespace tarn::report {

void write(JsonWriter& json, const Port& port);
void write(JsonWriter& json, const TensorRow& row);
void write(JsonWriter& json, const StepRow& row);
void write_states(JsonWriter& json, const std::vector<StateRow>& rows);
void write_histories(JsonWriter& json, const std::vector<HistoryRow>& rows);
void write_weights(JsonWriter& json, const std::vector<WeightRow>& rows);
void write_transfers(JsonWriter& json, const TransferFigures& transfers);
void write_sparsity(JsonWriter& json, const std::vector<SparsityRow>& rows);

void write_time(JsonWriter& json, const Report& r);
void write(JsonWriter& json, const VerifyRow& row);

void write_certificate(JsonWriter& json, const Certificate& certificate);
void write_stream(JsonWriter& json, const StreamFigures& figures);
void write_banks(JsonWriter& json, const Report& r);
void write_compare(JsonWriter& json, const std::vector<CompareRow>& rows);
void write_streams(JsonWriter& json, const std::vector<StreamRow>& rows);
void write_pareto(JsonWriter& json, const std::vector<ParetoRow>& rows);
void write_advice(JsonWriter& json, const std::vector<Advice>& rows);
void write(JsonWriter& json, const Symbolic& s);
void write(JsonWriter& json, const Grid& grid);
void write_sweep(JsonWriter& json, const std::vector<SweepRow>& rows);

}  // namespace tarn::report
