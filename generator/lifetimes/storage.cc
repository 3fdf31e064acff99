#include "lifetimes/storage.h"

#include <algorithm>
#include <limits>
#include <map>

#include "program/operands.h"
#include "support/check.h"

namespace tarn::lifetimes {

namespace {

using program::Argument;
using program::Kind;
using program::Tensor;
using program::View;

// Grows the forest of views, one candidate after the other; a view that would force a kernel to do what it cannot is
// not taken, and its copy stays.
class Views {
 public:
  Views(const Program& program, bool caller_io, const ShareOptions& share) : program_(program), share_(share) {
    const size_t n = program.tensors.size();
    whole_.resize(n);
    offset_.assign(n, 0);
    parts_.resize(n);
    made_in_whole_.assign(n, false);
    columns_.assign(n, false);
    by_lines_.assign(n, true);
    pitched_.assign(n, true);
    needs_dense_.assign(n, false);
    external_.assign(n, false);
    for (TensorId id : program.inputs) {
      needs_dense_[id.pos()] = true;
      external_[id.pos()] = caller_io;
    }
    for (TensorId id : program.states) needs_dense_[id.pos()] = true;
    for (TensorId id : program.outputs) {
      needs_dense_[id.pos()] = true;
      external_[id.pos()] = caller_io;
    }
  }

  void run(std::vector<bool>& left_out) {
    note_arguments();
    note_renewals();
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const program::Operation& operation = program_.operations[i];
      if (!operation.view || (operation.view->columns && !share_.columns)) continue;
      if (left_out[i]) continue;
      if (attach(*operation.view, written_by(operation) == operation.view->whole, OperationId(i))) left_out[i] = true;
    }
  }

  TensorId whole(TensorId id) const { return whole_[id.pos()]; }
  bool made_in_whole(TensorId id) const { return made_in_whole_[id.pos()]; }
  int64_t offset(TensorId id) const { return offset_[id.pos()]; }
  bool external(TensorId id) const { return external_[id.pos()]; }

  // Elements from one pixel to the next, through all the wholes around.
  int64_t pitch(TensorId id) const {
    const Tensor& t = program_[id];
    if (!whole(id) || !(columns_[id.pos()] || keeps_pitch(id, whole(id)))) return t.geometry.channels;
    return pitch(whole(id));
  }

  // Elements from one line to the next.
  int64_t line_pitch(TensorId id) const {
    // A part of several lines that keeps the pitch has the lines of its whole.
    const bool several = program_[id].geometry.lines > 1;
    const bool follows = whole(id) && (columns_[id.pos()] || (several && keeps_pitch(id, whole(id))));
    return follows ? line_pitch(whole(id)) : program_[id].geometry.pixels * pitch(id);
  }

  // The inputs of which only ranges of columns are read, each by itself.
  std::vector<Piece> take_pieces(std::vector<bool>& left_out) const {
    std::vector<Piece> pieces;
    for (TensorId input : program_.inputs) {
      const size_t before = pieces.size();
      std::vector<size_t> copies;
      bool others = false;
      for (size_t i = 0; i < program_.operations.size(); ++i) {
        const program::Operation& operation = program_.operations[i];
        for (const Argument& a : operation.arguments) {
          if (a.tensor != input) continue;
          if (!is_piece(operation, input)) others = true;
          else copies.push_back(i);
        }
      }
      for (size_t i : copies) {
        const View& view = *program_.operations[i].view;
        pieces.push_back({view.part, input, view.offset / std::max<int64_t>(1, program_[input].geometry.channels)});
      }
      if (others || copies.size() < 2) pieces.resize(before);
      else
        for (size_t i : copies) left_out[i] = true;
    }
    return pieces;
  }

 private:
  // Does it copy a range of the columns of an input, all lines of it?
  bool is_piece(const program::Operation& operation, TensorId input) const {
    if (!operation.view || program_[operation.view->part].kind != Kind::activation) return false;
    const program::Geometry &p = program_[operation.view->part].geometry, &w = program_[input].geometry;
    return written_by(operation) == operation.view->part && p.lines == w.lines && p.channels == w.channels;
  }

