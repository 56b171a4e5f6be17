#include "page/examples.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace textcrs {
namespace {

// The first texts, by `before`, of those that fit and were not taken.
class Chooser {
 public:
  Chooser(const RunView& view, size_t per_group) : view_(view), per_group_(per_group) {}

  void add(const std::string& title, const std::string& what,
           const std::function<bool(const Record&)>& fits,
           const std::function<double(const Record&)>& order) {
    const std::vector<Record>& records = view_.run.records;
    std::vector<size_t> found;
    for (size_t i = 0; i < records.size(); ++i)
      if (!taken_.contains(i) && fits(records[i])) found.push_back(i);
    std::stable_sort(found.begin(), found.end(),
                     [&](size_t a, size_t b) { return order(records[a]) < order(records[b]); });
    if (found.size() > per_group_) found.resize(per_group_);
    if (found.empty()) return;
    groups_.push_back({title, what, {}});
    for (const size_t i : found) {
      taken_.insert(i);
      groups_.back().examples.push_back({i, {}, std::nullopt});
    }
  }

  std::vector<ExampleGroup> take() { return std::move(groups_); }

 private:
  const RunView& view_;
  size_t per_group_;
  std::set<size_t> taken_;
  std::vector<ExampleGroup> groups_;
};

}  // namespace

std::vector<ExampleGroup> choose_examples(const RunView& view, size_t per_group) {
  Chooser chooser(view, per_group);
  const bool labelled = view.labelled;
  const auto radius = [&](const Record& record) { return view.headline_radius(record); };
  const auto wrong = [](const Record& record) {
    return record.label && !record.certification.abstained && record.prediction != *record.label;
  };
  const auto good = [&](const Record& record) {
    return labelled ? record.correct() : !record.certification.abstained;
  };
  const auto certified = [&](const Record& record) { return good(record) && radius(record) >= 0; };
  const auto by_radius = [&](const Record& record) { return radius(record); };
  const auto by_radius_down = [&](const Record& record) { return -radius(record); };
  const auto surest_first = [&](const Record& record) {
    return view.headline ? -radius(record) : -record.certification.bounds.pa;
  };
  const char* of = labelled ? "right answers" : "answers";
  chooser.add("Hardest to change", std::string("The largest certified radii of all ") + of + ".",
              certified, by_radius_down);
  chooser.add("Easiest to change", std::string("The smallest certified radii of all ") + of + ".",
              certified, by_radius);
  chooser.add("Wrong, and sure of it",
              view.headline ? "Wrong answers with the largest radii: a certificate says that an "
                              "answer stays, not that it is right."
                            : "Wrong answers.",
              wrong, surest_first);
  chooser.add(
      "No answer", "Texts that are abstained on.",
      [](const Record& record) { return record.certification.abstained; },
      [](const Record& record) { return -record.certification.bounds.pa; });
  if (!view.headline)
    chooser.add("Right answers", "Nothing is certified about them.", good,
                [](const Record& record) { return -record.certification.bounds.pa; });
  return chooser.take();
}

}  // namespace textcrs
