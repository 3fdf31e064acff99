#include "quantize/samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "model/load_onnx.h"
#include "quantize/npy.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::quantize {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostFaults = 20;
constexpr const char* kKinds[] = {".pb", ".npy", ".bin", ".raw"};

Diagnostic fault(const std::string& file, std::string what, std::string hint = {}) {
  return {"E420", {.file = file}, std::move(what), std::move(hint)};
}

bool is_data(const fs::path& path) {
  const std::string kind = path.extension().string();
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const char* k) { return kind == k; });
}

// "set_10" comes after "set_9".
bool natural_less(const std::string& a, const std::string& b) {
  size_t i = 0, j = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      size_t u = i, v = j;
      while (u < a.size() && digit(a[u])) ++u;
      while (v < b.size() && digit(b[v])) ++v;
      std::string m = a.substr(i, u - i), n = b.substr(j, v - j);
      m.erase(0, std::min(m.find_first_not_of('0'), m.size()));
      n.erase(0, std::min(n.find_first_not_of('0'), n.size()));
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      i = u, j = v;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

// The folders in a folder, or the files of data in it. Nothing is taken for all that cannot be read in full.
std::vector<std::string> entries(const std::string& folder, bool folders, std::error_code& error) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : verify::list_folder(folder, error)) {
    std::error_code ignored;
    if (entry.is_directory(ignored) == folders && (folders || is_data(entry.path())))
      found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end(), natural_less);
  return found;
}

// A name in a path: what is no letter, digit, '.', '-' or '_' is '_'.
std::string as_file_name(std::string name) {
  for (char& c : name) {
    if (!is_name_character(c) && c != '.' && c != '-') c = '_';
  }
  return name;
}

class Reader {
 public:
  explicit Reader(const model::Model& model) : inputs_(model.graph.inputs) {}

  Diagnostics faults;
  Data data;

  // The files of one set; empty: the folder is none.
  std::vector<std::string> set_files(const std::string& folder) const {
    std::vector<std::string> files;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      std::string found;
      for (const std::string& stem : {cat("input_", i), as_file_name(inputs_[i].name)}) {
        for (const char* kind : kKinds) {
          const std::string path = cat(folder, "/", stem, kind);
          std::error_code error;
          if (found.empty() && fs::is_regular_file(path, error)) found = path;
        }
      }
      if (found.empty()) return {};
      files.push_back(found);
    }
    return files;
  }

  void read_set(const std::vector<std::string>& files) {
    std::vector<Stored> set;
    for (size_t i = 0; i < files.size(); ++i) {
      data.files.push_back(files[i]);
      if (auto value = read_file(files[i], inputs_[i])) set.push_back({files[i], std::move(*value)});
    }
    if (set.size() == files.size()) data.sets.push_back(std::move(set));
  }

 private:
  std::optional<Constant> read_file(const std::string& path, const model::ValueInfo& input) {
    if (path.ends_with(".pb")) {
      Result<Constant> tensor = model::load_tensor(path);
      if (tensor) return *tensor;
      faults.push_back(fault(path, "it is no tensor: " + tensor.faults().front().message));
      return {};
    }
    const std::optional<std::string> content = verify::read_file(path);
    if (!content) {
      faults.push_back(fault(path, "it cannot be read"));
      return {};
    }
    if (!path.ends_with(".npy")) {
      const int bits = bits_of(input.type.dtype);
      if (bits >= 8 && !content->empty() && content->size() % static_cast<size_t>(bits / 8) == 0) {
        const auto count = static_cast<int64_t>(content->size()) / (bits / 8);
        return Constant::of({input.type.dtype, Shape{count}}, std::vector<uint8_t>(content->begin(), content->end()));
      }
      faults.push_back(fault(path, cat("its ", content->size(), " bytes are no whole number of ",
                                       to_string(input.type.dtype), " elements")));
      return {};
    }
    std::string why;
    std::optional<Constant> array = read_npy(*content, &why);
    if (!array) faults.push_back(fault(path, why));
    return array;
  }

  const std::vector<model::ValueInfo>& inputs_;
};

}  // namespace

