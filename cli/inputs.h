// The flags that several verbs share: which texts, which words, which synonyms.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "textcrs/model/classifier.h"
#include "textcrs/text/dataset.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/word_vectors.h"
#include "textcrs/train/trainer.h"

namespace textcrs::cli {

struct DataFlags {
  std::string data = "imdb", format = "auto", split, text_column = "text", label_column = "label";
  size_t limit = 0;

  void add(CLI::App& app, const std::string& default_split);
  // The texts; labels are looked up in `classes` if any are given. `seed` chooses for --limit.
  Dataset load(const std::vector<std::string>& classes, uint64_t seed) const;
};

// "glove" (the fetched package) or a file: GloVe .txt or the wink .json.
WordVectors open_vectors(const std::string& source);

struct SynonymFlags {
  std::string source;  // glove, wordnet or a JSON file; empty: none
  int count = 50;
  double floor = 0.5;

  void add(CLI::App& app);
  // Symmetric. A usage Error if there is no source.
  SynonymTable load(const Vocabulary& vocabulary, const std::string& vectors) const;
};

bool substitutes(const std::string& noise);  // and so needs synonyms

// A pretrained BERT: a folder, or the name of a fetched one.
std::filesystem::path bert_folder(const std::string& source);

// Splits the texts into words on all cores.
using SplitWords = std::function<std::vector<std::string>(std::string_view text)>;
std::vector<std::vector<std::string>> split_all(const Dataset& dataset, const SplitWords& split);
std::vector<EncodedText> encode_all(const Dataset& dataset,
                                    const std::vector<std::vector<std::string>>& words,
                                    const Vocabulary& vocabulary);
// As the model reads them.
std::vector<std::vector<std::string>> split_all(const Dataset& dataset,
                                                const Classifier& classifier);

}  // namespace textcrs::cli
