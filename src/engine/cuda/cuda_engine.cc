// Noisy copies through kernels of the project's own on a GPU: what goes to the card is the text and
// the numbers of the samples, what comes back is votes.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "engine/cuda/cuda_copies.h"
#include "engine/cuda_door.h"
#include "engine/draw_copies.h"
#include "engine/gather_votes.h"
#include "kernels/cuda/dense.h"
#include "textcrs/base/error.h"
#include "textcrs/engine/cuda_backend.h"

namespace textcrs {
namespace {

// What runs an architecture (textcrs/model/architecture.h) on a GPU.
struct Row {
  const char* architecture;
  std::unique_ptr<CudaModel> (*make)(const Classifier&, const GpuQueue&);
  bool (*knows)(const ModelConfig&) = [](const ModelConfig&) { return true; };  // its shape
};
constexpr Row kModels[] = {{"bert", make_cuda_bert, cuda_bert_runs},
                           {"bilstm", make_cuda_bilstm, cuda_bilstm_runs},
                           {"cnn", make_cuda_cnn, cuda_cnn_runs},
                           {"linear", make_cuda_linear}};

const Row* row_of(const ModelConfig& config) {
  for (const Row& row : kModels)
    if (config.architecture == row.architecture && row.knows(config)) return &row;
  return nullptr;
}

using Votes = std::vector<std::vector<int64_t>>;

// Samples of some texts that go through the model together.
struct Batch {
  std::vector<PlannedText> texts;
  std::vector<size_t> owners;  // which text of the call each is
  uint64_t copies = 0;
  size_t bytes_per_copy = 1;  // of the one that takes most

  void add(size_t owner, PlannedText text, size_t bytes) {
    copies += text.copies();
    bytes_per_copy = std::max(bytes_per_copy, bytes);
    owners.push_back(owner);
    texts.push_back(std::move(text));
  }
};

class CudaEngine final : public Engine {
 public:
  CudaEngine(const Classifier& classifier, const EngineOptions& options)
      : classes_(classifier.config().classes.size()),
        words_(classifier.vocabulary().size()),
        reads_own_words_(classifier.vocabulary().is_open()),
        model_(row_of(classifier.config())->make(classifier, queue_)),
        most_copies_(options.batch_size > 0 ? static_cast<uint64_t>(options.batch_size)
                                            : model_->most_copies()),
        most_bytes_(free_gpu_memory() / 2),
        gatherer_([this](std::span<const TextSamples> texts,
                         const Noise& noise) { return run(texts, noise); },
                  2 * model_->most_copies()) {}

  // What decides the last bits: kernels are chosen by the card's kind.
  std::string name() const override {
    const std::string library = model_->library();
    return fmt::format("cuda bf16 sm{}{}{}", gpu_properties().capability,
                       library.empty() ? "" : " ", library);
  }
  bool votes_depend_on_batch() const override { return false; }
  // What all texts in work ask for is soon done, if it has to stop.
  uint64_t part_size() const override { return model_->most_copies() / 4; }
  int texts_at_once() const override { return model_->texts_at_once(); }

  Votes votes(std::span<const TextSamples> texts, const Noise& noise) const override {
    return gatherer_.votes(texts, noise);
  }

  std::vector<double> scores(const CopyBatch& batch) const override {
    const std::scoped_lock lock(card_);
    queue_.use();
    return score(batch);
  }

  std::vector<int> classify(const CopyBatch& batch) const override {
    return highest(scores(batch), classes_, name());
  }

 private:
  // The card must not look for a word that is not there.
  void check_id(WordId id, size_t own) const {
    const int64_t end = words_ + (reads_own_words_ ? static_cast<int64_t>(own) : 0);
    if (id < 0 || id >= end) throw std::out_of_range("CudaEngine: an id that was never given");
  }
  void check_plan(const CopyPlan& plan, size_t own) const {
    for (const WordId word : plan.words) check_id(word, own);
    check_id(plan.mask, 0);
    for (const AliasColumn& column : plan.columns) {
      check_id(column.word, 0);
      check_id(column.other, 0);
    }
    const size_t size = plan.words.size();
    bool fits = (plan.pick != CopyPick::kSubstitute || plan.tables.size() == size) &&
                (plan.pick != CopyPick::kBucket || plan.hashes.size() == size) &&
                (plan.order != CopyOrder::kSortedBlocks || plan.places.size() == size);
    for (const ColumnRange& table : plan.tables)
      fits = fits && table.first <= plan.columns.size() &&
             table.count <= plan.columns.size() - table.first;
    for (const uint32_t place : plan.places) fits = fits && place < size;
    if (!fits) throw std::logic_error("CudaEngine: a plan whose lists do not fit together");
  }

  // Of everything that is made for a copy of so many words.
  size_t bytes_for(size_t entries, size_t words, bool noisy) const {
    return CudaCopies::bytes_per_copy(entries) +
           model_->bytes_per_copy(static_cast<int>(words), noisy) + classes_ * sizeof(double);
  }

  // How many more copies of so many bytes a batch can take.
  uint64_t room_in(const Batch& batch, size_t bytes) const {
    const size_t each = std::max(batch.bytes_per_copy, bytes);
    // The copies of a text take room in whole rows of kCopiesAbreast.
    const uint64_t taken = batch.copies + kCopiesAbreast * batch.texts.size();
    const uint64_t most = std::min(most_copies_, most_bytes_ / each);
    if (most > taken) return most - taken;
    return batch.copies == 0 ? 1 : 0;
  }

