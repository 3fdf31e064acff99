#include "program/pair_states.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "program/windows.h"
#include "support/text.h"

namespace tarn::program {

namespace {

using Words = std::vector<std::string>;

// Words by which exporters tell a state before the run from the one after it. The first ones are said of every input
// and output too.
constexpr size_t kOfAnyPort = 2;
constexpr std::array<std::string_view, 9> kBefore{"in",  "input", "past",    "prev", "previous",
                                                  "old", "init",  "initial", "last"};
constexpr std::array<std::string_view, 10> kAfter{"out",  "output", "present", "next",    "new",
                                                  "curr", "cur",    "current", "updated", "final"};

struct Name {
  Words words;             // what is left
  bool marked = false;     // something was dropped
  bool of_a_time = false;  // a word that is said of states alone was
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// In lower case; stateIn has two.
Words words_of(const std::string& name) {
  Words words{""};
  const std::string lower = lower_case(name);
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = lower[i];
    const bool letter = (c >= 'a' && c <= 'z') || is_digit(c);
    const bool begins = i > 0 && name[i] != c && name[i - 1] == lower[i - 1] && !is_digit(name[i - 1]);
    if ((!letter || begins) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// past0 is past and 0: a number behind one of `marks` is a word.
template <class Marks>
Words with_numbers_apart(const Words& words, const Marks& marks) {
  Words apart;
  for (const std::string& word : words) {
    const size_t end = word.find_last_not_of("0123456789") + 1;
    const std::string letters = word.substr(0, end);
    const bool marked = end < word.size() && std::find(marks.begin(), marks.end(), letters) != marks.end();
    apart.push_back(marked ? letters : word);
    if (marked) apart.push_back(word.substr(end));
  }
  return apart;
}

// Without the words of `marks`. Hugging Face calls inputs past_key_values.0.key, outputs present.0.key.
template <class Marks>
Name without(const std::string& name, const Marks& marks) {
  Words all = with_numbers_apart(words_of(name), marks);
  const auto pair = std::find(all.begin(), all.end(), "key");
  if (pair != all.begin() && pair != all.end() && std::next(pair) != all.end() && *std::next(pair) == "values" &&
      (*std::prev(pair) == "past" || *std::prev(pair) == "present"))
    all.erase(pair, pair + 2);
  Name left;
  for (std::string& word : all) {
    const auto mark = std::find(marks.begin(), marks.end(), word);
    if (mark == marks.end()) left.words.push_back(std::move(word));
    else left.marked = true;
    if (mark != marks.end() && mark - marks.begin() >= static_cast<std::ptrdiff_t>(kOfAnyPort)) left.of_a_time = true;
  }
  return left;
}

// The last word without the `end` that stands for the time: h0 before, hn or stateN after. h_0 and h_n are words. The 0
// of 10 is none.
Name without_end(Name name, const std::string& end) {
  if (name.words.empty()) return name;
  Name original = name;
  std::string& last = name.words.back();
  if (!last.ends_with(end)) return name;
  last.resize(last.size() - end.size());
  if (end == "0" && !last.empty() && is_digit(last.back())) return original;
  name.marked = true;
  if (last.empty()) name.words.pop_back();
  return name;
}

// Where nothing is left but numbers, as of input_1 and output_1, both have to be said of states alone: past and
// present.
bool same(const Name& out, const Name& in) {
  if (out.words != in.words) return false;
  const bool numbers = std::all_of(out.words.begin(), out.words.end(), [](const std::string& word) {
    return word.find_first_not_of("0123456789") == std::string::npos;
  });
  return numbers ? out.of_a_time && in.of_a_time : out.marked || in.marked;
}

enum class Alike { no, by_end, by_words, by_both };

// By their ends: only where no words tell, since the 0 of h0 may be a layer's number too. By both: present_k is past_k
// rather than the step k that comes in beside it.
Alike alike(const std::string& out, const std::string& in) {
  if (out == in) return Alike::no;  // an input that is an output too
  const Name after = without(out, kAfter), before = without(in, kBefore);
  if (same(after, before)) return after.of_a_time && before.of_a_time ? Alike::by_both : Alike::by_words;
  const Name n = without_end(after, "n");
  return same(n, before) || same(n, without_end(before, "0")) ? Alike::by_end : Alike::no;
}

}  // namespace

bool is_state_by_name(const std::string& out, const std::string& in) { return alike(out, in) != Alike::no; }

StatePairs pair_states(const Program& program, const std::vector<std::pair<std::string, std::string>>& given) {
  const auto taken = [&](const std::string& name, bool output) {
    return std::any_of(given.begin(), given.end(),
                       [&](const auto& pair) { return (output ? pair.first : pair.second) == name; });
  };
  struct Found {
    size_t out, in;
    Alike how;
  };
  std::vector<Found> found;
  std::vector<std::pair<size_t, std::string>> near;  // output, what is told
  StatePairs result;
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    if (taken(program.output_names[o], true)) continue;
    for (size_t i = 0; i < program.inputs.size(); ++i) {
      const std::string &out = program.output_names[o], &in = program.input_names[i];
      const Alike how = taken(in, false) ? Alike::no : alike(out, in);
      if (how == Alike::no) continue;
      const Tensor &from = program[program.outputs[o]], &to = program[program.inputs[i]];
      const bool fits = from.type == to.type || grown_axis(from.type, to.type);
      if (fits && from.runtime.empty()) found.push_back({o, i, how});
      else
        near.emplace_back(o, cat("'", out, "' is ", to_string(from.type), from.runtime.empty() ? "" : " at most",
                                 ", but '", in, "' is ", to_string(to.type)));
    }
  }
  const std::vector<Found> all = found;
  std::erase_if(found, [&](const Found& f) {
    return std::any_of(all.begin(), all.end(), [&](const Found& other) {
      return other.how > f.how && (other.out == f.out || other.in == f.in);
    });
  });
  for (const Found& f : found) {
    const auto times = std::count_if(found.begin(), found.end(),
                                     [&](const Found& other) { return other.out == f.out || other.in == f.in; });
    const std::string &out = program.output_names[f.out], &in = program.input_names[f.in];
    if (times == 1) result.pairs.emplace_back(out, in);
    else near.emplace_back(f.out, cat("'", out, "' and '", in, "' are not the only ones of these names"));
  }
  for (auto& [o, told] : near) {
    const bool paired = std::any_of(result.pairs.begin(), result.pairs.end(),
                                    [&, out = o](const auto& pair) { return pair.first == program.output_names[out]; });
    if (!paired) result.near.push_back(std::move(told));
  }
  return result;
}

}  // namespace tarn::program
