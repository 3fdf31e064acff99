// Links nodes: which nodes make the lines that a node reads, and which nodes take lines in as soon as they are made.
#include <map>

#include "stream/network/grid.h"
#include "stream/network/net.h"

namespace tarn::stream {

namespace {

using program::Argument;

// A range of lines of a memory that a node makes.
struct Made {
  int node = 0;
  Span lines, bytes;
  int64_t pitch = 0;  // of the pixels among which `bytes` are counted; 0: among the whole line's
};

class Linker {
 public:
  Linker(const Program& program, Net& net) : program_(program), net_(net) {}

  void run() {
    net_.eager.resize(net_.nodes.size());
    net_.last_reader.assign(net_.nodes.size(), -1);
    for (size_t n = 0; n < net_.nodes.size(); ++n) {
      for (Access& access : net_.nodes[n].reads) link(static_cast<int>(n), access);
      note_made(static_cast<int>(n));
    }
  }

 private:
  const LineView& view(TensorId id) const { return net_.views[id.pos()]; }
  const Memory& memory(TensorId id) const { return net_.memories[static_cast<size_t>(view(id).memory)]; }

  // Where in a line of the memory a node reads or writes: parts of a concatenation share lines but no bytes. Channels
  // of a wider pixel are compared by the first pixel's.
  Span bytes_in_line(TensorId id) const {
    const LineView& v = view(id);
    if (!v.by_lines) return {0, memory(id).line_bytes};
    const program::Tensor& t = program_[id];
    const int64_t element = t.element_bytes();
    if (v.pixel_pitch == t.geometry.channels)
      return {v.offset, v.offset + t.geometry.pixels * t.geometry.channels * element};
    const int64_t first = v.offset % (v.pixel_pitch * element);
    return {first, first + t.geometry.channels * element};
  }

  TensorId tensor_of(const NetNode& node, const Access& access) const {
    if (node.actor.what == Actor::What::drain) return node.actor.tensor;
    return program_[node.actor.operations[access.operation]].arguments[static_cast<size_t>(access.argument)].tensor;
  }

  void link(int n, Access& access) {
    const NetNode& node = net_.nodes[static_cast<size_t>(n)];
    const TensorId id = tensor_of(node, access);
    const Span bytes = bytes_in_line(id);
    for (const Made& m : made_[access.memory]) {
      if (m.lines.first >= access.all.end || access.all.first >= m.lines.end) continue;
      const bool apart = m.pitch == view(id).pixel_pitch && (m.bytes.first >= bytes.end || bytes.first >= m.bytes.end);
      if (!apart) access.producers.push_back(m.node);
    }
    const bool takes = node.actor.accumulate || node.actor.what == Actor::What::drain;
    if (takes && !access.lines.empty() && access.producers.size() == 1 && node.reads.size() == 1) {
      net_.eager[static_cast<size_t>(access.producers[0])].push_back(n);
    }
    for (int producer : access.producers) net_.last_reader[static_cast<size_t>(producer)] = n;
  }

  void note_made(int n) {
    NetNode& node = net_.nodes[static_cast<size_t>(n)];
    if (node.actor.what == Actor::What::drain) return;
    if (node.actor.operations.empty()) {
      made_[node.memory].push_back({n, node.made, {0, memory(node.actor.tensor).line_bytes}, 0});
      return;
    }
    for (const Argument& a : program_[node.actor.operations.back()].arguments) {
      if (!a.tensor.valid() || (a.role != Argument::Role::write && a.role != Argument::Role::update)) continue;
      const LineView& v = view(a.tensor);
      const Span lines = cover(program_, v, memory(a.tensor), a.tensor, {0, program_[a.tensor].geometry.lines});
      made_[v.memory].push_back({n, lines, bytes_in_line(a.tensor), v.by_lines ? v.pixel_pitch : 0});
    }
  }

  const Program& program_;
  Net& net_;
  std::map<int, std::vector<Made>> made_;
};

}  // namespace

void find_producers(const Program& program, Net& net) { Linker(program, net).run(); }

}  // namespace tarn::stream
