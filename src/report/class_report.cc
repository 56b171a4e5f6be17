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
      counts_(classes_.size() * columns()) {}

void ClassReport::check(size_t of_class) const {
  if (of_class >= classes_.size()) throw std::logic_error("ClassReport: there is no such class");
}

void ClassReport::add(size_t label, std::optional<size_t> answer) {
  check(label);
  if (answer)
    check(*answer);
  else if (abstentions_ == Abstentions::kNever)
    throw std::logic_error("ClassReport: found an abstention, expected none");
  ++counts_[label * columns() + answer.value_or(classes_.size())];
  ++texts_;
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
  for (size_t other = 0; other < classes_.size(); ++other) {
    figures.texts += count(of_class, other);
    figures.answered += count(other, of_class);
  }
  figures.abstained = count(of_class, classes_.size());
  figures.texts += figures.abstained;
  figures.right = count(of_class, of_class);
  figures.precision = share(figures.right, figures.answered);
  figures.recall = share(figures.right, figures.texts);
  figures.f1 = share(2 * figures.right, figures.texts + figures.answered);
  return figures;
}

std::vector<Confusion> ClassReport::largest_confusions(size_t most) const {
  std::vector<Confusion> all;
  for (size_t label = 0; label < classes_.size(); ++label)
    for (size_t answer = 0; answer < classes_.size(); ++answer)
      if (label != answer && count(label, answer) > 0)
        all.push_back({label, answer, count(label, answer)});
  std::stable_sort(all.begin(), all.end(),
                   [](const Confusion& a, const Confusion& b) { return a.texts > b.texts; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace textcrs
