#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "page/run_words.h"
#include "page/sections.h"
#include "textcrs/base/spec.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

void add_tile(Html& html, const std::string& number, const std::string& what) {
  html.open("div").element("dt", what).element("dd", number).close();
}

void add_tiles(const RunView& view, Html& html) {
  html.open("dl", {{"class", "tiles"}});
  if (view.labelled) add_tile(html, percent(*view.summary.answered_accuracy), "answered right");
  if (const StepCurve* curve = view.headline_curve()) {
    const bool words = curve->unit == kUnitWords || curve->unit == kUnitSentences;
    if (words)
      add_tile(html, percent(curve->share_at(1)),
               (view.labelled ? "right, and certified against " : "certified against ") +
                   edits_up_to(*curve, 1));
    if (curve->median() > 0)
      add_tile(html, shown_radius(curve->median()),
               fmt::format("the certified radius that half of the texts reach, in {}",
                           counted_in(curve->operation, curve->unit)));
  }
  add_tile(html, thousands(view.summary.abstained), "texts without an answer");
  html.close();
}

void add_list(const std::vector<std::string>& lines, const char* of_class, Html& html) {
  if (lines.empty()) return;
  html.open("ul", {{"class", of_class}});
  for (const std::string& line : lines) html.element("li", prose(line));
  html.close();
}

void add_settings(const RunView& view, Html& html) {
  html.open("details").element("summary", "Settings of the run");
  html.open("dl", {{"class", "settings"}});
  html.element("dt", "folder").element("dd", printable_line(view.run.folder.string()));
  html.element("dt", "version").element("dd", printable_line(view.run.version));
  for (const Setting& setting : view.run.settings) {
    const std::string value = view.run.setting(setting.name);
    if (value.empty()) continue;
    html.element("dt", printable_line(setting.name)).element("dd", printable_line(value));
  }
  html.close().close();
}

void add_figure(Html& html, std::optional<double> share) {
  add_number(html, share ? percent(*share) : "", share);
}

// Of the texts of a class, those that are right and certified to at least 1.
size_t certified_of_class(const RunView& view, const std::string& name) {
  const auto counts = [&](const Record& record) {
    return record.label == name && record.correct() && view.headline_radius(record) >= 1;
  };
  const std::vector<Record>& records = view.run.records;
  return static_cast<size_t>(std::count_if(records.begin(), records.end(), counts));
}

void add_classes(const RunView& view, Html& html) {
  const ClassReport& report = *view.summary.classes;
  const StepCurve* curve = view.headline_curve();
  const bool counts =
      curve != nullptr && (curve->unit == kUnitWords || curve->unit == kUnitSentences);
  html.element("h3", "Per class");
  std::vector<Column> columns = {{"Class"},           {"Texts", true},     {"Right", true},
                                 {"No answer", true}, {"Precision", true}, {"Recall", true},
                                 {"F1", true}};
  if (counts)
    columns.push_back(
        {fmt::format("Right, and certified against {}", edits_up_to(*curve, 1)), true});
  open_table(html, "Results per class", columns);
  for (size_t i = 0; i < view.classes.size(); ++i) {
    const ClassFigures figures = report.figures(i);
    html.open("tr").open("th", {{"scope", "row"}}).element("bdi", view.classes[i]).close();
    for (const size_t texts : {figures.texts, figures.right, figures.abstained})
      add_number(html, thousands(texts), static_cast<double>(texts));
    add_figure(html, figures.precision);
    add_figure(html, figures.recall);
    add_figure(html, figures.f1);
    if (counts) add_share(html, certified_of_class(view, view.classes[i]), figures.texts);
    html.close();
  }
  html.close().close().close();
}

// A shade from 0 to 9 for a share.
std::string shade(size_t part, size_t whole) {
  if (whole == 0 || part == 0) return "q0";
  return fmt::format("q{}", 1 + std::min<size_t>(8, 9 * part / whole));
}

