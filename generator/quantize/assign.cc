#include "quantize/assign.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "quantize/logarithm.h"
#include "quantize/report.h"
#include "quantize/tuning.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

// What is short decides in which order layers get more bits: RAM, flash, or either.
enum class Short { both, ram, flash };

double bytes_of(const Sensitivity& layer, const LayerForm& form, Short what) {
  const auto weights = static_cast<double>(layer.weights * form.weights) / 8,
             numbers = static_cast<double>(layer.numbers * form.numbers) / 8;
  return (what == Short::ram ? kLittle : 1) * weights + (what == Short::flash ? kLittle : 1) * numbers;
}

double noise_of_outputs(const Quantised& result) {
  double noise = 0;
  for (const OutputRow& output : result.outputs) noise += output.noise;
  return noise;
}

bool keeps(const std::optional<int64_t>& limit, const std::optional<int64_t>& taken) {
  return !limit || (taken && *taken <= *limit);
}

bool fits(const Limits& limits, const Footprint& cost) {
  const std::optional<int64_t> cycles = cost.cycles ? cost.cycles : cost.instructions;
  return keeps(limits.ram, cost.arena) && keeps(limits.flash, cost.weights) &&
         keeps(limits.instructions, cost.instructions) && keeps(limits.cycles, cycles);
}

// What the limits leave no room for.
std::string in_the_way(const Limits& limits, const Footprint& cost) {
  std::vector<std::string> said;
  if (!keeps(limits.ram, cost.arena)) said.push_back(cat("the arena takes ", cost.arena, " bytes of ", *limits.ram));
  if (!keeps(limits.flash, cost.weights))
    said.push_back(cat("the weights take ", cost.weights, " bytes of ", *limits.flash));
  if ((limits.instructions || limits.cycles) && !cost.instructions)
    said.push_back(cat("the time cannot be told: ", cost.not_modelled.empty() ? "this target" : cost.not_modelled,
                       " not modelled"));
  else if (!keeps(limits.instructions, cost.instructions))
    said.push_back(cat("a run takes ", *cost.instructions, " instructions of ", *limits.instructions));
  else if (!keeps(limits.cycles, cost.cycles ? cost.cycles : cost.instructions))
    said.push_back(cat("a run takes ", cost.cycles.value_or(*cost.instructions), " cycles of ", *limits.cycles));
  return join(said);
}

class Search {
 public:
  Search(const Options& options, const Limits& limits, bool front)
      : options_(options), limits_(limits), front_(front || limits.sizes()) {}

  Result<Assigned> run() {
    Result<Bench> bench = Bench::open(options_);
    if (!bench) return bench.faults();
    bench_ = std::move(*bench);
    Result<std::vector<Sensitivity>> layers = bench_.sensitivities();
    if (!layers) return layers.faults();
    result_.layers = std::move(*layers);
    if (const Result<Done> begun = begin(); !begun) return begun.faults();
    const Result<Done> gone = front_ ? measure_along() : bisect();
    if (!gone) return gone.faults();
    return choose();
  }

 private:
  const std::vector<Sensitivity>& layers() const { return result_.layers; }

  // The least memory; weights of 4 bits where the plan has fewer bytes of them.
  Result<Done> begin() {
    Forms four(layers().size(), 0), eight(layers().size(), 1);
    const Result<Footprint> of_eight = bench_.plan(layers(), eight), of_four = bench_.plan(layers(), four);
    if (!of_eight) return of_eight.faults();
    if (!of_four) return of_four.faults();
    const bool less = of_four->weights < of_eight->weights;
    const Footprint& least = less ? *of_four : *of_eight;
    if (limits_.sizes() && !fits(limits_, least)) return too_large(less ? four : eight, least);
    const Forms first = less ? four : eight;
    for (const Short what : {Short::both, Short::ram, Short::flash}) {
      if (what != Short::both && !front_) continue;
      Result<std::vector<Forms>> path = walk(first, what);
      if (!path) return path.faults();
      ways_.push_back(std::move(*path));
    }
    return Done{};
  }

  Diagnostic too_large(const Forms& forms, const Footprint& least) const {
    const bool proved = (limits_.ram && least.bound > *limits_.ram) || !keeps(limits_.flash, least.weights);
    std::string that = cat("that would do: --ram ", least.arena, " --flash ", least.weights);
    const bool timed = limits_.instructions || limits_.cycles;
    if (timed && least.instructions) that += cat(" --instructions ", *least.instructions);
    if (!forms.empty()) that += forms[0] == 0 ? " (weights of 4 bits throughout)" : " (8 bits throughout)";
    if (timed && !least.instructions)
      that += "; without a budget of time, which other targets or --outputs codes may tell";
    return {proved ? "E423" : "E422",
            {.file = options_.model_path},
            cat("no assignment keeps to the sizes: with the least of all, ", in_the_way(limits_, least)),
            that};
  }

  struct Upgrade {
    size_t layer = 0, form = 0;
    double worth = 0;  // noise that goes, for each byte
    auto key() const { return std::pair(layer, form); }
  };

