#include <fmt/format.h>

#include <algorithm>

#include "page/run_words.h"
#include "page/sections.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr size_t kTextsShown = 6;

std::string finding(const AttackView& attack) {
  const AttackSummary& s = attack.summary;
  std::string said =
      fmt::format("{} of {} texts were answered right and attacked, {} with success",
                  thousands(s.attempted), thousands(s.texts), thousands(s.succeeded));
  said += fmt::format(": accuracy {} before, {} after.", percent(s.accuracy_before),
                      percent(s.accuracy_after));
  if (s.words_changed)
    said += fmt::format(" A success changed {:.1f} words ({}).", *s.words_changed,
                        percent(*s.share_changed));
  if (s.queries_per_attempt)
    said += fmt::format(" {:.0f} questions to the model per text.", *s.queries_per_attempt);
  if (s.similarity) said += fmt::format(" Similarity of the texts: {:.3f}.", *s.similarity);
  return said;
}

void add_models(const AttackView& attack, Html& html) {
  if (attack.summary.models.empty()) return;
  open_table(html, "What certified models say of the edited texts",
             {{"Model"},
              {"Of"},
              {"Texts", true},
              {"Right", true},
              {"Other answer", true},
              {"No answer", true},
              {"Certified before", true},
              {"Covered", true}});
  for (const AttackSummary::Model& model : attack.summary.models)
    for (const bool all : {true, false}) {
      const AttackSummary::Counts& counts = all ? model.all : model.successes;
      html.open("tr").element("th", printable_line(model.name), {{"scope", "row"}});
      html.element("td", all ? "all edited texts" : "successes");
      add_number(html, thousands(counts.texts), static_cast<double>(counts.texts));
      for (const size_t part :
           {counts.right, counts.flipped, counts.abstained, counts.certified, counts.covered})
        add_share(html, part, counts.texts);
      html.close();
    }
  html.close().close().close();
}

void add_contradictions(const AttackView& attack, Html& html) {
  if (attack.summary.contradictions.empty()) return;
  html.open("ul", {{"class", "remarks"}});
  for (const AttackSummary::Contradiction& contradiction : attack.summary.contradictions)
    html.element("li", prose("A certificate did not hold: " + in_words(contradiction)));
  html.close();
}

void add_edited(const AttackRecord& record, Html& html) {
  html.open("article", {{"class", "example"}});
  html.open("h5").text(fmt::format("Text {}", record.id));
  if (record.key) html.text(" · ").element("bdi", printable_line(*record.key));
  html.close();
  html.open("p", {{"class", "verdict"}});
  html.open("strong", {{"class", "right"}}).element("bdi", printable_line(record.before)).close();
  html.text(" becomes ");
  html.open("strong", {{"class", "wrong"}}).element("bdi", printable_line(record.after)).close();
  html.text(fmt::format(" · {} of {} words changed · {} question{}", record.differences.size(),
                        record.words, thousands(record.queries), record.queries == 1 ? "" : "s"));
  html.close();
  html.open("p", {{"class", "changes"}});
  for (size_t i = 0; i < record.differences.size(); ++i) {
    const WordDifference& difference = record.differences[i];
    if (i > 0) html.text(", ");
    if (difference.before) html.element("del", *difference.before);
    if (difference.before && difference.after) html.text(" ");
    if (difference.after) html.element("ins", *difference.after);
  }
  html.close();
  html.element("p", record.adversarial, {{"class", "example-text"}, {"dir", "auto"}});
  html.close();
}

}  // namespace

void add_attack(const AttackView& attack, size_t number, Html& html) {
  html.open("section", {{"id", fmt::format("attack-{}", number + 1)}, {"class", "run-section"}});
  html.element("h2", "Attack: " + attack.name);
  html.element("p",
               prose(fmt::format("Recipe {}, on {}.", printable_line(attack.recipe),
                                 printable_line(attack.data))),
               {{"class", "how"}});
  html.open("ul", {{"class", "findings"}}).element("li", prose(finding(attack))).close();
  if (!attack.complete)
    html.open("ul", {{"class", "remarks"}})
        .element("li", "The run was not complete when this was written: more texts will follow.")
        .close();
  add_contradictions(attack, html);
  add_models(attack, html);
  const auto texts = nearest_successes(attack, kTextsShown);
  if (!texts.empty()) {
    html.element("h3", "The successes that changed the fewest words");
    html.open("div", {{"class", "examples"}});
    for (const AttackRecord* record : texts) add_edited(*record, html);
    html.close();
  }
  html.close();
}

}  // namespace textcrs
