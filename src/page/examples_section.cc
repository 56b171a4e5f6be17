#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "page/run_words.h"
#include "page/sections.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr size_t kMostWordsShown = 1200;  // of an example; the rest is cut
constexpr size_t kMostBytesShown = 8000;  // of one without colours
constexpr size_t kMostWordsListed = 8;
constexpr double kShades = 4;

// The largest change of a word, for the shades.
double largest_change(const Explanation& explanation) {
  double largest = 0;
  for (const Influence& word : explanation.words)
    largest = std::max(largest, std::abs(word.change));
  return largest;
}

// Removing the word lowers the share of the answer: the word speaks for it. Empty for a change that
// is small beside the largest.
std::string class_of(const Influence& word, double largest) {
  const int shade = static_cast<int>(std::lround(kShades * std::abs(word.change) / largest));
  if (shade == 0) return "";
  return fmt::format("{} s{}", word.change < 0 ? "for" : "against", shade);
}

std::string share_without(const Explanation& explanation, const Influence& word) {
  return percent(explanation.share + word.change);
}

void add_coloured_words(const ShownText& example, const std::string& unit, Html& html) {
  const Explanation& explanation = *example.explanation;
  const double largest = largest_change(explanation);
  std::map<size_t, const Influence*> influence_at;
  for (const Influence& word : explanation.words)
    for (const size_t place : word.positions) influence_at[place] = &word;
  html.open("p", {{"class", "example-text"}, {"dir", "auto"}});
  const size_t shown = std::min(example.words.size(), kMostWordsShown);
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) html.text(" ");
    const auto influence = influence_at.find(i);
    if (influence == influence_at.end())
      html.text(example.words[i]);
    else
      html.element("span", example.words[i],
                   {{"class", class_of(*influence->second, largest)},
                    {"title", fmt::format("without this {}: {} of the votes", unit,
                                          share_without(explanation, *influence->second))}});
  }
  if (shown < example.words.size())
    html.text(fmt::format(" … ({} more {}s)", example.words.size() - shown, unit));
  html.close();
}

void add_influences(const Explanation& explanation, const std::string& unit, Html& html) {
  const std::string how = explanation.copies == 0
                              ? "counted exactly"
                              : fmt::format("measured with {} noisy copies each, not proved",
                                            thousands(explanation.copies));
  if (explanation.words.empty()) {
    html.element("p", fmt::format("No {}'s removal changes the votes ({}).", unit, how),
                 {{"class", "note"}});
    return;
  }
  html.open("p", {{"class", "influences"}});
  html.text(prose(
      fmt::format("{} of the votes are for the answer; without ", percent(explanation.share))));
  const size_t listed = std::min(explanation.words.size(), kMostWordsListed);
  for (size_t i = 0; i < listed; ++i) {
    const Influence& word = explanation.words[i];
    if (i > 0) html.text(", ");
    html.element("bdi", word.word, {{"class", word.change < 0 ? "for s2" : "against s2"}});
    html.text(" ").text(prose(share_without(explanation, word)));
  }
  html.text(fmt::format(" ({}).", how)).close();
}

void add_example(const RunView& view, const ShownText& example, Html& html) {
  const Record& record = view.run.records[example.record];
  html.open("article", {{"class", "example"}});
  html.open("h5");
  html.text(fmt::format("Text {}", record.id));
  if (record.key) html.text(" · ").element("bdi", printable_line(*record.key));
  html.close();
  html.open("p", {{"class", "verdict"}});
  if (record.certification.abstained)
    html.element("strong", "no answer");
  else
    html.open("strong", {{"class", record.label ? (record.correct() ? "right" : "wrong") : ""}})
        .element("bdi", printable_line(record.prediction))
        .close();
  if (record.label) html.text(" · label ").element("bdi", printable_line(*record.label));
  html.text(fmt::format(" · {} {}{}", thousands(record.words), record.unit,
                        record.words == 1 ? "" : "s"));
  html.close();
  if (example.explanation)
    add_coloured_words(example, record.unit, html);
  else if (record.text)
    html.element("p", start_of(*record.text, kMostBytesShown),
                 {{"class", "example-text"}, {"dir", "auto"}});
  html.element("p", prose(view.said[example.record]), {{"class", "said"}});
  if (example.explanation) add_influences(*example.explanation, record.unit, html);
  html.close();
}

bool any_coloured(const PageRun& run) {
  for (const ExampleGroup& group : run.examples)
    for (const ShownText& example : group.examples)
      if (example.explanation) return true;
  return false;
}

}  // namespace

void add_examples(const Page& page, const PageRun& run, Html& html) {
  if (run.examples.empty()) return;
  const std::string unit = run.view.summary.unit;
  html.element("h3", "Examples");
  if (!run.view.has_texts())
    html.element("p", "The run kept no texts. " + page.how_to_keep_texts, {{"class", "note"}});
  else if (any_coloured(run)) {
    html.open("p", {{"class", "legend"}});
    html.text(fmt::format(
        "Every {} is coloured by what the votes become without it, wherever it stands: it ", unit));
    html.element("span", "speaks for the answer", {{"class", "for s3"}}).text(" ");
    html.element("span", "speaks against it", {{"class", "against s3"}}).text(".").close();
  } else
    html.element("p",
                 fmt::format("The {}s are not coloured by their influence: {}. {}", unit,
                             run.no_colours, page.how_to_colour),
                 {{"class", "note"}});
  for (const ExampleGroup& group : run.examples) {
    html.element("h4", group.title).element("p", group.what, {{"class", "what"}});
    html.open("div", {{"class", "examples"}});
    for (const ShownText& example : group.examples) add_example(run.view, example, html);
    html.close();
  }
}

}  // namespace textcrs
