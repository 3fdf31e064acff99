// Calibration data: what users have lying in a folder, as inputs of the network.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"
#include "support/result.h"
#include "tensor/constant.h"

namespace tarn::quantize {

// A tensor of a file, and where it comes from.
struct Stored {
  std::string file;
  Constant value;
};

// By sample, by input. A file may hold several samples along a first axis of its own, or along the batch; they are
// taken apart once the shapes are known, see fit_samples().
struct Data {
  std::vector<std::vector<Stored>> sets;
  std::vector<std::string> files;  // all that were read
};

// Reads a folder:
//   input_0.pb, input_1.pb, ... (or .npy, .bin, .raw), also named after the inputs: one set
//   folders of such files, in the order of the numbers in their names: a set each
//   any .pb, .npy, .bin or .raw files, where the model has one input: a set each
// Files without a header (.bin, .raw) hold the input's element type. E420 tells every file that cannot be read, and a
// folder without data.
Result<Data> read_data(const std::string& folder, const model::Model& model);

// The samples as the network's inputs take them: `types` by input, nothing of dimension 0. Numbers of other types are
// converted; with `channels_last` images come as N, H, W, C. E420: wrong shapes, NaN and infinities, named by file.
Result<std::vector<std::vector<Constant>>> fit_samples(const Data& data, const std::vector<std::string>& names,
                                                       const std::vector<TensorType>& types, bool channels_last);

// `count` samples that judge a choice: those given, and where they are fewer copies whose floats are moved by less than
// a step of 8-bit codes. What a network gives for these is hardly another, but its roundings fall otherwise: the noise
// of few samples is told as if there were many.
std::vector<std::vector<Constant>> judging(const std::vector<std::vector<Constant>>& samples, size_t count);

// `count` of them, drawn by a generator of fixed sequence; all where there are no more.
template <class T>
std::vector<T> draw(std::vector<T> samples, size_t count, uint64_t seed) {
  if (samples.size() <= count) return samples;
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    std::swap(samples[i], samples[i + (seed >> 33) % (samples.size() - i)]);
  }
  samples.resize(count);
  return samples;
}

}  // namespace tarn::quantize
