// Noisy copies through the CPU's own kernels.
#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "engine/cpu_model.h"
#include "engine/draw_copies.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// What runs an architecture (textcrs/model/architecture.h) on the CPU.
struct Row {
  const char* architecture;
  std::unique_ptr<CpuModel> (*make)(const Classifier&, Isa, Precision);
};
constexpr Row kModels[] = {
    {"bilstm", make_cpu_bilstm}, {"cnn", make_cpu_cnn},      {"bert", make_cpu_bert},
    {"votes", make_cpu_votes},   {"linear", make_cpu_votes},
};

std::unique_ptr<CpuModel> make_model(const Classifier& classifier, Isa isa, Precision precision) {
  for (const Row& row : kModels)
    if (classifier.config().architecture == row.architecture)
      return row.make(classifier, isa, precision);
  throw std::logic_error("the cpu engine does not know " + classifier.config().architecture);
}

// Copies are drawn, sorted and run in pools: up to 1024, fewer where every thread would not have
// several pools, but not below 32. A copy's class does not depend on it.
size_t pool_for(size_t copies, int threads) {
  constexpr size_t kLeast = 32, kMost = 1024, kPoolsPerThread = 4;
  const size_t share = copies / (static_cast<size_t>(threads) * kPoolsPerThread);
  return std::clamp(share / kLeast * kLeast, kLeast, kMost);
}

class CpuEngine final : public Engine {
 public:
  CpuEngine(const Classifier& classifier, const EngineOptions& options)
      : precision_(options.precision),
        isa_(parse_isa(options.isa, precision_)),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        batch_size_(static_cast<size_t>(std::max(options.batch_size, 0))),
        classes_(classifier.config().classes.size()),
        model_(make_model(classifier, isa_, precision_)) {}

  std::string name() const override {
    return "cpu " + std::string(to_string(precision_)) + " " + std::string(to_string(isa_));
  }

  bool votes_depend_on_batch() const override { return false; }

  uint64_t part_size() const override { return model_->part_size(); }

  int texts_at_once_of(uint64_t copies) const override {
    const auto threads = static_cast<size_t>(threads_);
    return static_cast<int>(threads / std::clamp<size_t>(pools_of(copies), 1, threads));
  }

  std::vector<std::vector<int64_t>> votes(std::span<const TextSamples> texts,
                                          const Noise& noise) const override {
    const SampleList samples(
        texts, noise, model_->reads_order() ? SampleList::Order::kKept : SampleList::Order::kAny);
    std::vector<std::atomic<int64_t>> total(texts.size() * classes_);
    const size_t at_once = batch_size_ > 0 ? batch_size_ : model_->copies_at_once();
    in_pools(samples.size(), [&](size_t first, size_t size) {
      CopyBatch batch;
      std::vector<double> scores;
      for (size_t begin = first; begin < first + size; begin += at_once) {
        const size_t count = std::min(at_once, first + size - begin);
        samples.draw(begin, begin + count, batch);
        scores.resize(count * classes_);
        model_->score(batch, scores);
        const std::vector<int> answers = highest(scores, classes_, name());
        for (size_t i = 0; i < count; ++i)
          ++total[samples.text_of(begin + i) * classes_ + static_cast<size_t>(answers[i])];
      }
    });
    std::vector<std::vector<int64_t>> votes;
    for (size_t t = 0; t < texts.size(); ++t)
      votes.emplace_back(total.begin() + static_cast<ptrdiff_t>(t * classes_),
                         total.begin() + static_cast<ptrdiff_t>((t + 1) * classes_));
    return votes;
  }

  std::vector<double> scores(const CopyBatch& batch) const override {
    std::vector<double> scores(batch.copies.size() * classes_);
    in_pools(batch.copies.size(), [&](size_t first, size_t size) {
      model_->score(CopyView(batch).part(first, size),
                    std::span(scores).subspan(first * classes_, size * classes_));
    });
    return scores;
  }

  std::vector<int> classify(const CopyBatch& batch) const override {
    return highest(scores(batch), classes_, name());
  }

 private:
  // Calls work(first, size) for the pools of so many copies, on the threads.
  template <typename Work>
  void in_pools(size_t copies, const Work& work) const {
    const size_t pool = pool_size(copies);
    parallel_for(pools_of(copies), threads_,
                 [&](size_t part) { work(part * pool, std::min(pool, copies - part * pool)); });
  }

  size_t pool_size(size_t copies) const {
    return batch_size_ > 0 ? batch_size_ : pool_for(copies, threads_);
  }
  size_t pools_of(size_t copies) const {
    const size_t pool = pool_size(copies);
    return (copies + pool - 1) / pool;
  }

  Precision precision_;
  Isa isa_;
  int threads_;
  size_t batch_size_;  // 0: not given
  size_t classes_;
  std::unique_ptr<CpuModel> model_;
};

}  // namespace

void check_scores(const CopyView& copies, size_t classes, std::span<const double> scores) {
  if (scores.size() != copies.size() * classes ||
      (copies.sigma > 0 && copies.gaussians.size() != copies.size()))
    throw std::logic_error(
        "CpuModel: a score per copy and class, and with sigma a stream per copy");
}

std::unique_ptr<Engine> make_cpu_engine(const Classifier& classifier,
                                        const EngineOptions& options) {
  return std::make_unique<CpuEngine>(classifier, options);
}

}  // namespace textcrs
