#include "program/pack_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "program/prefix_code.h"
#include "program/spread_forms.h"
#include "program/stage_weights.h"
#include "program/tuning.h"
#include "support/checked.h"

namespace tarn::program {

namespace {

using Sink = std::function<void(std::span<const uint8_t>)>;
using Write = std::function<void(const Sink&)>;

// As runtime/types/tarn_unpack.h has them.
constexpr int64_t kHead = 8, kSequenceHead = 8, kTail = 4;
enum class Form : uint8_t { plain, constant, codes, runs };

// One byte of every element.
struct Sequence {
  Histogram bytes{}, runs{};
  uint64_t count = 0;
  Form form = Form::plain;
  size_t table = 0;

  const Histogram& histogram() const { return form == Form::runs ? runs : bytes; }
};

struct PackedWeight {
  size_t weight = 0;
  std::vector<Sequence> sequences;
};

// The tables of codes that sequences share.
struct Table {
  Histogram counts{};
  bool runs = false;
  CodeLengths lengths{};
  int64_t place = 0;  // in the stored tables, in bytes
  size_t users = 0;
};

std::vector<Sequence> count(const Weight& weight, size_t places) {
  std::vector<Sequence> sequences(places);
  std::vector<Symbols<std::function<void(size_t)>>> runs;
  for (Sequence& sequence : sequences) {
    runs.emplace_back(true, [&sequence](size_t symbol) { ++sequence.runs[symbol]; });
  }
  size_t place = 0;
  weight.write([&](std::span<const uint8_t> bytes) {
    for (const uint8_t byte : bytes) {
      ++sequences[place].bytes[byte];
      ++sequences[place].count;
      runs[place].add(byte);
      place = place + 1 == places ? 0 : place + 1;
    }
  });
  for (auto& one : runs) one.flush();
  return sequences;
}

// Bits that a table takes of its own.
double table_bits(const Histogram& counts, bool runs) {
  return 8.0 * static_cast<double>(stored_code(best_lengths(counts), runs).size());
}

// The form that takes least, and its bits without the table.
double choose_form(Sequence& sequence) {
  const double plain = 8.0 * static_cast<double>(sequence.count);
  const auto used = std::count_if(sequence.bytes.begin(), sequence.bytes.end(), [](uint64_t n) { return n > 0; });
  if (used <= 1) {
    sequence.form = Form::constant;
    return 0;
  }
  const double codes = entropy_bits(sequence.bytes), runs = entropy_bits(sequence.runs);
  // No code is shorter than a bit.
  const double least = static_cast<double>(sequence.count);
  // Runs are decoded faster where most bytes are zero, slower elsewhere.
  if (2 * sequence.bytes[0] > sequence.count && runs < std::max(codes, least) && runs < plain) {
    sequence.form = Form::runs;
    return runs;
  }
  sequence.form = std::max(codes, least) < kLeastPart * plain ? Form::codes : Form::plain;
  return sequence.form == Form::codes ? std::max(codes, least) : plain;
}

double estimated_bits(std::vector<Sequence>& sequences) {
  double bits = 8.0 * static_cast<double>(kHead + kTail);
  for (Sequence& sequence : sequences) bits += 8.0 * static_cast<double>(kSequenceHead) + choose_form(sequence);
  return bits;
}

Histogram sum_of(const Histogram& a, const Histogram& b) {
  Histogram sum = a;
  for (size_t s = 0; s < sum.size(); ++s) sum[s] += b[s];
  return sum;
}

// Each sequence joins the table that it costs least to share, or gets its own; large ones come first.
std::vector<Table> share_tables(std::vector<PackedWeight>& candidates) {
  std::vector<Sequence*> sequences;
  for (PackedWeight& candidate : candidates) {
    for (Sequence& sequence : candidate.sequences) {
      if (sequence.form >= Form::codes) sequences.push_back(&sequence);
    }
  }
  std::stable_sort(sequences.begin(), sequences.end(),
                   [](const Sequence* a, const Sequence* b) { return a->count > b->count; });
  std::vector<Table> tables;
  for (Sequence* sequence : sequences) {
    const bool runs = sequence->form == Form::runs;
    const Histogram& counts = sequence->histogram();
    double best = entropy_bits(counts) + table_bits(counts, runs);
    sequence->table = tables.size();
    for (size_t t = 0; t < tables.size(); ++t) {
      if (tables[t].runs != runs) continue;
      const double cost = entropy_bits(sum_of(tables[t].counts, counts)) - entropy_bits(tables[t].counts);
      if (cost >= best && !(tables.size() >= kMostTables && sequence->table == tables.size())) continue;
      best = cost;
      sequence->table = t;
    }
    if (sequence->table == tables.size()) tables.push_back({{}, runs, {}, 0, 0});
    Table& table = tables[sequence->table];
    table.counts = sum_of(table.counts, counts);
  }
  return tables;
}

int64_t bytes_of(const Sequence& sequence, const std::vector<Table>& tables) {
  if (sequence.form == Form::constant) return 0;
  if (sequence.form == Form::plain) return static_cast<int64_t>(sequence.count);
  return static_cast<int64_t>((coded_bits(sequence.histogram(), tables[sequence.table].lengths) + 7) / 8);
}

int64_t bytes_of(const PackedWeight& candidate, const std::vector<Table>& tables) {
  int64_t bytes = kHead + kTail;
  for (const Sequence& sequence : candidate.sequences) bytes += kSequenceHead + bytes_of(sequence, tables);
  return bytes;
}

double instructions_of(const PackedWeight& candidate, const std::vector<Table>& tables) {
  double sum = 0;
  for (const Sequence& sequence : candidate.sequences) {
    const auto bytes = static_cast<double>(sequence.count);
    sum += (sequence.form >= Form::codes ? kOfByte : kOfPlainByte) * bytes;
    if (sequence.form < Form::codes) continue;
    const CodeLengths& lengths = tables[sequence.table].lengths;
    const auto symbols = std::count_if(lengths.begin(), lengths.end(), [](uint8_t length) { return length > 0; });
    sum += (sequence.form == Form::runs ? 2 : 1) * kOfTable + kOfSymbol * static_cast<double>(symbols);
  }
  return sum;
}

// Leaves out what is slow beside what it saves until all together are fast enough.
void keep_fast(const Program& program, std::vector<PackedWeight>& candidates, const std::vector<Table>& tables) {
  struct Cost {
    double over = 0;  // instructions beyond those allowed
    double worth = 0;
  };
  const auto cost_of = [&](const PackedWeight& candidate) {
    const auto bytes = static_cast<double>(program.weights[candidate.weight].bytes());
    const double over = instructions_of(candidate, tables) - kMostInstructions * bytes;
    return Cost{over, over <= 0 ? 1e18 : (bytes - static_cast<double>(bytes_of(candidate, tables))) / over};
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const PackedWeight& a, const PackedWeight& b) { return cost_of(a).worth > cost_of(b).worth; });
  double over = 0;
  for (const PackedWeight& candidate : candidates) over += cost_of(candidate).over;
  while (!candidates.empty() && over > 0) {
    over -= cost_of(candidates.back()).over;
    candidates.pop_back();
  }
}

// Lengths of all tables that are used, and where they stand. A sequence that gains nothing by its codes is stored as it
// is.
std::vector<uint8_t> settle(std::vector<PackedWeight>& candidates, std::vector<Table>& tables) {
  for (Table& table : tables) table = {{}, table.runs, {}, 0, 0};
  for (const PackedWeight& candidate : candidates) {
    for (const Sequence& sequence : candidate.sequences) {
      if (sequence.form < Form::codes) continue;
      Table& table = tables[sequence.table];
      table.counts = sum_of(table.counts, sequence.histogram());
      ++table.users;
    }
  }
  std::vector<uint8_t> stored;
  for (Table& table : tables) {
    if (table.users == 0) continue;
    table.lengths = best_lengths(table.counts);
    table.place = static_cast<int64_t>(stored.size());
    const std::vector<uint8_t> code = stored_code(table.lengths, table.runs);
    stored.insert(stored.end(), code.begin(), code.end());
  }
  for (PackedWeight& candidate : candidates) {
    for (Sequence& sequence : candidate.sequences) {
      if (sequence.form >= Form::codes && bytes_of(sequence, tables) >= static_cast<int64_t>(sequence.count))
        sequence.form = Form::plain;
    }
  }
  return stored;
}

void put_word(std::vector<uint8_t>& out, uint32_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

std::vector<uint8_t> head_of(const PackedWeight& candidate, const std::vector<Table>& tables) {
  std::vector<uint8_t> head = {static_cast<uint8_t>(candidate.sequences.size()), 0, 0, 0};
  put_word(head, static_cast<uint32_t>(candidate.sequences[0].count));
  int64_t at = kHead + kSequenceHead * static_cast<int64_t>(candidate.sequences.size());
  for (const Sequence& sequence : candidate.sequences) {
    const auto only = std::find_if(sequence.bytes.begin(), sequence.bytes.end(), [](uint64_t n) { return n > 0; });
    const auto value = static_cast<uint8_t>(only - sequence.bytes.begin());
    const auto place =
        sequence.form >= Form::codes ? static_cast<uint16_t>(tables[sequence.table].place / 4) : uint16_t{0};
    head.insert(head.end(), {static_cast<uint8_t>(sequence.form), sequence.form == Form::constant ? value : uint8_t{0},
                             static_cast<uint8_t>(place & 255), static_cast<uint8_t>(place >> 8)});
    put_word(head, static_cast<uint32_t>(at));
    at += bytes_of(sequence, tables);
  }
  return head;
}

// Piece by piece: a large weight never stands in memory.
void write_packed(const Write& plain, const PackedWeight& candidate, const std::vector<Table>& tables,
                  const Sink& sink) {
  constexpr size_t kPiece = size_t{1} << 16;
  sink(head_of(candidate, tables));
  const size_t places = candidate.sequences.size();
  for (size_t wanted = 0; wanted < places; ++wanted) {
    const Sequence& sequence = candidate.sequences[wanted];
    if (sequence.form == Form::constant) continue;
    std::vector<uint8_t> out;
    const bool coded = sequence.form >= Form::codes;
    CodeWriter codes(coded ? tables[sequence.table].lengths : CodeLengths{});
    const auto put = [&](size_t symbol) {
      if (coded) codes.put(symbol, out);
      else out.push_back(static_cast<uint8_t>(symbol));
    };
    Symbols symbols(sequence.form == Form::runs, put);
    size_t place = 0;
    plain([&](std::span<const uint8_t> bytes) {
      for (const uint8_t byte : bytes) {
        if (place == wanted) symbols.add(byte);
        place = place + 1 == places ? 0 : place + 1;
      }
      if (out.size() < kPiece) return;
      sink(out);
      out.clear();
    });
    symbols.flush();
    codes.finish(out);
    sink(out);
  }
  constexpr std::array<uint8_t, kTail> tail{};
  sink(tail);
}

// What tarn_unpack() does for a weight (time/unpack.cc).
std::map<std::string, int64_t> work_of(const PackedWeight& candidate, const std::vector<Table>& tables) {
  std::map<std::string, int64_t> work{{"sequences", static_cast<int64_t>(candidate.sequences.size())}};
  const auto add = [&](const char* name, uint64_t count) { work[name] += static_cast<int64_t>(count); };
  const Table* prepared = nullptr;
  for (const Sequence& sequence : candidate.sequences) {
    if (sequence.form < Form::codes) {
      add(sequence.form == Form::plain ? "copied" : "filled", sequence.count);
      continue;
    }
    constexpr size_t kFast = 8, kLongest = 11;  // bits
    const Table& table = tables[sequence.table];
    const bool runs = sequence.form == Form::runs;
    const Histogram& counts = sequence.histogram();
    uint64_t longer = 0, zeros = 0, values = 0;
    for (size_t s = 0; s < kSymbols; ++s) {
      const size_t length = table.lengths[s];
      if (length == 0) continue;
      longer += length > kFast ? counts[s] : 0;
      (s < kByteSymbols ? values : zeros) += counts[s];
      if (prepared == &table) continue;
      add("symbols", 1);
      add(length > kFast ? "long_symbols" : "entries", length > kFast ? 1 : uint64_t{1} << (kFast - length));
      if (length > kFast) add("long_entries", uint64_t{1} << (kLongest - length));
    }
    if (prepared != &table) add("tables", runs ? 2 : 1);
    prepared = &table;
    add(runs ? "long_values" : "long_codes", longer);
    if (runs) {
      add("zero_codes", zeros);
      add("values", values);
      add("zeros", sequence.count - values);
    } else {
      add("threes", sequence.count / 3);
      add("rest", sequence.count % 3);
    }
  }
  return work;
}

// Weights of which a run reads all.
std::vector<bool> read_as_a_whole(const Program& program) {
  std::vector<bool> whole(program.weights.size(), false), part(program.weights.size(), false);
  for (const Operation& operation : program.operations) {
    const bool few = operation.kernel.find("gather") != std::string::npos;
    for (const Argument& argument : operation.arguments) {
      if (!argument.weight.valid()) continue;
      (few || argument.role != Argument::Role::weight ? part : whole)[argument.weight.pos()] = true;
    }
  }
  for (const KeptState& kept : program.kept) {
    if (kept.first.valid()) part[kept.first.pos()] = true;
  }
  for (size_t i = 0; i < whole.size(); ++i) whole[i] = whole[i] && !part[i];
  return whole;
}

// What a weight takes as it is; constants that can be spread out (spread_constants.h) only what differs.
int64_t own_bytes(const Weight& weight, bool spreads) {
  return spreads && weight.spread ? stored_bytes(*weight.spread) : weight.bytes();
}

std::vector<PackedWeight> find_candidates(const Program& program, bool spreads) {
  std::vector<PackedWeight> candidates;
  const std::vector<bool> whole = read_as_a_whole(program);
  for (size_t i = 0; i < program.weights.size(); ++i) {
    const Weight& weight = program.weights[i];
    if (!whole[i] || !weight.missing.empty() || weight.bytes() < kLeastSaved || weight.bytes() > UINT32_MAX / 2)
      continue;
    std::vector<Sequence> sequences = count(weight, 1);
    double bits = estimated_bits(sequences);
    const auto element = static_cast<size_t>(bits_of(weight.dtype) / 8);
    if (element > 1) {
      std::vector<Sequence> apart = count(weight, element);
      const double bits_apart = estimated_bits(apart);
      // One sequence is decoded in fewer instructions.
      if (bits_apart < 0.99 * bits) {
        sequences = std::move(apart);
        bits = bits_apart;
      }
    }
    if (bits / 8 + static_cast<double>(kLeastSaved) > static_cast<double>(own_bytes(weight, spreads))) continue;
    candidates.push_back({i, std::move(sequences)});
  }
  return candidates;
}

}  // namespace

void pack_weights(Program& program, bool spreads) {
  std::vector<PackedWeight> candidates = find_candidates(program, spreads);
  std::vector<Table> tables = share_tables(candidates);
  settle(candidates, tables);
  const auto saves = [&](const PackedWeight& candidate) {
    return bytes_of(candidate, tables) + kLeastSaved <= own_bytes(program.weights[candidate.weight], spreads);
  };
  std::erase_if(candidates, [&](const PackedWeight& candidate) { return !saves(candidate); });
  settle(candidates, tables);
  keep_fast(program, candidates, tables);
  std::vector<uint8_t> stored = settle(candidates, tables);
  stored = settle(candidates, tables);  // without what it left as it is
  int64_t saved = -static_cast<int64_t>(stored.size()) - kDecoderBytes;
  for (const PackedWeight& candidate : candidates)
    saved += own_bytes(program.weights[candidate.weight], spreads) - bytes_of(candidate, tables);
  if (saved <= 0) return;
  int64_t work = 0;
  for (const Table& table : tables)
    work = std::max(work, table.users > 0 ? decoder_bytes(table.lengths, table.runs) : 0);
  const auto shared = std::make_shared<const std::vector<Table>>(std::move(tables));
  for (PackedWeight& candidate : candidates) {
    Weight& weight = program.weights[candidate.weight];
    double entropy = 0;
    for (const Sequence& sequence : candidate.sequences) entropy += entropy_bits(sequence.bytes) / 8;
    weight.plain = Weight::Plain{weight.dtype, weight.count, entropy, {}, weight.write, work_of(candidate, *shared)};
    weight.spread.reset();
    weight.dtype = DType::uint8;
    weight.count = bytes_of(candidate, *shared);
    weight.write = [plain = std::move(weight.write), candidate = std::move(candidate), shared](const Sink& sink) {
      write_packed(plain, candidate, *shared, sink);
    };
  }
  program.codes = WeightId(program.weights.size());
  Weight codes;
  codes.name = "codes";
  codes.dtype = DType::uint8;
  codes.count = static_cast<int64_t>(stored.size());
  codes.write = [stored = std::move(stored)](const Sink& sink) { sink(stored); };
  program.weights.push_back(std::move(codes));
  stage_weights(
      program, [&](WeightId id) { return program[id].plain.has_value(); }, work);
}

}  // namespace tarn::program
