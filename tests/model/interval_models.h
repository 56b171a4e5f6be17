// Small models whose words have candidates, for the tests of interval bounds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/small_model.h"
#include "text/temporary_folder.h"

namespace textcrs {

// Of w0 .. w19, w0 .. w3 have no candidates, every other word those of its group of four.
inline SynonymTable groups_of_four() {
  std::vector<std::vector<WordId>> lists(23);
  for (WordId word = kFirstWord + 4; word < 23; ++word) {
    const WordId first = word - (word - kFirstWord) % 4;
    for (WordId other = first; other < first + 4; ++other)
      if (other != word) lists[static_cast<size_t>(word)].push_back(other);
  }
  return SynonymTable("groups", lists);
}

// The words of a group lie about `spread` from each other.
inline WordVectors grouped_vectors(const std::filesystem::path& folder, double spread) {
  {
    std::ofstream out(folder / "grouped.txt");
    out.precision(9);
    std::vector<float> centre(kSmallDimension), own(kSmallDimension);
    for (uint32_t i = 0; i < 20; ++i) {
      Stream(5, i / 4, 0).normals(centre);
      Stream(6, i, 0).normals(own);
      out << "w" << i;
      for (size_t d = 0; d < own.size(); ++d) out << ' ' << double{centre[d]} + spread * own[d];
      out << '\n';
    }
  }
  convert_glove_text(folder / "grouped.txt", folder / "grouped.cache");
  return WordVectors::open(folder / "grouped.cache");
}

inline ModelConfig interval_config(const std::string& architecture) {
  ModelConfig config = small_config(architecture);
  config.synonyms = "groups";
  config.intervals = true;
  config.dropout = 0;
  config.input_dropout = 0;
  return config;
}

inline std::unique_ptr<Classifier> interval_classifier(const std::string& architecture,
                                                       double spread, uint64_t seed) {
  const TemporaryFolder folder;
  return Classifier::fresh(interval_config(architecture), Vocabulary(small_words()),
                           groups_of_four(), grouped_vectors(folder.path(), spread), seed);
}

// All texts in which each word is itself or one of its candidates.
inline std::vector<std::vector<WordId>> all_substitutions(const SynonymTable& synonyms,
                                                          const std::vector<WordId>& words) {
  std::vector<std::vector<WordId>> texts = {{}};
  for (const WordId word : words) {
    std::vector<WordId> choices = {word};
    choices.insert(choices.end(), synonyms.of(word).begin(), synonyms.of(word).end());
    std::vector<std::vector<WordId>> longer;
    for (const std::vector<WordId>& text : texts)
      for (const WordId choice : choices) {
        longer.push_back(text);
        longer.back().push_back(choice);
      }
    texts = std::move(longer);
  }
  return texts;
}

// Texts of 0 .. 6 words, shorter than the windows of a cnn and longer; unknown words among them.
inline std::vector<std::vector<WordId>> interval_texts(uint32_t count) {
  std::vector<std::vector<WordId>> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(77, i, 0);
    std::vector<WordId> words(i % 7);
    for (WordId& word : words) word = static_cast<WordId>(kUnk + stream.below(22));
    texts.push_back(std::move(words));
  }
  return texts;
}

}  // namespace textcrs
