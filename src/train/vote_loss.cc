#include "train/vote_loss.h"

#include <algorithm>
#include <cmath>

namespace textcrs {

void CertifiedLoss::edit(const VoteText& text, size_t label, size_t other, const VoteParameters& at,
                         WorstCandidates worst, Rest& rest) {
  const size_t classes = at.bias.size(), places = text.words.size();
  rest.rows.clear();
  for (const uint32_t row : text.words)
    rest.rows.push_back(worst.empty() ? row : worst[(row * classes + label) * classes + other]);
  for (const auto& windows : text.windows)
    rest.rows.insert(rest.rows.end(), windows.begin(), windows.end());
  rest.counts.assign(rest.rows.size(), 1.0F);
  leads_.resize(rest.rows.size());
  rest.margin = static_cast<double>(at.bias[label]) - at.bias[other];
  for (size_t i = 0; i < rest.rows.size(); ++i) {
    const float* const row = at.scores.data() + rest.rows[i] * classes;
    leads_[i] = row[label] - row[other];
    rest.margin += leads_[i];
  }

  losses_.resize(places);
  for (size_t i = 0; i < places; ++i)
    losses_[i] = {std::max(leads_[i], 0.0F), static_cast<uint32_t>(i)};
  size_t first = places;
  for (size_t w = 0; w < text.windows.size(); ++w) {
    const size_t width = w + 2, count = text.windows[w].size();
    for (size_t j = 0; j < count; ++j)
      if (const float lead = leads_[first + j]; lead > 0)
        for (size_t i = j; i < j + width; ++i) losses_[i].first += lead;
    first += count;
  }
  const size_t most = std::min(places, static_cast<size_t>(std::ceil(edits_)));
  std::partial_sort(losses_.begin(), losses_.begin() + static_cast<ptrdiff_t>(most), losses_.end(),
                    [](const auto& a, const auto& b) {
                      return a.first != b.first ? a.first > b.first : a.second < b.second;
                    });
  for (size_t k = 0; k < most; ++k) {
    const auto [loss, place] = losses_[k];
    const auto share = static_cast<float>(std::min(1.0, edits_ - static_cast<double>(k)));
    rest.margin -= share * loss;
    if (leads_[place] > 0) rest.counts[place] -= share;
    first = places;
    for (size_t w = 0; w < text.windows.size(); ++w) {
      const size_t width = w + 2, count = text.windows[w].size();
      for (size_t j = place + 1 > width ? place + 1 - width : 0; j <= place && j < count; ++j)
        if (leads_[first + j] > 0) rest.counts[first + j] -= share;
      first += count;
    }
  }
  for (size_t kind = 0; kind * classes < at.caps.size(); ++kind)
    rest.margin -= edits_ * static_cast<double>(kind + 1) * at.caps[kind * classes + other];
}

double CertifiedLoss::add(const VoteText& text, size_t label, const VoteParameters& at,
                          WorstCandidates worst, float weight, const VoteParameters& gradient) {
  const size_t classes = at.bias.size();
  rests_.resize(classes);
  double highest = 0;  // of the exponents; that of "nothing is lost" is 0
  for (size_t other = 0; other < classes; ++other) {
    if (other == label) continue;
    edit(text, label, other, at, worst, rests_[other]);
    highest = std::max(highest, -rests_[other].margin / temperature_);
  }
  double sum = std::exp(-highest);
  for (size_t other = 0; other < classes; ++other)
    if (other != label) sum += std::exp(-rests_[other].margin / temperature_ - highest);
  for (size_t other = 0; other < classes; ++other) {
    if (other == label) continue;
    const Rest& rest = rests_[other];
    const auto share = static_cast<float>(std::exp(-rest.margin / temperature_ - highest) / sum);
    const float pull = weight * share;
    for (size_t i = 0; i < rest.rows.size(); ++i) {
      float* const row = gradient.scores.data() + rest.rows[i] * classes;
      const float by = pull * rest.counts[i];
      row[label] -= by;
      row[other] += by;
    }
    gradient.bias[label] -= pull;
    gradient.bias[other] += pull;
    for (size_t kind = 0; kind * classes < at.caps.size(); ++kind)
      gradient.caps[kind * classes + other] +=
          pull * static_cast<float>(edits_) * static_cast<float>(kind + 1);
  }
  return temperature_ * (highest + std::log(sum));
}

}  // namespace textcrs
