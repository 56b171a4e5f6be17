#include "model/fingerprint.h"

#include <fmt/format.h>

#include "textcrs/base/hash.h"
#include "textcrs/base/spec.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

void Fingerprint::add(std::string_view text) {
  const uint64_t size = text.size();  // so that "ab", "c" is not "a", "bc"
  hash_ = hash_bulk(text, hash_bulk(bytes_of(&size, 1), hash_));
}

void Fingerprint::add(const WordPiece& wordpiece) {
  const WordPieceRules& rules = wordpiece.rules();
  add(fmt::format("{} {} {} {} {}", rules.lower_case, rules.strip_accents, rules.split_chinese,
                  rules.clean_text, rules.longest_word));
  for (int32_t id = 0; id < wordpiece.size(); ++id) add(wordpiece.piece(id));
}

void Fingerprint::add(const std::string& name, const FloatTensor& tensor) {
  add(name);
  add_values(std::span<const int64_t>(tensor.shape));
  add_values(std::span<const float>(tensor.values));
}

std::string Fingerprint::text() const { return fmt::format("{:016x}", hash_); }

// What only training reads, the dropouts, is left out.
std::string Classifier::fingerprint() const {
  Fingerprint print;
  print.add(fmt::format("{} {} {} {} {} {} {} {} {} {} {}", config_.architecture, config_.dimension,
                        config_.hidden, config_.slots, config_.pool_all_slots,
                        to_string(config_.precision), config_.noise, config_.bert.layers,
                        config_.bert.heads, config_.bert.positions,
                        shortest(config_.bert.epsilon)));
  if (config_.votes.presence) print.add("presence");
  if (config_.intervals) print.add("intervals");
  if (config_.units != Units::kWords) print.add(to_string(config_.units));
  for (const std::string& name : config_.classes) print.add(name);
  print.add(config_.synonyms);
  for (WordId word = 0; word < vocabulary_.size(); ++word) print.add(vocabulary_.word(word));
  const SynonymTable& synonyms = spelled_synonyms();
  for (WordId word = 0; word < synonyms.size(); ++word) print.add_values(synonyms.of(word));
  if (!config_.canonical.empty()) {
    print.add("canonical " + config_.canonical);
    for (const std::vector<std::string>& cluster : vocabulary_.clusters())
      for (const std::string& word : cluster) print.add(word);
  }
  if (!config_.stop_words.empty()) {
    print.add("stop words " + config_.stop_words);
    for (const std::string& word : vocabulary_.stop_words().words) print.add(word);
  }
  if (wordpiece_ != nullptr) print.add(*wordpiece_);
  for (const auto& [name, tensor] : weights_) print.add(name, tensor);
  return print.text();
}

std::string Classifier::synonyms_fingerprint() const {
  const SynonymTable& synonyms = spelled_synonyms();
  if (synonyms.size() == 0) return "";
  const Vocabulary spellings = vocabulary_.spellings();
  Fingerprint print;
  for (WordId word = 0; word < synonyms.size(); ++word) {
    if (synonyms.of(word).empty()) continue;
    print.add(spellings.word(word));
    for (const WordId other : synonyms.of(word)) print.add(spellings.word(other));
    print.add("");
  }
  return print.text();
}

}  // namespace textcrs
