// What is the same however a network is quantised: the graph, the data, and the program that tells its numbers.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "quantize/float_model.h"
#include "quantize/network.h"
#include "quantize/quantize.h"
#include "quantize/samples.h"
#include "quantize/scheme.h"

namespace tarn::quantize {

struct Prepared {
  FloatModel model;
  std::vector<Sample> samples;
  std::vector<Sample> labelled;  // all of the data, where there are labels
  std::vector<size_t> labels;
  std::vector<std::string> files;
  std::map<std::string, int64_t> dims;  // of the options, and those that follow from the data
};

// Reads model and data. E420, and whatever reading finds.
Result<Prepared> prepare(const Options& options);

// Makes channels fill the ranges of their tensors; the numbers that `network` tells are as if the weights in `graph`
// had been those when it was compiled. False: nothing is changed.
Result<bool> equalise(graph::Graph& graph, const Scheme& scheme, Network& network, const std::vector<Sample>& samples);

// Where outputs are judged: the float outputs, before a Softmax, with the length of its rows, or a Sigmoid that they
// end in. Behind one the noise of all samples is that of the few which are in doubt.
struct Judged {
  graph::ValueId value;
  int64_t scores = 0;
};
std::vector<Judged> judged_values(const graph::Graph& graph);

// What has codes in one of `schemes`, is made by a layer, or is an output or judged.
std::vector<graph::ValueId> values_to_watch(const graph::Graph& graph, const std::vector<const Scheme*>& schemes);

// What the options name. E420 for names that no node has. Names of weights and outputs will do.
Result<Done> check_names(const graph::Graph& graph, const Options& options);
SchemeOptions scheme_options(const Options& options);
LayerForm form_of(const graph::Graph& graph, const graph::Node& node, const Options& options);

// By group: what its tensors were codes of in the file; of several the first.
std::map<size_t, Codes> codes_of_file(const graph::Graph& graph, const Scheme& scheme);

// Bits of the weights of each layer, by node.
std::map<size_t, int> weight_bits(const graph::Graph& graph, const Scheme& scheme, const Options& options);

// Layers in floats whose weights are to be float16; not those with numbers beyond it.
std::set<size_t> half_layers(const graph::Graph& graph, const Options& options);

// Recurrent layers compute in floats; their weights can be codes all the same.
std::set<size_t> recurrent_layers(const graph::Graph& graph, const Scheme& scheme, const Options& options);

// The layer as reports and options call it.
std::string name_of(const graph::Graph& graph, const graph::Node& node);

}  // namespace tarn::quantize
