#include "textcrs/train/smoothed_accuracy.h"

#include <algorithm>
#include <numeric>

#include "engine/tiles.h"
#include "model/network.h"
#include "textcrs/base/parallel.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

constexpr uint32_t kEvaluationLane = 104;  // and the next one for the Gaussian
constexpr size_t kCpuBatch = 768, kDeviceBatch = 4096;

}  // namespace

double smoothed_accuracy(const Classifier& classifier, const Noise& noise,
                         const std::vector<EncodedText>& texts, int copies, uint64_t seed,
                         int threads) {
  if (texts.empty()) return 0;
  if (threads <= 0) threads = available_cores();
  const bool on_cpu = classifier.network().vectors().is_cpu();
  const size_t classes = classifier.config().classes.size();
  // Texts of similar length share a batch; the order decides nothing else.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return texts[a].words.size() < texts[b].words.size();
  });
  const size_t total = texts.size() * static_cast<size_t>(copies);
  const auto draw = [&](size_t begin, size_t end) {
    CopyBatch batch;
    batch.sigma = noise.sigma();
    for (size_t i = begin; i < end; ++i) {
      const EncodedText& text = texts[order[i / static_cast<size_t>(copies)]];
      const auto copy = static_cast<uint32_t>(i % static_cast<size_t>(copies));
      Stream stream(seed, text.id, copy, kEvaluationLane);
      if (batch.sigma > 0) batch.gaussians.push_back(stream.lane(kEvaluationLane + 1));
      noise.sample(text.words, stream, batch.copies.emplace_back());
    }
    return batch;
  };
  // On the CPU with the engine, and in the precision, that will answer and certify.
  std::unique_ptr<Engine> engine;
  if (on_cpu)
    engine =
        make_cpu_engine(classifier, {.threads = 1, .precision = classifier.config().precision});
  const size_t size = on_cpu ? kCpuBatch : kDeviceBatch;
  std::vector<int> answers(total);
  parallel_for((total + size - 1) / size, on_cpu ? threads : batches_in_flight(classifier.config()),
               [&](size_t unit) {
                 const CopyBatch batch = draw(unit * size, std::min(total, (unit + 1) * size));
                 const std::vector<int> found =
                     engine != nullptr ? engine->classify(batch) : classifier.classify(batch);
                 std::copy(found.begin(), found.end(),
                           answers.begin() + static_cast<ptrdiff_t>(unit * size));
               });
  size_t right = 0;
  for (size_t t = 0; t < texts.size(); ++t) {
    std::vector<int> votes(classes);
    for (size_t k = 0; k < static_cast<size_t>(copies); ++k)
      ++votes[static_cast<size_t>(answers[t * static_cast<size_t>(copies) + k])];
    const auto winner = std::max_element(votes.begin(), votes.end()) - votes.begin();
    right += winner == texts[order[t]].label;
  }
  return static_cast<double>(right) / static_cast<double>(texts.size());
}

}  // namespace textcrs
