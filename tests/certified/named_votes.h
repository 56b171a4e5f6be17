// Models that cast votes, with scores by hand and classes of any name.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/model/classifier.h"

namespace textcrs {

struct NamedScores {
  std::string word;
  std::vector<float> scores;  // one per class
};

// Unknown words cast no vote.
inline std::unique_ptr<Classifier> named_votes(const std::vector<std::string>& classes,
                                               const std::vector<NamedScores>& table,
                                               const std::vector<float>& bias = {}) {
  ModelConfig config;
  config.architecture = "votes";
  config.classes = classes;
  std::vector<std::string> words;
  for (const NamedScores& row : table) words.push_back(row.word);
  auto model = Classifier::fresh(config, Vocabulary(words));
  Weights weights = model->weights();
  std::vector<float>& scores = weights.at("scores").values;
  scores.resize(kFirstWord * classes.size());
  for (const NamedScores& row : table)
    scores.insert(scores.end(), row.scores.begin(), row.scores.end());
  if (!bias.empty()) weights.at("bias").values = bias;
  return std::make_unique<Classifier>(model->config(), model->vocabulary(), SynonymTable(),
                                      std::move(weights));
}

}  // namespace textcrs
