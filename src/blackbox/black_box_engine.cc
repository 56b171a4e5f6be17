#include "blackbox/black_box_engine.h"

#include <algorithm>
#include <stdexcept>

#include "engine/draw_copies.h"

namespace textcrs {

std::vector<int> BlackBoxEngine::classify(const CopyBatch& batch) const {
  if (batch.sigma > 0) throw std::logic_error("BlackBoxEngine: a text has no Gaussian");
  const CopyView view(batch);
  std::vector<std::string> texts(view.size());
  for (size_t i = 0; i < texts.size(); ++i)
    for (const WordId word : view.copies[i]) {
      if (!texts[i].empty()) texts[i] += ' ';
      texts[i] += word == kMask ? mask_ : vocabulary_.word(word, view.own_of(i));
    }
  return asked_.classes_of(texts, stop_);
}

std::vector<std::vector<int64_t>> BlackBoxEngine::votes(std::span<const TextSamples> texts,
                                                        const Noise& noise) const {
  const SampleList samples(texts, noise);
  const size_t classes = asked_.box().classes().size();
  std::vector<std::vector<int64_t>> votes(texts.size(), std::vector<int64_t>(classes));
  CopyBatch batch;
  for (uint64_t begin = 0; begin < samples.size(); begin += part_size()) {
    const uint64_t end = std::min(begin + part_size(), samples.size());
    samples.draw(begin, end, batch);
    const std::vector<int> answers = classify(batch);
    for (uint64_t s = begin; s < end; ++s)
      ++votes[samples.text_of(s)][static_cast<size_t>(answers[s - begin])];
  }
  return votes;
}

std::vector<double> BlackBoxEngine::scores(const CopyBatch& batch) const {
  const size_t classes = asked_.box().classes().size();
  std::vector<double> scores;
  for (const int answer : classify(batch)) {
    scores.resize(scores.size() + classes);
    scores[scores.size() - classes + static_cast<size_t>(answer)] = 1;
  }
  return scores;
}

}  // namespace textcrs
