// Networks by lines whose height is open: what the code of one height has in common with all others, and what of it is
// a formula of the height.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "emit/sized_text.h"
#include "emit/stream_call.h"

namespace tarn::emit {

// The looped schedules of all heights, one behind the other, each with an end. Where loops of two heights differ only
// in how often they run, these have one schedule, and the number of times is a formula.
struct SizedWords {
  std::vector<int64_t> entries;
  SizedNumber first;  // where the height's begin
  std::string times;  // cases of a switch over the entry that a word begins at: how often it runs, of kSize
};
SizedWords sized_words(const Analysis& analysis, const std::string& table);

// A port that is moved by lines, where heights are open.
struct PortLines {
  std::string name, macro, function;  // "x", "KWS_IN_X", "kws_lines_x"
  size_t actor = 0;                   // the first that moves it
};
std::vector<PortLines> port_lines(const Context& context);
// The functions that tell how many lines ports have, and the tables that these read.
std::string port_line_functions(const Context& context);

// Writes what the largest height's writer wrote for each height too.
class SizedStream {
 public:
  // Of a network whose sizes are fixed: nothing is sized.
  explicit SizedStream(const Context& context);
  bool sized() const { return !texts_.empty(); }

  // What `write` writes for a height, for all of them. `text`: the largest's, in which lines and helpers are noted.
  // `size`: where the height stands in C.
  std::string write(LineText& text, const std::string& name, const std::function<std::string(LineText&)>& write,
                    const std::string& size = kSize);
  // The statements of an actor, with its parameters.
  std::string statements(LineText& text, size_t actor);

  // An actor whose parameters may not differ from height to height.
  void check_params(size_t actor);

  const std::vector<std::unique_ptr<LineText>>& texts() const { return texts_; }
  std::string tables;  // definitions that what has been written reads
  std::string fault;   // the first
  void note(const std::string& what) { fault = fault.empty() ? what : fault; }

 private:
  std::string copies(size_t actor, std::set<std::string>& copied);

  const Context& context_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::vector<std::unique_ptr<LineText>> texts_;             // by height
  std::set<std::pair<program::OperationId, size_t>> moved_;  // LineText::moved_constants
};

}  // namespace tarn::emit
