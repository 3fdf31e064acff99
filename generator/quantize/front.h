// The assignments of quantize_within(), told.
#pragma once
#include <string>

#include "quantize/assign.h"
#include "report/json_writer.h"

namespace tarn::quantize {

// The front and what was chosen of it, with the options that make each; and what each layer does alone.
std::string to_text(const Assigned& assigned, const Limits& limits);

// "loss", "front" and "sensitivity", in the object that is open.
void write_json(report::JsonWriter& json, const Assigned& assigned, const Limits& limits);

// The front as a table.
std::string to_html(const Assigned& assigned);

}  // namespace tarn::quantize
