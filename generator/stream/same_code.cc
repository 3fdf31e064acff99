#include "stream/same_code.h"

#include "planner/index.h"
#include "support/text.h"

namespace tarn::stream {

namespace {

bool same_work(const Actor& a, const Actor& b) {
  return a.what == b.what && a.port == b.port && a.tensor == b.tensor && a.first_column == b.first_column &&
         a.pass == b.pass && a.operations == b.operations && a.whole == b.whole && a.flat == b.flat &&
         a.joined == b.joined && a.accumulate == b.accumulate && (a.gathered > 0) == (b.gathered > 0) &&
         a.accumulator == b.accumulator && a.scratch == b.scratch &&
         a.line_buffer.has_value() == b.line_buffer.has_value();
}

// Lines of the same shape, and not more of them; or what stands in one piece wherever it is used, and is no larger.
// What the memory holds, and for whom, is the same: memories are made in the order of buffers and nodes, and nodes that
// do the same work on memories of the same numbers have been compared.
bool same_lines(const Net& net, const Net& most, size_t m) {
  const Memory &a = net.memories[m], &b = most.memories[m];
  const bool tensor = a.holds == Memory::Holds::tensor;
  if (tensor && net.contiguous[m]) return a.lines * a.line_bytes <= b.lines * b.line_bytes;
  if (a.lines > b.lines || a.line_bytes > b.line_bytes) return false;
  return !tensor || b.lines == 1 || a.line_bytes == b.line_bytes;
}

bool same_view(const LineView& a, const LineView& b) {
  // The last line of a signal, for one, begins with a line that follows its length.
  return a.memory == b.memory && a.by_lines == b.by_lines && a.offset == b.offset && a.pixel_pitch == b.pixel_pitch;
}

std::string name_of(const Program& program, const NetNode& node) {
  if (!node.actor.operations.empty()) return join(program[node.actor.operations.front()].nodes);
  return node.actor.tensor.valid() ? program[node.actor.tensor].name : "";
}

// Bytes of a line that the caller hands over or is handed; 0 of an actor that is no port.
int64_t line_of_port(const Program& program, const Actor& actor) {
  if (actor.what == Actor::What::operation) return 0;
  const TensorId id = actor.what == Actor::What::feed ? program.inputs[actor.port] : program.outputs[actor.port];
  return program[id].bytes() / actor.lines;
}

}  // namespace

std::string difference(const Program& program, const Net& net, const Program& largest, const Net& most) {
  if (net.nodes.size() != most.nodes.size() || net.memories.size() != most.memories.size())
    return "other layers run by lines";
  for (size_t n = 0; n < net.nodes.size(); ++n) {
    const NetNode &a = net.nodes[n], &b = most.nodes[n];
    if (!same_work(a.actor, b.actor) || a.memory != b.memory || a.helpers != b.helpers || a.states != b.states ||
        a.also != b.also || a.after != b.after)
      return cat("'", name_of(program, a), "' is made in another way");
    if (line_of_port(program, a.actor) != line_of_port(largest, b.actor))
      return cat("'", name_of(program, a), "' comes or goes in lines of another length");
  }
  for (size_t m = 0; m < net.memories.size(); ++m) {
    if (!same_lines(net, most, m) || net.contiguous[m] != most.contiguous[m] || net.outside[m] != most.outside[m] ||
        net.given[m] != most.given[m] || net.kept[m] != most.kept[m])
      return cat("'", net.names[m], "' has lines of another shape");
  }
  for (size_t t = 0; t < net.views.size(); ++t) {
    const int m = most.views[t].memory;
    // Where in one piece a tensor begins and how it goes on is told by the parameters of calls.
    const bool piece = m >= 0 && net.views[t].memory == m &&
                       net.memories[Z(m)].line_bytes != most.memories[Z(m)].line_bytes && most.contiguous[Z(m)];
    if (!piece && !same_view(net.views[t], most.views[t]))
      return cat("'", program.tensors[t].name, "' lies in other lines");
  }
  return "";
}

void take_room(Net& net, const Net& most) {
  for (size_t m = 0; m < net.memories.size(); ++m) {
    if (net.memories[m].holds != Memory::Holds::tensor) net.memories[m].line_bytes = most.memories[m].line_bytes;
  }
  for (size_t n = 0; n < net.nodes.size(); ++n) net.nodes[n].actor.line_buffer = most.nodes[n].actor.line_buffer;
}

void make_alike(std::vector<LinePlan>& plans) {
  LinePlan& most = plans.back();
  for (const LinePlan& plan : plans) {
    for (size_t n = 0; n < most.actors.size(); ++n)
      most.actors[n].overlapping = most.actors[n].overlapping || plan.actors[n].overlapping;
  }
  for (LinePlan& plan : plans) {
    for (size_t n = 0; n < most.actors.size(); ++n) plan.actors[n].overlapping = most.actors[n].overlapping;
    for (size_t m = 0; m < most.memories.size(); ++m) {
      Memory& own = plan.memories[m];
      own.addressing = most.memories[m].addressing;
      own.base = most.memories[m].base;
      own.table = most.memories[m].table;
      if (own.line_bytes == most.memories[m].line_bytes) own.slots = most.memories[m].slots;
    }
  }
}

}  // namespace tarn::stream