  std::vector<Upgrade> upgrades(const Forms& from, Short what) const {
    std::vector<Upgrade> all;
    for (size_t l = 0; l < from.size(); ++l) {
      const Sensitivity& layer = layers()[l];
      for (size_t f = from[l] + 1; f < kForms.size(); ++f) {
        const double gain = layer.noise[from[l]] - layer.noise[f];
        const double bytes = bytes_of(layer, kForms[f], what) - bytes_of(layer, kForms[from[l]], what);
        if (gain > 0) all.push_back({l, f, gain / std::max(1.0, bytes)});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Upgrade& a, const Upgrade& b) { return a.worth > b.worth; });
    return all;
  }

  // At least one layer stays in codes.
  static bool has_codes(const Forms& forms) {
    return std::any_of(forms.begin(), forms.end(), [](size_t f) { return !kForms[f].floats(); });
  }

  Result<Footprint> plan(const Forms& forms) {
    if (const auto found = planned_.find(forms); found != planned_.end()) return found->second;
    note_progress("planning assignments", planned_.size());
    Result<Footprint> cost = bench_.plan(layers(), forms);
    if (cost) planned_[forms] = *cost;
    return cost;
  }

  // From the least memory to the least noise, as far as the sizes allow. Memory only grows along the way, so what does
  // not fit once is not asked again.
  Result<std::vector<Forms>> walk(const Forms& first, Short what) {
    std::vector<Forms> path{first};
    std::set<std::pair<size_t, size_t>> blocked;  // layers and forms that do not fit
    const size_t most = std::max<size_t>(1, layers().size() / kMostSteps);
    for (;;) {
      std::vector<Upgrade> all = upgrades(path.back(), what);
      std::erase_if(all, [&](const Upgrade& one) { return blocked.contains(one.key()); });
      if (all.empty()) return path;
      for (size_t count = most;; count /= 2) {
        Forms next = path.back();
        std::set<size_t> touched;
        for (const Upgrade& one : all) {
          if (touched.size() < count && touched.insert(one.layer).second) next[one.layer] = one.form;
        }
        bool good = has_codes(next);
        if (good && limits_.sizes()) {
          const Result<Footprint> cost = plan(next);
          if (!cost) return cost.faults();
          good = fits(limits_, *cost);
        }
        if (good) path.push_back(next);
        if (good || count == 1) {
          if (!good) blocked.insert(all.front().key());
          break;
        }
      }
    }
  }

  // What layers alone do, together.
  double noise_of(const Forms& forms) const {
    double noise = 0;
    for (size_t l = 0; l < forms.size(); ++l) noise += layers()[l].noise[forms[l]];
    return noise;
  }

  // Makes, measures and plans an assignment, once: its place in result_.made.
  Result<size_t> make(const Forms& forms) {
    if (const auto found = made_.find(forms); found != made_.end()) return found->second;
    note_progress("making assignments", made_.size());
    const Options options = with_forms(options_, layers(), forms);
    Result<Quantised> made = quantize(options);
    if (!made) return made.faults();
    Assignment row;
    for (const size_t form : forms) row.forms.push_back(kForms[form]);
    row.options = options_text(options);
    row.loss = loss_of(*made, limits_.kind);
    row.snr_db = -decibels_of(std::max(made->noise, 1e-30));
    row.cost = made->cost.after;
    row.fits = fits(limits_, row.cost);
    const size_t index = result_.made.size();
    result_.made.push_back(std::move(row));
    quantised_.push_back(std::move(*made));
    made_[forms] = index;
    return index;
  }

  bool is_good(size_t made) const {
    const Assignment& row = result_.made[made];
    return row.fits && (!limits_.loss || row.loss <= *limits_.loss);
  }

