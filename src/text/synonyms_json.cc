#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/json.h"
#include "text/synonym_lists.h"
#include "text/word_index.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/synonyms.h"

namespace textcrs {
namespace {

using nlohmann::json;

constexpr size_t kMostWords = 1'000'000;  // of a table

// Calls visit(word, others) for each list; `others` are strings.
template <typename Visit>
void for_each_list(const std::filesystem::path& path, const Visit& visit) {
  const std::string name = path.string();
  const json root = read_json_file<json>(path);
  if (!root.is_object())
    throw bad_input(fmt::format("{}: found {} at the top, expected an object of lists", name,
                                root.type_name()));
  for (const auto& [word, others] : root.items()) {
    if (!others.is_array())
      throw bad_input(fmt::format("{}: {}: found {}, expected a list of words", name,
                                  json(word).dump(), others.type_name()));
    for (size_t i = 0; i < others.size(); ++i)
      if (!others[i].is_string())
        throw bad_input(fmt::format("{}: {}[{}]: found {}, expected a word", name,
                                    json(word).dump(), i, others[i].type_name()));
    visit(word, others);
  }
}

}  // namespace

SynonymTable SynonymTable::from_json(const std::filesystem::path& path,
                                     const Vocabulary& vocabulary, std::string source) {
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(vocabulary.size()));
  for_each_list(path, [&](const std::string& word, const json& others) {
    const WordId id = vocabulary.id(word);
    if (id < kFirstWord) return;
    std::vector<WordId>& list = lists[static_cast<size_t>(id)];
    for (const json& spelling : others) {
      const WordId other = vocabulary.id(spelling.get_ref<const std::string&>());
      if (other >= kFirstWord && other != id) list.push_back(other);
    }
  });
  remove_repeats(lists);
  if (source.empty()) source = path.filename().string();
  return SynonymTable(std::move(source), std::move(lists));
}

std::vector<std::string> SynonymTable::json_words(const std::filesystem::path& path) {
  WordIndex words;
  const auto add = [&](const std::string& word) {
    if (words.find(word) != WordIndex::kNone) return;
    if (words.words().size() == kMostWords)
      throw bad_input(
          fmt::format("{}: found more than {} words, expected fewer", path.string(), kMostWords));
    words.add(word);
  };
  for_each_list(path, [&](const std::string& word, const json& others) {
    add(word);
    for (const json& other : others) add(other.get_ref<const std::string&>());
  });
  return std::move(words).take();
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
