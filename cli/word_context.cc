#include "word_context.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <unordered_set>

#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/data/catalogue.h"
#include "textcrs/noise/synonym_graph.h"
#include "textcrs/text/tokenizer.h"
#include "textcrs/text/word_lists.h"

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

std::string vectors_of(const WordFlags& flags) {
  return flags.vectors.empty() ? "glove" : flags.vectors;
}

}  // namespace

void WordFlags::add(CLI::App& app) {
  app.add_option("--model", model, "Take words, synonyms and vectors from this model folder");
  app.add_option("--vectors", vectors,
                 "Without a model: the vectors of glove's synonyms; glove (the default) or a file");
  synonyms.add(app);
}

void CandidateFlags::add(CLI::App& app) {
  app.add_option("--candidates", count,
                 "The adversary replaces words only by words among each other's first K synonyms; "
                 "0: by any synonym")
      ->check(CLI::Range(0, 1000000));
}

SynonymTable CandidateFlags::cut(const WordContext& context) const {
  if (count == 0) return context.synonyms();
  const Classifier* const model = context.model();
  if (model == nullptr) return keep_mutual(context.synonyms(), count);
  return keep_mutual(model->spelled_synonyms(), count).by_clusters(model->vocabulary());
}

WordNeeds WordNeeds::of_noise(const std::string& noise) {
  const Spec spec = Spec::parse(noise);
  const bool deletes = spec.name() == "delete" || spec.name() == "universal";
  return {.synonyms = spec.name() == "substitute",
          .vectors = spec.name() == "insert" || spec.name() == "gaussian",
          .stop_words = deletes ? spec.text_or("stop", "") : ""};
}

WordContext::WordContext(const WordFlags& flags, const WordNeeds& needs,
                         const std::vector<std::string>& texts) {
  if (!flags.model.empty()) {
    take_from_model(flags, needs, texts);
  } else {
    if (needs.synonyms) flags.synonyms.require();
    for (const std::string& text : texts) texts_.push_back(tokenize(text));
    make_vocabulary(flags, needs);
    if (needs.synonyms) synonyms_ = flags.synonyms.load(vocabulary_, vectors_of(flags));
    if (needs.vectors) make_vectors(flags);
  }
  for (const auto& words : texts_) ids_.push_back(vocabulary_.encode(words, own_));
  if (classifier_) own_rows_ = classifier_->vectors(own_.list());
  embeddings_.rows = rows_;
  embeddings_.own_rows = own_rows_;
}

OwnVectors WordContext::own_vectors() const {
  if (!classifier_) return nullptr;
  return [this](std::span<const std::string> own) { return classifier_->vectors(own); };
}

void WordContext::take_from_model(const WordFlags& flags, const WordNeeds& needs,
                                  const std::vector<std::string>& texts) {
  classifier_ = load_with_noise(flags.model);
  vocabulary_ = classifier_->vocabulary();
  for (const std::string& text : texts) texts_.push_back(classifier_->words(text));
  synonyms_ = classifier_->synonyms();
  rows_ = classifier_->vectors();
  embeddings_.dimension = classifier_->config().dimension;
  model_noise_ = classifier_->config().noise;
  if (needs.synonyms && synonyms_.size() == 0)
    throw usage_error(
        fmt::format("{} was trained under {} and has no synonyms", flags.model, model_noise_));
}

void WordContext::make_vocabulary(const WordFlags& flags, const WordNeeds& needs) {
  WordList list;
  for (const auto& text : texts_)
    for (const std::string& word : text) list.add(word);
  const bool frequent = needs.neighbours || (needs.synonyms && flags.synonyms.source == "glove");
  if (frequent) {
    const WordVectors vectors = open_vectors(vectors_of(flags));
    for (int row = 0; row < std::min(kMostFrequent, vectors.size()); ++row)
      list.add(vectors.word(row));
  } else if (needs.synonyms) {
    for (const auto& word : flags.synonyms.words()) list.add(word);
  }
  if (needs.stop_words.empty()) {
    vocabulary_ = Vocabulary(list.words());
    return;
  }
  const StopWords stop_words = find_stop_words(needs.stop_words);
  for (const std::string& word : stop_words.words) {
    if (!is_one_word(word))
      throw usage_error(fmt::format("stop words {}: found '{}', expected words as texts have them",
                                    stop_words.name, word));
    list.add(word);
  }
  vocabulary_ = Vocabulary(list.words()).with_stop_words(stop_words);
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
  embeddings_.dimension = vectors.dimension();
}

}  // namespace textcrs::cli