  // Of all ways, those that nothing else beats by what layers do alone.
  Result<Done> measure_along() {
    std::vector<Assignment> rows;
    std::vector<Forms> forms;
    std::set<Forms> seen;
    for (const std::vector<Forms>& way : ways_) {
      const size_t count = std::min(kMostPlanned, way.size());
      for (size_t i = 0; i < count; ++i) {
        const Forms& at = way[count == 1 ? 0 : i * (way.size() - 1) / (count - 1)];
        if (!seen.insert(at).second) continue;
        const Result<Footprint> cost = plan(at);
        if (!cost) return cost.faults();
        Assignment& row = rows.emplace_back();
        row.snr_db = -decibels_of(std::max(noise_of(at), 1e-30));
        row.cost = *cost;
        forms.push_back(at);
      }
    }
    std::vector<size_t> front;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (std::none_of(rows.begin(), rows.end(), [&](const Assignment& other) { return dominates(other, rows[i]); }))
        front.push_back(i);
    }
    std::stable_sort(front.begin(), front.end(), [&](size_t a, size_t b) { return rows[a].snr_db < rows[b].snr_db; });
    const size_t count = std::min(kMostMade, front.size());
    for (size_t i = 0; i < count; ++i) {
      const Result<size_t> made = make(forms[front[count == 1 ? 0 : i * (front.size() - 1) / (count - 1)]]);
      if (!made) return made.faults();
    }
    return Done{};
  }

  // The first of the way that loses little enough.
  Result<Done> bisect() {
    const std::vector<Forms>& way = ways_.front();
    size_t bad = 0, good = way.size() - 1;
    for (const size_t end : {bad, good}) {
      const Result<size_t> made = make(way[end]);
      if (!made) return made.faults();
      if (is_good(*made) == (end == bad)) return Done{};
    }
    while (good - bad > 1) {
      const size_t middle = bad + (good - bad) / 2;
      const Result<size_t> made = make(way[middle]);
      if (!made) return made.faults();
      (is_good(*made) ? good : bad) = middle;
    }
    return Done{};
  }

  // Less noise, and no more of anything.
  static bool dominates(const Assignment& a, const Assignment& b) {
    const auto no_more = [](const auto& x, const auto& y) { return x <= y; };
    const bool as_good = a.snr_db >= b.snr_db && no_more(a.cost.arena, b.cost.arena) &&
                         no_more(a.cost.weights, b.cost.weights) &&
                         (!a.cost.instructions || !b.cost.instructions || *a.cost.instructions <= *b.cost.instructions);
    return as_good && (a.snr_db > b.snr_db || a.cost.arena < b.cost.arena || a.cost.weights < b.cost.weights);
  }

  Result<Assigned> choose() {
    std::vector<size_t> order(result_.made.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const Footprint &x = result_.made[a].cost, &y = result_.made[b].cost;
      return std::pair(x.arena, x.weights) < std::pair(y.arena, y.weights);
    });
    std::vector<Assignment> rows;
    std::optional<size_t> best;
    size_t near = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      rows.push_back(result_.made[order[i]]);
      const Assignment& row = rows.back();
      if (row.loss < rows[near].loss) near = i;
      if (!is_good(order[i])) continue;
      const bool better = !best || (front_ && (row.loss < rows[*best].loss ||
                                               (row.loss == rows[*best].loss && row.snr_db > rows[*best].snr_db)));
      if (better) best = i;
    }
    for (Assignment& row : rows) {
      row.in_front =
          std::none_of(rows.begin(), rows.end(), [&](const Assignment& other) { return dominates(other, row); });
    }
    if (!best) return nearest(rows[near]);
    result_.best = std::move(quantised_[order[*best]]);
    result_.made = std::move(rows);
    result_.chosen = *best;
    return std::move(result_);
  }

  Diagnostic nearest(const Assignment& best) const {
    const std::string sizes = in_the_way(limits_, best.cost);
    const bool loses = limits_.loss && best.loss > *limits_.loss;
    return {
        "E422",
        {.file = options_.model_path},
        cat("none of the ", result_.made.size(), " assignments that were made keeps to the limits; the nearest loses ",
            percent(best.loss), loses ? cat(", over ", percent(*limits_.loss)) : "", ", with an arena of ",
            best.cost.arena, " bytes and weights of ", best.cost.weights, sizes.empty() ? "" : ": " + sizes),
        cat("allow more, give more data, or take the nearest: ",
            best.options.empty() ? "all layers as they are by default" : best.options)};
  }

  const Options& options_;
  const Limits& limits_;
  const bool front_;
  Bench bench_;
  Assigned result_;
  std::vector<std::vector<Forms>> ways_;
  std::map<Forms, Footprint> planned_;
  std::map<Forms, size_t> made_;      // place in result_.made
  std::vector<Quantised> quantised_;  // by place in result_.made
};

bool is_scores(const OutputRow& output) { return output.vector && output.elements > 1; }

Loss kind_of_loss(const Quantised& result, Loss kind) {
  if (kind != Loss::automatic) return kind;
  if (result.accuracy) return Loss::accuracy;
  return !result.outputs.empty() && is_scores(result.outputs.front()) ? Loss::agreement : Loss::power;
}

}  // namespace

double loss_of(const Quantised& result, Loss kind) {
  switch (kind_of_loss(result, kind)) {
    case Loss::accuracy: {
      const Accuracy a = result.accuracy.value_or(Accuracy{.samples = 1});
      return a.before > a.after ? static_cast<double>(a.before - a.after) / static_cast<double>(a.samples) : 0;
    }
    case Loss::agreement: return result.outputs.empty() ? 0 : 1 - result.outputs.front().agreement;
    default: return noise_of_outputs(result);
  }
}

std::string_view name_of_loss(const Quantised& result, Loss kind) {
  switch (kind_of_loss(result, kind)) {
    case Loss::accuracy: return "accuracy";
    case Loss::agreement: return "agreement";
    default: return "power";
  }
}

Result<Assigned> quantize_within(const Options& options, const Limits& limits, bool front) {
  return Search(options, limits, front).run();
}

}  // namespace tarn::quantize
