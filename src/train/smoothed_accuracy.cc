#include "textcrs/train/smoothed_accuracy.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "textcrs/base/lanes.h"
#include "train/sentence_texts.h"

namespace textcrs {
namespace {

// Texts of similar length share a batch; the order decides nothing else.
std::vector<size_t> by_length(const std::vector<EncodedText>& texts) {
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return texts[a].words.size() < texts[b].words.size();
  });
  return order;
}

// The votes on many texts, counted in parts that take seconds.
class Count {
 public:
  Count(const Engine& engine, const Noise& noise, const std::vector<EncodedText>& texts, int copies,
        uint64_t seed)
      : engine_(engine),
        noise_(noise),
        texts_(texts),
        copies_(static_cast<uint32_t>(copies)),
        seed_(seed),
        votes_(texts.size()) {
    for (const EncodedText& text : texts) all_work_ += work_of(text);
    progress_.texts = texts.size();
  }

  void run(const AnswerReporter& report, StopToken stop) {
    const auto count = [&] {
      stop.check();
      count_part();
      if (report) report(progress_);
    };
    for (const size_t t : by_length(texts_))
      for (uint32_t begin = 0; begin < copies_;) {
        begin = add_to_part(t, begin);
        if (in_part_ == engine_.part_size()) count();
      }
    if (in_part_ > 0) count();
  }

  int winner(size_t text) const {
    const std::vector<int64_t>& votes = votes_[text];
    return static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
  }

 private:
  static double work_of(const EncodedText& text) {
    return static_cast<double>(text.words.size() + 1);
  }

  // As many copies of a text as there is room for, from `begin` on; where they end.
  uint32_t add_to_part(size_t t, uint32_t begin) {
    const auto size =
        static_cast<uint32_t>(std::min<uint64_t>(copies_ - begin, engine_.part_size() - in_part_));
    part_.push_back({texts_[t].text(),
                     {.seed = seed_,
                      .example = texts_[t].id,
                      .begin = begin,
                      .end = begin + size,
                      .words_lane = lane::kEvaluationWords,
                      .gaussian_lane = lane::kEvaluationGaussian}});
    members_.push_back(t);
    in_part_ += size;
    return begin + size;
  }

  void count_part() {
    const auto counted = engine_.votes(part_, noise_);
    for (size_t i = 0; i < part_.size(); ++i) {
      const size_t t = members_[i];
      votes_[t].resize(counted[i].size());
      for (size_t c = 0; c < counted[i].size(); ++c) votes_[t][c] += counted[i][c];
      if (part_[i].range.end < copies_) continue;
      ++progress_.done;
      work_ += work_of(texts_[t]);
    }
    progress_.share = work_ / all_work_;
    part_.clear();
    members_.clear();
    in_part_ = 0;
  }

  const Engine& engine_;
  const Noise& noise_;
  const std::vector<EncodedText>& texts_;
  uint32_t copies_;
  uint64_t seed_;
  std::vector<std::vector<int64_t>> votes_;  // per text
  std::vector<TextSamples> part_;
  std::vector<size_t> members_;  // the texts of the part
  uint64_t in_part_ = 0;         // its copies
  double work_ = 0, all_work_ = 0;
  AnswerProgress progress_;
};

}  // namespace

std::vector<int> smoothed_answers(const Engine& engine, const Noise& noise,
                                  const std::vector<EncodedText>& texts, int copies, uint64_t seed,
                                  const AnswerReporter& report, StopToken stop) {
  if (!texts.empty() && texts[0].sentence_ends) {
    if (noise.spec() != kNoNoise)
      throw std::logic_error("smoothed_answers: sentences have no noise");
    return sentence_answers(engine, texts, report, stop);
  }
  Count count(engine, noise, texts, copies, seed);
  count.run(report, stop);
  std::vector<int> answers;
  for (size_t t = 0; t < texts.size(); ++t) answers.push_back(count.winner(t));
  return answers;
}

double smoothed_accuracy(const Engine& engine, const Noise& noise,
                         const std::vector<EncodedText>& texts, int copies, uint64_t seed) {
  if (texts.empty()) return 0;
  const std::vector<int> answers = smoothed_answers(engine, noise, texts, copies, seed);
  size_t right = 0;
  for (size_t t = 0; t < texts.size(); ++t) right += answers[t] == texts[t].label;
  return static_cast<double>(right) / static_cast<double>(texts.size());
}

}  // namespace textcrs
