// Parts of attacks for tests: a similarity that the test decides, a transformation of listed edits,
// and tables of synonyms from a few lines.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attack/constraints.h"
#include "attack/goals.h"
#include "attack/searches.h"
#include "attack/transformations.h"
#include "word_count_target.h"

namespace textcrs {

class FakeSimilarity final : public Similarity {
 public:
  using Of = std::function<double(const EditedText&, const WordEdit&)>;
  explicit FakeSimilarity(Of of) : of_(std::move(of)) {}

  std::vector<double> after(const EditedText& text,
                            std::span<const WordEdit> edits) const override {
    std::vector<double> list;
    for (const WordEdit& edit : edits) list.push_back(of_(text, edit));
    return list;
  }
  double of(const WordList& a, const WordList& b) const override { return a == b ? 1 : 0; }

 private:
  Of of_;
};

class FakeTransformation final : public Transformation {
 public:
  using At = std::function<std::vector<WordEdit>(const EditedText&, size_t)>;
  explicit FakeTransformation(At at) : at_(std::move(at)) {}

  std::vector<WordEdit> at(const EditedText& text, size_t place, Stream&) const override {
    return at_(text, place);
  }

 private:
  At at_;
};

using SynonymLists = std::map<std::string, WordList>;

inline WordSynonyms synonyms_of(const SynonymLists& lists, size_t count = 100) {
  std::set<std::string> words;
  for (const auto& [word, list] : lists) {
    words.insert(word);
    words.insert(list.begin(), list.end());
  }
  Vocabulary vocabulary(WordList(words.begin(), words.end()));
  std::vector<std::vector<WordId>> table(static_cast<size_t>(vocabulary.size()));
  for (const auto& [word, list] : lists)
    for (const std::string& synonym : list)
      table[static_cast<size_t>(vocabulary.id(word))].push_back(vocabulary.id(synonym));
  SynonymTable synonyms("test", std::move(table));
  return WordSynonyms(std::move(vocabulary), std::move(synonyms), count);
}

// With the goal of another answer, and without constraints.
inline AttackParts parts_with(std::unique_ptr<const Search> search,
                              std::unique_ptr<const Transformation> transformation = nullptr) {
  AttackParts parts;
  parts.search = std::move(search);
  parts.transformation = std::move(transformation);
  parts.goal = make_flip_goal();
  return parts;
}

}  // namespace textcrs
