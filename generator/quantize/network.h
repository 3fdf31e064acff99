// A graph as a program on this machine: written, generated, compiled once, and run on as many samples as there are.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "quantize/to_model.h"
#include "report/report.h"
#include "support/result.h"

namespace tarn::quantize {

// One run's inputs, by position.
using Sample = std::vector<Constant>;
// The floats of the values that are watched, of one sample.
using Values = std::map<graph::ValueId, std::vector<float>>;

class Network {
 public:
  // Every value of `watched` becomes an output of a copy of the graph; the graph's own outputs need not be among them.
  // E402, E403: no working compiler on this machine; E421 and whatever planning finds.
  static Result<Network> make(const graph::Graph& graph, const FileFacts& facts,
                              const std::vector<graph::ValueId>& watched);

  int64_t macs() const;  // of a run

  // Numbers of this value are told divided by those of their channel; `inner` of a channel lie beside each other.
  void divide(graph::ValueId id, std::vector<float> by_channel, int64_t inner) {
    divided_[id] = {std::move(by_channel), inner};
  }

  // Calls visit(sample, values) for each sample, in order; watched inputs of the graph come from the sample. E406 when
  // the program fails.
  Result<Done> run(const std::vector<Sample>& samples,
                   const std::function<void(size_t sample, const Values& values)>& visit) const;

 private:
  struct Program;
  struct Divisor {
    std::vector<float> by_channel;
    int64_t inner = 1;
  };
  std::shared_ptr<const Program> program_;
  std::map<graph::ValueId, Divisor> divided_;
};

}  // namespace tarn::quantize
