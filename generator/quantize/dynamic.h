// Dynamic quantisation: weights are codes in the file, activations become codes while the network runs, each with the
// range that it takes then. No data are needed but to tell what it costs.
#pragma once
#include "quantize/quantize.h"

namespace tarn::quantize {

// Conv, Gemm and MatMul with known weights become DynamicQuantizeLinear, ConvInteger or MatMulInteger, Cast, Mul and
// Add; GRU, LSTM, RNN and Gather of a table have DequantizeLinear before their weights; all else stays as it is.
// Options::data may be empty: then nothing is measured but sizes. E421 where there is no such operator; else as
// quantize().
Result<Quantised> quantize_dynamically(const Options& options);

}  // namespace tarn::quantize
