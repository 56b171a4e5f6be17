#include "textcrs/report/attack_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "report/json_parts.h"
#include "report/percent.h"
#include "report/text_table.h"
#include "text/utf8.h"
#include "textcrs/base/counted.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

void count(const AttackRecord& record, const DefenceRecord& model, AttackSummary::Counts& counts) {
  const bool certified = model.certified && model.clean == record.label;
  ++counts.texts;
  counts.right += !model.edited_abstained && model.edited == record.label;
  counts.flipped += model.flipped();
  counts.abstained += model.edited_abstained;
  counts.certified += certified;
  counts.covered += certified && model.covered;
}

using Places = std::map<std::string, size_t, std::less<>>;  // of models in the summary, by name

void add_models(const AttackRecord& record, Places& places, AttackSummary& summary) {
  AttackSummary::Contradiction contradiction;
  for (const DefenceRecord& asked : record.models) {
    const auto [place, is_new] = places.try_emplace(asked.name, summary.models.size());
    if (is_new) summary.models.emplace_back().name = asked.name;
    AttackSummary::Model& model = summary.models[place->second];
    count(record, asked, model.all);
    if (record.succeeded()) count(record, asked, model.successes);
    if (!asked.contradicted()) continue;
    ++model.contradicted;
    contradiction.models.push_back({asked.name, asked.why});
  }
  if (contradiction.models.empty()) return;
  contradiction.id = record.id;
  contradiction.original = record.original;
  contradiction.adversarial = record.adversarial;
  summary.contradictions.push_back(std::move(contradiction));
}

std::optional<double> mean(double sum, size_t count) {
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

ordered_json counts_to_json(const AttackSummary::Counts& counts) {
  return {{"texts", counts.texts},         {"right", counts.right},
          {"flipped", counts.flipped},     {"abstained", counts.abstained},
          {"certified", counts.certified}, {"covered", counts.covered}};
}

// A text for a terminal, in one line.
std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const PrintableCharacter next = first_printable(text);
    shown += next.shown;
    text.remove_prefix(next.bytes);
  }
  return shown;
}

// The share of all texts of the counts, in %.
std::string percent(size_t part, const AttackSummary::Counts& counts) {
  if (counts.texts == 0) return "-";
  return fmt::format(
      "{:.1f}", percent_from_below(static_cast<double>(part) / static_cast<double>(counts.texts)));
}

}  // namespace

AttackSummary summarize(const std::vector<AttackRecord>& records) {
  AttackSummary summary;
  Places places;
  size_t with_similarity = 0, right_after = 0;
  double changed = 0, share = 0, similarity = 0;
  for (const AttackRecord& record : records) {
    ++summary.texts;
    summary.seconds += record.seconds;
    if (!record.attempted()) continue;
    ++summary.attempted;
    summary.queries += record.queries;
    summary.spent += record.status == AttackStatus::kSpent;
    right_after += record.after == record.label;
    add_models(record, places, summary);
    if (!record.succeeded()) continue;
    ++summary.succeeded;
    const auto words = static_cast<double>(record.differences.size());
    changed += words;
    share += words / static_cast<double>(std::max<size_t>(record.words, 1));
    if (!record.similarity) continue;
    ++with_similarity;
    similarity += *record.similarity;
  }
  summary.attack_accuracy = mean(static_cast<double>(right_after), summary.attempted);
  summary.accuracy_before = mean(static_cast<double>(summary.attempted), summary.texts).value_or(0);
  summary.accuracy_after = mean(static_cast<double>(right_after), summary.texts).value_or(0);
  summary.words_changed = mean(changed, summary.succeeded);
  summary.share_changed = mean(share, summary.succeeded);
  summary.similarity = mean(similarity, with_similarity);
  summary.queries_per_attempt = mean(static_cast<double>(summary.queries), summary.attempted);
  return summary;
}

