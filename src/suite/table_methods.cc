// Tables of methods at levels of noise: certified accuracy (benchmark), clean accuracy (clean).
#include <fmt/format.h>

#include <algorithm>

#include "suite/table_parts.h"
#include "textcrs/base/spec.h"
#include "textcrs/report/threat.h"

namespace textcrs {
namespace {

constexpr const char* kCertified = "certified";

// What the run proves substitutions by: a table's candidates; "": any words.
std::string candidates_of(const RunFolder& run) {
  for (const Record& record : run.records)
    for (const std::string& table :
         {record.certification.sound.candidates, record.certification.sound.synonyms})
      if (!table.empty()) return table;
  return "";
}

// In the units of a certificate: an edit of reordering is an exchange of neighbours, which moves
// two words by a place each.
double in_units(Operation operation, double edits) {
  return operation == Operation::kReordering ? 2 * edits : edits;
}

std::string edits_in_words(double edits) {
  return shortest(edits) + (edits == 1 ? " edit" : " edits");
}

// Rows of one data set, model and level: one per number, in the order of `numbers`.
struct Group {
  std::string data, model, level;   // names; of the level with the variant's
  std::vector<std::string> labels;  // in words
  std::vector<TableRow> rows;
};

class MethodTable {
 public:
  MethodTable(const TableSource& source, const SuiteTable& wanted) : maker_(source, wanted) {}

  MadeTable run() {
    radii_ = maker_.wanted().radii;
    std::erase_if(radii_, [](double radius) { return radius <= 0; });
    if (radii_.empty()) radii_ = {1};
    numbers_ = {certifies() ? kCertified : "accuracy"};
    if (certifies())
      for (const double radius : radii_)
        for (const char* what : {"paper's formula", "proved"})
          numbers_.push_back(fmt::format("{}, {}", what, edits_in_words(radius)));
    numbers_.push_back("published");
    const std::vector<const SuiteStep*> steps = shown_steps();
    add_columns(steps);
    add_notes();
    for (const SuiteStep* const step : steps) add(*step);
    return finish();
  }

 private:
  bool certifies() const { return maker_.wanted().kind == "benchmark"; }

  // Of a method without noise its accuracy, of the others what the table is about.
  std::vector<const SuiteStep*> shown_steps() const {
    const SuiteSelection& show = maker_.wanted().show;
    std::vector<const SuiteStep*> steps = maker_.shown("evaluate", show);
    if (!certifies()) return steps;
    std::erase_if(steps, [](const SuiteStep* step) { return step->tag("operation") != "none"; });
    for (const SuiteStep* const step : maker_.shown("certify", show))
      if (step->tag("operation") != "none") steps.push_back(step);
    return steps;
  }

  // In the order of the selection; without one, of the suite.
  void add_columns(const std::vector<const SuiteStep*>& steps) {
    std::vector<std::string> order = maker_.wanted().show.methods;
    for (const SuiteMethod& method : maker_.suite().methods) order.push_back(method.name);
    for (const std::string& name : order)
      for (const SuiteStep* const step : steps)
        if (step->tag("method") == name && place_in(methods_, name) == titles_.size())
          titles_.push_back(step->tag("method-title") +
                            (certifies() && step->kind == "evaluate" ? ", accuracy" : ""));
  }

