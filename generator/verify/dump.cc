#include "verify/dump.h"

#include <algorithm>
#include <charconv>

#include "support/printable.h"
#include "support/text.h"

namespace tarn::verify {

namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<int64_t> whole_number(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// "00ff17*16"
std::optional<std::vector<uint8_t>> bytes_of(std::string_view text) {
  std::vector<uint8_t> bytes;
  unsigned sum = 0;
  size_t i = 0;
  auto next = [&]() -> std::optional<uint8_t> {
    if (i + 2 > text.size() || digit(text[i]) < 0 || digit(text[i + 1]) < 0) return {};
    i += 2;
    return static_cast<uint8_t>(digit(text[i - 2]) * 16 + digit(text[i - 1]));
  };
  while (i < text.size() && text[i] != '*') {
    const std::optional<uint8_t> byte = next();
    if (!byte) return {};
    bytes.push_back(*byte);
    sum += *byte;
  }
  if (i == text.size()) return {};
  ++i;
  const std::optional<uint8_t> told = next();
  if (!told || *told != (sum & 255) || i != text.size()) return {};
  return bytes;
}

class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path) {}

  Result<Done> line(std::string_view text) {
    ++number_;
    const size_t at = text.find('@');
    if (at == std::string_view::npos) return Done{};
    std::string_view rest = text.substr(at + 1);
    while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.remove_suffix(1);
    if (rest.starts_with("=")) return take_bytes(rest.substr(1));
    const std::vector<std::string> words = split(std::string(rest), ' ');
    if (words[0] == "tarn" && words.size() == 4) return begin(words);
    const bool known = words[0] == "input" || words[0] == "tensor" || words[0] == "end" || words[0] == "failed";
    if (!known) return Done{};
    if (runs_.empty() || runs_.back().complete) return fault("'@" + words[0] + "' outside a run");
    if (Result<Done> whole = finish(); !whole) return whole;
    DumpedRun& run = runs_.back();
    if (words[0] == "end" && words.size() == 1) {
      run.complete = true;
      return Done{};
    }
    if (words[0] == "failed" && words.size() == 2) {
      run.complete = true;
      run.failed = whole_number(words[1]);
      return run.failed ? Result<Done>(Done{}) : fault("no status");
    }
    if (words[0] == "input" && words.size() == 3) return open(run.inputs[words[1]], words[1], words[2]);
    const std::optional<int64_t> step = words.size() == 4 ? whole_number(words[1]) : std::nullopt;
    if (words[0] == "tensor" && step) return open(run.tensors[{*step, words[2]}], words[2], words[3]);
    return fault("'" + printable(std::string(rest)) + "' is not understood");
  }

  Result<std::vector<DumpedRun>> runs() {
    if (runs_.empty())
      return Diagnostic{"E415", {.file = path_}, "there is no dump in it", "give what NAME_trace() printed"};
    // The last one may break off, with the board's power or the log: what is there is worth a look.
    if (!runs_.back().complete && into_ && into_->size() < wanted_) {
      DumpedRun& last = runs_.back();
      std::erase_if(last.tensors, [&](const auto& entry) { return &entry.second == into_; });
      std::erase_if(last.inputs, [&](const auto& entry) { return &entry.second == into_; });
    }
    return std::move(runs_);
  }

 private:
  Diagnostic fault(const std::string& what) const {
    return {"E415",
            {.file = path_},
            cat("line ", number_, ": ", what),
            "characters were lost on the way, or other output stands within a line: lower the port's speed, or let "
            "nothing else print meanwhile"};
  }

  Result<Done> begin(const std::vector<std::string>& words) {
    if (words[1] != "1") return fault("version " + printable(words[1]) + " of the dump is not known");
    // A board that was reset begins again.
    if (!runs_.empty() && !runs_.back().complete) runs_.pop_back();
    into_ = nullptr;
    runs_.push_back({.firmware = words[2], .plan_id = words[3]});
    return Done{};
  }

  Result<Done> open(std::vector<uint8_t>& bytes, const std::string& name, const std::string& count) {
    const std::optional<int64_t> wanted = whole_number(count);
    if (!wanted || *wanted < 0) return fault("no number of bytes");
    if (!bytes.empty()) return fault("'" + printable(name) + "' is told twice");
    into_ = &bytes;
    name_ = name;
    wanted_ = static_cast<size_t>(*wanted);
    return Done{};
  }

  Result<Done> take_bytes(std::string_view text) {
    if (runs_.empty() || runs_.back().complete || !into_) return fault("bytes of no tensor");
    const std::optional<std::vector<uint8_t>> bytes = bytes_of(text);
    if (!bytes) return fault("a byte of '" + printable(name_) + "' is damaged");
    into_->insert(into_->end(), bytes->begin(), bytes->end());
    if (into_->size() > wanted_) return fault("'" + printable(name_) + "' has more bytes than told");
    return Done{};
  }

  Result<Done> finish() const {
    if (into_ && into_->size() != wanted_)
      return fault(cat("'", printable(name_), "' has ", into_->size(), " of ", wanted_, " bytes"));
    return Done{};
  }

  std::string path_, name_;
  int64_t number_ = 0;
  std::vector<DumpedRun> runs_;
  std::vector<uint8_t>* into_ = nullptr;  // of the last run: maps leave their values where they are
  size_t wanted_ = 0;
};

}  // namespace

Result<std::vector<DumpedRun>> parse_dump(const std::string& path, const std::string& text) {
  Parser parser(path);
  const std::vector<std::string> lines = split(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    const Result<Done> taken = parser.line(lines[i]);
    // A last line without its end is where the text breaks off.
    if (!taken && i + 1 < lines.size()) return taken.faults();
  }
  return parser.runs();
}

}  // namespace tarn::verify
