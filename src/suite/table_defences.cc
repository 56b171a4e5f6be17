// Tables of what certified models make of edited texts: each by its own (certified-attacks), or
// insertion smoothing against every attack (universality).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/attack_columns.h"
#include "suite/table_parts.h"
#include "textcrs/report/attack_summary.h"

namespace textcrs {
namespace {

constexpr const char* kTarget = "target";  // the attacked model, where it proves something itself

bool names(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

// METHOD or METHOD.LEVEL
struct Reference {
  explicit Reference(const std::string& text)
      : method(text.substr(0, text.find('.'))),
        level(text.find('.') == std::string::npos ? "" : text.substr(text.find('.') + 1)) {}
  std::string method, level;
};

class DefenceTable {
 public:
  DefenceTable(const TableSource& source, const SuiteTable& wanted)
      : maker_(source, wanted),
        steps_(maker_.shown("attack", of_attacks(wanted.show))),
        columns_(maker_.suite(), steps_) {}

  MadeTable run() {
    maker_.table().headings = {"data", "attacked", "read by", "number"};
    maker_.table().columns = columns_.titles();
    for (const SuiteStep* const step : steps_) add(*step);
    for (const Published& one : published_)
      cell(*one.step, one.reader, one.reader, "published") = one.cell;
    for (Group& group : groups_)
      for (TableRow& row : group.rows) maker_.table().rows.push_back(std::move(row));
    add_notes();
    return maker_.finish();
  }

 private:
  struct Group {
    std::string key;                  // names of data and of the attacked model
    std::vector<std::string> labels;  // the same in words
    std::vector<std::string> keys;    // per row
    std::vector<TableRow> rows;
  };

  bool universal() const { return maker_.wanted().kind == "universality"; }

  // Methods and levels of these tables are those of the models that read, not of the attacked.
  static SuiteSelection of_attacks(SuiteSelection show) {
    show.methods.clear();
    show.levels.clear();
    return show;
  }

  bool is_shown(const std::string& defence) const {
    const Reference reference(defence);
    const SuiteSelection& show = maker_.wanted().show;
    return names(show.methods, reference.method) && names(show.levels, reference.level);
  }

  const SuiteMethod* method_of(const std::string& defence) const {
    for (const SuiteMethod& method : maker_.suite().methods)
      if (method.name == Reference(defence).method) return &method;
    return nullptr;
  }

  std::string title_of(const std::string& defence) const {
    if (defence == kTarget) return "itself";
    const SuiteMethod* const method = method_of(defence);
    const Reference reference(defence);
    const std::string title = method == nullptr ? reference.method : method->title;
    return reference.level.empty() ? title : title + ", " + reference.level;
  }

  Group& group_of(const SuiteStep& step) {
    std::string attacked = step.tag("model-title");
    const SuiteMethod* const method = method_of(step.tag("method"));
    if (method == nullptr || method->operation != "none") {
      attacked += ", " + step.tag("method-title");
      if (const std::string level = level_label(step); !level.empty()) attacked += ", " + level;
    }
    const std::vector<std::string> labels = {step.tag("data-title"), attacked};
    const std::string key = fmt::format("{}\n{}\n{}\n{}", step.tag("data"), step.tag("model"),
                                        step.tag("method"), level_key(step));
    for (Group& group : groups_)
      if (group.key == key) return group;
    groups_.push_back({key, labels, {}, {}});
    return groups_.back();
  }

  // Of the row of a reader, which `name` tells from others of the same title.
  TableCell& cell(const SuiteStep& step, const std::string& name, const std::string& reader,
                  const std::string& number) {
    Group& group = group_of(step);
    const size_t place = place_in(group.keys, name + "\n" + number);
    if (place == group.rows.size()) {
      TableRow row = {group.labels, {}};
      row.labels.insert(row.labels.end(), {reader, number});
      row.cells.resize(maker_.table().columns.size());
      group.rows.push_back(std::move(row));
    }
    return group.rows[place].cells[columns_.place_of(step)];
  }

  void add(const SuiteStep& step) {
    const SuiteAttack* const attack = attack_of(maker_.suite(), step);
    const bool any =
        attack != nullptr && std::any_of(attack->against.begin(), attack->against.end(),
                                         [&](const auto& d) { return is_shown(d); });
    const auto records = maker_.attack(step);
    if (!records) {
      if (any)
        for (const std::string& defence : attack->against)
          if (is_shown(defence))
            for (const char* number : {kRight, kCovered})
              cell(step, defence, title_of(defence), number) = maker_.missing(step);
    } else {
      const AttackSummary summary = summarize(*records);
      for (const AttackSummary::Model& model : summary.models) {
        if (!is_shown(model.name)) continue;
        contradicted_ += model.contradicted;
        covered_ += model.all.covered;
        asked_ += model.all.texts;
        const auto share = [&](size_t count, bool proved) {
          return maker_.share(step, {count, model.successes.texts}, proved);
        };
        cell(step, model.name, title_of(model.name), kRight) = share(model.successes.right, true);
        cell(step, model.name, title_of(model.name), kCovered) =
            share(model.successes.covered, true);
      }
    }
    add_published(step, attack);
  }

  // Of the methods that the table shows.
  void add_published(const SuiteStep& step, const SuiteAttack* attack) {
    if (attack == nullptr) return;
    if (universal()) {
      put_published(step, "insertion", "", *attack);
      return;
    }
    std::vector<std::string> methods;
    for (const SuiteAttack& one : maker_.suite().attacks)
      for (const std::string& defence : one.against)
        if (const SuiteMethod* const method = method_of(defence);
            method != nullptr && is_shown(defence) && !method->published.empty())
          place_in(methods, maker_.has_published(maker_.wanted().kind, method->published)
                                ? method->published
                                : kOwn);
    for (const std::string& method : methods)
      put_published(step, method == kOwn ? "Text-CRS, by operation" : method, method, *attack);
  }

  void put_published(const SuiteStep& step, const std::string& reader, const std::string& method,
                     const SuiteAttack& attack) {
    const TableCell found = maker_.published(maker_.wanted().kind, method, step, attack.published);
    if (found.kind == TableCell::Kind::kEmpty) return;
    published_.push_back({&step, reader, found});
  }

  void add_notes() {
    maker_.note(
        "in per cent of the texts that turned the attacked model, rounded down. right: answered "
        "with the label and not abstained on, which is what the published numbers are; covered: "
        "inside of what was proved of the clean text, before the attack");
    maker_.note(fmt::format(
        "of {} answers for edited texts {} were covered by a certificate of a clean text answered "
        "right; {}",
        asked_, covered_,
        contradicted_ == 0 ? "none that was covered was another answer"
                           : fmt::format("{} THAT WERE COVERED WERE OTHER ANSWERS: a certificate "
                                         "did not hold",
                                         contradicted_)));
  }

  struct Published {
    const SuiteStep* step;
    std::string reader;
    TableCell cell;
  };

  static constexpr const char* kRight = "right";
  static constexpr const char* kCovered = "covered";
  static constexpr const char* kOwn = "Text-CRS";  // each attack by the smoothing of its operation

  TableMaker maker_;
  std::vector<const SuiteStep*> steps_;
  AttackColumns columns_;
  std::vector<Group> groups_;
  std::vector<Published> published_;
  size_t asked_ = 0, covered_ = 0, contradicted_ = 0;
};

}  // namespace

MadeTable make_defence_table(const TableSource& source, const SuiteTable& table) {
  return DefenceTable(source, table).run();
}

}  // namespace textcrs
