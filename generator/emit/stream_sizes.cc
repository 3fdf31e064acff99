#include "emit/stream_sizes.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <numeric>

#include "emit/sized_numbers.h"
#include "emit/stream_ports.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using Shape = std::vector<std::vector<int>>;  // the actors of each loop

// floor((scale * n + plus) / divide) at each member.
struct Line {
  int64_t scale = 0, plus = 0, divide = 1;
};

std::optional<Line> line_through(const std::vector<int64_t>& sizes, const std::vector<int64_t>& values) {
  const int64_t run = sizes.size() < 2 ? 1 : sizes.back() - sizes.front(),
                rise = sizes.size() < 2 ? 0 : values.back() - values.front(), common = std::gcd(run, rise);
  Line line{rise / common, 0, run / common};
  int64_t least = INT64_MIN, most = INT64_MAX;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t from = line.divide * values[i] - line.scale * sizes[i];
    least = std::max(least, from);
    most = std::min(most, from + line.divide - 1);
  }
  if (least > most) return {};
  line.plus = least;
  // Divisions round down only above zero, and 32 bits must do.
  for (const int64_t n : {sizes.front(), sizes.back()}) {
    const int64_t product = line.scale * n, sum = product + line.plus;
    if (sum < 0 || sum > INT32_MAX || product > INT32_MAX || product < 0) return {};
  }
  return line;
}

std::string line_text(const Line& line) {
  std::string text = line.scale == 1 ? kSize : cat(line.scale, " * ", kSize);
  if (line.plus != 0) text += line.plus > 0 ? cat(" + ", line.plus) : cat(" - ", -line.plus);
  return line.divide == 1 ? text : cat("(", text, ") / ", line.divide);
}

// The schedules of heights whose loops have the same actors.
class WordGroups {
 public:
  explicit WordGroups(const Analysis& analysis) : analysis_(analysis), starts_(analysis.sizes.size(), 0) {
    low_ = analysis.options.run_time[0].low;
  }

  SizedWords run(const std::string& table) {
    std::map<Shape, std::vector<size_t>> groups;
    for (size_t i = 0; i < analysis_.sizes.size(); ++i) {
      Shape shape;
      for (const stream::ScheduleLoop& loop : analysis_.sizes[i].stream->loops) shape.push_back(loop.actors);
      groups[shape].push_back(i);
    }
    for (const auto& [shape, members] : groups) divide(members);
    words_.first = of_numbers(analysis_, table, starts_);
    return std::move(words_);
  }

 private:
  std::vector<int64_t> times(const std::vector<size_t>& members, size_t loop) const {
    std::vector<int64_t> values;
    for (const size_t i : members) values.push_back(analysis_.sizes[i].stream->loops[loop].times);
    return values;
  }

  std::vector<int64_t> sizes(const std::vector<size_t>& members) const {
    std::vector<int64_t> values;
    for (const size_t i : members) values.push_back(low_ + static_cast<int64_t>(i));
    return values;
  }

  bool fits(const std::vector<size_t>& members) const {
    for (size_t loop = 0; loop < analysis_.sizes[members[0]].stream->loops.size(); ++loop) {
      if (!line_through(sizes(members), times(members, loop))) return false;
    }
    return true;
  }

  // By remainders of the height, where one formula does not do: strides make schedules repeat.
  void divide(const std::vector<size_t>& members) {
    for (const size_t by : std::initializer_list<size_t>{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64}) {
      std::map<size_t, std::vector<size_t>> parts;
      for (const size_t i : members) parts[(i + static_cast<size_t>(low_)) % by].push_back(i);
      if (!std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return fits(part.second); })) continue;
      for (const auto& [remainder, part] : parts) add(part);
      return;
    }
    for (const size_t i : members) add({i});
  }

  void add(const std::vector<size_t>& members) {
    for (const size_t i : members) starts_[i] = std::ssize(words_.entries);
    const std::vector<stream::ScheduleLoop>& loops = analysis_.sizes[members[0]].stream->loops;
    for (size_t l = 0; l < loops.size(); ++l) {
      const std::vector<int64_t> values = times(members, l);
      const bool same = std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; });
      TARN_CHECK(loops[l].times < 65536 && loops[l].actors.size() < 65536);
      if (!same)
        words_.times += cat("    case ", words_.entries.size(), "u: return (uint32_t)(",
                            line_text(*line_through(sizes(members), values)), ");\n");
      words_.entries.push_back(same ? values[0] % 256 : 0);
      words_.entries.push_back(same ? values[0] / 256 : 0);
      words_.entries.push_back(std::ssize(loops[l].actors));
      words_.entries.insert(words_.entries.end(), loops[l].actors.begin(), loops[l].actors.end());
    }
    // The end: nobody's turn.
    const int64_t nobody = std::ssize(analysis_.stream->actors);
    words_.entries.insert(words_.entries.end(), {1, 0, 1, nobody});
  }

  const Analysis& analysis_;
  std::vector<int64_t> starts_;
  int64_t low_ = 0;
  SizedWords words_;
};

}  // namespace

