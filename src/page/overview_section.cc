#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "page/run_words.h"
#include "page/sections.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr size_t kMostColumns = 9;
constexpr double kDigits[] = {1, 2, 5};

// 0, then 1, 2, 5, 10 .. up to the largest finite radius of the curves (and 3, where certificates
// often end), then any. Of radii that are no whole numbers, those of the last three powers of ten.
std::vector<double> radii_to_show(const std::vector<const StepCurve*>& curves) {
  double largest = 0;
  bool whole = true, unlimited = false;
  for (const StepCurve* curve : curves)
    for (const double radius : curve->radii) {
      unlimited = unlimited || std::isinf(radius);
      if (std::isinf(radius)) continue;
      largest = std::max(largest, radius);
      whole = whole && radius == std::floor(radius);
    }
  std::vector<double> radii = {0};
  const int top = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : -1;
  for (int power = whole ? 0 : top - 2; power <= top; ++power)
    for (const double digit : kDigits) {
      const double radius = power >= 0 ? digit * std::pow(10, power) : digit / std::pow(10, -power);
      if (radius <= largest) radii.push_back(radius);
      if (radius == 2 && largest >= 3) radii.push_back(3);
    }
  if (radii.size() > kMostColumns) radii.resize(kMostColumns);
  if (unlimited) radii.push_back(kUnlimited);
  return radii;
}

std::string samples_of(const Description& d) {
  return d.samples && d.is_smoothed() ? thousands(d.certifier.estimation_samples) : "";
}

void add_runs_table(const Page& page, Html& html) {
  open_table(html, "The runs",
             {{"Run"},
              {"Texts", true},
              {"Data"},
              {"Model"},
              {"Noise"},
              {"Copies per text", true},
              {"Right", true},
              {"Abstained", true},
              {"Certified against one edit", true}});
  for (size_t i = 0; i < page.runs.size(); ++i) {
    const RunView& view = page.runs[i].view;
    const Description& d = view.description;
    html.open("tr").open("th", {{"scope", "row"}});
    html.element(
        "a", view.name,
        {{"href", fmt::format("#{}", section_id(i))}, {"class", fmt::format("run c{}", i % 7)}});
    html.close();
    add_number(html, thousands(view.summary.texts), static_cast<double>(view.summary.texts));
    html.element("td", printable_line(view.run.data_name()), {{"class", "short"}});
    html.element("td", printable_line(d.architecture.empty() ? "–" : d.architecture));
    html.element("td", printable_line(d.noise));
    add_number(html, samples_of(d),
               samples_of(d).empty() ? std::nullopt
                                     : std::optional<double>(d.certifier.estimation_samples));
    add_number(html, view.labelled ? percent(*view.summary.answered_accuracy) : "",
               view.summary.answered_accuracy);
    add_number(html, thousands(view.summary.abstained),
               static_cast<double>(view.summary.abstained));
    const StepCurve* curve = view.headline_curve();
    const bool edits = curve != nullptr && curve->operation == Operation::kEdit;
    add_number(html, edits ? percent(curve->share_at(1)) : "",
               edits ? std::optional<double>(curve->share_at(1)) : std::nullopt);
    html.close();
  }
  html.close().close().close();
}

struct Row {
  const PageRun* run = nullptr;
  size_t number = 0;
  const StepCurve* curve = nullptr;
};

// A table per unit: radii of different units are not compared.
void add_curve_table(const Page& page, const std::string& unit, bool proved, Html& html) {
  std::vector<Row> rows;
  std::vector<const StepCurve*> curves;
  for (size_t i = 0; i < page.runs.size(); ++i)
    for (const StepCurve& curve : proved ? page.runs[i].view.sound : page.runs[i].view.paper)
      if (curve.unit == unit) {
        rows.push_back({&page.runs[i], i, &curve});
        curves.push_back(&curve);
      }
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return place_of(a.curve->operation) < place_of(b.curve->operation);
  });
  const std::vector<double> radii = radii_to_show(curves);
  std::vector<Column> columns = {{"Operation"}};
  if (page.runs.size() > 1) columns.insert(columns.begin(), {"Run"});
  for (const double radius : radii) columns.push_back({shown_radius(radius), true});
  open_table(html,
             fmt::format("{}, by the radius in {}",
                         proved ? "Certified"
                                : "Not proved: by the "
                                  "paper's formulas",
                         unit == kUnitDisplacement ? "places moved in all" : unit),
             columns);
  for (const Row& row : rows) {
    html.open("tr");
    if (page.runs.size() > 1)
      html.element("th", row.run->view.name,
                   {{"scope", "row"}, {"class", fmt::format("run c{}", row.number % 7)}});
    html.element(page.runs.size() > 1 ? "td" : "th", to_string(row.curve->operation));
    for (const double radius : radii) add_share(html, row.curve->texts_at(radius), row.curve->all);
    html.close();
  }
  html.close().close().close();
}

