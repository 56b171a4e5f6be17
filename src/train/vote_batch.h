// The texts of a batch over the rows of scores that occur in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "textcrs/model/classifier.h"
#include "textcrs/model/copy_batch.h"
#include "train/vote_loss.h"

namespace textcrs {

// Rows of all scores: the words, then the windows of two words, then those of three.
std::vector<size_t> vote_rows(const Classifier& classifier);

// Keeps a table as large as the vocabulary: make one and read many batches with it.
class VoteBatch {
 public:
  // The classifier must outlive it.
  explicit VoteBatch(const Classifier& classifier);

  void read(const CopyBatch& batch);

  const std::vector<uint32_t>& rows() const { return rows_; }    // of all scores, ascending
  const std::vector<VoteText>& texts() const { return texts_; }  // their rows count within rows()

  // With the scores (rows(), classes) of the batch; empty if the model has no candidates.
  WorstCandidates worst_candidates(std::span<const float> scores);

 private:
  void add_text(std::vector<WordId> copy);
  void number_rows();

  const Classifier& classifier_;
  std::vector<size_t> first_;  // row of each kind
  std::vector<uint32_t> rows_;
  std::vector<VoteText> texts_;
  std::vector<uint32_t> number_;  // of a row of all scores, within rows(); kNone
  std::vector<uint32_t> worst_;
};

}  // namespace textcrs
