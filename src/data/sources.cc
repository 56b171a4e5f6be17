#include "textcrs/data/sources.h"

#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"
#include "textcrs/data/catalogue.h"

namespace textcrs {
namespace {

const Asset* asset_named(const std::string& name) {
  for (const Asset& asset : assets())
    if (asset.name == name) return &asset;
  return nullptr;
}

}  // namespace

std::filesystem::path asset_or_path(const std::string& source) {
  const Asset* const asset = asset_named(source);
  return asset != nullptr && !is_there(source) ? asset_main_file(*asset)
                                               : std::filesystem::path(source);
}

WordVectors open_vectors(const std::string& source) {
  const Asset* const asset = asset_named(source);
  return open_word_vectors(asset != nullptr ? asset_main_file(*asset)
                                            : std::filesystem::path(source));
}

std::vector<std::string> SynonymSource::words() const {
  if (source.empty() || source == "glove") return {};
  if (source == "wordnet")
    return SynonymTable::wordnet_words(asset_main_file(find_asset("wordnet")));
  return SynonymTable::json_words(source);
}

SynonymTable SynonymSource::load(const Vocabulary& vocabulary, const std::string& vectors) const {
  if (source.empty())
    throw usage_error(
        "a substitution noise needs a source of synonyms: glove, wordnet or a JSON file");
  if (source == "glove")
    return SynonymTable::from_vectors(open_vectors(vectors), vocabulary, count, floor).symmetric();
  if (source == "wordnet")
    return SynonymTable::from_wordnet(asset_main_file(find_asset("wordnet")), vocabulary)
        .symmetric();
  return SynonymTable::from_json(source, vocabulary).symmetric();
}

}  // namespace textcrs
