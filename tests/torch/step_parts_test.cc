#include "torch/step_parts.h"

#include <gtest/gtest.h>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

LabelledBatch batch_of(const std::vector<size_t>& sentences, size_t words) {
  LabelledBatch batch;
  batch.sentences = sentences;
  for (const size_t count : sentences) {
    batch.labels.push_back(0);
    for (size_t i = 0; i < count; ++i) batch.copies.copies.emplace_back(words, kUnk);
  }
  return batch;
}

// Neighbours, without gaps, to the end.
void expect_all(const LabelledBatch& batch, const std::vector<StepPart>& parts) {
  size_t text = 0, copy = 0;
  for (const StepPart& part : parts) {
    EXPECT_EQ(part.first_text, text);
    EXPECT_EQ(part.first_copy, copy);
    EXPECT_GT(part.texts, 0u);
    size_t copies = 0;
    for (size_t i = 0; i < part.texts; ++i)
      copies += batch.sentences.empty() ? 1 : batch.sentences[text + i];
    EXPECT_EQ(part.copies, copies);
    text += part.texts;
    copy += part.copies;
  }
  EXPECT_EQ(text, batch.labels.size());
  EXPECT_EQ(copy, batch.copies.copies.size());
}

TEST(StepParts, OfTextsAreOfAboutTheSameSize) {
  LabelledBatch batch = batch_of(std::vector<size_t>(10, 1), 5);
  batch.sentences.clear();
  for (const auto& [wanted, found] : {std::pair{1, 1u}, {3, 3u}, {10, 10u}, {99, 10u}}) {
    const auto parts = step_parts(batch, wanted, 100);
    EXPECT_EQ(parts.size(), found);
    expect_all(batch, parts);
  }
}

TEST(StepParts, AllCopiesOfATextAreInOnePart) {
  LabelledBatch batch;
  batch.copies_per_text = 3;
  batch.labels.assign(5, 0);
  batch.copies.copies.resize(15);
  for (const int wanted : {1, 2, 5, 99}) {
    size_t text = 0;
    for (const StepPart& part : step_parts(batch, wanted, 100)) {
      EXPECT_EQ(part.first_text, text);
      EXPECT_EQ(part.first_copy, 3 * text);
      EXPECT_EQ(part.copies, 3 * part.texts);
      text += part.texts;
    }
    EXPECT_EQ(text, 5u);
  }
  batch.copies.copies.pop_back();
  EXPECT_THROW(step_parts(batch, 1, 100), std::logic_error);
}

TEST(StepParts, OfSentencesAreBoundedByTheirWords) {
  const LabelledBatch small = batch_of({3, 0, 5, 1, 0}, 10);
  EXPECT_EQ(step_parts(small, 1, 100).size(), 1u);
  EXPECT_EQ(step_parts(small, 2, 100).size(), 2u);
  expect_all(small, step_parts(small, 2, 100));
  const LabelledBatch large = batch_of({100, 3, 300, 200, 0, 150, 900, 1}, 100);
  const auto parts = step_parts(large, 1, 1000);
  EXPECT_GT(parts.size(), 3u);
  expect_all(large, parts);
  for (const StepPart& part : parts)
    EXPECT_TRUE(part.texts == 1 || part.copies * 100 <= kPartWords);
  EXPECT_EQ(step_parts(large, 1, 10).size(), 1u);  // cut to the slots
}

TEST(StepParts, CopiesThatAreNotTheTextsAreABug) {
  LabelledBatch batch = batch_of({2, 3}, 4);
  batch.copies.copies.pop_back();
  EXPECT_THROW(step_parts(batch, 1, 9), std::logic_error);
  batch.sentences.clear();
  EXPECT_THROW(step_parts(batch, 1, 9), std::logic_error);
}

}  // namespace
}  // namespace textcrs
