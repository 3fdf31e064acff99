#include "quantize/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/html_text.h"
#include "report/json_writer.h"
#include "support/printable.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

constexpr size_t kMostLayers = 10;

std::string decibels(double db) {
  char text[32];
  std::snprintf(text, sizeof text, db > 1e6 ? "exact" : "%.1f dB", db);
  return text;
}

std::string ratio(int64_t before, int64_t after) {
  char text[96];
  std::snprintf(text, sizeof text, "%s -> %s bytes (%.2f)", with_thousands(before).c_str(),
                with_thousands(after).c_str(),
                before > 0 ? static_cast<double>(after) / static_cast<double>(before) : 0);
  return text;
}

}  // namespace

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

std::string to_text(const Quantised& result, const Told& told) {
  std::string out = result.samples == 0
                        ? "quantised without data: what it does to the outputs is not measured\n\n"
                        : cat("quantised on ", counted(static_cast<int64_t>(result.samples), "sample"), "\n\n");
  if (result.kept > 0) out += cat(counted(static_cast<int64_t>(result.kept), "layer"), " of codes already, kept\n");
  for (const OutputRow& row : result.outputs) {
    char text[128];
    std::snprintf(text, sizeof text, ": signal to noise %s, worst sample %s, same largest element in %.1f %%\n",
                  decibels(row.snr_db).c_str(), decibels(row.worst_snr_db).c_str(), 100 * row.agreement);
    out += "output " + printable(row.name) + text;
  }
  if (result.accuracy) {
    const Accuracy& a = *result.accuracy;
    out += cat("accuracy ", a.before, " of ", a.samples, " right in floats, ", a.after, " as codes\n");
  }
  out += cat("arena    ", ratio(result.cost.before.arena, result.cost.after.arena), "\nweights  ",
             ratio(result.cost.before.weights, result.cost.after.weights), "\n");
  if (const auto& instructions = result.cost.after.instructions)
    out += cat("time     ", with_thousands(*instructions), " instructions\n");
  if (!result.layers.empty()) out += "\nnoisiest layers\n";
  for (size_t i = 0; i < std::min(kMostLayers, result.layers.size()); ++i) {
    const LayerRow& row = result.layers[i];
    out += cat("  ", decibels(row.snr_db), "  ", printable(row.name), " (", row.op,
               row.form == kInt8 ? "" : ", " + type_of(row.form), ")\n");
  }
  if (told.assigned) out += to_text(*told.assigned, told.limits);
  return out;
}

std::string to_json(const Quantised& result, const Told& told) {
  report::JsonWriter json;
  json.begin_object();
  json.key("schema").value("tarn-quantize/1");
  json.key("quantize").begin_object();
  json.key("samples").value(static_cast<int64_t>(result.samples));
  json.rows("outputs", result.outputs, [&](const OutputRow& row) {
    json.key("name").value(row.name);
    json.key("snr_db").value(row.snr_db);
    json.key("agreement").value(row.agreement);
    json.key("worst_snr_db").value(row.worst_snr_db);
    json.key("worst_sample").value(static_cast<int64_t>(row.worst_sample));
  });
  json.rows("layers", result.layers, [&](const LayerRow& row) {
    json.key("name").value(row.name);
    json.key("op").value(row.op);
    json.key("bits").value(static_cast<int64_t>(row.form.bits()));
    json.key("type").value(type_of(row.form));
    json.key("snr_db").value(row.snr_db);
  });
  if (result.cost.after.instructions) json.key("instructions").value(*result.cost.after.instructions);
  if (result.accuracy) {
    json.key("accuracy").begin_object(true);
    json.key("samples").value(static_cast<int64_t>(result.accuracy->samples));
    json.key("before").value(static_cast<int64_t>(result.accuracy->before));
    json.key("after").value(static_cast<int64_t>(result.accuracy->after));
    json.end_object();
  }
  json.key("ram").begin_object(true);
  json.key("arena_before").value(result.cost.before.arena);
  json.key("arena_after").value(result.cost.after.arena);
  json.end_object();
  json.key("flash").begin_object(true);
  json.key("weights_before").value(result.cost.before.weights);
  json.key("weights_after").value(result.cost.after.weights);
  json.end_object();
  if (told.assigned) write_json(json, *told.assigned, told.limits);
  json.end_object();
  json.end_object();
  return json.text() + "\n";
}

namespace {

std::string short_number(float v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", static_cast<double>(v));
  return text;
}

// Bars of the root of each count, over what was seen and what codes reach; lines where those end.
std::string plot(const LayerRow& row) {
  constexpr double kWidth = 240, kHeight = 48;
  const double lo = static_cast<double>(std::min(row.seen.lo, row.codes.lo)),
               hi = static_cast<double>(std::max(row.seen.hi, row.codes.hi)), all = hi > lo ? hi - lo : 1;
  const auto x = [&](double v) { return kWidth * (v - lo) / all; };
  int64_t most = 1;
  for (const int64_t count : row.histogram) most = std::max(most, count);
  std::string svg = "<svg viewBox=\"0 0 240 48\" role=\"img\" aria-label=\"histogram\">";
  char text[128];
  const double first = static_cast<double>(row.seen.lo),
               step = (static_cast<double>(row.seen.hi) - first) /
                      static_cast<double>(std::max<size_t>(1, row.histogram.size()));
  for (size_t i = 0; i < row.histogram.size(); ++i) {
    if (row.histogram[i] == 0) continue;
    const double height = kHeight * std::sqrt(static_cast<double>(row.histogram[i]) / static_cast<double>(most));
    std::snprintf(text, sizeof text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                  x(first + static_cast<double>(i) * step), kHeight - height, std::max(0.5, kWidth * step / all - 0.5),
                  height);
    svg += text;
  }
  for (const float end : {row.codes.lo, row.codes.hi}) {
    const double at = std::clamp(x(static_cast<double>(end)), 0.8, kWidth - 0.8);
    std::snprintf(text, sizeof text, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"48\"/>", at, at);
    svg += text;
  }
  return svg + "</svg>";
}

}  // namespace

std::string to_html(const Quantised& result, const std::string& title, const Told& told) {
  std::string rows;
  for (const LayerRow& row : result.layers) {
    rows += cat("<tr><td>", report::html_escaped(printable(row.name)), "</td><td>", report::html_escaped(row.op),
                "</td><td class=\"n\">", type_of(row.form), "</td><td class=\"n\">", decibels(row.snr_db),
                "</td><td class=\"n\">", short_number(row.seen.lo), "</td><td>", plot(row), "</td><td class=\"n\">",
                short_number(row.seen.hi), "</td></tr>\n");
  }
  return fill_template("templates/report/quantize.html", {{"TARN_TITLE", report::html_escaped(title)},
                                                          {"TARN_TEXT", report::html_escaped(to_text(result, told))},
                                                          {"TARN_FRONT", told.assigned ? to_html(*told.assigned) : ""},
                                                          {"TARN_ROWS", rows}});
}

}  // namespace tarn::quantize
