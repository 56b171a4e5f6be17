#include "torch/step_parts.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace textcrs {
namespace {

// A part of texts with so many sentences each, from the text and the copy `at` on.
class Divider {
 public:
  Divider(const LabelledBatch& batch, int slots) : batch_(batch), slots_(slots) {}

  void add(size_t texts, std::vector<StepPart>& parts) {
    StepPart part{text_, 0, copy_, 0};
    size_t words = 0;
    for (size_t i = 0; i < texts; ++i) {
      const size_t copies = batch_.sentences[text_], more = words_in(copies);
      if (part.texts > 0 && words + more > kPartWords) {
        parts.push_back(part);
        part = {text_, 0, copy_, 0};
        words = 0;
      }
      ++part.texts, ++text_;
      part.copies += copies, copy_ += copies;
      words += more;
    }
    parts.push_back(part);
  }

 private:
  size_t words_in(size_t copies) const {
    size_t words = 0;
    for (size_t i = 0; i < copies; ++i)
      words += std::clamp<size_t>(batch_.copies.copies[copy_ + i].size(), 1,
                                  static_cast<size_t>(slots_));
    return words;
  }

  const LabelledBatch& batch_;
  int slots_;
  size_t text_ = 0, copy_ = 0;
};

}  // namespace

std::vector<StepPart> step_parts(const LabelledBatch& batch, int parts, int slots) {
  const size_t texts = batch.labels.size(), copies = batch.copies.copies.size();
  const bool by_sentence = !batch.sentences.empty();
  if (by_sentence
          ? batch.sentences.size() != texts ||
                std::accumulate(batch.sentences.begin(), batch.sentences.end(), size_t{0}) != copies
          : copies != texts * batch.copies_per_text)
    throw std::logic_error("LabelledBatch: its copies are not those of its texts");
  const auto wanted = std::min(texts, static_cast<size_t>(parts));
  std::vector<StepPart> list;
  Divider divider(batch, slots);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t begin = texts * i / wanted, end = texts * (i + 1) / wanted;
    if (by_sentence)
      divider.add(end - begin, list);
    else
      list.push_back({begin, end - begin, begin * batch.copies_per_text,
                      (end - begin) * batch.copies_per_text});
  }
  return list;
}

}  // namespace textcrs
