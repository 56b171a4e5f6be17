#include "textcrs/model/classifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "model/piece_table.h"
#include "model/slot_map.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/reachable.h"
#include "textcrs/text/printable_name.h"
#include "textcrs/text/tokenizer.h"
#include "textcrs/text/word_lists.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

bool has_shape(const FloatTensor& tensor, const std::vector<int64_t>& shape) {
  return tensor.shape == shape && tensor.values.size() == static_cast<size_t>(elements_of(shape));
}

// All tensors of a model whose embedding has so many rows.
std::vector<TensorSpec> tensors_of(const ModelConfig& config, int rows) {
  std::vector<TensorSpec> list = {{.name = config.kind().embedding,
                                   .shape = {rows, config.dimension},
                                   .is_trained = config.trained_vectors}};
  for (TensorSpec& spec : config.kind().tensors(config)) list.push_back(std::move(spec));
  return list;
}

// What is wrong with a file of words, with its name.
template <typename Read>
Vocabulary naming(const fs::path& path, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string what = error.what();
    throw bad_input(what.starts_with(path.string()) ? what : path.string() + ": " + what);
  }
}

Vocabulary with_clusters_of(const fs::path& path, const Vocabulary& vocabulary) {
  return naming(path, [&] { return vocabulary.with_clusters(load_clusters(path)); });
}

Vocabulary with_stop_words_of(const fs::path& path, const std::string& name,
                              const Vocabulary& vocabulary) {
  return naming(path, [&] { return vocabulary.with_stop_words(load_stop_words(path, name)); });
}

// Noises draw from the candidates of a word, and certificates count the words that may become it.
// (Votes are certified by the lists alone.)
SynonymTable load_synonyms(const fs::path& path, const ModelConfig& config,
                           const Vocabulary& vocabulary) {
  SynonymTable table = SynonymTable::from_json(path, vocabulary, config.synonyms);
  if (const auto pair = table.one_sided(); pair && !config.kind().casts_votes)
    throw bad_input(fmt::format("{}: {}: lists {}, which does not list it, expected both or none",
                                path.string(), printable_name(vocabulary.word(pair->first)),
                                printable_name(vocabulary.word(pair->second))));
  return table;
}

}  // namespace

Classifier::Classifier(ModelConfig config, Vocabulary vocabulary, SynonymTable synonyms,
                       Weights weights, std::shared_ptr<const WordPiece> wordpiece)
    : config_(std::move(config)),
      vocabulary_(std::move(vocabulary)),
      synonyms_(std::move(synonyms)),
      weights_(std::move(weights)),
      wordpiece_(std::move(wordpiece)) {
  const bool reads_pieces = config_.kind().reads_pieces;
  if (reads_pieces != (wordpiece_ != nullptr) || reads_pieces != vocabulary_.is_open())
    throw std::logic_error("Classifier: WordPiece and an open vocabulary go with a bert, only");
  if (config_.canonical.empty() != vocabulary_.clusters().empty() ||
      config_.stop_words != vocabulary_.stop_words().name)
    throw std::logic_error("Classifier: its configuration names other clusters or stop words");
  const auto expected = tensors_of(config_, reads_pieces ? wordpiece_->size() : vocabulary_.size());
  for (const TensorSpec& spec : expected)
    if (!weights_.contains(spec.name) || !has_shape(weights_.at(spec.name), spec.shape))
      throw std::logic_error("Classifier: no tensor " + spec.name + " of its shape");
  if (weights_.size() != expected.size()) throw std::logic_error("Classifier: too many tensors");
  if (reads_pieces) pieces_ = std::make_unique<PieceTable>(vocabulary_, wordpiece_);
  if (vocabulary_.clusters().empty() || synonyms_.size() == 0) return;
  spelled_synonyms_ = std::move(synonyms_);
  synonyms_ = spelled_synonyms_.by_clusters(vocabulary_);
}

Classifier::~Classifier() = default;

const SynonymTable& Classifier::spelled_synonyms() const {
  return spelled_synonyms_.size() > 0 ? spelled_synonyms_ : synonyms_;
}

const PieceTable& Classifier::pieces() const {
  if (pieces_ == nullptr) throw std::logic_error("Classifier: it reads words, not pieces");
  return *pieces_;
}

std::vector<std::string> Classifier::words(std::string_view text) const {
  return wordpiece_ != nullptr ? bert_words(*wordpiece_, text) : tokenize(text);
}

std::vector<float> Classifier::vectors() const {
  const std::vector<float>& table = weights_.at(config_.kind().embedding).values;
  if (pieces_ == nullptr) return table;
  const auto width = static_cast<size_t>(config_.dimension);
  std::vector<float> rows(static_cast<size_t>(vocabulary_.size()) * width);
  std::vector<int32_t> pieces;
  for (WordId word = kPad + 1; word < vocabulary_.size(); ++word) {
    pieces.clear();
    pieces_->append(word, {}, pieces);
    add_mean(table, pieces, std::span(rows).subspan(static_cast<size_t>(word) * width, width));
  }
  return rows;
}

std::vector<float> Classifier::vectors(std::span<const std::string> own) const {
  if (pieces_ == nullptr && !own.empty())
    throw std::logic_error("Classifier: a closed vocabulary has no words beyond it");
  const auto width = static_cast<size_t>(config_.dimension);
  std::vector<float> rows(own.size() * width);
  std::vector<int32_t> pieces;
  for (size_t i = 0; i < own.size(); ++i) {
    pieces.clear();
    wordpiece_->append_pieces(own[i], pieces);
    add_mean(weights_.at(config_.kind().embedding).values, pieces,
             std::span(rows).subspan(i * width, width));
  }
  return rows;
}