  // The line step of an operation reads or writes this operand by lines, wherever these are.
  static bool walks_lines(const program::Operation& operation, size_t argument) {
    const Argument& a = operation.arguments[argument];
    if (!operation.line_form || (a.role != Argument::Role::read && a.role != Argument::Role::write)) return false;
    if (a.role == Argument::Role::write && operation.line_form->accumulate) return false;
    if (a.role == Argument::Role::read && !operation.line_form->accumulate &&
        (!a.walk || (a.walk->same_place && !a.walk->identity)))
      return false;
    bool found = false;
    for (const program::LineCall& call : operation.line_form->calls) {
      for (const program::LineArgument& line : call.arguments) {
        using How = program::LineArgument::How;
        if (line.how == How::number || line.how == How::apart || line.how == How::sums || line.how == How::pixels ||
            line.argument != argument)
          continue;
        if (line.how != How::line && line.how != How::rows) return false;
        found = true;
      }
    }
    return found;
  }

  // Kernels say of each operand whether they follow its pitch; copies along a regular view do.
  void note_arguments() {
    for (const program::Operation& operation : program_.operations) {
      for (size_t i = 0; i < operation.arguments.size(); ++i) {
        const TensorId id = operation.arguments[i].tensor;
        if (id.valid() && !walks_lines(operation, i)) by_lines_[id.pos()] = false;
      }
      for (const Argument& a : operation.arguments) {
        if (a.tensor.valid() && !a.pitched) pitched_[a.tensor.pos()] = false;
      }
    }
  }

  // The part walks through the whole with the whole's own pitch: same pixels per line, or single lines.
  bool keeps_pitch(TensorId part, TensorId whole) const {
    const program::Geometry &p = program_[part].geometry, &w = program_[whole].geometry;
    if (p.channels > w.channels) return false;
    if (p.pixels == w.pixels && p.lines <= w.lines) return true;
    return p.lines == 1 && w.lines == 1 && p.pixels <= w.pixels;
  }

  // Lines of it follow one another at the length of one.
  bool dense_lines(TensorId id) const {
    return program_[id].geometry.lines <= 1 || line_pitch(id) == program_[id].geometry.pixels * pitch(id);
  }

  // Can this tensor, and all that lies in it, live with lines that lie apart?
  bool can_have_lines_apart(TensorId id) const {
    const size_t at = id.pos();
    if (!by_lines_[at] || needs_dense_[at]) return false;
    return std::all_of(parts_[at].begin(), parts_[at].end(), [&](TensorId part) {
      return program_[part].geometry.lines == program_[id].geometry.lines && can_have_lines_apart(part);
    });
  }

  bool dense_with(TensorId id, int64_t pitch) const {
    const program::Geometry& g = program_[id].geometry;
    return pitch == g.channels || g.lines * g.pixels <= 1;
  }

  // Can this tensor, and all that lies in it, live with the given pitch?
  bool can_have(TensorId id, int64_t pitch) const {
    if (dense_with(id, pitch)) return true;
    const size_t at = id.pos();
    if (!pitched_[at] || needs_dense_[at]) return false;
    for (TensorId part : parts_[at]) {
      if (!keeps_pitch(part, id) || !can_have(part, pitch)) return false;
    }
    return true;
  }

  // Where in main the next value of a state is written, by state; and where each operation stands.
  void note_renewals() {
    place_.assign(program_.operations.size(), -1);
    for (size_t i = 0; i < program_.main.size(); ++i) place_[program_.main[i].pos()] = static_cast<int64_t>(i);
    for (const TensorId state : program_.states) {
      int64_t& renewed = renewed_[state];
      renewed = std::numeric_limits<int64_t>::max();
      for (const OperationId id : program_.main) {
        const std::vector<Argument>& arguments = program_[id].arguments;
        if (std::any_of(arguments.begin(), arguments.end(),
                        [&](const Argument& a) { return a.tensor == state && a.role == Argument::Role::write; }))
          renewed = place_[id.pos()];
      }
    }
  }

  // What the operation reads of the state is what the run leaves there.
  bool reads_next(OperationId id, TensorId state) const {
    const auto renewed = renewed_.find(state);
    return renewed != renewed_.end() && place_[id.pos()] > renewed->second;
  }

