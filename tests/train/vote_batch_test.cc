// Batches of texts whose words vote: each row once, and texts that point to them.
#include "train/vote_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/small_model.h"
#include "model/vote_windows.h"

namespace textcrs {
namespace {

constexpr size_t kWindowRows = 11;  // few, so that windows share them
constexpr size_t kWords = 23;

ModelConfig votes_with(int windows, bool presence) {
  ModelConfig config = small_config("votes");
  config.votes.windows = windows;
  config.votes.window_rows = kWindowRows;
  config.votes.presence = presence;
  return config;
}

SynonymTable some_candidates() {
  std::vector<std::vector<WordId>> lists(kWords);
  lists[3] = {4, 20};
  lists[4] = {5};
  lists[10] = {3, 4, 5};
  return {"lists", lists};
}

// A row of all scores for each row of a text.
std::vector<uint32_t> in_all(const VoteBatch& batch, const std::vector<uint32_t>& rows) {
  std::vector<uint32_t> all;
  for (const uint32_t row : rows) all.push_back(batch.rows().at(row));
  return all;
}

TEST(VoteBatch, RowsAreTheWordsThenTheWindows) {
  const auto words = Classifier::fresh(votes_with(1, false), Vocabulary(small_words()));
  EXPECT_EQ(vote_rows(*words), (std::vector<size_t>{kWords}));
  const auto windows = Classifier::fresh(votes_with(3, false), Vocabulary(small_words()));
  EXPECT_EQ(vote_rows(*windows), (std::vector<size_t>{kWords, kWindowRows, kWindowRows}));
}

TEST(VoteBatch, ATextPointsToItsWordsAndWindows) {
  for (const int windows : {1, 2, 3}) {
    const auto classifier =
        Classifier::fresh(votes_with(windows, false), Vocabulary(small_words()));
    VoteBatch batch(*classifier);
    for (const uint64_t seed : {1, 2, 3}) {  // the same object reads many
      const CopyBatch copies = random_copies(9, 8, seed);
      batch.read(copies);
      EXPECT_TRUE(std::is_sorted(batch.rows().begin(), batch.rows().end()));
      EXPECT_EQ(std::adjacent_find(batch.rows().begin(), batch.rows().end()), batch.rows().end());
      ASSERT_EQ(batch.texts().size(), copies.copies.size());
      std::vector<uint32_t> used;
      const auto compare = [&](const std::vector<uint32_t>& rows, std::vector<uint32_t> expected) {
        const std::vector<uint32_t> found = in_all(batch, rows);
        EXPECT_EQ(found, expected);
        used.insert(used.end(), found.begin(), found.end());
      };
      for (size_t i = 0; i < copies.copies.size(); ++i) {
        const std::vector<WordId>& copy = copies.copies[i];
        const VoteText& text = batch.texts()[i];
        compare(text.words, {copy.begin(), copy.end()});
        ASSERT_EQ(text.windows.size(), static_cast<size_t>(windows) - 1);
        for (size_t w = 0; w < text.windows.size(); ++w) {
          std::vector<uint32_t> expected;
          for (size_t first = 0; first + w + 2 <= copy.size(); ++first)
            expected.push_back(static_cast<uint32_t>(kWords + w * kWindowRows) +
                               window_row(std::span(copy).subspan(first, w + 2), kWindowRows));
          compare(text.windows[w], expected);
        }
      }
      std::sort(used.begin(), used.end());
      used.erase(std::unique(used.begin(), used.end()), used.end());
      EXPECT_EQ(batch.rows(), used);
      EXPECT_TRUE(batch.worst_candidates(std::vector<float>(batch.rows().size() * 3)).empty());
    }
  }
}

TEST(VoteBatch, WherePresenceCountsAWordIsThereOnce) {
  const auto classifier = Classifier::fresh(votes_with(1, true), Vocabulary(small_words()));
  VoteBatch batch(*classifier);
  CopyBatch copies;
  copies.copies = {{7, 4, 7, 7, 3, 4}, {}};
  batch.read(copies);
  EXPECT_EQ(batch.rows(), (std::vector<uint32_t>{3, 4, 7}));
  EXPECT_EQ(in_all(batch, batch.texts()[0].words), (std::vector<uint32_t>{3, 4, 7}));
  EXPECT_TRUE(batch.texts()[1].words.empty());
}

TEST(VoteBatch, TheWorstCandidateHasTheLeastLead) {
  const auto classifier =
      Classifier::fresh(votes_with(1, false), Vocabulary(small_words()), some_candidates());
  VoteBatch batch(*classifier);
  CopyBatch copies;
  copies.copies = {{3, 10, 3}, {7}};
  batch.read(copies);
  EXPECT_EQ(batch.rows(), (std::vector<uint32_t>{3, 4, 5, 7, 10, 20}));
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::vector<float> scores(batch.rows().size() * 3);
    Stream(seed, 0, 0).normals(scores);
    const WorstCandidates worst = batch.worst_candidates(scores);
    ASSERT_EQ(worst.size(), batch.rows().size() * 9);
    for (const uint32_t word : {3u, 7u, 10u})  // those of the texts
      for (size_t a = 0; a < 3; ++a)
        for (size_t b = 0; b < 3; ++b) {
          const auto number = [&](uint32_t of) {
            return static_cast<size_t>(std::find(batch.rows().begin(), batch.rows().end(), of) -
                                       batch.rows().begin());
          };
          const auto lead = [&](size_t row) { return scores[row * 3 + a] - scores[row * 3 + b]; };
          float least = lead(number(word));
          for (const WordId candidate : classifier->synonyms().of(static_cast<WordId>(word)))
            least = std::min(least, lead(number(static_cast<uint32_t>(candidate))));
          EXPECT_EQ(lead(worst[(number(word) * 3 + a) * 3 + b]), least) << word;
        }
  }
}

}  // namespace
}  // namespace textcrs
