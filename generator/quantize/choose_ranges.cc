#include "quantize/choose_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quantize/samples.h"
#include "quantize/tuning.h"
#include "support/text.h"

namespace tarn::quantize {

using graph::Graph;
using graph::ValueId;

namespace {

// The ratio of two sums, by one standard error of what the samples tell of it more: few samples that disagree tell
// nothing, and 1 is what is compared with itself.
double surely_at_most(const std::vector<double>& noise, const std::vector<double>& of) {
  double sum = 0, base = 0, square = 0;
  for (size_t s = 0; s < of.size(); ++s) sum += noise[s], base += of[s];
  if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  if (!(base > 0)) return sum > 0 ? std::numeric_limits<double>::infinity() : 1;
  const double ratio = sum / base, count = static_cast<double>(of.size());
  for (size_t s = 0; s < of.size(); ++s) square += (noise[s] - ratio * of[s]) * (noise[s] - ratio * of[s]);
  if (count < 2) return std::max(1.0, ratio);
  return ratio + std::sqrt(square * count / (count - 1)) / base;
}

// By group: which of its candidates.
using Choice = std::vector<size_t>;

class Trials {
 public:
  Trials(const Trial& trial, const std::vector<Candidates>& candidates)
      : trial_(trial), candidates_(candidates), samples_(judging(trial.samples, kMostCompared)) {
    for (const ValueId id : trial.graph.outputs) {
      if (is_activation(trial.graph, id)) outputs_.push_back(id);
    }
  }

  Result<Done> prepare(Quantisation start) {
    start.layers.clear();
    std::vector<ValueId> floats;
    std::vector<CodeConstants> constants;
    Graph graph = rewrite(trial_.graph, trial_.scheme, start, &floats, &constants);
    FileFacts facts = trial_.facts;
    std::map<ValueId, ValueId> inputs;  // by the constant that they stand for
    std::vector<std::pair<ValueId, ValueId>> of_group(candidates_.size());
    for (size_t g = 0; g < candidates_.size(); ++g) {
      const DType type = candidates_[g].codes[0].bits > 8 ? DType::int16 : DType::int8;
      of_group[g] = {graph.add_value(cat("group_scale_", g), {DType::float32, Shape{}}),
                     graph.add_value(cat("group_zero_", g), {type, Shape{}})};
      graph.inputs.push_back(of_group[g].first);
      graph.inputs.push_back(of_group[g].second);
      facts.inputs.push_back(graph[of_group[g].first].name);
      facts.inputs.push_back(graph[of_group[g].second].name);
    }
    for (const CodeConstants& c : constants) {
      inputs[c.scale] = of_group[c.group].first;
      inputs[c.zero] = of_group[c.group].second;
    }
    for (graph::Node& node : graph.nodes) {
      for (ValueId& id : node.inputs) {
        if (const auto found = inputs.find(id); found != inputs.end()) id = found->second;
      }
    }
    for (const ValueId id : outputs_) after_.push_back(floats[id.pos()]);
    std::vector<ValueId> taps;
    for (const ValueId id : after_) {
      if (std::find(taps.begin(), taps.end(), id) == taps.end()) taps.push_back(id);
    }
    Result<Network> made = Network::make(graph, facts, taps);
    if (!made) return made.faults();
    program_ = std::move(*made);
    work_ = static_cast<double>(program_->macs());
    for (size_t v = 0; v < trial_.graph.values.size(); ++v) {
      if (trial_.scheme.has_codes(ValueId(v)))
        work_ += kWorkOfACode * static_cast<double>(trial_.graph.shape(ValueId(v)).count());
    }
    return Done{};
  }

  // How many samples each of so many trials may have.
  size_t affordable(size_t trials, double most) const {
    return static_cast<size_t>(std::min(1e6, most / std::max(1.0, work_ * static_cast<double>(trials))));
  }

  // Of each choice, how the outputs' noise over their signal compares with that of the first one, on the first of the
  // samples.
  Result<std::vector<double>> compare(const std::vector<Choice>& choices, size_t count) {
    if (Result<Done> known = reference(count); !known) return known.faults();
    std::vector<Sample> runs;
    for (const Choice& choice : choices) {
      for (size_t s = 0; s < count; ++s) runs.push_back(with_codes(s, choice));
    }
    std::vector<double> signal(outputs_.size(), 0);
    for (size_t s = 0; s < count; ++s) {
      for (size_t o = 0; o < outputs_.size(); ++o) {
        for (const float w : wanted_[s][o]) signal[o] += static_cast<double>(w) * static_cast<double>(w);
      }
    }
    std::vector<std::vector<double>> noise(choices.size(), std::vector<double>(count, 0));
    const Result<Done> run = program_->run(runs, [&](size_t at, const Values& values) {
      for (size_t o = 0; o < outputs_.size(); ++o) {
        const std::vector<float>&want = wanted_[at % count][o], &got = values.at(after_[o]);
        double sum = 0;
        for (size_t i = 0; i < want.size(); ++i) {
          const double off = static_cast<double>(got[i]) - static_cast<double>(want[i]);
          sum += off * off;
        }
        if (signal[o] > 0) noise[at / count][at % count] += sum / signal[o];
      }
    });
    if (!run) return run.faults();
    std::vector<double> shares;
    for (const std::vector<double>& one : noise) shares.push_back(surely_at_most(one, noise[0]));
    return shares;
  }

