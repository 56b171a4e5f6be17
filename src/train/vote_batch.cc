#include "train/vote_batch.h"

#include <algorithm>

#include "model/vote_windows.h"

namespace textcrs {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

}  // namespace

std::vector<size_t> vote_rows(const Classifier& classifier) {
  const VoteShape& shape = classifier.config().votes;
  std::vector<size_t> rows(static_cast<size_t>(shape.windows),
                           static_cast<size_t>(shape.window_rows));
  rows[0] = static_cast<size_t>(classifier.vocabulary().size());
  return rows;
}

VoteBatch::VoteBatch(const Classifier& classifier) : classifier_(classifier) {
  size_t all = 0;
  for (const size_t count : vote_rows(classifier)) {
    first_.push_back(all);
    all += count;
  }
  number_.assign(all, kNone);
}

void VoteBatch::read(const CopyBatch& batch) {
  for (const uint32_t row : rows_) number_[row] = kNone;
  rows_.clear();
  texts_.clear();
  for (const auto& copy : batch.copies) add_text(copy);
  number_rows();
  for (VoteText& text : texts_) {
    for (uint32_t& row : text.words) row = number_[row];
    for (auto& windows : text.windows)
      for (uint32_t& row : windows) row = number_[row];
  }
}

void VoteBatch::add_text(std::vector<WordId> copy) {
  const VoteShape& shape = classifier_.config().votes;
  VoteText text;
  for (size_t kind = 1; kind < first_.size(); ++kind) {
    auto& windows = text.windows.emplace_back();
    for (const WordId row : window_rows(copy, kind + 1, static_cast<size_t>(shape.window_rows)))
      windows.push_back(static_cast<uint32_t>(first_[kind]) + static_cast<uint32_t>(row));
  }
  if (shape.presence) copy = different_words(std::move(copy));
  text.words.assign(copy.begin(), copy.end());
  texts_.push_back(std::move(text));
}

void VoteBatch::number_rows() {
  const auto add = [&](uint32_t row) {
    if (number_[row] != kNone) return;
    number_[row] = 0;
    rows_.push_back(row);
  };
  for (const VoteText& text : texts_) {
    for (const uint32_t row : text.words) {
      add(row);
      for (const WordId candidate : classifier_.synonyms().of(static_cast<WordId>(row)))
        add(static_cast<uint32_t>(candidate));
    }
    for (const auto& windows : text.windows)
      for (const uint32_t row : windows) add(row);
  }
  std::sort(rows_.begin(), rows_.end());
  for (size_t i = 0; i < rows_.size(); ++i) number_[rows_[i]] = static_cast<uint32_t>(i);
}

WorstCandidates VoteBatch::worst_candidates(std::span<const float> scores) {
  const SynonymTable& synonyms = classifier_.synonyms();
  if (synonyms.size() == 0) return {};
  const size_t classes = classifier_.config().classes.size();
  worst_.resize(rows_.size() * classes * classes);
  for (size_t i = 0; i < rows_.size(); ++i)
    for (size_t a = 0; a < classes; ++a)
      for (size_t b = 0; b < classes; ++b) {
        const auto lead = [&](size_t row) {
          return scores[row * classes + a] - scores[row * classes + b];
        };
        uint32_t worst = static_cast<uint32_t>(i);
        if (rows_[i] < static_cast<uint32_t>(classifier_.vocabulary().size()))
          for (const WordId candidate : synonyms.of(static_cast<WordId>(rows_[i])))
            if (const uint32_t row = number_[static_cast<size_t>(candidate)];
                row != kNone && lead(row) < lead(worst))
              worst = row;
        worst_[(i * classes + a) * classes + b] = worst;
      }
  return worst_;
}

}  // namespace textcrs
