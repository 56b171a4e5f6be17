#include "suggested_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "split.h"
#include "textcrs/attack/recipes.h"
#include "textcrs/data/catalogue.h"
#include "textcrs/data/dataset.h"
#include "textcrs/kernels/isa.h"
#include "textcrs/noise/noise.h"

namespace textcrs::cli {
namespace {

bool is_placeholder(std::string_view value) {
  return std::all_of(value.begin(), value.end(),
                     [](unsigned char letter) { return std::isupper(letter) != 0; });
}

// Of "substitute:kernel=uniform|graph[,size=S]" the words "substitute:kernel=uniform" and
// "substitute:kernel=graph", of "hash:buckets=K,functions=T" the start "hash:buckets=".
std::vector<std::string> starts_of(const std::string& usage) {
  const std::string needed = usage.substr(0, usage.find('['));
  const size_t equals = needed.find('=');
  if (equals == std::string::npos) return {needed};
  const std::string start = needed.substr(0, equals + 1);
  const std::string value = needed.substr(start.size(), needed.find(',') - start.size());
  if (is_placeholder(value)) return {start};
  std::vector<std::string> words;
  for (const std::string& one : split(value, "|")) words.push_back(start + one);
  return words;
}

}  // namespace

std::vector<std::string> noise_words() {
  std::vector<std::string> words;
  for (const NoiseKind& kind : noise_kinds())
    for (const std::string& usage : split(kind.usage, " | "))
      for (const std::string& word : starts_of(usage)) words.push_back(word);
  return words;
}

std::vector<std::string> asset_words() {
  std::vector<std::string> words;
  for (const Asset& asset : assets()) words.push_back(asset.name);
  return words;
}

std::vector<std::string> data_words() {
  std::vector<std::string> words = asset_words();
  for (const auto& others : {vectors_words(), synonyms_words(), encoder_words()})
    for (const std::string& other : others) std::erase(words, other);
  return words;
}

std::vector<std::string> vectors_words() { return {"glove"}; }

std::vector<std::string> synonyms_words() { return {"glove", "wordnet"}; }

std::vector<std::string> encoder_words() { return {"minilm"}; }

std::vector<std::string> format_words() {
  std::vector<std::string> words = {"auto"};
  for (const DatasetFormat& format : dataset_formats()) words.push_back(format.name);
  return words;
}

std::vector<std::string> recipe_words() {
  std::vector<std::string> words;
  for (const RecipeKind& kind : recipe_kinds()) words.push_back(kind.name);
  return words;
}

std::vector<std::string> suite_words() { return {"paper", "quick", "toolkit", "baselines"}; }

std::vector<std::string> isa_words() {
  std::vector<std::string> words = {"auto"};
  for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Bf16, Isa::kAmx})
    words.emplace_back(to_string(isa));
  return words;
}

}  // namespace textcrs::cli