  // `made`: the operation copies the part into the whole; otherwise the part out of the whole.
  bool attach(const View& view, bool made, OperationId operation) {
    const TensorId part = view.part, whole = view.whole;
    const Tensor &p = program_[part], &w = program_[whole];
    if (this->whole(part).valid() || part == whole) return false;
    for (TensorId up = whole; up.valid(); up = this->whole(up)) {
      if (up == part) return false;
    }
    // The caller's buffers stay apart: what comes in is read only, what goes out must end up there.
    if (external_[part.pos()]) return false;
    if (made && !share_.parts && p.geometry.channels < w.geometry.channels) return false;
    // A state is memory of its own, and is written when all have read what was there: nothing is made in it early.
    if (p.kind == Kind::state || (made && root_kind(whole) == Kind::state)) return false;
    if (made && p.kind == Kind::input) return false;
    // An output lies where it stays until the next run.
    const TensorId root = root_of(whole);
    const bool comes_in =
        program_[root].kind == Kind::input || (program_[root].kind == Kind::state && !reads_next(operation, root));
    if (p.kind == Kind::output && comes_in) return false;
    if (p.element_bytes() != w.element_bytes()) return false;

    const bool regular = view.columns || keeps_pitch(part, whole);
    const int64_t whole_pitch = pitch(whole);
    if (view.columns && !can_have_lines_apart(part)) return false;
    // What lies in a range of columns is cut as it is.
    if (!dense_lines(whole) && (!regular || p.geometry.lines != w.geometry.lines || !can_have_lines_apart(part)))
      return false;
    if (!regular && !(dense_with(whole, whole_pitch))) return false;
    if (!can_have(part, regular ? whole_pitch : p.geometry.channels)) return false;
    // A part that is made elsewhere and kept there by its own parts' wholes moves as one: nothing more to check.
    whole_[part.pos()] = whole;
    offset_[part.pos()] = view.offset;
    columns_[part.pos()] = view.columns;
    made_in_whole_[part.pos()] = made;
    parts_[whole.pos()].push_back(part);
    // From now on the whole has to stay as dense as its reshaped parts need it.
    if (!regular) needs_dense_[whole.pos()] = true;
    return true;
  }

  TensorId root_of(TensorId id) const {
    while (whole(id).valid()) id = whole(id);
    return id;
  }
  Kind root_kind(TensorId id) const { return program_[root_of(id)].kind; }

  const Program& program_;
  const ShareOptions share_;
  std::vector<TensorId> whole_;
  std::vector<int64_t> offset_;  // elements
  std::vector<std::vector<TensorId>> parts_;
  std::vector<bool> columns_;   // lies in its whole as a range of columns
  std::vector<bool> by_lines_;  // all that touches it takes single lines
  std::vector<bool> pitched_;   // all that touches it follows its pitch
  std::vector<bool> made_in_whole_, needs_dense_, external_;
  std::vector<int64_t> place_;  // by operation: its position in main, or -1
  std::map<TensorId, int64_t> renewed_;
};

}  // namespace

Storage assign_storage(const Program& program, const ShareOptions& share, bool caller_io) {
  Storage storage;
  storage.left_out.assign(program.operations.size(), false);
  storage.places.resize(program.tensors.size());
  storage.whole.resize(program.tensors.size());
  storage.made_in_whole.assign(program.tensors.size(), false);
  Views views(program, caller_io, share);
  if (share.pieces) storage.pieces = views.take_pieces(storage.left_out);
  if (share.views) views.run(storage.left_out);

  // Roots first: each is a buffer. Then everything below gets its place within one.
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const TensorId id(i);
    storage.whole[i] = views.whole(id);
    storage.made_in_whole[i] = views.made_in_whole(id);
    if (views.whole(id).valid()) continue;
    Buffer buffer;
    buffer.bytes = program[id].bytes();
    buffer.tensors.push_back(id);
    buffer.external = views.external(id);
    storage.places[i].buffer = BufferId(storage.buffers.size());
    storage.buffers.push_back(std::move(buffer));
  }
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const TensorId id(i);
    const Tensor& tensor = program[id];
    Place& place = storage.places[i];
    TensorId root = id;
    for (; views.whole(root).valid(); root = views.whole(root)) {
      // An offset counted in a dense whole, where the whole's pixels may lie further apart.
      const TensorId whole = views.whole(root);
      const program::Geometry& g = program[whole].geometry;
      const int64_t channels = std::max<int64_t>(1, g.channels), pixels = std::max<int64_t>(1, g.pixels),
                    offset = views.offset(root);
      const int64_t within = offset % (pixels * channels) / channels * views.pitch(whole) + offset % channels;
      place.offset += (offset / (pixels * channels) * views.line_pitch(whole) + within) * tensor.element_bytes();
    }
    place.buffer = storage.places[root.pos()].buffer;
    place.pixel_pitch = views.pitch(id);
    place.line_pitch = views.line_pitch(id);
    if (root != id) storage[place.buffer].tensors.push_back(id);
  }
  return storage;
}

}  // namespace tarn::lifetimes
