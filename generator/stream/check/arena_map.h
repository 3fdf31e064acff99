// Which line of which memory stands where in the arena.
#pragma once
#include <cstdint>
#include <map>

namespace tarn::stream {

class ArenaMap {
 public:
  ArenaMap() = default;
  ArenaMap(const ArenaMap&) = delete;  // it holds a place in itself
  ArenaMap& operator=(const ArenaMap&) = delete;

  struct Tag {
    int memory = -1;
    int64_t line = 0;
    bool operator==(const Tag&) const = default;
  };

  // [at, at + bytes) now belongs to `tag`; what stood there is gone.
  void write(int64_t at, int64_t bytes, Tag tag);

  // All of [at, at + bytes) was written as `tag`, and from there on.
  bool holds(int64_t at, int64_t bytes, Tag tag) const;

  // Lines [first, end) of a memory were written one after the other, each once, and nothing was written over any of
  // them since. Answers windows of hundreds of lines at once; false says nothing: ask for each line.
  bool intact(int memory, int64_t first, int64_t end) const;

 private:
  struct Piece {
    int64_t end = 0;
    Tag tag;
    int64_t start = 0;  // address of the line's first byte; a remainder of a line begins elsewhere
  };

  struct Run {
    int64_t first = 0, end = 0;
  };

  void split(int64_t at);
  void lose(Tag tag);
  void extend(Tag tag);

  using Pieces = std::map<int64_t, Piece>;
  Pieces pieces_;
  // Behind the piece that was asked for last, until the next write: windows ask for lines that stand in a row.
  mutable Pieces::const_iterator next_ = pieces_.end();
  std::map<int, Run> runs_;  // by memory: the lines written last that are intact
};

}  // namespace tarn::stream
