#include "textcrs/train/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model/intervals_complaint.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/build_vocabulary.h"
#include "textcrs/text/tokenizer.h"
#include "textcrs/text/wordpiece.h"
#include "train/sentence_texts.h"
#include "train/word_reading.h"

namespace textcrs {
namespace {

// The config with its noise spelled out. The synonyms are those of vocabulary.spellings().
ModelConfig config_for(const PrepareOptions& options, const Dataset& dataset,
                       const Vocabulary& vocabulary, const SynonymTable& synonyms,
                       const WordReading& reading) {
  ModelConfig config = options.model;
  config.classes = dataset.classes;
  config.canonical = reading.canonical();
  config.stop_words = vocabulary.stop_words().name;
  const SynonymTable drawn = synonyms.by_clusters(vocabulary);
  const auto noise = make_noise(config.noise, {&vocabulary, &drawn, config.slots});
  config.noise = noise->spec();
  config.pool_all_slots = noise->sigma() > 0;
  if (const auto complaint = units_complaint(config)) throw usage_error(*complaint);
  if (config.maps_slots() && noise->sigma() == 0)
    throw usage_error(
        fmt::format("a noise mean or a reconstruction needs a Gaussian on every slot: found noise "
                    "{}, expected insert or gaussian",
                    config.noise));
  config.synonyms = synonyms.source();
  if (const auto complaint = intervals_complaint(config)) throw usage_error(*complaint);
  return config;
}

// With clusters the candidates are kept, too: what may replace a word is then known. (Words that
// vote are certified against any word, and trained against candidates only if they are asked for.)
SynonymTable synonyms_for(const PrepareOptions& options, const Vocabulary& vocabulary) {
  const std::string noise = Spec::parse(options.model.noise).name();
  const bool needed = noise == "substitute" || options.model.intervals;
  const bool on_vectors = noise == "gaussian" || noise == "insert";
  const bool asked =
      options.synonyms.given()
          ? on_vectors || options.model.kind().casts_votes || options.canonical.given()
          : options.canonical.given() && !options.model.kind().casts_votes;
  if (!asked && !needed) return {};
  const SynonymSource& source = options.synonyms.given() ? options.synonyms : options.canonical;
  return source.load(vocabulary.spellings(), options.vectors);
}

PreparedClassifier word_model(const PrepareOptions& options, const Dataset& dataset,
                              TextWords& words) {
  const WordVectors vectors = open_vectors(options.vectors);
  const WordReading reading(options, words, tokenize, &vectors);
  reading.apply(words);
  BuiltVocabulary built =
      build_vocabulary(words, vectors, options.min_count, kFrequentWithoutVector);
  built.vocabulary = reading.complete(built.vocabulary);
  SynonymTable synonyms = synonyms_for(options, built.vocabulary);
  const ModelConfig config = config_for(options, dataset, built.vocabulary, synonyms, reading);
  PreparedClassifier prepared;
  prepared.words = built.tokens;
  prepared.covered = static_cast<double>(built.covered_tokens) / static_cast<double>(built.tokens);
  prepared.classifier = Classifier::fresh(config, std::move(built.vocabulary), std::move(synonyms),
                                          vectors, options.seed);
  return prepared;
}

// The words that occur often enough, with a vector or without, and all words of the synonyms: no
// candidate may be unknown. What no text has as one word ("well-made", "Nice") is no candidate: its
// votes would be those of other words.
Vocabulary vote_vocabulary(const Vocabulary& seen, const SynonymSource& synonyms,
                           const WordReading& reading) {
  std::vector<std::string> known;
  for (WordId id = kFirstWord; id < seen.size(); ++id) known.push_back(seen.word(id));
  std::unordered_set<std::string> all(known.begin(), known.end());
  for (const std::string& word : synonyms.words())
    if (const std::string& read = reading.first_of(word);
        is_one_word(word) && all.insert(read).second)
      known.push_back(read);
  return reading.complete(Vocabulary(known));
}

// The same for the table: only candidates that a text can have as one word.
SynonymTable without_other_spellings(const SynonymTable& table, const Vocabulary& vocabulary) {
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(table.size()));
  for (WordId word = 0; word < table.size(); ++word)
    for (const WordId candidate : table.of(word))
      if (is_one_word(vocabulary.word(candidate)))
        lists[static_cast<size_t>(word)].push_back(candidate);
  return SynonymTable(table.source(), std::move(lists));
}

PreparedClassifier vote_model(const PrepareOptions& options, const Dataset& dataset,
                              TextWords& words) {
  const WordReading reading(options, words, tokenize, nullptr);
  reading.apply(words);
  const BuiltVocabulary built = build_open_vocabulary(words, options.min_count);
  Vocabulary vocabulary = vote_vocabulary(built.vocabulary, options.synonyms, reading);
  PreparedClassifier prepared;
  prepared.words = built.tokens;
  if (options.model.hidden > 0) {
    const WordVectors vectors = open_vectors(options.vectors);
    prepared.dimension = vectors.dimension();
    const auto dimension = static_cast<size_t>(prepared.dimension);
    prepared.word_vectors.resize(static_cast<size_t>(vocabulary.size()) * dimension);
    for (WordId id = kFirstWord; id < vocabulary.size(); ++id)
      if (const auto row = vectors.find(vocabulary.word(id)))
        std::copy_n(vectors.row(*row).data(), dimension,
                    prepared.word_vectors.data() + static_cast<size_t>(id) * dimension);
  }
  SynonymTable synonyms =
      without_other_spellings(synonyms_for(options, vocabulary), vocabulary.spellings());
  const ModelConfig config = config_for(options, dataset, vocabulary, synonyms, reading);
  if (config.pool_all_slots)
    throw usage_error(fmt::format("noise {} moves word vectors, and a {} model has none",
                                  config.noise, config.architecture));
  prepared.classifier = Classifier::fresh(config, std::move(vocabulary), std::move(synonyms));
  return prepared;
}

SplitWords bert_split(const PrepareOptions& options) {
  const auto pieces = std::make_shared<WordPiece>(WordPiece::load(asset_or_path(options.bert)));
  return [pieces](std::string_view text) { return bert_words(*pieces, text); };
}

PreparedClassifier piece_model(const PrepareOptions& options, const Dataset& dataset,
                               TextWords& words) {
  const WordReading reading(options, words, bert_split(options), nullptr);
  reading.apply(words);
  BuiltVocabulary built = build_open_vocabulary(words, options.min_count);
  built.vocabulary = reading.complete(built.vocabulary);
  SynonymTable synonyms = synonyms_for(options, built.vocabulary);
  const ModelConfig config = config_for(options, dataset, built.vocabulary, synonyms, reading);
  PreparedClassifier prepared;
  prepared.words = built.tokens;
  prepared.classifier = Classifier::from_bert(config, built.vocabulary, std::move(synonyms),
                                              asset_or_path(options.bert), options.seed);
  return prepared;
}

void check_classes(const Dataset& dataset) {
  const auto& examples = dataset.examples;
  if (examples.empty()) throw bad_input(fmt::format("{}: there are no texts", dataset.name));
  const int first = examples[0].label;
  if (std::all_of(examples.begin(), examples.end(),
                  [&](const Example& example) { return example.label == first; }))
    throw bad_input(
        fmt::format("{}: every text has the label {}; training needs two classes or more",
                    dataset.name, in_quotes(dataset.classes.at(static_cast<size_t>(first)))));
}

void check_words(const Dataset& dataset, const TextWords& words) {
  if (std::all_of(words.begin(), words.end(), [](const auto& text) { return text.empty(); }))
    throw bad_input(fmt::format("{}: no text has a word; training needs words", dataset.name));
}

int median_length(const TextWords& words) {
  std::vector<size_t> lengths;
  for (const auto& text : words) lengths.push_back(text.size());
  const auto middle = lengths.begin() + static_cast<ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return static_cast<int>(*middle);
}

std::vector<EncodedText> encode(const Dataset& dataset, const TextWords& words,
                                const Vocabulary& vocabulary) {
  std::vector<EncodedText> texts;
  texts.reserve(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const Example& example = dataset.examples[i];
    OwnWords own;
    std::vector<WordId> ids = vocabulary.encode(words[i], own);
    texts.push_back({example.id, std::move(ids), example.label, own.list()});
  }
  return texts;
}

}  // namespace