  Group& group_of(const SuiteStep& step) {
    const Group wanted = {step.tag("data"),
                          step.tag("model"),
                          level_key(step),
                          {step.tag("data-title"), step.tag("model-title"), level_label(step)},
                          {}};
    const auto same_model = [&](const Group& group) {
      return group.data == wanted.data && group.model == wanted.model;
    };
    // A method of one noise stands beside the first level of the others.
    auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      return same_model(group) && (group.level == wanted.level || wanted.level.empty());
    });
    if (found == groups_.end()) {
      found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
        return same_model(group) && group.level.empty();
      });
      if (found != groups_.end()) {
        found->level = wanted.level;
        found->labels = wanted.labels;
      }
    }
    if (found == groups_.end()) {
      auto place = groups_.end();
      while (place != groups_.begin() && !same_model(*(place - 1))) --place;
      if (place == groups_.begin()) place = groups_.end();
      found = groups_.insert(place, wanted);
      found->rows.resize(numbers_.size());
      for (TableRow& row : found->rows) row.cells.resize(methods_.size());
    }
    return *found;
  }

  void add(const SuiteStep& step) {
    Group& group = group_of(step);
    const size_t column = place_in(methods_, step.tag("method"));
    const auto cell = [&](size_t number) -> TableCell& { return group.rows[number].cells[column]; };
    const SuiteMethod* const method = method_of(maker_.suite(), step);
    if (step.kind == "evaluate") {
      const auto right = maker_.evaluation(step);
      cell(0) = right ? maker_.share(step, *right, false) : maker_.missing(step);
    } else {
      add_certified(step, cell);
    }
    if (method == nullptr) return;
    const bool plain = step.tag("operation") == "none";
    SuiteStep asked = step;
    if (plain) asked.tags["level"] = "low";  // the same at each
    cell(numbers_.size() - 1) = maker_.published(plain || !certifies() ? "clean" : "benchmark", "",
                                                 asked, method->published);
  }

  template <typename Cell>
  void add_certified(const SuiteStep& step, const Cell& cell) {
    const auto run = maker_.certification(step);
    const std::vector<const Record*> texts =
        run ? labelled_texts(*run) : std::vector<const Record*>();
    if (run && texts.empty())
      maker_.note(fmt::format("{} is not shown: its texts have no labels", step.name));
    if (texts.empty()) {
      for (size_t i = 0; i + 1 < numbers_.size(); ++i) cell(i) = maker_.missing(step);
      return;
    }
    const auto count = [&](const auto& is_counted, bool proved) {
      const auto counted = std::count_if(texts.begin(), texts.end(), [&](const Record* record) {
        return record->correct() && is_counted(*record);
      });
      return maker_.share(step, {static_cast<size_t>(counted), texts.size()}, proved);
    };
    cell(0) = count([](const Record& record) { return is_certified(record); }, true);
    const Operation operation = parse_operation(step.tag("operation"));
    const Threat threat = {
        operation, operation == Operation::kSubstitution ? candidates_of(*run) : std::string()};
    explain(step, *run, texts, threat);
    const bool formula = std::any_of(texts.begin(), texts.end(), [&](const Record* record) {
      return record->certification.paper.find(operation) != nullptr;
    });
    for (size_t i = 0; i < radii_.size(); ++i) {
      const double radius = in_units(operation, radii_[i]);
      if (formula)
        cell(1 + 2 * i) = count(
            [&](const Record& record) {
              const CertifiedSet& set = record.certification.paper;
              return set.find(operation) != nullptr && set.radius(operation) >= radius;
            },
            true);
      cell(2 + 2 * i) = count(
          [&](const Record& record) {
            return credit_against(threat, record, run->setting("noise")).radius >= radius;
          },
          true);
    }
  }

  static bool is_certified(const Record& record) {
    return record.certification.sound.certified || record.certification.paper.certified;
  }

  // Why nothing is proved, or what is.
  void explain(const SuiteStep& step, const RunFolder& run, const std::vector<const Record*>& texts,
               const Threat& threat) {
    const std::string who = step.tag("method-title");
    std::string why_not, how;
    for (const Record* const record : texts) {
      const Credit credit = credit_against(threat, *record, run.setting("noise"));
      if (how.empty()) how = credit.how;
      if (credit.speaks) why_not = kSpeaks;
      if (why_not.empty()) why_not = credit.why_not;
    }
    if (!why_not.empty() && why_not != kSpeaks)
      maker_.note(fmt::format("{}, proved: {}", who, why_not));
    if (!how.empty()) maker_.note(fmt::format("{}: {}", who, how));
    if (!threat.candidates.empty())
      maker_.note(fmt::format("{}: words are replaced by their candidates in the table {}", who,
                              threat.candidates));
  }

  void add_notes() {
    if (!certifies()) {
      maker_.note(
          "in per cent of the labelled test texts: the majority of noisy copies answers, and "
          "nothing is abstained on");
      return;
    }
    maker_.note(
        "in per cent of the labelled texts, rounded down. certified: answered right and not "
        "abstained on, which is a radius of 0 by the paper's formulas and by what is proved, and "
        "what the published numbers are (the bound of pA is above that of pB; the paper asks for "
        "more than 1/2, the same for two classes). It says that the answer is certain, and nothing "
        "of edits");
    maker_.note(
        "paper's formula: right, and the formula's radius is at least that; some of the formulas "
        "do not hold (docs/certificates.md). It counts deleted words, places moved (2 for an "
        "exchange of neighbours), ranks in lists of synonyms, and the l2 distance of embeddings "
        "for insertions");
    maker_.note(
        "proved: right, and proved to stay so under so many edits of the operation: any words "
        "inserted or deleted, words replaced by candidates, exchanges of neighbours in a "
        "reordering");
  }

  MadeTable finish() {
    MadeTable& table = maker_.table();
    table.headings = {"data", "model", "noise", "number"};
    table.columns = titles_;
    for (Group& group : groups_)
      for (size_t i = 0; i < numbers_.size(); ++i) {
        TableRow row = std::move(group.rows[i]);
        row.labels = group.labels;
        row.labels.push_back(numbers_[i]);
        table.rows.push_back(std::move(row));
      }
    return maker_.finish();
  }

  static constexpr const char* kSpeaks = "it does";

  TableMaker maker_;
  std::vector<double> radii_;
  std::vector<std::string> numbers_;           // labels of a group's rows
  std::vector<std::string> methods_, titles_;  // per column
  std::vector<Group> groups_;
};

}  // namespace

MadeTable make_method_table(const TableSource& source, const SuiteTable& table) {
  return MethodTable(source, table).run();
}

}  // namespace textcrs