Result<Data> read_data(const std::string& folder, const model::Model& model) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return fault(folder, "there is no such folder", "name one with --data DIR");
  Reader reader(model);
  const std::vector<std::string> own = reader.set_files(folder), files = entries(folder, false, error);
  const std::vector<std::string> folders = error ? std::vector<std::string>{} : entries(folder, true, error);
  if (error) return fault(folder, "it cannot be read: " + error.message(), "check its permissions");
  if (!own.empty()) reader.read_set(own);
  for (const std::string& inner : folders) {
    const std::vector<std::string> set = reader.set_files(inner);
    if (!set.empty()) reader.read_set(set);
  }
  if (own.empty() && model.graph.inputs.size() == 1) {
    for (const std::string& file : files) {
      if (!fs::path(file).filename().string().starts_with("output_")) reader.read_set({file});
    }
  }
  if (reader.faults.size() > kMostFaults) reader.faults.resize(kMostFaults);
  if (!reader.faults.empty()) return reader.faults;
  if (reader.data.sets.empty())
    return fault(
        folder, cat("it holds no data for the model's ", model.graph.inputs.size(), " inputs"),
        "store input_0.pb (or .npy, .bin), input_1.pb, ... in it or in folders of it; with one input any .npy");
  return std::move(reader.data);
}