std::vector<std::vector<std::string>> split_all(const Dataset& dataset, const SplitWords& split) {
  constexpr size_t kChunk = 64;
  std::vector<std::vector<std::string>> words(dataset.examples.size());
  parallel_for((words.size() + kChunk - 1) / kChunk, available_cores(), [&](size_t chunk) {
    for (size_t i = chunk * kChunk; i < std::min(words.size(), (chunk + 1) * kChunk); ++i)
      words[i] = split(dataset.examples[i].text);
  });
  return words;
}

std::vector<EncodedText> encode_all(const Dataset& dataset, const Classifier& classifier) {
  if (classifier.config().units == Units::kSentences) {
    std::vector<EncodedText> texts(dataset.examples.size());
    parallel_for(texts.size(), available_cores(),
                 [&](size_t i) { texts[i] = encode_sentences(dataset.examples[i], classifier); });
    return texts;
  }
  const auto split = [&](std::string_view text) { return classifier.words(text); };
  return encode(dataset, split_all(dataset, split), classifier.vocabulary());
}

void check_labels(const Dataset& dataset, const std::string& source, const std::string& purpose) {
  for (const Example& example : dataset.examples)
    if (example.label == kNoLabel)
      throw bad_input(fmt::format("{}: text {} has no label; {} needs one for every text", source,
                                  example.id, purpose));
}

PreparedClassifier prepare_classifier(const Dataset& dataset, const PrepareOptions& given) {
  check_labels(dataset, dataset.name, "training");
  check_classes(dataset);
  const Architecture& kind = given.model.kind();
  const bool reads_pieces = kind.reads_pieces;
  TextWords words = split_all(dataset, reads_pieces ? bert_split(given) : SplitWords(tokenize));
  check_words(dataset, words);
  const int median = median_length(words);
  PrepareOptions options = given;
  if (options.choose_noise) options.model.noise = options.choose_noise(median);
  PreparedClassifier prepared = reads_pieces       ? piece_model(options, dataset, words)
                                : kind.casts_votes ? vote_model(options, dataset, words)
                                                   : word_model(options, dataset, words);
  prepared.median_words = median;
  if (!options.start_from.empty())
    prepared.classifier->start_from(*Classifier::load(options.start_from));
  prepared.texts = options.model.units == Units::kSentences
                       ? encode_all(dataset, *prepared.classifier)
                       : encode(dataset, words, prepared.classifier->vocabulary());
  return prepared;
}

}  // namespace textcrs