 private:
  Sample with_codes(size_t s, const Choice& choice) const {
    Sample run = samples_[s];
    for (size_t g = 0; g < candidates_.size(); ++g) {
      const std::vector<std::vector<Codes>>& without = candidates_[g].without;
      const size_t original = s % trial_.samples.size();
      const Codes& codes = (without.empty() ? candidates_[g].codes : without[original % without.size()])[choice[g]];
      const DType type = codes.bits > 8 ? DType::int16 : DType::int8;
      run.push_back(Constant::floats(DType::float32, Shape{}, {static_cast<double>(codes.scale)}));
      run.push_back(Constant::ints(type, Shape{}, {codes.zero}));
    }
    return run;
  }

  // What the network in floats gives.
  Result<Done> reference(size_t count) {
    if (wanted_.size() >= count) return Done{};
    const std::vector<Sample> more(samples_.begin() + static_cast<std::ptrdiff_t>(wanted_.size()),
                                   samples_.begin() + static_cast<std::ptrdiff_t>(count));
    return trial_.network.run(more, [&](size_t, const Values& values) {
      std::vector<std::vector<float>>& outputs = wanted_.emplace_back();
      for (const ValueId id : outputs_) outputs.push_back(values.at(id));
    });
  }

  const Trial& trial_;
  const std::vector<Candidates>& candidates_;
  std::vector<Sample> samples_;           // that judge
  std::vector<ValueId> outputs_, after_;  // in the float graph, and in the one with codes
  std::optional<Network> program_;
  double work_ = 0;                                      // of a run
  std::vector<std::vector<std::vector<float>>> wanted_;  // by sample and output
};

// Groups that are tried together: one each, or several that follow each other where that would be too many runs.
using Blocks = std::vector<std::vector<size_t>>;

Blocks blocks_of(const std::vector<Candidates>& candidates, size_t most) {
  std::vector<size_t> open;
  for (size_t g = 0; g < candidates.size(); ++g) {
    if (candidates[g].codes.size() > 1) open.push_back(g);
  }
  Blocks blocks(std::min(most, open.size()));
  for (size_t i = 0; i < open.size() && !blocks.empty(); ++i)
    blocks[i * blocks.size() / open.size()].push_back(open[i]);
  return blocks;
}

// Another candidate for the groups of one block.
struct Change {
  size_t block = 0, candidate = 0;
};

void apply(const std::vector<Candidates>& candidates, const std::vector<size_t>& block, size_t candidate,
           Choice& choice) {
  for (const size_t g : block) choice[g] = std::min(candidate, candidates[g].codes.size() - 1);
}

// Each block's best candidate beside `from`, where it lowers the noise to that share at least.
Choice improved(const std::vector<Candidates>& candidates, const Choice& from, const Blocks& blocks,
                const std::vector<Change>& changes, const std::vector<double>& noise, double share) {
  Choice choice = from;
  std::vector<double> least(blocks.size(), share);
  for (size_t i = 0; i < changes.size(); ++i) {
    const auto [block, candidate] = changes[i];
    if (noise[i + 1] >= least[block]) continue;
    least[block] = noise[i + 1];
    apply(candidates, blocks[block], candidate, choice);
  }
  return choice;
}

// The least of `choices`, on as many samples as may be.
Result<Choice> least_of(Trials& trials, const std::vector<Choice>& choices, double most) {
  const size_t count = std::clamp<size_t>(trials.affordable(choices.size(), most), 1, kMostCompared);
  const Result<std::vector<double>> noise = trials.compare(choices, count);
  if (!noise) return noise.faults();
  return choices[static_cast<size_t>(std::min_element(noise->begin(), noise->end()) - noise->begin())];
}

}  // namespace

Result<std::vector<Codes>> choose_by_outputs(const Trial& trial, const std::vector<Candidates>& candidates,
                                             const Quantisation& start) {
  Choice best(candidates.size(), 0);
  size_t methods = 1;
  for (const Candidates& some : candidates) methods = std::max(methods, some.codes.size());
  if (methods > 1) {
    Trials trials(trial, candidates);
    if (const Result<Done> prepared = trials.prepare(start); !prepared) return prepared.faults();
    const Blocks all = blocks_of(candidates, 1);
    std::vector<Choice> uniform{best};
    for (size_t m = 1; m < methods; ++m) {
      uniform.push_back(best);
      apply(candidates, all[0], m, uniform.back());
    }
    Result<Choice> base = least_of(trials, uniform, kMostUniformWork);
    if (!base) return base.faults();
    best = std::move(*base);
    for (int round = 0; round < kRounds; ++round) {
      const Blocks blocks = blocks_of(candidates, trials.affordable(kFewestTrials * (methods - 1), kMostWork));
      if (blocks.size() < 2) break;
      std::vector<Change> changes;
      std::vector<Choice> alone{best};
      for (size_t b = 0; b < blocks.size(); ++b) {
        for (size_t m = 0; m < methods; ++m) {
          Choice other = best;
          apply(candidates, blocks[b], m, other);
          if (other == best) continue;
          changes.push_back({b, m});
          alone.push_back(std::move(other));
        }
      }
      const size_t count = std::clamp(trials.affordable(alone.size(), kMostWork), kFewestTrials, kMostTrials);
      const Result<std::vector<double>> noise = trials.compare(alone, count);
      if (!noise) return noise.faults();
      std::vector<Choice> together{best};
      for (const double share : {kLess, kMuchLess})
        together.push_back(improved(candidates, best, blocks, changes, *noise, share));
      Result<Choice> better = least_of(trials, together, kMostCompareWork);
      if (!better) return better.faults();
      if (*better == best) break;
      best = std::move(*better);
    }
  }
  std::vector<Codes> codes;
  for (size_t g = 0; g < candidates.size(); ++g) codes.push_back(candidates[g].codes[best[g]]);
  return codes;
}

}  // namespace tarn::quantize
