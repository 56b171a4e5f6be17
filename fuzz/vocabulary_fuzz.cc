// Lists of words: '0' a vocab.txt, '1' a canonical.txt, '2' a stop_words.txt.
#include "fuzz.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_lists.h"

namespace {

using namespace textcrs;

void check_vocabulary(const std::filesystem::path& path, Vocabulary::Growth growth) {
  const auto vocabulary = fuzz::accepted([&] { return Vocabulary::load(path, growth); });
  if (!vocabulary) return;
  for (WordId id = 0; id < vocabulary->size(); ++id)
    fuzz::require(vocabulary->id(vocabulary->word(id)) == id, "a word's id has this word");
  const auto copy_path = fuzz::file_with("", "copy");
  vocabulary->save(copy_path);
  const Vocabulary copy = Vocabulary::load(copy_path, growth);
  fuzz::require(copy.size() == vocabulary->size(), "a vocabulary is read back, whole");
  for (WordId id = 0; id < copy.size(); ++id)
    fuzz::require(copy.word(id) == vocabulary->word(id), "a vocabulary is read back");
}

void check_clusters(const std::filesystem::path& path) {
  const auto clusters = fuzz::accepted([&] { return load_clusters(path); });
  if (!clusters) return;
  const auto copy = fuzz::file_with("", "copy");
  save_clusters(copy, *clusters);
  fuzz::require(load_clusters(copy) == *clusters, "clusters are read back");

  const auto vocabulary = fuzz::accepted([&] {
    std::vector<std::string> words;
    for (const auto& cluster : *clusters) words.push_back(cluster.at(0));
    return Vocabulary(words).with_clusters(*clusters);
  });
  if (!vocabulary) return;
  fuzz::require(vocabulary->clusters() == *clusters, "a vocabulary gives its clusters back");
  for (const auto& cluster : *clusters)
    for (const std::string& word : cluster)
      fuzz::require(vocabulary->id(word) == vocabulary->id(cluster[0]),
                    "the words of a cluster are one");
}

void check_stop_words(const std::filesystem::path& path) {
  const auto list = fuzz::accepted([&] { return load_stop_words(path, "own"); });
  if (!list) return;
  const auto copy = fuzz::file_with("", "copy");
  save_stop_words(copy, *list);
  fuzz::require(load_stop_words(copy, "own").words == list->words, "stop words are read back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Choice input(fuzz::text_of(data, size), 3);
  const auto path = fuzz::file_with(input.rest);
  if (input.which == 0) {
    check_vocabulary(path, Vocabulary::Growth::kClosed);
    check_vocabulary(path, Vocabulary::Growth::kOpen);
  } else if (input.which == 1) {
    check_clusters(path);
  } else {
    check_stop_words(path);
  }
  return 0;
}
