#include "word_context.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/synonym_graph.h"
#include "textcrs/text/catalogue.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs::cli {
namespace {

constexpr int kMostFrequent = 50000;  // words of the vectors that join the texts'

// Words in the order in which they are added, each once.
class WordList {
 public:
  void add(std::string_view word) {
    if (seen_.emplace(word).second) words_.emplace_back(word);
  }
  const std::vector<std::string>& words() const { return words_; }

 private:
  std::unordered_set<std::string> seen_;
  std::vector<std::string> words_;
};

// The words of a table {word: [words]}. What is wrong with the file is said when it is loaded.
void add_words_of_json(const std::string& path, WordList& list) {
  const auto table = nlohmann::json::parse(read_file(path), nullptr, false);
  if (!table.is_object()) return;
  for (const auto& [word, others] : table.items()) {
    list.add(word);
    if (!others.is_array()) continue;
    for (const auto& other : others)
      if (other.is_string()) list.add(other.get_ref<const std::string&>());
  }
}

}  // namespace

void WordFlags::add(CLI::App& app) {
  app.add_option("--model", model, "Take words, synonyms and vectors from this model folder");
  app.add_option("--vectors", vectors, "Without a model: glove, or a vectors file");
  synonyms.add(app);
}

void CandidateFlags::add(CLI::App& app) {
  app.add_option("--candidates", count,
                 "The adversary replaces words only by words among each other's first K synonyms; "
                 "0: by any synonym")
      ->check(CLI::Range(0, 1000000));
}

SynonymTable CandidateFlags::cut(const SynonymTable& table) const {
  return count > 0 ? keep_mutual(table, count) : table;
}

WordNeeds WordNeeds::of_noise(const std::string& noise) {
  const std::string name = Spec::parse(noise).name();
  return {.synonyms = name == "substitute", .vectors = name == "insert"};
}

WordContext::WordContext(const WordFlags& flags, const WordNeeds& needs,
                         const std::vector<std::string>& texts) {
  if (!flags.model.empty()) {
    take_from_model(flags, needs, texts);
    return;
  }
  for (const std::string& text : texts) texts_.push_back(tokenize(text));
  make_vocabulary(flags, needs);
  if (needs.synonyms) synonyms_ = flags.synonyms.load(vocabulary_, flags.vectors);
  if (needs.vectors) make_vectors(flags);
}

void WordContext::take_from_model(const WordFlags& flags, const WordNeeds& needs,
                                  const std::vector<std::string>& texts) {
  const auto classifier = Classifier::load(flags.model, "cpu");
  vocabulary_ = classifier->vocabulary();
  const auto dimension = static_cast<size_t>(classifier->config().dimension);
  lasting_ = static_cast<size_t>(vocabulary_.size()) * dimension;
  for (const std::string& text : texts) {
    texts_.push_back(classifier->words(text));
    vocabulary_.encode(texts_.back());  // an open vocabulary learns them, and they have vectors
  }
  synonyms_ = classifier->synonyms();
  rows_ = classifier->vectors();
  embeddings_ = {rows_, classifier->config().dimension};
  model_noise_ = classifier->config().noise;
  model_slots_ = classifier->config().slots;
  if (needs.synonyms && synonyms_.size() == 0)
    throw usage_error(
        fmt::format("{} was trained under {} and has no synonyms", flags.model, model_noise_));
}

void WordContext::make_vocabulary(const WordFlags& flags, const WordNeeds& needs) {
  WordList list;
  for (const auto& text : texts_)
    for (const std::string& word : text) list.add(word);
  const std::string& source = flags.synonyms.source;
  const bool frequent = needs.neighbours || (needs.synonyms && source == "glove");
  if (frequent) {
    const WordVectors vectors = open_vectors(flags.vectors);
    for (int row = 0; row < std::min(kMostFrequent, vectors.size()); ++row)
      list.add(vectors.word(row));
  } else if (needs.synonyms && source == "wordnet") {
    for (const auto& word : SynonymTable::wordnet_words(asset_main_file(find_asset("wordnet"))))
      list.add(word);
  } else if (needs.synonyms && !source.empty()) {
    add_words_of_json(source, list);
  }
  vocabulary_ = Vocabulary(list.words());
}

void WordContext::make_vectors(const WordFlags& flags) {
  const WordVectors vectors = open_vectors(flags.vectors);
  for (const auto& text : texts_)
    for (const std::string& word : text)
      if (!vectors.find(word))
        throw usage_error(fmt::format(
            "the vectors '{}' have none for '{}'; --model takes those of a model, which has one "
            "for every word",
            flags.vectors, word));
  const auto dimension = static_cast<size_t>(vectors.dimension());
  rows_.assign(static_cast<size_t>(vocabulary_.size()) * dimension, 0);
  for (WordId id = kFirstWord; id < vocabulary_.size(); ++id)
    if (const auto row = vectors.find(vocabulary_.word(id)))
      std::copy_n(vectors.row(*row).begin(), dimension,
                  rows_.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(id) * dimension));
  lasting_ = rows_.size();
  embeddings_ = {rows_, vectors.dimension()};
}

}  // namespace textcrs::cli