  Votes run(std::span<const TextSamples> texts, const Noise& noise) const {
    const std::scoped_lock lock(card_);
    queue_.use();
    Votes votes(texts.size(), std::vector<int64_t>(classes_));
    Batch batch;
    for (size_t t = 0; t < texts.size(); ++t) {
      const std::optional<CopyPlan> plan = noise.plan(texts[t].text);
      if (!plan) {
        count_drawn_here(texts[t], noise, votes[t]);
        continue;
      }
      check_plan(*plan, texts[t].text.own.size());
      const size_t bytes = bytes_for(plan->capacity(), plan->words.size(), noise.sigma() > 0);
      for (SampleRange left = texts[t].range; left.begin < left.end;) {
        if (room_in(batch, bytes) == 0) {
          count(batch, noise.sigma(), votes);
          batch = {};
        }
        SampleRange part = left;
        part.end =
            static_cast<uint32_t>(std::min<uint64_t>(left.end, left.begin + room_in(batch, bytes)));
        batch.add(t, {*plan, part, texts[t].text.own}, bytes);
        left.begin = part.end;
      }
    }
    count(batch, noise.sigma(), votes);
    return votes;
  }

  void count(const Batch& batch, double sigma, Votes& votes) const {
    if (batch.copies == 0) return;
    const CudaBatch copies = copies_.draw(queue_, batch.texts, sigma);
    const size_t counts = batch.texts.size() * classes_;
    votes_.reserve(counts, "votes");
    clear_on_gpu(queue_, votes_.data(), counts * sizeof(unsigned long long));
    scores_.reserve(batch.copies * classes_, "scores");
    model_->score(queue_, copies, scores_.data());
    count_votes(queue_, copies.copies.count, static_cast<int>(classes_), scores_.data(),
                copies.text_of, votes_.data());
    const std::vector<unsigned long long> found = votes_.download(queue_, counts);
    if (std::accumulate(found.begin(), found.end(), 0ULL) != batch.copies)
      throw failed(not_finite(name()));
    for (size_t i = 0; i < counts; ++i)
      votes[batch.owners[i / classes_]][i % classes_] += static_cast<int64_t>(found[i]);
  }

  // A noise that says nothing of how it draws.
  void count_drawn_here(const TextSamples& text, const Noise& noise,
                        std::vector<int64_t>& votes) const {
    const SampleList samples(std::span(&text, 1), noise);
    CopyBatch batch;
    for (uint64_t begin = 0; begin < samples.size(); begin += most_copies_) {
      samples.draw(begin, std::min(samples.size(), begin + most_copies_), batch);
      for (const int answer : highest(score(batch), classes_, name()))
        ++votes[static_cast<size_t>(answer)];
    }
  }

  // In parts that the card has room for.
  std::vector<double> score(const CopyView& all) const {
    for (size_t c = 0; c < all.size(); ++c)
      for (const WordId word : all.copies[c]) check_id(word, all.own_of(c).size());
    std::vector<double> scores;
    for (size_t begin = 0; begin < all.size();) {
      Batch part;  // its sizes alone
      while (begin + part.copies < all.size()) {
        const size_t words = all.copies[begin + part.copies].size();
        const size_t bytes = bytes_for(words, words, all.sigma > 0);
        if (room_in(part, bytes) == 0) break;
        ++part.copies;
        part.bytes_per_copy = std::max(part.bytes_per_copy, bytes);
      }
      const CudaBatch copies = copies_.upload(queue_, all.part(begin, part.copies));
      scores_.reserve(part.copies * classes_, "scores");
      model_->score(queue_, copies, scores_.data());
      const std::vector<double> found = scores_.download(queue_, part.copies * classes_);
      scores.insert(scores.end(), found.begin(), found.end());
      begin += part.copies;
    }
    return scores;
  }

  size_t classes_;
  int64_t words_;  // of the vocabulary
  bool reads_own_words_;
  GpuQueue queue_;
  std::unique_ptr<CudaModel> model_;
  uint64_t most_copies_;  // that go through the model together
  size_t most_bytes_;     // of a batch
  // One call at a time.
  mutable std::mutex card_;
  mutable CudaCopies copies_;
  mutable GpuArray<double> scores_;
  mutable GpuArray<unsigned long long> votes_;
  VoteGatherer gatherer_;
};

// Where there is no card at all, whoever asks for an engine is told so.
bool is_too_old() {
  try {
    return gpu_properties().capability < 80;
  } catch (const Error&) {
    return false;
  }
}

class OwnKernels final : public CudaBackend {
 public:
  bool runs(const ModelConfig& config) const override {
    return knows(config) && (!config.kind().reads_pieces || has_cublas());
  }

  std::unique_ptr<Engine> engine(const Classifier& classifier,
                                 const EngineOptions& options) const override {
    if (!knows(classifier.config()))
      throw usage_error(fmt::format(
          "the cuda engine runs bert (up to 1024 wide), bilstm (hidden and dimension up to 768), "
          "cnn (dimension up to 768) and linear, in bf16, on cards of compute capability 8.0 and "
          "more; found {} with hidden = {}, dimension = {} in {}",
          classifier.config().architecture, classifier.config().hidden,
          classifier.config().dimension, to_string(classifier.config().precision)));
    return std::make_unique<CudaEngine>(classifier, options);
  }

 private:
  static bool knows(const ModelConfig& config) {
    return row_of(config) != nullptr && config.precision == Precision::kBf16 && !is_too_old();
  }
};

}  // namespace
}  // namespace textcrs

const textcrs::CudaBackend* textcrs_cuda_backend() {
  static const textcrs::OwnKernels backend;
  return &backend;
}
