#include "textcrs/report/threshold_choice.h"

#include <algorithm>
#include <stdexcept>

#include "report/each_text.h"

namespace textcrs {
namespace {

constexpr double kOfTheDivision = 1e-9;  // what a share may be off

bool votes_are_right(const BothAnswers& text) { return text.votes == text.label; }

// The cascade at a threshold that rises.
class Cascade {
 public:
  explicit Cascade(std::vector<BothAnswers> texts) : texts_(std::move(texts)) {
    std::sort(texts_.begin(), texts_.end(),
              [](const BothAnswers& a, const BothAnswers& b) { return a.lead < b.lead; });
    for (const BothAnswers& text : texts_) {
      if (!votes_are_right(text)) continue;
      ++right_;
      for (size_t r = 0; r < kept_.size(); ++r) kept_[r].push_back(text.lead_after[r]);
    }
    for (std::vector<int64_t>& leads : kept_) std::sort(leads.begin(), leads.end());
  }

  ThresholdFigures without_threshold() const {
    ThresholdFigures figures = figures_at(0);
    for (size_t r = 0; r < kept_.size(); ++r)
      figures.certified[r] =
          share(std::count_if(texts_.begin(), texts_.end(), [r](const auto& text) {
            return votes_are_right(text) && text.radius >= static_cast<double>(kEditsShown[r]);
          }));
    return figures;
  }

  // The next threshold, in votes, that leaves another text to the fallback.
  std::optional<int64_t> next() const {
    if (left_ == texts_.size()) return std::nullopt;
    return std::max<int64_t>(1, texts_[left_].lead);
  }

  // What there is to say at this threshold, which is next().
  ThresholdFigures raise_to(int64_t votes, double threshold) {
    for (; left_ < texts_.size() && texts_[left_].lead <= votes; ++left_) {
      right_ -= votes_are_right(texts_[left_]);
      right_ += texts_[left_].fallback == texts_[left_].label;
    }
    ThresholdFigures figures = figures_at(threshold);
    for (size_t r = 0; r < kept_.size(); ++r)
      figures.certified[r] =
          share(kept_[r].end() - std::upper_bound(kept_[r].begin(), kept_[r].end(), votes));
    return figures;
  }

 private:
  double share(ptrdiff_t count) const {
    return static_cast<double>(count) / static_cast<double>(texts_.size());
  }
  ThresholdFigures figures_at(double threshold) const {
    return {threshold, share(static_cast<ptrdiff_t>(texts_.size() - left_)), share(right_), {}};
  }

  std::vector<BothAnswers> texts_;       // by their leads
  PerEdits<std::vector<int64_t>> kept_;  // of those that the votes have right, ascending
  size_t left_ = 0;                      // to the fallback: the first of them
  ptrdiff_t right_ = 0;
};

}  // namespace

std::vector<BothAnswers> ask_both(const CascadeClassifier& cascade, const Dataset& dataset,
                                  const EvaluationReporter& report, StopToken stop) {
  check_labels(dataset, cascade.classes());
  std::array<size_t, 1 + kEditsShown.size()> edits = {0};
  std::copy(kEditsShown.begin(), kEditsShown.end(), edits.begin() + 1);
  std::vector<BothAnswers> texts;
  const auto ask = [&](const Example& example) {
    const std::vector<std::string> words = cascade.words(example.text);
    const VoteLeads leads = cascade.votes().leads(words, edits);
    BothAnswers text;
    text.label = example.label;
    text.votes = leads.prediction;
    text.fallback = cascade.fallback().certify(words, example.id, stop).prediction;
    text.lead = leads.after[0];
    std::copy(leads.after.begin() + 1, leads.after.end(), text.lead_after.begin());
    text.radius = leads.radius;
    return text;
  };
  const auto keep = [&](const Example&, const BothAnswers& text) { texts.push_back(text); };
  for_each_text(dataset, cascade.texts_at_once(), report, stop, ask, keep);
  return texts;
}

ThresholdChoice::ThresholdChoice(std::vector<BothAnswers> texts, int64_t strongest_vote) {
  if (texts.empty() || strongest_vote < 1)
    throw std::logic_error("ThresholdChoice: no texts, or no strongest vote");
  const double most = kLargestThreshold * static_cast<double>(strongest_vote);
  Cascade cascade(std::move(texts));
  all_.push_back(cascade.without_threshold());
  for (auto votes = cascade.next(); votes && static_cast<double>(*votes) <= most;
       votes = cascade.next())
    all_.push_back(cascade.raise_to(*votes, threshold_of_votes(*votes, strongest_vote)));
}

std::optional<ThresholdFigures> ThresholdChoice::smallest_for(double accuracy) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const ThresholdFigures& figures) {
    return figures.accuracy >= accuracy - kOfTheDivision;
  });
  if (found == all_.end()) return std::nullopt;
  return *found;
}

const ThresholdFigures& ThresholdChoice::best() const {
  return *std::max_element(
      all_.begin(), all_.end(),
      [](const ThresholdFigures& a, const ThresholdFigures& b) { return a.accuracy < b.accuracy; });
}

std::vector<ThresholdFigures> ThresholdChoice::overview(
    const std::optional<ThresholdFigures>& also) const {
  std::vector<ThresholdFigures> rows;
  const auto add = [&](const ThresholdFigures& figures) {
    const auto place = std::lower_bound(
        rows.begin(), rows.end(), figures.threshold,
        [](const ThresholdFigures& row, double threshold) { return row.threshold < threshold; });
    if (place == rows.end() || place->threshold != figures.threshold) rows.insert(place, figures);
  };
  for (const int percent : {100, 95, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0}) {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const ThresholdFigures& figures) {
      return 100 * figures.by_votes <= percent + kOfTheDivision;
    });
    if (found != all_.end()) add(*found);
  }
  if (also) add(*also);
  return rows;
}

}  // namespace textcrs
