#include "report/same_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using RecordsById = std::unordered_map<uint32_t, const Record*>;

RecordsById by_id(const RunFolder& run) {
  RecordsById records;
  for (const Record& record : run.records) records.emplace(record.id, &record);
  return records;
}

// How a message calls a text.
std::string name_of(const Record& record) {
  if (record.key) return fmt::format("{} ('{}')", record.id, *record.key);
  return std::to_string(record.id);
}

std::string in_words(const std::optional<std::string>& value) {
  return value ? fmt::format("'{}'", *value) : "missing";
}

std::string both(const NamedRun& first, const NamedRun& other) {
  return fmt::format("{} and {}", first.name, other.name);
}

void check_settings(const NamedRun& first, const NamedRun& other) {
  const auto check = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b)
      throw OtherTexts(both(first, other), fmt::format("{} is '{}' and '{}'", what, a, b));
  };
  check("data", first.run.data_name(), other.run.data_name());
  check("split", first.run.setting("split"), other.run.setting("split"));
}

void check_same(const NamedRun& first, const Record& a, const NamedRun& other, const Record& b) {
  std::string difference;
  if (a.label != b.label)
    difference = fmt::format("the label of text {} is {} and {}", name_of(a), in_words(a.label),
                             in_words(b.label));
  else if (a.key && b.key && *a.key != *b.key)
    difference = fmt::format("the key of text {} is '{}' and '{}'", a.id, *a.key, *b.key);
  else if (a.text && b.text && *a.text != *b.text)
    difference = fmt::format("text {} is another", name_of(a));
  if (!difference.empty()) throw OtherTexts(both(first, other), difference);
}

// Where no single text shows it: the texts themselves are kept as a hash only.
void check_hash(const NamedRun& first, const NamedRun& other) {
  const std::string a = first.run.data_hash(), b = other.run.data_hash();
  if (a != b)
    throw OtherTexts(both(first, other), fmt::format("the hash of {}'s texts is {} and {}",
                                                     first.run.data_name(), a, b));
}

void check_all_there(const NamedRun& has, const NamedRun& lacks, const RecordsById& records) {
  for (const Record& record : has.run.records)
    if (!records.contains(record.id))
      throw OtherTexts(both(has, lacks),
                       fmt::format("{} has no result of text {}{}", lacks.name, name_of(record),
                                   lacks.run.complete ? "" : ", it is not finished"),
                       /*missing=*/true);
}

}  // namespace

OtherTexts::OtherTexts(const std::string& runs, const std::string& difference, bool missing)
    : Error(ErrorKind::kUsage,
            fmt::format("{} are not about the same texts: {}", runs, difference)),
      missing_(missing) {}

SameTexts same_texts(const std::vector<NamedRun>& runs, bool common) {
  const NamedRun& first = runs[0];
  std::vector<RecordsById> records;
  for (const NamedRun& named : runs) records.push_back(by_id(named.run));
  bool one_hash = true;
  for (size_t i = 1; i < runs.size(); ++i) {
    check_settings(first, runs[i]);
    one_hash = one_hash && runs[i].run.data_hash() == first.run.data_hash();
    if (common) continue;
    check_all_there(first, runs[i], records[i]);
    check_all_there(runs[i], first, records[0]);
  }

  SameTexts same;
  for (const Record& record : first.run.records) {
    SameText text;
    for (size_t i = 0; i < runs.size(); ++i) {
      const auto found = records[i].find(record.id);
      if (found == records[i].end()) break;
      check_same(first, record, runs[i], *found->second);
      text.push_back(found->second);
    }
    if (text.size() == runs.size()) same.texts.push_back(std::move(text));
  }
  if (same.texts.empty()) throw usage_error("the runs have no text in common");

  const auto all_compared = [&](const NamedRun& named) {
    return named.run.complete && named.run.records.size() == same.texts.size();
  };
  for (size_t i = 1; i < runs.size(); ++i)
    if (!common || (all_compared(first) && all_compared(runs[i]))) check_hash(first, runs[i]);
  for (const NamedRun& named : runs)
    if (const size_t all = named.run.records.size(); all > same.texts.size())
      same.notes.push_back(fmt::format("{}: {} of its {} are compared, those that all runs have",
                                       named.name, same.texts.size(), counted(all, "text")));
  if (!one_hash)
    same.notes.push_back(
        "the runs are about different selections of the data: texts are matched by their ids");
  return same;
}

}  // namespace textcrs