void add_confusion(const RunView& view, Html& html) {
  const ClassReport& report = *view.summary.classes;
  html.element("h3", "Which class was taken for which");
  if (view.classes.size() > kMostClassesShown) {
    open_table(html, "The most frequent confusions", {{"Label"}, {"Answer"}, {"Texts", true}});
    for (const Confusion& confusion : report.largest_confusions(kMostClassesShown)) {
      html.open("tr");
      for (const size_t name : {confusion.label, confusion.answer})
        html.open("td").element("bdi", view.classes[name]).close();
      add_number(html, thousands(confusion.texts), static_cast<double>(confusion.texts));
      html.close();
    }
    html.close().close().close();
    return;
  }
  const std::string caption = "Confusion matrix: labels down, answers across";
  html.open("div",
            {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
  html.open("table", {{"class", "confusion"}}).element("caption", caption);
  html.open("thead").open("tr").element("th", "Label", {{"scope", "col"}});
  for (const std::string& name : view.classes)
    html.open("th", {{"scope", "col"}}).element("bdi", name).close();
  html.element("th", "No answer", {{"scope", "col"}}).close().close().open("tbody");
  for (size_t label = 0; label < view.classes.size(); ++label) {
    const size_t texts = report.figures(label).texts;
    html.open("tr").open("th", {{"scope", "row"}}).element("bdi", view.classes[label]).close();
    for (size_t answer = 0; answer <= view.classes.size(); ++answer) {
      const size_t count = report.count(label, answer);
      html.open("td", {{"class", shade(count, texts) + (label == answer ? " right" : "")}});
      html.text(thousands(count));
      if (texts > 0)
        html.element("small", percent(static_cast<double>(count) / static_cast<double>(texts)));
      html.close();
    }
    html.close();
  }
  html.close().close().close();
}

void add_calibration(const RunView& view, size_t run, Html& html) {
  html.element("h3", "Do clear votes mean right answers?");
  html.element(
      "p",
      "pA is a proved lower bound on the share of noisy copies that vote for the answer; it "
      "is not a probability that the answer is right. Above the diagonal, answers are right "
      "more often than the votes are clear: the bound is cautious. Below it, clear votes "
      "promise more than they hold. A text without an answer counts by its guess.");
  html.open("figure", {{"class", "chart"}, {"data-calibration", std::to_string(run)}}).close();
  open_table(html, "Texts by pA, and how many of them are right",
             {{"pA"}, {"Texts", true}, {"Right", true}, {"Share right", true}, {"Mean pA", true}});
  for (const CalibrationBin& bin : view.calibration) {
    html.open("tr").element("th", fmt::format("{:.1f} to {:.1f}", bin.from, bin.to),
                            {{"scope", "row"}});
    add_number(html, thousands(bin.texts), static_cast<double>(bin.texts));
    add_number(html, thousands(bin.right), static_cast<double>(bin.right));
    add_share(html, bin.right, bin.texts);
    add_number(html, fmt::format("{:.3f}", bin.mean_pa), bin.mean_pa);
    html.close();
  }
  html.close().close().close();
}

void add_answers(const RunView& view, Html& html) {
  html.element("h3", "Answers");
  open_table(html, "Texts per answer", {{"Answer"}, {"Texts", true}});
  for (const auto& [name, texts] : view.summary.answers) {
    html.open("tr").open("th", {{"scope", "row"}}).element("bdi", name).close();
    add_number(html, thousands(texts), static_cast<double>(texts));
    html.close();
  }
  html.close().close().close();
}

}  // namespace

void add_summary(const RunView& view, Html& html) {
  html.element("p", prose(how_it_was_run(view)), {{"class", "how"}});
  add_tiles(view, html);
  add_list(findings(view), "findings", html);
  add_list(remarks(view), "remarks", html);
  add_settings(view, html);
}

void add_run(const Page& page, size_t number, Html& html) {
  const PageRun& run = page.runs[number];
  const RunView& view = run.view;
  html.open("section", {{"id", section_id(number)}, {"class", "run-section"}});
  if (page.runs.size() == 1) {
    html.element("h2", "The results in detail");
  } else {
    html.element("h2", view.name, {{"class", fmt::format("run c{}", number % 7)}});
    add_summary(view, html);
  }
  if (view.summary.classes) {
    add_classes(view, html);
    add_confusion(view, html);
  } else {
    add_answers(view, html);
  }
  if (!view.calibration.empty()) add_calibration(view, number, html);
  add_examples(page, run, html);
  html.element("h3", "All texts",
               {{"id", fmt::format("texts-{}", number + 1)}, {"class", "texts-head"}});
  html.open("div", {{"class", "texts"}, {"data-texts", std::to_string(number)}});
  html.element("p", "The list of all texts needs JavaScript.", {{"class", "note"}}).close();
  html.close();
}

}  // namespace textcrs
