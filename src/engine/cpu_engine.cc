// Noisy copies through the CPU's own kernels, without LibTorch.
#include <algorithm>
#include <atomic>

#include "engine/cpu_model.h"
#include "model/network.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// Copies are drawn, sorted and run in pools: up to 1024, fewer where every thread would not have
// several pools, but not below 32. A copy's class does not depend on it.
size_t pool_for(size_t copies, int threads) {
  constexpr size_t kLeast = 32, kMost = 1024, kPoolsAThread = 4;
  const size_t share = copies / (static_cast<size_t>(threads) * kPoolsAThread);
  return std::clamp(share / kLeast * kLeast, kLeast, kMost);
}

std::unique_ptr<CpuModel> make_model(const Network& network, Isa isa, Precision precision) {
  const std::string& architecture = network.config().architecture;
  if (architecture == "bert") return make_cpu_bert(network, isa, precision);
  return architecture == "cnn" ? make_cpu_cnn(network, isa, precision)
                               : make_cpu_bilstm(network, isa, precision);
}

class CpuEngine final : public Engine {
 public:
  CpuEngine(const Classifier& classifier, const EngineOptions& options)
      : precision_(options.precision),
        isa_(parse_isa(options.isa, precision_)),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        batch_size_(static_cast<size_t>(options.batch_size)),
        classes_(classifier.config().classes.size()),
        model_(make_model(classifier.network(), isa_, precision_)) {}

  std::string name() const override {
    return "cpu " + std::string(to_string(precision_)) + " " + std::string(to_string(isa_));
  }

  std::vector<int64_t> votes(std::span<const WordId> text, const Noise& noise,
                             const SampleRange& range) const override {
    std::vector<std::atomic<int64_t>> total(classes_);
    in_pools(range.end - range.begin, [&](size_t first, size_t size) {
      std::vector<Words> copies(size);
      std::vector<Stream> gaussians;
      for (size_t i = 0; i < size; ++i) {
        Stream stream(range.seed, range.example, range.begin + static_cast<uint32_t>(first + i));
        if (noise.sigma() > 0) gaussians.push_back(stream.lane(1));
        noise.sample(text, stream, copies[i]);
      }
      std::vector<int> answers(size);
      model_->classify(copies, noise.sigma(), gaussians, answers);
      for (const int answer : answers) ++total[static_cast<size_t>(answer)];
    });
    return {total.begin(), total.end()};
  }

  std::vector<int> classify(const CopyBatch& batch) const override {
    std::vector<int> answers(batch.copies.size());
    in_pools(answers.size(), [&](size_t first, size_t size) {
      model_->classify(std::span(batch.copies).subspan(first, size), batch.sigma,
                       batch.sigma > 0 ? std::span(batch.gaussians).subspan(first, size)
                                       : std::span<const Stream>(),
                       std::span(answers).subspan(first, size));
    });
    return answers;
  }

 private:
  // Calls work(first, size) for the pools of so many copies, on the threads.
  template <typename Work>
  void in_pools(size_t copies, const Work& work) const {
    const size_t pool = batch_size_ > 0 ? batch_size_ : pool_for(copies, threads_);
    parallel_for((copies + pool - 1) / pool, threads_,
                 [&](size_t part) { work(part * pool, std::min(pool, copies - part * pool)); });
  }

  Precision precision_;
  Isa isa_;
  int threads_;
  size_t batch_size_;  // 0: not given
  size_t classes_;
  std::unique_ptr<CpuModel> model_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Classifier& classifier,
                                        const EngineOptions& options) {
  return std::make_unique<CpuEngine>(classifier, options);
}

}  // namespace textcrs