namespace {

// N, H, W, C to N, C, H, W, of one sample.
Constant channels_first(const Constant& c, const Shape& to) {
  const auto element = static_cast<size_t>(bits_of(c.dtype()) / 8);
  const int64_t channels = to[1], inner = to.count(2, to.rank());
  const std::vector<uint8_t> from = c.bytes();
  std::vector<uint8_t> moved(from.size());
  for (int64_t i = 0; i < to.count(); ++i) {
    const int64_t image = i / (channels * inner), channel = i / inner % channels, pixel = i % inner;
    std::copy_n(from.begin() + ((image * inner + pixel) * channels + channel) * static_cast<int64_t>(element), element,
                moved.begin() + i * static_cast<int64_t>(element));
  }
  return Constant::of({c.dtype(), to}, std::move(moved));
}

Constant converted(const Constant& c, DType type) {
  if (c.dtype() == type) return c;
  if (is_integer(type) || type == DType::boolean) return Constant::ints(type, c.shape(), c.integers());
  return Constant::floats(type, c.shape(), c.reals());
}

// How many samples of `type` the tensor holds; 0: it does not fit. A header-less file fits by its number of elements.
int64_t samples_in(const Constant& c, const TensorType& type, bool channels_last) {
  Shape wanted = type.shape;
  if (channels_last && wanted.rank() > 2) {
    std::rotate(wanted.dims.begin() + 1, wanted.dims.begin() + 2, wanted.dims.end());
  }
  const int64_t one = wanted.count();
  if (one == 0 || c.count() == 0 || c.count() % one != 0) return 0;
  const Shape& shape = c.shape();
  if (shape == wanted) return 1;
  if (shape.rank() == 1) return c.count() / one;
  // Several batches, or samples along an axis of their own; a batch of one may be left away.
  const std::vector<int64_t> tail(wanted.dims.begin() + (wanted.rank() > 0 ? 1 : 0), wanted.dims.end());
  const auto ends_with = [&](const std::vector<int64_t>& dims) {
    return shape.dims.size() >= dims.size() &&
           std::equal(dims.begin(), dims.end(), shape.dims.end() - static_cast<std::ptrdiff_t>(dims.size()));
  };
  if (shape.rank() == wanted.rank() && ends_with(tail) && shape[0] % wanted[0] == 0) return c.count() / one;
  if (shape.rank() == wanted.rank() + 1 && ends_with(wanted.dims)) return shape[0];
  if (wanted.rank() > 0 && wanted[0] == 1 && shape.dims == tail) return 1;
  return 0;
}

bool finite(const Constant& c) {
  if (!is_float(c.dtype())) return true;
  const std::vector<double> values = c.reals();
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Whole numbers within the type, where the input is of such.
bool holds(const Constant& c, DType type) {
  if (c.dtype() == type || is_float(type)) return true;
  const int bits = type == DType::boolean ? 1 : bits_of(type);
  const bool sign = is_signed(type);
  const double most = std::ldexp(1, bits - (sign ? 1 : 0)), least = sign ? -most : 0;
  const std::vector<double> values = c.reals();
  return std::all_of(values.begin(), values.end(),
                     [&](double v) { return v == std::floor(v) && v >= least && v < most; });
}

Constant part(const Constant& c, int64_t index, const Shape& shape) {
  const auto bytes = static_cast<size_t>(bytes_for(c.dtype(), shape.count()));
  std::vector<uint8_t> some(bytes);
  c.copy_bytes(index * static_cast<int64_t>(bytes), some);
  return Constant::of({c.dtype(), shape}, std::move(some));
}

}  // namespace

Result<std::vector<std::vector<Constant>>> fit_samples(const Data& data, const std::vector<std::string>& names,
                                                       const std::vector<TensorType>& types, bool channels_last) {
  std::vector<std::vector<Constant>> samples;
  Diagnostics faults;
  for (const std::vector<Stored>& set : data.sets) {
    int64_t count = 0;
    bool fits = true;
    for (size_t i = 0; i < types.size() && i < set.size(); ++i) {
      const Constant& c = set[i].value;
      const int64_t here = c.is_strings() || c.is_absent() ? 0 : samples_in(c, types[i], channels_last);
      if (here == 0) {
        faults.push_back(fault(
            set[i].file, cat("it holds ", to_string(c.type()), ", the input '", names[i], "' is ", to_string(types[i])),
            channels_last || types[i].shape.rank() < 3 ? "" : "--layout nhwc takes images with their channels last"));
        fits = false;
      } else if (!finite(c)) {
        faults.push_back(fault(set[i].file, cat("it holds NaN or infinite numbers for the input '", names[i], "'"),
                               "leave such samples away: they have no range"));
        fits = false;
      } else if (!holds(c, types[i].dtype)) {
        faults.push_back(
            fault(set[i].file, cat("it holds ", to_string(c.dtype()), " numbers that are none of ",
                                   to_string(types[i].dtype), ", which the input '", names[i], "' is of")));
        fits = false;
      } else if (i > 0 && here != count) {
        faults.push_back(fault(set[i].file, cat("it holds ", here, " samples, '", set[0].file, "' ", count)));
        fits = false;
      }
      count = i == 0 ? here : count;
    }
    for (int64_t s = 0; fits && s < count; ++s) {
      std::vector<Constant> sample;
      for (size_t i = 0; i < types.size(); ++i) {
        const Constant one = part(set[i].value, s, types[i].shape);
        const bool moved = channels_last && types[i].shape.rank() > 2;
        sample.push_back(converted(moved ? channels_first(one, types[i].shape) : one, types[i].dtype));
      }
      samples.push_back(std::move(sample));
    }
  }
  if (faults.size() > kMostFaults) faults.resize(kMostFaults);
  if (!faults.empty()) return faults;
  return samples;
}

namespace {

// Evenly within a step of 8-bit codes.
Constant moved(const Constant& from, uint64_t& drawn) {
  if (from.is_strings() || from.is_absent() || from.dtype() != DType::float32) return from;
  std::vector<float> values(static_cast<size_t>(from.count()));
  from.read(0, values);
  float most = 0;
  for (const float v : values) most = std::max(most, std::fabs(v));
  std::vector<double> numbers;
  for (const float v : values) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    const double even = static_cast<double>(static_cast<int64_t>(drawn >> 33)) * 0x1p-30 - 1;
    numbers.push_back(static_cast<double>(v) + (v == 0 ? 0 : even * static_cast<double>(most) / 127));
  }
  return Constant::floats(DType::float32, from.shape(), numbers);
}

}  // namespace

std::vector<std::vector<Constant>> judging(const std::vector<std::vector<Constant>>& samples, size_t count) {
  std::vector<std::vector<Constant>> judges(
      samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(std::min(count, samples.size())));
  uint64_t drawn = 1;
  while (!samples.empty() && judges.size() < count) {
    std::vector<Constant>& copy = judges.emplace_back();
    for (const Constant& input : samples[(judges.size() - 1) % samples.size()]) copy.push_back(moved(input, drawn));
  }
  return judges;
}

}  // namespace tarn::quantize