SizedWords sized_words(const Analysis& analysis, const std::string& table) { return WordGroups(analysis).run(table); }

std::vector<PortLines> port_lines(const Context& c) {
  std::vector<PortLines> ports;
  if (!c.analysis.stream || c.analysis.sizes.empty()) return ports;
  const std::vector<stream::Actor>& actors = c.analysis.stream->actors;
  for (size_t i = 0; i < actors.size(); ++i) {
    if (!is_first_pass(actors[i])) continue;
    const bool feed = actors[i].what == stream::Actor::What::feed;
    const std::string& name = feed ? c.names.inputs[actors[i].port] : c.names.outputs[actors[i].port];
    ports.push_back({name, c.names.macro(feed ? "IN_" : "OUT_") + upper(name),
                     cat(c.names.prefix, feed ? "_in_lines_" : "_out_lines_", name), i});
  }
  return ports;
}

std::string port_line_functions(const Context& c) {
  std::string tables, out;
  for (const PortLines& port : port_lines(c)) {
    const SizedNumber lines =
        of_numbers(c.analysis, port.function + "_at",
                   at_sizes(c.analysis, [&](const Analysis& size) { return size.stream->actors[port.actor].lines; }));
    tables += lines.table;
    out += cat("int32_t ", port.function, "(const void *arena)\n{\n",
               lines.varies() ? size_set(c) : "    (void)arena;\n", "    return ", lines.text, ";\n}\n\n");
  }
  return tables + out;
}

SizedStream::SizedStream(const Context& context) : context_(context) {
  for (const Analysis& size : context.analysis.sizes) {
    contexts_.push_back(std::make_unique<Context>(Context{size, context.report, context.names, context.options, true}));
    texts_.push_back(std::make_unique<LineText>(*contexts_.back()));
    for (size_t o = 0; o < size.program.operations.size(); ++o) {
      const std::vector<program::Argument>& arguments = size.program.operations[o].arguments;
      for (size_t a = 0; a < arguments.size(); ++a) {
        if (arguments[a].weight_offset != 0) moved_.emplace(program::OperationId(o), a);
      }
    }
  }
  for (const std::unique_ptr<LineText>& text : texts_) text->moved_constants = moved_;
}

std::string SizedStream::write(LineText& text, const std::string& name,
                               const std::function<std::string(LineText&)>& write, const std::string& size) {
  text.moved_constants = moved_;
  std::string own = write(text);
  if (!sized()) return own;
  std::vector<std::string> all;
  for (const std::unique_ptr<LineText>& other : texts_) all.push_back(write(*other));
  SizedText made = for_all_sizes(context_.analysis, cat(context_.names.prefix, "_", name), all, size);
  if (!made.fault.empty()) note(made.fault);
  tables += made.tables;
  return made.text;
}

// Copies of the parameters that differ from height to height, with this height's numbers. `copied`: which.
std::string SizedStream::copies(size_t actor, std::set<std::string>& copied) {
  std::string out;
  const std::vector<ActorParams> most = params_of(context_, actor);
  std::vector<std::vector<ActorParams>> all;
  for (const std::unique_ptr<Context>& context : contexts_) all.push_back(params_of(*context, actor));
  for (size_t k = 0; k < most.size(); ++k) {
    std::vector<std::vector<CField>> fields;
    std::vector<std::string> texts;
    for (size_t i = 0; i < all.size(); ++i) {
      const ActorParams& own = all[i][k];
      fields.push_back(c_fields(contexts_[i]->analysis, *own.operation, own.params, own.extent));
      texts.push_back(params_initialiser(contexts_[i]->analysis, *own.operation, own.params, own.extent));
    }
    if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.back(); }))
      continue;
    const std::string &prefix = context_.names.prefix, &number = most[k].number;
    const std::string name = sized_params(number);
    const bool alike = std::all_of(fields.begin(), fields.end(),
                                   [&](const std::vector<CField>& own) { return own.size() == fields.back().size(); });
    std::string settings;
    for (const SizedField& field :
         alike ? sized_fields(context_.analysis, cat(prefix, "_sized_", number), fields) : std::vector<SizedField>()) {
      settings += cat("        ", name, field.path, " = ", field.number.text, ";\n");
      tables += field.number.table;
    }
    if (settings.empty()) note(cat("'", join(most[k].operation->nodes), "' takes other parameters"));
    out += cat("        ", most[k].params.type, " ", name, " = ", prefix, "_params_", number, ";\n", settings);
    copied.insert(number);
  }
  return out;
}

void SizedStream::check_params(size_t actor) {
  std::set<std::string> none;
  if (sized() && !copies(actor, none).empty()) note("what is made of lines as they come takes other parameters");
}

std::string SizedStream::statements(LineText& text, size_t actor) {
  std::string before;
  if (sized()) {
    std::set<std::string> copied;
    before = copies(actor, copied);
    text.sized_params = copied;
    for (const std::unique_ptr<LineText>& at : texts_) at->sized_params = copied;
  }
  return before + write(text, cat("at_", actor), [&](LineText& at) { return actor_statements(at, actor, 8); });
}

}  // namespace tarn::emit