std::string to_json(const AttackSummary& summary) {
  ordered_json json = {{"texts", summary.texts},         {"attempted", summary.attempted},
                       {"succeeded", summary.succeeded}, {"spent", summary.spent},
                       {"queries", summary.queries},     {"seconds", summary.seconds}};
  if (summary.attack_accuracy) json["attack_accuracy"] = *summary.attack_accuracy;
  json["accuracy_before"] = summary.accuracy_before;
  json["accuracy_after"] = summary.accuracy_after;
  if (summary.share_changed) json["share_changed"] = *summary.share_changed;
  if (summary.words_changed) json["words_changed"] = *summary.words_changed;
  if (summary.similarity) json["similarity"] = *summary.similarity;
  if (summary.queries_per_attempt) json["queries_per_attempt"] = *summary.queries_per_attempt;
  for (const AttackSummary::Model& model : summary.models)
    json["models"].push_back({{"name", model.name},
                              {"all", counts_to_json(model.all)},
                              {"successes", counts_to_json(model.successes)},
                              {"contradicted", model.contradicted}});
  for (const AttackSummary::Contradiction& each : summary.contradictions) {
    ordered_json models = ordered_json::array();
    for (const auto& [model, why] : each.models) models.push_back({{"name", model}, {"why", why}});
    json["contradictions"].push_back({{"id", each.id},
                                      {"original", each.original},
                                      {"adversarial", each.adversarial},
                                      {"models", std::move(models)}});
  }
  return json.dump(2) + "\n";
}

std::string in_words(const AttackSummary& summary) {
  std::string text =
      fmt::format("{} of {} answered right and attacked, {} with success", summary.attempted,
                  counted(summary.texts, "text"), summary.succeeded);
  if (summary.attack_accuracy)
    text += fmt::format(": attack accuracy {:.1f} % (of those attacked, not turned)",
                        100 * *summary.attack_accuracy);
  text += fmt::format("\naccuracy {:.1f} % before, {:.1f} % after", 100 * summary.accuracy_before,
                      100 * summary.accuracy_after);
  if (summary.queries_per_attempt)
    text += fmt::format("; {:.0f} queries per text", *summary.queries_per_attempt);
  if (summary.words_changed)
    text += fmt::format("; {:.1f} words changed ({:.1f} %)", *summary.words_changed,
                        100 * *summary.share_changed);
  if (summary.similarity) text += fmt::format("; similarity {:.3f}", *summary.similarity);
  if (summary.spent > 0)
    text += fmt::format("\n{} ended with the budget of queries", counted(summary.spent, "text"));
  text += '\n';
  if (summary.models.empty()) return text;
  std::vector<TextRow> rows = {{"of the edited texts, in %", "texts", "right", "flipped",
                                "abstained", "certified clean", "covered"}};
  for (const bool all : {false, true})
    for (const AttackSummary::Model& model : summary.models) {
      const AttackSummary::Counts& counts = all ? model.all : model.successes;
      rows.push_back({printable_name(model.name) + (all ? ", all" : ", successes"),
                      std::to_string(counts.texts), percent(counts.right, counts),
                      percent(counts.flipped, counts), percent(counts.abstained, counts),
                      percent(counts.certified, counts), percent(counts.covered, counts)});
    }
  return text + '\n' + align(rows);
}

std::string in_words(const AttackSummary::Contradiction& contradiction) {
  std::vector<std::string> whose;
  for (const auto& [model, why] : contradiction.models)
    whose.push_back(fmt::format("{} ({})", printable_name(model), printable(why)));
  return fmt::format(
      "text {}: the {} an edited text, and the answer for it is another; the original: \"{}\"; the "
      "edited text: \"{}\"",
      contradiction.id,
      whose.size() == 1 ? fmt::format("certificate of {} covers", whose[0])
                        : fmt::format("certificates of {} cover", fmt::join(whose, ", ")),
      printable(contradiction.original), printable(contradiction.adversarial));
}

}  // namespace textcrs
