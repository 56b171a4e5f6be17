#include "certified/vote_counter.h"

#include <algorithm>
#include <utility>

namespace textcrs {
namespace {

// Calls part(begin, end) for the parts of [first, last), cut at multiples of `size`.
template <typename Part>
void in_parts(uint64_t first, uint64_t last, uint64_t size, StopToken stop, const Part& part) {
  while (first < last) {
    stop.check();
    const uint64_t until = std::min(last, (first / size + 1) * size);
    part(first, until);
    first = until;
  }
}

}  // namespace

void VoteCounter::add(Words copy, CopyBatch& batch) const {
  batch.copies.push_back(std::move(copy));
  if (!text_.own.empty()) batch.own.push_back(text_.own);
}

Votes VoteCounter::samples(const SampleRange& range) const {
  Votes total(classes_);
  in_parts(range.begin, range.end, engine_.part_size(), stop_, [&](uint64_t begin, uint64_t end) {
    SampleRange part = range;
    part.begin = static_cast<uint32_t>(begin);
    part.end = static_cast<uint32_t>(end);
    const Votes votes = engine_.votes(text_, noise_, part);
    for (size_t c = 0; c < classes_; ++c) total[c] += votes[c];
  });
  return total;
}

Votes VoteCounter::outcomes(uint64_t count) const {
  Votes votes(classes_);
  in_parts(0, count, engine_.part_size(), stop_, [&](uint64_t begin, uint64_t end) {
    CopyBatch batch;
    for (uint64_t k = begin; k < end; ++k) {
      Words copy;
      noise_.outcome(text_, k, copy);
      if (!copy.empty()) add(std::move(copy), batch);
    }
    for (const int answer : engine_.classify(batch)) ++votes[static_cast<size_t>(answer)];
  });
  return votes;
}

VoteCounter::Shares VoteCounter::law() const {
  const Law law = noise_.law(text_);
  Shares result{Votes(classes_), std::vector<double>(classes_)};
  auto outcome = law.begin();
  in_parts(0, law.size(), engine_.part_size(), stop_, [&](uint64_t begin, uint64_t end) {
    CopyBatch batch;
    std::vector<double> probabilities;
    for (uint64_t k = begin; k < end; ++k, ++outcome) {
      add(outcome->first, batch);
      probabilities.push_back(outcome->second);
    }
    const std::vector<int> answers = engine_.classify(batch);
    for (size_t i = 0; i < answers.size(); ++i) {
      ++result.votes[static_cast<size_t>(answers[i])];
      result.shares[static_cast<size_t>(answers[i])] += probabilities[i];
    }
  });
  return result;
}

}  // namespace textcrs
