#include "fuzz/stateful/random_graph.h"

#include <set>

#include "support/text.h"

namespace tarn::stateful {

namespace {

// Shape [1, steps, channels] of every state and signal.
struct Size {
  int64_t steps = 1, channels = 1;
};

class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 1) {}

  RandomGraph write() {
    const auto count = 1 + below(3);
    size_.channels = 1 + below(9);
    size_.steps = 2 + below(6);
    inputs_.push_back(cat("float[1, ", size_.steps, ", ", size_.channels, "] x"));
    inputs_.push_back(cat("float[1, 1, ", size_.channels, "] step"));
    for (int64_t k = 0; k < count; ++k) inputs_.push_back(cat(shape(), " s", k));
    add("float gain = {0.625}, int64[1] position_size = {1}");
    for (int64_t k = 0; k < count; ++k) {
      // Readers of the old state, of none, one or several kinds.
      const std::string old = cat("s", k);
      if (chance(4)) alone_.insert(k);  // a window that nothing but a convolution reads
      else
        for (int64_t r = below(3); r > 0; --r) read(old);
    }
    for (int64_t k = 0; k < count; ++k) update(k, count);
    for (int64_t k = 0; k < count; ++k) {
      // Readers of the next one, with or without the old one.
      if (grown_.contains(k)) {
        if (chance(2)) read_.push_back(node(cat("ReduceMean<axes = [1], keepdims = 1>(s", k, "_out)")));
        continue;
      }
      if (alone_.contains(k) && !chance(8)) continue;
      if (chance(3)) output(cat(shape(), " both", k), cat("both", k, " = Mul(s", k, "_out, s", k, ")"));
      if (chance(3)) output(cat(shape(), " again", k), cat("again", k, " = Identity(s", k, "_out)"));
      if (chance(4)) output(cat(shape(), " was", k), cat("was", k, " = Identity(s", k, ")"));
      if (chance(3)) read(cat("s", k, "_out"));
    }
    std::string sum = "x";
    for (const std::string& value : read_) sum = node(cat("Add(", sum, ", ", value, ")"));
    output(cat(shape(), " y"), cat("y = Mul(", sum, ", gain)"));
    return {cat("g (", join(inputs_), ") => (", join(outputs_), ") <", join(constants_), "> {", nodes_, "}"), states_,
            !grown_.empty()};
  }