std::set<std::string> units_of(const Page& page, bool proved) {
  std::set<std::string> units;
  for (const PageRun& run : page.runs)
    for (const StepCurve& curve : proved ? run.view.sound : run.view.paper)
      units.insert(curve.unit);
  return units;
}

// Words and sentences first: what most readers look for.
std::vector<std::string> in_order(const std::set<std::string>& units) {
  std::vector<std::string> order = {kUnitWords, kUnitSentences};
  for (const std::string& unit : units)
    if (unit != kUnitWords && unit != kUnitSentences) order.push_back(unit);
  return order;
}

std::string what_is_shown(const Page& page) {
  bool labelled = false, unlabelled = false;
  for (const PageRun& run : page.runs) (run.view.labelled ? labelled : unlabelled) = true;
  const std::string right =
      "the share of the texts that are answered right and whose answer provably stays, whatever "
      "edit up to the radius is made";
  const std::string kept = "the share of all texts, right or wrong, whose answer provably stays";
  if (!unlabelled) return "Certified accuracy: " + right + ".";
  if (!labelled) return "Certified share: " + kept + ", whatever edit up to the radius is made.";
  return "Certified accuracy: " + right + "; of runs without labels, " + kept + ".";
}

void add_data_note(const Page& page, Html& html) {
  std::set<std::string> data;
  for (const PageRun& run : page.runs) data.insert(run.view.run.setting("data"));
  if (data.size() > 1)
    html.element("p",
                 "The runs are not all about the same texts: their shares differ for that "
                 "reason, too.",
                 {{"class", "note"}});
}

}  // namespace

std::string section_id(size_t run) { return fmt::format("run-{}", run + 1); }

void open_table(Html& html, const std::string& caption, const std::vector<Column>& columns) {
  html.open("div",
            {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
  html.open("table", {{"class", "sortable"}}).element("caption", caption);
  html.open("thead").open("tr");
  for (const Column& column : columns)
    html.element("th", column.name, {{"scope", "col"}, {"class", column.number ? "n" : ""}});
  html.close().close().open("tbody");
}

void add_number(Html& html, const std::string& shown, std::optional<double> value) {
  if (value)
    html.element("td", shown, {{"class", "n"}, {"data-sort", shortest(*value)}});
  else
    html.element("td", "–", {{"class", "n none"}, {"data-sort", ""}});
}

void add_share(Html& html, size_t part, size_t whole) {
  if (whole == 0) return add_number(html, "", std::nullopt);
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  html.element("td", percent(share),
               {{"class", "n"},
                {"data-sort", shortest(share)},
                {"title", fmt::format("{} of {} texts", part, whole)}});
}

void add_overview(const Page& page, Html& html) {
  html.open("section", {{"id", "overview"}});
  if (page.runs.size() > 1) {
    html.element("h2", "Overview");
    add_data_note(page, html);
    add_runs_table(page, html);
  } else {
    add_summary(page.runs.front().view, html);
  }
  const std::set<std::string> proved = units_of(page, true), not_proved = units_of(page, false);
  if (!proved.empty()) {
    html.element("h2", "How much editing is harmless", {{"id", "curves"}});
    html.element("p", what_is_shown(page));
    html.open("figure", {{"class", "chart"}, {"data-chart", "sound"}}).close();
    for (const std::string& unit : in_order(proved)) add_curve_table(page, unit, true, html);
  }
  if (!not_proved.empty()) {
    html.open("details", {{"class", "unproved"}});
    html.element("summary", "Not proved: radii by the paper's formulas");
    html.element("p",
                 "These numbers come from formulas that have no valid proof for real edits of "
                 "words. They are shown for comparison only, and are part of nothing else on this "
                 "page.");
    html.open("figure", {{"class", "chart"}, {"data-chart", "paper"}}).close();
    for (const std::string& unit : in_order(not_proved)) add_curve_table(page, unit, false, html);
    html.close();
  }
  html.close();
}

}  // namespace textcrs
