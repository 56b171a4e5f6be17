#include "textcrs/report/class_report.h"

#include <algorithm>
#include <stdexcept>

namespace textcrs {
namespace {

std::optional<double> share(size_t part, size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

ClassReport::ClassReport(std::vector<std::string> classes, Abstentions abstentions)
    : classes_(std::move(classes)),
      abstentions_(abstentions),
      labelled_(classes_.size()),
      answered_(classes_.size()) {}

void ClassReport::check(size_t of_class) const {
  if (of_class >= classes_.size()) throw std::logic_error("ClassReport: there is no such class");
}

void ClassReport::add(size_t label, std::optional<size_t> answer) {
  check(label);
  if (answer)
    check(*answer);
  else if (abstentions_ == Abstentions::kNever)
    throw std::logic_error("ClassReport: found an abstention, expected none");
  ++counts_[{label, answer.value_or(classes_.size())}];
  ++labelled_[label];
  if (answer) ++answered_[*answer];
  ++texts_;
}

size_t ClassReport::count(size_t label, size_t answer) const {
  const auto found = counts_.find({label, answer});
  return found == counts_.end() ? 0 : found->second;
}

std::vector<std::pair<size_t, size_t>> ClassReport::answers_to(size_t label) const {
  std::vector<std::pair<size_t, size_t>> answers;
  for (auto at = counts_.lower_bound({label, 0}); at != counts_.end() && at->first.first == label;
       ++at)
    if (at->first.second < classes_.size()) answers.emplace_back(at->first.second, at->second);
  return answers;
}

size_t ClassReport::right() const {
  size_t right = 0;
  for (size_t c = 0; c < classes_.size(); ++c) right += count(c, c);
  return right;
}

double ClassReport::accuracy() const { return share(right(), texts_).value_or(0); }

ClassFigures ClassReport::figures(size_t of_class) const {
  check(of_class);
  ClassFigures figures;
  figures.texts = labelled_[of_class];
  figures.answered = answered_[of_class];
  figures.abstained = count(of_class, classes_.size());
  figures.right = count(of_class, of_class);
  figures.precision = share(figures.right, figures.answered);
  figures.recall = share(figures.right, figures.texts);
  figures.f1 = share(2 * figures.right, figures.texts + figures.answered);
  return figures;
}

std::vector<Confusion> ClassReport::largest_confusions(size_t most) const {
  std::vector<Confusion> all;
  for (const auto& [place, texts] : counts_)
    if (place.first != place.second && place.second < classes_.size())
      all.push_back({place.first, place.second, texts});
  std::stable_sort(all.begin(), all.end(),
                   [](const Confusion& a, const Confusion& b) { return a.texts > b.texts; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace textcrs