 private:
  uint64_t next() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
  }
  int64_t below(int64_t n) { return static_cast<int64_t>((next() >> 20) % static_cast<uint64_t>(n)); }
  bool chance(int64_t one_in) { return below(one_in) == 0; }

  std::string shape() const { return shape(size_.steps); }
  std::string shape(int64_t steps) const { return cat("float[1, ", steps, ", ", size_.channels, "]"); }
  std::string name() { return cat("v", ++names_); }
  void add(const std::string& constant) { constants_.push_back(constant); }
  void line(const std::string& text) { nodes_ += " " + text; }
  std::string node(const std::string& call) {
    const std::string made = name();
    line(cat(made, " = ", call));
    return made;
  }
  void output(const std::string& declared, const std::string& text) {
    outputs_.push_back(declared);
    line(text);
  }
  std::string integers(const std::vector<int64_t>& values) {
    const std::string made = name();
    add(cat("int64[", values.size(), "] ", made, " = {", join(values), "}"));
    return made;
  }
  std::string numbers(int64_t rows, int64_t columns) {
    const std::string made = name();
    std::vector<std::string> values;
    for (int64_t i = 0; i < rows * columns; ++i) values.push_back(cat(static_cast<double>(below(129) - 64) / 128.0));
    add(cat("float[", rows, ", ", columns, "] ", made, " = {", join(values), "}"));
    return made;
  }

  std::string slice(const std::string& of, int64_t first, int64_t end, int64_t axis = 1) {
    return node(cat("Slice(", of, ", ", integers({first}), ", ", integers({end}), ", ", integers({axis}), ")"));
  }

  // A value of the signal's shape that depends on `of`, of the same shape.
  std::string computed(const std::string& of) {
    switch (below(6)) {
      case 0: return node(cat("Mul(", of, ", gain)"));
      case 1: return node(cat("Tanh(", of, ")"));
      case 2: return node(cat("MatMul(", of, ", ", numbers(size_.channels, size_.channels), ")"));
      case 3: return node(cat("Softmax<axis = -1>(", of, ")"));
      case 4: return node(cat("Sub(", of, ", x)"));
      default: return node(cat("ReduceSum<keepdims = 1>(", of, ", ", integers({1}), ")"));
    }
  }
  // One step, [1, 1, channels].
  std::string one_step() {
    if (chance(8)) return constant_step();
    if (chance(2)) return "step";
    return chance(2) ? node("Tanh(step)") : slice("x", 0, 1);
  }

  std::string constant_step() {
    const std::string made = name();
    std::vector<std::string> values;
    for (int64_t i = 0; i < size_.channels; ++i) values.push_back(cat(static_cast<double>(below(9) - 4) / 4.0));
    add(cat("float[1, 1, ", size_.channels, "] ", made, " = {", join(values), "}"));
    return made;
  }

  void read(const std::string& of) { read_.push_back(computed(of)); }

  // s<k>_out, the next s<k>.
  void update(int64_t k, int64_t count) {
    const std::string old = cat("s", k), out = cat("s", k, "_out"), begin = cat(out, " = ");
    std::string from = old;
    if (chance(4)) from = cat("s", below(count));  // of another one: a line of delays, an exchange
    states_.emplace_back(out, old);
    const int64_t steps = size_.steps, some = 1 + below(steps - 1);
    if (!alone_.contains(k) && chance(8)) {  // a cache that grows, of which the next run reads the last steps
      grown_.insert(k);
      const bool two = chance(3);
      outputs_.push_back(cat(shape(steps + (two ? 2 : 1)), " ", out));
      line(cat(begin, "Concat<axis = 1>(", old, ", ", one_step(), two ? ", " + one_step() : "", ")"));
      return;
    }
    outputs_.push_back(cat(shape(), " ", out));
    if (alone_.contains(k)) return causal(out, old, chance(2));
    switch (below(23)) {
      case 0: line(cat(begin, "Concat<axis = 1>(", slice(from, 1, steps), ", ", one_step(), ")")); break;
      case 1: {  // a history before the signal
        const std::string joined = node(cat("Concat<axis = 1>(", from, ", ", one_step(), ")"));
        if (chance(2)) read_.push_back(node(cat("ReduceMean<axes = [1], keepdims = 1>(", joined, ")")));
        line(cat(begin, "Slice(", joined, ", ", integers({1}), ", ", integers({steps + 1}), ", ", integers({1}), ")"));
        break;
      }
      case 2: line(cat(begin, "Concat<axis = 1>(", slice(from, some, steps), ", ", slice("x", 0, some), ")")); break;
      case 3:
        line(cat(begin, "Concat<axis = 1>(", slice("x", 0, some), ", ", slice(from, 0, steps - some), ")"));
        break;
      case 4: {
        const std::string at = name();
        add(cat("int64[1, 2] ", at, " = {0, ", below(steps), "}"));
        line(cat(begin, "ScatterND(", from, ", ", at, ", ",
                 node(cat("Reshape(step, ", integers({1, size_.channels}), ")")), ")"));
        break;
      }
      case 5: {
        const std::string first = node(cat("Mul(", from, ", gain)"));
        line(cat(begin, "Add(", first, ", x)"));
        break;
      }
      case 6:
        line(cat(begin, "Tanh(", node(cat("MatMul(", from, ", ", numbers(size_.channels, size_.channels), ")")), ")"));
        break;
      case 7: {
        const std::string mask = node("Greater(x, gain)");
        line(cat(begin, "Where(", mask, ", x, ", from, ")"));
        break;
      }
      case 8: line(cat(begin, "Identity(", chance(2) ? "x" : from, ")")); break;
      case 11:
      case 12: line(cat(begin, "Identity(s", (k + 1) % count, ")")); break;
      case 9: line(cat(begin, "Sub(", computed_wide(from), ", ", from, ")")); break;
      case 10: {
        const std::string at = name();
        std::vector<int64_t> index(static_cast<size_t>(size_.channels), below(steps));
        add(cat("int64[1, 1, ", size_.channels, "] ", at, " = {", join(index), "}"));
        line(cat(begin, "ScatterElements<axis = 1>(", from, ", ", at, ", step)"));
        break;
      }
      case 13:  // a ring that turns
        line(cat(begin, "Concat<axis = 1>(", slice(from, some, steps), ", ", slice(from, 0, some), ")"));
        break;
      case 14:  // between what stays and what moves up
        line(cat(begin, "Concat<axis = 1>(", slice(from, 0, some), ", ", one_step(),
                 some + 1 < steps ? ", " + slice(from, some, steps - 1) : "", ")"));
        break;
      case 15: {  // along the channels
        const int64_t channels = size_.channels, of = 1 + below(channels);
        if (of == channels) {
          line(cat(begin, "Identity(", from, ")"));
          break;
        }
        const std::string stays = slice(from, channels - of, channels, 2), added = slice("x", 0, channels - of, 2);
        line(cat(begin, "Concat<axis = 2>(", chance(2) ? cat(stays, ", ", added) : cat(added, ", ", stays), ")"));
        break;
      }
      case 16: {  // two new parts on either side
        if (steps < 3) {
          line(cat(begin, "Identity(x)"));
          break;
        }
        line(cat(begin, "Concat<axis = 1>(", one_step(), ", ", slice(from, 1, steps - 1), ", ", one_step(), ")"));
        break;
      }
      case 17: {  // a part of another state beside a part of this one
        line(cat(begin, "Concat<axis = 1>(", slice(from, some, steps), ", ", slice(cat("s", below(count)), 0, some),
                 ")"));
        break;
      }
      case 18: {  // nothing of the old one
        line(cat(begin, "Concat<axis = 1>(", slice(computed_wide("x"), some, steps), ", ", slice("x", 0, some), ")"));
        break;
      }
      case 19: recurrent(out, from, count); break;
      case 20: causal(out, from, chance(2)); break;
      default: {
        const std::string once = node(cat("Concat<axis = 1>(", slice(from, 1, steps), ", step)"));
        line(cat(begin, "Concat<axis = 1>(", slice(once, 1, steps), ", ", one_step(), ")"));
      }
    }
  }
  std::string values(const std::string& type, int64_t number, int64_t range) {
    const std::string made = name();
    std::vector<std::string> all;
    for (int64_t i = 0; i < number; ++i) all.push_back(cat(static_cast<double>(below(2 * range + 1) - range) / 64.0));
    add(cat(type, " ", made, " = {", join(all), "}"));
    return made;
  }
  // A window under a convolution, whose steps are the second axis or the last one.
  void causal(const std::string& out, const std::string& from, bool last) {
    const int64_t steps = last ? size_.channels : size_.steps, c = last ? size_.steps : size_.channels;
    const std::string added = last ? slice("x", 0, 1, 2) : one_step();
    const std::string joined = node(cat("Concat<axis = ", last ? 2 : 1, ">(", from, ", ", added, ")"));
    line(cat(out, " = Slice(", joined, ", ", integers({1}), ", ", integers({steps + 1}), ", ", integers({last ? 2 : 1}),
             ")"));
    const int64_t kernel = chance(2) ? steps + 1 : 2, dilation = steps / (kernel - 1), groups = chance(2) ? c : 1;
    for (int64_t readers = 1 + below(2); readers > 0; --readers) {
      const std::string w = values(cat("float[", c, ", ", c / groups, ", ", kernel, "]"), c * c / groups * kernel, 40),
                        of = last ? joined : node(cat("Transpose<perm = [0, 2, 1]>(", joined, ")"));
      const std::string made = node(cat("Conv<kernel_shape = [", kernel, "], dilations = [", dilation,
                                        "], group = ", groups, ">(", of, ", ", w, ")"));
      read_.push_back(last ? made : node(cat("Transpose<perm = [0, 2, 1]>(", made, ")")));
    }
  }
  // The last state of a GRU, or the cell of an LSTM, whose sequences are the steps.
  void recurrent(const std::string& out, const std::string& before, int64_t count) {
    const bool lstm = chance(2);
    const int64_t c = size_.channels, rows = (lstm ? 4 : 3) * c;
    const std::string w = values(cat("float[1, ", rows, ", ", c, "]"), rows * c, 40),
                      r = values(cat("float[1, ", rows, ", ", c, "]"), rows * c, 40),
                      b = values(cat("float[1, ", 2 * rows, "]"), 2 * rows, 20), lengths = name(), y = name();
    add(cat("int32[", size_.steps, "] ", lengths, " = {",
            join(std::vector<int64_t>(static_cast<size_t>(size_.steps), 1)), "}"));
    const std::string with = cat("<hidden_size = ", c, ">(x, ", w, ", ", r, ", ", b, ", ", lengths, ", ");
    if (lstm) line(cat(y, ", ", name(), ", ", out, " = LSTM", with, "s", below(count), ", ", before, ")"));
    else line(cat(y, ", ", out, " = GRU", with, before, ")"));
    if (chance(2)) read_.push_back(node(cat("Reshape(", y, ", ", integers({1, size_.steps, c}), ")")));
  }
  std::string computed_wide(const std::string& of) {
    return chance(2) ? node(cat("Mul(", of, ", x)")) : node(cat("Softmax<axis = -1>(", of, ")"));
  }

  uint64_t random_;
  Size size_;
  int names_ = 0;
  std::string nodes_;
  std::vector<std::string> inputs_, outputs_, constants_, read_;
  std::vector<std::pair<std::string, std::string>> states_;
  std::set<int64_t> grown_, alone_;
};

}  // namespace

RandomGraph random_graph(uint64_t seed) { return Writer(seed).write(); }

}  // namespace tarn::stateful
