#include "attack/transformations.h"

namespace textcrs {
namespace {

class SynonymReplacement final : public Transformation {
 public:
  explicit SynonymReplacement(const WordSynonyms& synonyms) : synonyms_(synonyms) {}

  std::vector<WordEdit> at(const EditedText& text, size_t place, Stream&) const override {
    std::vector<WordEdit> edits;
    for (std::string& word : synonyms_.of(text.words[place]))
      edits.push_back({WordEdit::Kind::kReplace, place, std::move(word)});
    return edits;
  }

 private:
  const WordSynonyms& synonyms_;
};

class WordDeletion final : public Transformation {
 public:
  std::vector<WordEdit> at(const EditedText&, size_t place, Stream&) const override {
    return {{WordEdit::Kind::kDelete, place}};
  }
};

class WordSwap final : public Transformation {
 public:
  std::vector<WordEdit> at(const EditedText& text, size_t place, Stream& random) const override {
    if (text.size() < 2) return {};
    size_t other = random.below(static_cast<uint32_t>(text.size() - 1));
    if (other >= place) ++other;
    if (text.words[other] == text.words[place]) return {};
    return {{WordEdit::Kind::kSwap, place, {}, other}};
  }
};

class SynonymInsertion final : public Transformation {
 public:
  explicit SynonymInsertion(const WordSynonyms& synonyms) : synonyms_(synonyms) {}

  std::vector<WordEdit> at(const EditedText& text, size_t place, Stream& random) const override {
    // Few words have none, but for the shortest texts.
    constexpr int kDraws = 20;
    for (int draw = 0; draw < kDraws; ++draw) {
      const std::string& of = text.words[random.below(static_cast<uint32_t>(text.size()))];
      std::vector<std::string> words = synonyms_.of(of);
      if (words.empty()) continue;
      const uint32_t chosen = random.below(static_cast<uint32_t>(words.size()));
      return {{WordEdit::Kind::kInsert, place, std::move(words[chosen])}};
    }
    return {};
  }

 private:
  const WordSynonyms& synonyms_;
};

class MaskedInsertion final : public Transformation {
 public:
  MaskedInsertion(const MaskedWords& masked, int count) : masked_(masked), count_(count) {}

  std::vector<WordEdit> at(const EditedText& text, size_t place, Stream&) const override {
    std::vector<WordEdit> edits;
    for (WordGuess& guess : masked_.fill(text.words, place, count_))
      edits.push_back({WordEdit::Kind::kInsert, place, std::move(guess.word)});
    return edits;
  }

 private:
  const MaskedWords& masked_;
  int count_;
};

}  // namespace

std::unique_ptr<const Transformation> make_synonym_replacement(const WordSynonyms& synonyms) {
  return std::make_unique<SynonymReplacement>(synonyms);
}

std::unique_ptr<const Transformation> make_word_deletion() {
  return std::make_unique<WordDeletion>();
}

std::unique_ptr<const Transformation> make_word_swap() { return std::make_unique<WordSwap>(); }

std::unique_ptr<const Transformation> make_synonym_insertion(const WordSynonyms& synonyms) {
  return std::make_unique<SynonymInsertion>(synonyms);
}

std::unique_ptr<const Transformation> make_masked_insertion(const MaskedWords& masked, int count) {
  return std::make_unique<MaskedInsertion>(masked, count);
}

}  // namespace textcrs
