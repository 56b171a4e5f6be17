#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "text/json.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/synonyms.h"

namespace textcrs {
namespace {

using nlohmann::json;

using WordLists = std::vector<std::pair<std::string, std::vector<std::string>>>;

WordLists read_lists(const std::filesystem::path& path) {
  const std::string name = path.string();
  const json root = read_json_file<json>(path);
  if (!root.is_object())
    throw bad_input(fmt::format("{}: found {} at the top, expected an object of lists", name,
                                root.type_name()));
  WordLists lists;
  for (const auto& [word, others] : root.items()) {
    if (!others.is_array())
      throw bad_input(fmt::format("{}: {}: found {}, expected a list of words", name,
                                  json(word).dump(), others.type_name()));
    auto& list = lists.emplace_back(word, std::vector<std::string>()).second;
    for (size_t i = 0; i < others.size(); ++i) {
      if (!others[i].is_string())
        throw bad_input(fmt::format("{}: {}[{}]: found {}, expected a word", name,
                                    json(word).dump(), i, others[i].type_name()));
      list.push_back(others[i].get<std::string>());
    }
  }
  return lists;
}

}  // namespace

SynonymTable SynonymTable::from_json(const std::filesystem::path& path,
                                     const Vocabulary& vocabulary, std::string source) {
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(vocabulary.size()));
  for (const auto& [word, others] : read_lists(path)) {
    const WordId id = vocabulary.id(word);
    if (id < kFirstWord) continue;
    std::vector<WordId>& list = lists[static_cast<size_t>(id)];
    for (const std::string& spelling : others) {
      const WordId other = vocabulary.id(spelling);
      if (other < kFirstWord || other == id) continue;
      if (std::find(list.begin(), list.end(), other) == list.end()) list.push_back(other);
    }
  }
  if (source.empty()) source = path.filename().string();
  return SynonymTable(std::move(source), std::move(lists));
}

std::vector<std::string> SynonymTable::json_words(const std::filesystem::path& path) {
  std::vector<std::string> words;
  std::unordered_set<std::string> seen;
  const auto add = [&](const std::string& word) {
    if (seen.insert(word).second) words.push_back(word);
  };
  for (const auto& [word, others] : read_lists(path)) {
    add(word);
    for (const std::string& other : others) add(other);
  }
  return words;
}

void SynonymTable::save_json(const std::filesystem::path& path,
                             const Vocabulary& vocabulary) const {
  if (size() > vocabulary.size())
    throw std::logic_error("SynonymTable::save_json: the vocabulary is smaller than the table");
  write_file_atomically(path, [&](std::ostream& out) {
    out << "{";
    const char* separator = "\n";
    try {
      for (WordId word = kFirstWord; word < size(); ++word) {
        json others = json::array();
        for (const WordId other : of(word)) others.push_back(vocabulary.word(other));
        if (others.empty()) continue;
        out << separator << json(vocabulary.word(word)).dump() << ": " << others.dump();
        separator = ",\n";
      }
    } catch (const json::type_error&) {
      throw bad_input(fmt::format("{}: cannot be written (a word is not UTF-8)", path.string()));
    }
    out << "\n}\n";
  });
}

}  // namespace textcrs
