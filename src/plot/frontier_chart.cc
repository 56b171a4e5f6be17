#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/figure_runs.h"
#include "plot/shares.h"
#include "textcrs/base/error.h"

namespace textcrs::plot {
namespace {

constexpr double kLeastShare = 0.05;
constexpr int kMostColumns = 8, kMostRows = 11;  // so that there is room for a number in each

// Whether so many words may be lost and gained at once.
bool covers(const CertifiedSet& set, int lost, int gained, bool counts_words) {
  if (!set.certified) return false;
  for (const auto& [most_lost, most_gained] : set.frontier)
    if (lost <= most_lost && gained <= most_gained) return true;
  const Guarantee* edits = set.find(Operation::kEdit);
  return edits != nullptr && counts_words && lost + gained <= edits->radius;
}

// One text's certificate, if its answer is good.
struct Text {
  const CertifiedSet* set = nullptr;
  bool counts_words = false;
};

struct Texts {
  std::vector<Text> good;
  size_t all = 0;

  double share(int gained, int lost) const {
    const auto covered = std::count_if(good.begin(), good.end(), [&](const Text& text) {
      return covers(*text.set, lost, gained, text.counts_words);
    });
    return static_cast<double>(covered) / static_cast<double>(all);
  }
};

Texts texts_of(const RunFolder& run) {
  const Counted counted = counted_texts(run);
  Texts texts;
  texts.all = counted.texts.size();
  for (const Record* record : counted.texts) {
    const Guarantee* edits = record->certification.sound.find(Operation::kEdit);
    const bool in_words = edits != nullptr && record->unit == "word" &&
                          (edits->unit.empty() || edits->unit == kUnitWords);
    if (counted.good(*record)) texts.good.push_back({&record->certification.sound, in_words});
  }
  return texts;
}

// The most words of one kind that some text can bear alone.
int reach(const Texts& texts, bool lost) {
  int most = 0;
  for (const Text& text : texts.good) {
    if (!text.set->certified) continue;
    for (const auto& [most_lost, most_gained] : text.set->frontier)
      most = std::max(most, lost ? most_lost : most_gained);
    const Guarantee* edits = text.set->find(Operation::kEdit);
    if (edits != nullptr && text.counts_words && std::isfinite(edits->radius))
      most = std::max(most, static_cast<int>(edits->radius));
  }
  return most;
}

// From one cell to the next: 1, 2, 5, 10, .. words, so that so many cells are enough for nearly
// all.
int step_for(int reach, int most_cells) {
  for (int power = 1;; power *= 10)
    for (const int digit : {1, 2, 5})
      if (reach < digit * power * most_cells || power > 100'000'000) return digit * power;
}

// The largest number of words of one kind at which at least kLeastShare of the texts are certified.
int worth_drawing(const Texts& texts, bool lost) {
  int most = reach(texts, lost);
  while (most > 0 && (lost ? texts.share(0, most) : texts.share(most, 0)) < kLeastShare) --most;
  return most;
}

Panel map_of(const NamedRun& named, const Texts& texts, const std::string& share) {
  const int gained = worth_drawing(texts, false), lost = worth_drawing(texts, true);
  const int x_step = step_for(gained, kMostColumns), y_step = step_for(lost, kMostRows);
  Panel panel;
  panel.title = named.name;
  panel.x.label = "words inserted";
  panel.y.label = "words deleted";
  HeatMap map;
  map.columns = static_cast<size_t>(gained / x_step + 1);
  map.label = share;
  for (int y = 0; y <= lost; y += y_step) {
    panel.y.ticks.push_back({static_cast<double>(y / y_step), std::to_string(y)});
    for (int x = 0; x <= gained; x += x_step) map.values.push_back(texts.share(x, y));
  }
  for (int x = 0; x <= gained; x += x_step)
    panel.x.ticks.push_back({static_cast<double>(x / x_step), std::to_string(x)});
  panel.map = std::move(map);
  return panel;
}

}  // namespace

Chart frontier_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  check_runs(runs, options.anyway);
  Chart chart;
  chart.title = title_of(runs, options);
  std::vector<std::string> without;
  for (const NamedRun& named : runs) {
    const Texts texts = texts_of(named.run);
    if (texts.share(0, 0) > 0)
      chart.panels.push_back(map_of(named, texts, share_label(runs)));
    else
      without.push_back(named.name);
  }
  if (!without.empty())
    throw usage_error(
        fmt::format("there is nothing to draw: {} certifies no mixture of insertions "
                    "and deletions",
                    without.front()));
  return chart;
}

}  // namespace textcrs::plot