void Classifier::start_from(const Classifier& other) {
  const auto refuse = [&](const std::string& what) {
    throw usage_error(fmt::format("a {} can not start from a {} of another shape: {}",
                                  config_.architecture, other.config().architecture, what));
  };
  Weights taken;
  for (const TensorSpec& spec : config_.kind().tensors(config_)) {
    if (!spec.is_trained) continue;
    if (spec.name.starts_with("head.") && config_.classes != other.config().classes) continue;
    const auto found = other.weights().find(spec.name);
    if (found == other.weights().end() && is_of_slot_map(spec.name)) continue;
    if (found == other.weights().end() || found->second.shape != spec.shape)
      refuse(fmt::format("the parameter {} differs", spec.name));
    taken.insert(*found);
  }
  for (const auto& [name, tensor] : other.weights())
    if (is_of_slot_map(name) && !weights_.contains(name))
      refuse(fmt::format("its network reads what {} makes of the vectors", name));
  if (config_.bert != other.config().bert) refuse("layers, heads, positions or epsilon differ");
  if (config_.kind().reads_pieces)
    for (const TensorSpec& spec : tensors_of(config_, wordpiece_->size()))
      if (!spec.is_trained && !is_of_slot_map(spec.name) &&
          weights_.at(spec.name) != other.weights().at(spec.name))
        refuse("it has other embeddings");
  assign(taken);
  if (const auto mean = other.weights().find(kNoiseMean); mean != other.weights().end())
    weights_.at(kNoiseMean) = mean->second;
  if (other.config().trained_vectors) take_vectors(other);
}

void Classifier::take_vectors(const Classifier& other) {
  const auto width = static_cast<size_t>(config_.dimension);
  const std::string& name = config_.kind().embedding;
  const std::vector<float>& from = other.weights().at(name).values;
  std::vector<float>& to = weights_.at(name).values;
  for (WordId word = 0; word < vocabulary_.size(); ++word) {
    const std::string& spelling = vocabulary_.word(word);
    if (!other.vocabulary().holds(spelling)) continue;
    const auto row = static_cast<size_t>(other.vocabulary().id(spelling));
    std::copy_n(from.data() + row * width, width, to.data() + static_cast<size_t>(word) * width);
  }
}

void Classifier::assign(const Weights& trained) {
  std::set<std::string> known;
  if (config_.trained_vectors) known.insert(config_.kind().embedding);
  for (const TensorSpec& spec : config_.kind().tensors(config_))
    if (spec.is_trained) known.insert(spec.name);
  for (const auto& [name, tensor] : trained)
    if (!known.contains(name) || !has_shape(tensor, weights_.at(name).shape))
      throw std::logic_error("Classifier::assign: no trained parameter " + name + " of its shape");
  for (const auto& [name, tensor] : trained) weights_.at(name).values = tensor.values;
}

void Classifier::save(const fs::path& folder) const {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    config_.save(temporary / "config.json");
    vocabulary_.save(temporary / "vocab.txt");
    if (synonyms_.size() > 0)
      spelled_synonyms().save_json(temporary / "synonyms.json", vocabulary_.spellings());
    if (!config_.canonical.empty())
      save_clusters(temporary / "canonical.txt", vocabulary_.clusters());
    if (!config_.stop_words.empty())
      save_stop_words(temporary / "stop_words.txt", vocabulary_.stop_words());
    if (wordpiece_ != nullptr) wordpiece_->save(temporary / "tokenizer.json");
    save_weights(temporary / "model.safetensors", weights_, {{"format", "textcrs-model"}});
  });
}

std::unique_ptr<Classifier> Classifier::load(const fs::path& folder) {
  if (!is_folder(folder))
    throw bad_input(
        fmt::format("{}: expected a model folder with config.json, model.safetensors and "
                    "vocab.txt; make one with: textcrs train",
                    folder.string()));
  ModelConfig config = ModelConfig::load(folder / "config.json");
  const bool reads_pieces = config.kind().reads_pieces;
  Vocabulary vocabulary = Vocabulary::load(
      folder / "vocab.txt", reads_pieces ? Vocabulary::Growth::kOpen : Vocabulary::Growth::kClosed);
  if (!config.canonical.empty())
    vocabulary = with_clusters_of(folder / "canonical.txt", vocabulary);
  if (!config.stop_words.empty())
    vocabulary = with_stop_words_of(folder / "stop_words.txt", config.stop_words, vocabulary);
  std::shared_ptr<const WordPiece> wordpiece;
  if (reads_pieces)
    wordpiece = std::make_shared<WordPiece>(WordPiece::load(folder / "tokenizer.json"));
  Weights weights =
      load_weights(folder / "model.safetensors",
                   tensors_of(config, reads_pieces ? wordpiece->size() : vocabulary.size()));
  SynonymTable synonyms;
  if (!config.synonyms.empty())
    synonyms = load_synonyms(folder / "synonyms.json", config, vocabulary.spellings());
  return std::make_unique<Classifier>(std::move(config), std::move(vocabulary), std::move(synonyms),
                                      std::move(weights), std::move(wordpiece));
}

}  // namespace textcrs
