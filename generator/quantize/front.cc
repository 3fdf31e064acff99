#include "quantize/front.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "quantize/logarithm.h"
#include "quantize/report.h"
#include "report/html_text.h"
#include "support/printable.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

constexpr size_t kMostTold = 12;  // that the text tells of, the most sensitive first

// What is shown of it: those in front, and the chosen one.
std::vector<const Assignment*> shown(const Assigned& assigned) {
  std::vector<const Assignment*> rows;
  for (size_t i = 0; i < assigned.made.size(); ++i) {
    if (assigned.made[i].in_front || i == assigned.chosen) rows.push_back(&assigned.made[i]);
  }
  return rows;
}

double signal_to(double noise) { return -decibels_of(std::max(noise, 1e-30)); }

std::string alone(const std::vector<Sensitivity>& layers) {
  std::vector<const Sensitivity*> order;
  for (const Sensitivity& layer : layers) order.push_back(&layer);
  std::stable_sort(order.begin(), order.end(),
                   [](const Sensitivity* a, const Sensitivity* b) { return a->noise[1] > b->noise[1]; });
  std::string text =
      "\neach layer alone, signal to noise at the outputs (before a Softmax)\n      int4    int8   int16  layer";
  for (size_t i = 0; i < std::min(kMostTold, order.size()); ++i) {
    text += "\n";
    for (const double noise : {order[i]->noise[0], order[i]->noise[1], order[i]->noise[2]}) {
      char number[32];
      std::snprintf(number, sizeof number, "%8.1f", signal_to(noise));
      text += number;
    }
    text += "  " + printable(order[i]->name) + " (" + order[i]->op + ")";
  }
  if (order.size() > kMostTold) text += cat("\n  and ", order.size() - kMostTold, " less sensitive ones");
  return text + "\n";
}

}  // namespace

std::string to_text(const Assigned& assigned, const Limits& limits) {
  std::string text =
      cat("\nassignments, ", assigned.made.size(), " made; loss: ", name_of_loss(assigned.best, limits.kind),
          limits.loss ? ", at most " + percent(*limits.loss) : "");
  for (const Assignment* row : shown(assigned)) {
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "loss %s, %.1f dB", percent(row->loss).c_str(), row->snr_db);
    text += cat("\n", row == &assigned.made[assigned.chosen] ? "> " : "  ", numbers, ", arena ",
                with_thousands(row->cost.arena), " B, weights ", with_thousands(row->cost.weights), " B");
    if (row->cost.instructions) text += cat(", ", with_thousands(*row->cost.instructions), " instructions");
    text += cat(row->fits ? "" : " (too large)", ": ",
                row->options.empty() ? "8 bits throughout" : printable(row->options));
  }
  return text + "\n" + alone(assigned.layers);
}

void write_json(report::JsonWriter& json, const Assigned& assigned, const Limits& limits) {
  json.key("loss").begin_object(true);
  json.key("kind").value(name_of_loss(assigned.best, limits.kind));
  json.key("share").value(assigned.made[assigned.chosen].loss);
  if (limits.loss) json.key("most").value(*limits.loss);
  json.end_object();
  std::vector<const Assignment*> rows = shown(assigned);
  json.rows("front", rows, [&](const Assignment* row) {
    json.key("loss").value(row->loss);
    json.key("snr_db").value(row->snr_db);
    json.key("arena").value(row->cost.arena);
    json.key("weights").value(row->cost.weights);
    json.key("instructions").value(row->cost.instructions);
    json.key("fits").value(row->fits);
    json.key("chosen").value(row == &assigned.made[assigned.chosen]);
    json.key("options").value(row->options);
    std::vector<std::string> types;
    for (const LayerForm& form : row->forms) types.push_back(type_of(form));
    json.key("types").list(types);
  });
  json.rows("sensitivity", assigned.layers, [&](const Sensitivity& layer) {
    json.key("name").value(layer.name);
    json.key("op").value(layer.op);
    json.key("int4_db").value(signal_to(layer.noise[0]));
    json.key("int8_db").value(signal_to(layer.noise[1]));
    json.key("int16_db").value(signal_to(layer.noise[2]));
  });
}

std::string to_html(const Assigned& assigned) {
  std::string table =
      "<h2>Assignments</h2>\n<table>\n<thead><tr><th>options</th><th>loss</th><th>signal to noise</th><th>arena</th>"
      "<th>weights</th><th>instructions</th></tr></thead>\n<tbody>\n";
  for (const Assignment* row : shown(assigned)) {
    char decibels[32];
    std::snprintf(decibels, sizeof decibels, "%.1f dB", row->snr_db);
    const bool chosen = row == &assigned.made[assigned.chosen];
    table += cat("<tr><td>", chosen ? "<b>" : "",
                 row->options.empty() ? "8 bits throughout" : report::html_escaped(printable(row->options)),
                 chosen ? "</b> (chosen)" : "", "</td><td class=\"n\">", percent(row->loss), "</td><td class=\"n\">",
                 decibels, "</td><td class=\"n\">", with_thousands(row->cost.arena), "</td><td class=\"n\">",
                 with_thousands(row->cost.weights), "</td><td class=\"n\">",
                 row->cost.instructions ? with_thousands(*row->cost.instructions) : "-", "</td></tr>\n");
  }
  return table + "</tbody>\n</table>\n";
}

}  // namespace tarn::quantize
