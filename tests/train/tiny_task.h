// A task that a tiny BERT learns in a second.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/tiny_bert.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// The ids are 3, 4, ... in this order: "good" and "bad", then words that say nothing.
inline std::vector<std::string> tiny_words() {
  return {"good", "bad", "film", "films", "story", "stories", "the", "of", "and", "warm", "dull"};
}

// Up to eight words; "good" twice among them makes it class 1, "bad" twice class 0.
inline std::vector<EncodedText> tiny_texts(uint32_t count) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(78, i, 0);
    const int label = static_cast<int>(stream.below(2));
    std::vector<WordId> words(2, kFirstWord + 1 - label);
    for (uint32_t rest = 1 + stream.below(6); rest > 0; --rest)
      words.push_back(static_cast<WordId>(kFirstWord + 2 + stream.below(9)));
    stream.shuffle(std::span(words));
    texts.push_back({i, std::move(words), label});
  }
  return texts;
}

// A fresh head on the encoder that `bert` writes to a folder in `work`.
inline std::unique_ptr<Classifier> tiny_classifier(const TinyBert& bert, const ModelConfig& config,
                                                   const std::filesystem::path& work,
                                                   uint64_t seed = 1) {
  bert.write(work / "pretrained");
  return Classifier::from_bert(config, Vocabulary(tiny_words(), Vocabulary::Growth::kOpen), {},
                               work / "pretrained", seed);
}

}  // namespace textcrs
