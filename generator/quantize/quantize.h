// Post-training quantisation: a network of floats and data to run it on become a network of 8-bit codes.
//
//   samples.cc      the data
//   float_model.cc  the network as it is quantised
//   complete.cc     codes that it has already
//   spell_out.cc    operators by others that have a form on codes
//   scheme.cc       which tensors become codes
//   forms.cc        bits of a layer
//   network.cc      runs it on this machine, to see the numbers
//   observe.cc, masks.cc  the numbers that tensors take
//   ranges.cc, choose_ranges.cc  their scales
//   equalise.cc     channels that fill the range of their tensor
//   moments.cc, weights.cc, round_rows.cc, choose_weights.cc, common_error.cc, correct_outputs.cc  weights and biases
//   rewrite.cc      the network with QuantizeLinear and DequantizeLinear
//   logarithm.cc    the same on every machine
//   labels.cc       the classes that the data belong to
//   measure.cc, outcome.cc  what it cost
//   tell.cc         what the user should know of it
//   dynamic.cc      activations that become codes while the network runs
//   assign.cc       which layers stay in floats
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quantize/forms.h"
#include "quantize/ranges.h"
#include "support/result.h"
#include "tensor/constant.h"

namespace tarn::quantize {

struct Options {
  std::string model_path, data;
  bool dynamic = false;  // activations become codes while the network runs; `data` may be empty
  std::map<std::string, int64_t> dims;
  std::map<std::string, Constant> constants;
  bool channels_last = false;  // images of the data come as N, H, W, C
  size_t samples = 128;        // at most so many are used
  uint64_t seed = 1;
  RangeMethod range = RangeMethod::automatic;
  double percentile = 99.99;
  bool symmetric = false;
  bool open_outputs = true;  // the last layers hand over floats
  bool equalise = true, round_by_sums = true, correct_bias = true;
  int weight_bits = 8;      // 8 or 4
  int activation_bits = 8;  // 8 or 16
  // Of layers: by their name, that of their weights or of their output.
  std::map<std::string, LayerForm> forms;
  std::string target = "generic";  // for the figures of time
  std::string labels;              // a file with the right class of each sample; empty: none
};

// 10 log10 of the signal's power over that of the difference; infinite where nothing differs.
struct OutputRow {
  std::string name;
  double noise = 0;  // over its signal
  double snr_db = 0;
  double agreement = 0;     // share of samples with the largest element at the same place
  double worst_snr_db = 0;  // of one sample
  size_t worst_sample = 0;
  int64_t elements = 0;
  bool vector = false;  // all of its elements lie along the last axis, and are not as many as an input's: scores
};
struct LayerRow {
  std::string name, op;
  LayerForm form;
  double snr_db = 0;
  Range seen, codes;               // what its numbers took, and how far its codes reach
  std::vector<int64_t> histogram;  // of the numbers, evenly over `seen`
};

// What a network takes, as `tarn analyze` plans it.
struct Footprint {
  int64_t arena = 0, bound = 0, weights = 0;    // bytes; bound: no plan of this network has a smaller arena
  std::optional<int64_t> instructions, cycles;  // of a run on Options::target, where all kernels are modelled there
  std::string not_modelled;                     // kernels that are not
};
struct Cost {
  Footprint before, after;
  std::vector<std::pair<std::string, std::string>> floats;  // name and operator of what is planned in floats
};

// Samples whose largest element of the first output is at the place of their label.
struct Accuracy {
  size_t samples = 0, before = 0, after = 0;
};

struct Quantised {
  std::string bytes;  // the ONNX file
  size_t samples = 0;
  std::vector<OutputRow> outputs;
  double noise = 0;                  // of judged_values() over their signal, summed over them
  std::vector<LayerRow> layers;      // the most harmful first
  std::vector<std::string> names;    // of the layers whose weights are codes, in the order of the network
  std::optional<Accuracy> accuracy;  // with Options::labels
  Cost cost;
  Diagnostics warnings;                       // W402: opset; W403: what stays in floats; W404: data that tell little
  size_t kept = 0;                            // layers whose weights were codes already
  std::vector<std::string> recurrent;         // layers in floats whose weights alone became codes
  std::vector<std::string> files;             // that were read
  std::vector<std::vector<Constant>> inputs;  // of some of the samples
};

// E420, E421; E402, E403, E406 when the network cannot be run on this machine; whatever reading and planning find.
Result<Quantised> quantize(const Options& options);

}  // namespace tarn::quantize
