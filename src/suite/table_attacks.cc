// Tables of attacks, a column each: what they leave of a model (attack-accuracy), and what a judge
// says of the texts they made (judge).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/attack_columns.h"
#include "suite/table_parts.h"

namespace textcrs {
namespace {

// "BiLSTM"; the method, too, where a table has several.
std::vector<std::string> attacked_labels(const SuiteStep& step, bool methods) {
  std::vector<std::string> labels = {step.tag("data-title"), step.tag("model-title")};
  if (!methods) return labels;
  const std::string level = level_label(step);
  labels.push_back(step.tag("method-title") + (level.empty() ? "" : ", " + level));
  return labels;
}

// Rows of a model: `numbers` of ours, each followed by what is published of it.
class AttackTable {
 public:
  AttackTable(const TableSource& source, const SuiteTable& wanted, const std::string& kind,
              std::vector<std::string> numbers)
      : maker_(source, wanted),
        steps_(maker_.shown(kind, wanted.show)),
        columns_(maker_.suite(), steps_),
        numbers_(std::move(numbers)) {
    std::vector<std::string> methods;
    for (const SuiteStep* const step : steps_)
      place_in(methods, step->tag("method") + "." + step->tag("level"));
    methods_ = methods.size() > 1;
    maker_.table().headings = {"data", "model"};
    if (methods_) maker_.table().headings.push_back("attacked");
    maker_.table().headings.push_back("number");
    maker_.table().columns = columns_.titles();
  }

  TableMaker& maker() { return maker_; }
  const std::vector<const SuiteStep*>& steps() const { return steps_; }

  // `cells` are ours, one per number. Published are those of a model without noise.
  void add(const SuiteStep& step, const std::vector<TableCell>& cells,
           const std::vector<std::string>& published_methods) {
    const size_t group = group_of(step), column = columns_.place_of(step);
    const SuiteMethod* const method = method_of(maker_.suite(), step);
    const bool plain = method != nullptr && method->operation == "none";
    for (size_t i = 0; i < numbers_.size(); ++i) {
      maker_.table().rows[group + 2 * i].cells[column] = cells[i];
      if (plain)
        maker_.table().rows[group + 2 * i + 1].cells[column] = maker_.published(
            maker_.wanted().kind, published_methods[i], step, columns_.published(step));
    }
  }

 private:
  size_t group_of(const SuiteStep& step) {
    const std::vector<std::string> labels = attacked_labels(step, methods_);
    const size_t place =
        place_in(groups_, fmt::format("{}\n{}\n{}\n{}", step.tag("data"), step.tag("model"),
                                      step.tag("method"), level_key(step)));
    const size_t first = place * 2 * numbers_.size();
    std::vector<TableRow>& rows = maker_.table().rows;
    if (first < rows.size()) return first;
    for (const std::string& number : numbers_)
      for (const bool published : {false, true}) {
        TableRow row = {labels, {}};
        row.labels.push_back(published ? "published" : number);
        row.cells.resize(maker_.table().columns.size());
        rows.push_back(std::move(row));
      }
    return first;
  }

  TableMaker maker_;
  std::vector<const SuiteStep*> steps_;
  AttackColumns columns_;
  std::vector<std::string> numbers_;
  bool methods_ = false;
  std::vector<std::string> groups_;  // names of data, model, method and level
};

}  // namespace

MadeTable make_attack_table(const TableSource& source, const SuiteTable& wanted) {
  AttackTable table(source, wanted, "attack", {"attack accuracy"});
  TableMaker& maker = table.maker();
  for (const SuiteStep* const step : table.steps()) {
    const auto records = maker.attack(*step);
    CountedShare left;
    if (records)
      for (const AttackRecord& record : *records) {
        left.all += record.attempted();
        left.count += record.attempted() && record.after == record.label;
      }
    table.add(*step, {records ? maker.share(*step, left, false) : maker.missing(*step)}, {""});
  }
  maker.note(
      "in per cent of the texts that were answered right before and attacked: those that are still "
      "answered right after the attack");
  return maker.finish();
}

MadeTable make_judge_table(const TableSource& source, const SuiteTable& wanted) {
  AttackTable table(source, wanted, "judge",
                    {"deception rate", "similarity", "similarity, deceiving"});
  TableMaker& maker = table.maker();
  std::vector<std::string> judges;
  for (const SuiteStep* const step : table.steps()) {
    const auto counts = maker.judge(*step);
    const auto mean = [&](const std::optional<double>& value) {
      return value ? maker.number(*step, *value, 3) : maker.missing(*step);
    };
    if (counts) place_in(judges, counts->judge);
    if (counts)
      table.add(*step,
                {maker.share(*step, counts->same, false), mean(counts->similarity),
                 mean(counts->similarity_of_same)},
                {"deception", "similarity", "similarity-of-same"});
    else
      table.add(*step, {maker.missing(*step), maker.missing(*step), maker.missing(*step)},
                {"deception", "similarity", "similarity-of-same"});
  }
  maker.note(fmt::format(
      "deception rate: in per cent of the successful attacks, those whose text the judge ({}) "
      "takes "
      "for the same as the original; similarity: mean cosine of the sentences' vectors over all "
      "successes, and over those that deceive",
      fmt::join(judges, ", ")));
  return maker.finish();
}

}  // namespace textcrs
