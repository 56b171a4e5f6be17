#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/text_table.h"
#include "textcrs/report/class_report.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr size_t kWidestTable = 100;

std::string name_of(const ClassReport& report, size_t of_class) {
  return printable_name(report.classes()[of_class]);
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

// All classes in their order or, of too many, those with the lowest recall; classes without texts
// come last.
std::vector<size_t> classes_to_show(const ClassReport& report) {
  std::vector<size_t> list(report.classes().size());
  std::iota(list.begin(), list.end(), 0);
  if (list.size() <= kMostClassesShown) return list;
  std::vector<double> recall;
  for (const size_t c : list) recall.push_back(report.figures(c).recall.value_or(2));
  std::stable_sort(list.begin(), list.end(),
                   [&](size_t a, size_t b) { return recall[a] < recall[b]; });
  list.resize(kMostClassesShown);
  return list;
}

std::string list_of_confusions(const ClassReport& report) {
  std::string text = "The most frequent wrong answers\n  texts  label -> answer\n";
  const std::vector<Confusion> list = report.largest_confusions(kMostClassesShown);
  if (list.empty()) return "There are no wrong answers\n";
  for (const Confusion& confusion : list)
    text += fmt::format("{:>7}  {} -> {}\n", confusion.texts, name_of(report, confusion.label),
                        name_of(report, confusion.answer));
  return text;
}

// With the classes' names over the columns, or with the numbers of the rows.
std::string matrix(const ClassReport& report, bool numbered) {
  const size_t classes = report.classes().size();
  std::vector<TextRow> rows = {{"label \\ answer"}};
  for (size_t c = 0; c < classes; ++c) {
    rows[0].push_back(numbered ? std::to_string(c + 1) : name_of(report, c));
    rows.push_back(
        {numbered ? fmt::format("{:>2} {}", c + 1, name_of(report, c)) : name_of(report, c)});
    for (size_t answer = 0; answer < classes; ++answer)
      rows.back().push_back(std::to_string(report.count(c, answer)));
  }
  if (report.abstentions() == ClassReport::Abstentions::kPossible) {
    rows[0].emplace_back("no answer");
    for (size_t c = 0; c < classes; ++c)
      rows[c + 1].push_back(std::to_string(report.figures(c).abstained));
  }
  return align(rows);
}

}  // namespace

std::string class_table(const ClassReport& report) {
  const std::vector<size_t> classes = classes_to_show(report);
  std::vector<TextRow> rows = {{"class", "texts", "precision", "recall", "F1"}};
  for (const size_t c : classes) {
    const ClassFigures f = report.figures(c);
    rows.push_back({name_of(report, c), std::to_string(f.texts), percent(f.precision),
                    percent(f.recall), percent(f.f1)});
  }
  if (classes.size() == report.classes().size()) return align(rows);
  return fmt::format("The {} of {} classes with the lowest recall\n{}", classes.size(),
                     report.classes().size(), align(rows));
}

std::string confusion_table(const ClassReport& report) {
  if (report.classes().size() > kMostClassesShown) return list_of_confusions(report);
  const std::string named = matrix(report, false);
  return named.find('\n') <= kWidestTable ? named : matrix(report, true);
}

}  // namespace textcrs
