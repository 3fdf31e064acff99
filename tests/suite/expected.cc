#include "suite/expected.h"

#include <fstream>

#include "support/text.h"

namespace tarn::suite {
namespace {

std::string told(Verdict verdict, const std::string& code) { return to_string(verdict) + " " + code; }

std::string told(const Outcome& o) {
  if (o.verdict == Verdict::passed) return "passes";
  return told(o.verdict, o.code) + (o.op.empty() ? "" : " " + o.op) + ": " + o.message;
}

// What is said of the target, else of the host.
Expectations::const_iterator expectation_of(const Expectations& expectations, const Outcome& o) {
  const auto own = expectations.find({o.name, o.on});
  return own != expectations.end() ? own : expectations.find({o.name, "host"});
}

}  // namespace

std::string read_expectations(const std::string& path, Expectations& expectations) {
  std::ifstream in(path);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = split(line, '\t');
    if (fields.size() != 5 || fields[4].empty() || (fields[2] != "refused" && fields[2] != "failed")) {
      return cat(path, ":", number, ": not NAME, ON, refused or failed, CODE, REASON");
    }
    const Verdict verdict = fields[2] == "refused" ? Verdict::refused : Verdict::failed;
    const bool added =
        expectations.emplace(std::pair(fields[0], fields[1]), Expectation{verdict, fields[3], fields[4]}).second;
    if (!added) return cat(path, ":", number, ": '", fields[0], "' on ", fields[1], " for the second time");
  }
  return "";
}

std::vector<std::string> differences(const Expectations& expectations, const std::vector<Outcome>& outcomes) {
  std::vector<std::string> lines;
  for (const Outcome& o : outcomes) {
    const auto found = expectation_of(expectations, o);
    const bool listed = found != expectations.end();
    const std::string where = o.name + " on " + o.on + ": ";
    if (!listed) {
      if (o.verdict != Verdict::passed) lines.push_back(where + told(o) + "; expected to pass");
    } else if (o.verdict != found->second.verdict || o.code != found->second.code) {
      lines.push_back(where + told(o) + "; expected " + told(found->second.verdict, found->second.code));
    }
  }
  return lines;
}

void update(Expectations& expectations, const std::vector<Outcome>& outcomes) {
  for (const Outcome& o : outcomes) {
    const std::pair key(o.name, o.on);
    const auto on_host = expectations.find({o.name, "host"});
    const bool as_on_host = o.on != "host" && on_host != expectations.end() && on_host->second.verdict == o.verdict &&
                            on_host->second.code == o.code;
    if (o.verdict == Verdict::passed || as_on_host) {
      expectations.erase(key);
      continue;
    }
    Expectation& entry = expectations[key];
    if (entry.verdict == o.verdict && entry.code == o.code && !entry.reason.empty()) continue;
    entry = {o.verdict, o.code, (o.op.empty() ? "" : o.op + ": ") + o.message};
  }
}

bool write_expectations(const std::string& path, const std::string& head, const Expectations& expectations) {
  std::ofstream out(path, std::ios::trunc);
  out << head;
  for (const auto& [key, entry] : expectations) {
    out << key.first << '\t' << key.second << '\t' << to_string(entry.verdict) << '\t' << entry.code << '\t'
        << entry.reason << '\n';
  }
  out.close();
  return out.good();
}

}  // namespace tarn::suite
