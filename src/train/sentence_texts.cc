#include "train/sentence_texts.h"

#include <algorithm>

#include "engine/sentence_votes.h"
#include "textcrs/text/sentences.h"

namespace textcrs {
namespace {

int highest_of(std::span<const int64_t> totals) {
  return static_cast<int>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

// The answers of texts whose sentences are the copies of a batch, one text after the other.
void answer_part(const Engine& engine, const CopyBatch& batch, std::span<const EncodedText> texts,
                 std::vector<int>& answers) {
  const size_t copies = batch.copies.size();
  const std::vector<double> scores = copies > 0 ? engine.scores(batch) : std::vector<double>();
  const size_t classes = copies > 0 ? scores.size() / copies : 1;
  const std::vector<int32_t> votes = sentence_votes(scores, classes);
  size_t row = 0;
  for (const EncodedText& text : texts) {
    std::vector<int64_t> totals(classes);
    for (size_t s = 0; s < text.sentence_ends->size(); ++s, ++row)
      for (size_t c = 0; c < classes; ++c) totals[c] += votes[row * classes + c];
    answers.push_back(highest_of(totals));
  }
}

}  // namespace

EncodedText encode_sentences(const Example& example, const Classifier& classifier) {
  EncodedText text{example.id, {}, example.label, {}, std::vector<uint32_t>()};
  OwnWords own;
  for (const std::string_view sentence : sentences(example.text)) {
    const auto ids = classifier.vocabulary().encode(classifier.words(sentence), own);
    text.words.insert(text.words.end(), ids.begin(), ids.end());
    text.sentence_ends->push_back(static_cast<uint32_t>(text.words.size()));
  }
  text.own = own.list();
  return text;
}

void add_sentences(const EncodedText& text, CopyBatch& batch) {
  for (size_t s = 0; s < text.sentence_ends->size(); ++s) {
    const Text sentence = text.sentence(s);
    batch.copies.emplace_back(sentence.begin(), sentence.end());
    batch.own.push_back(sentence.own);
  }
}

std::vector<int> sentence_answers(const Engine& engine, const std::vector<EncodedText>& texts,
                                  const AnswerReporter& report, StopToken stop) {
  std::vector<int> answers;
  size_t all = 0, done = 0;
  for (const EncodedText& text : texts) all += text.sentence_ends->size() + 1;
  for (size_t first = 0; first < texts.size();) {
    stop.check();
    CopyBatch batch;
    size_t end = first;
    for (; end < texts.size() && batch.copies.size() < engine.part_size(); ++end) {
      add_sentences(texts[end], batch);
      done += texts[end].sentence_ends->size() + 1;
    }
    answer_part(engine, batch, std::span(texts).subspan(first, end - first), answers);
    first = end;
    if (report) report({end, texts.size(), static_cast<double>(done) / static_cast<double>(all)});
  }
  return answers;
}

}  // namespace textcrs
