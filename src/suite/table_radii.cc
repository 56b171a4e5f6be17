// Tables of certifications, a row each: what is proved against a threat (edits), and how far by the
// paper's formulas and by what is proved (radii).
#include <fmt/format.h>

#include <algorithm>

#include "suite/table_parts.h"
#include "textcrs/base/spec.h"
#include "textcrs/report/threat.h"

namespace textcrs {
namespace {

std::string in_words(double radius) { return radius == kUnlimited ? "any" : shortest(radius); }

class RadiusTable {
 public:
  RadiusTable(const TableSource& source, const SuiteTable& wanted)
      : maker_(source, wanted), radii_(wanted.radii) {}

  MadeTable run() {
    if (radii_.empty()) radii_ = {0, 1, 2, 3, 5, 10};
    std::sort(radii_.begin(), radii_.end());
    radii_.erase(std::unique(radii_.begin(), radii_.end()), radii_.end());
    MadeTable& table = maker_.table();
    table.headings = {"data", "model", "method", "noise"};
    if (!about_edits()) table.headings.push_back("number");
    table.columns = {"texts", "accuracy"};
    for (const double radius : radii_) table.columns.push_back(in_words(radius));
    add_notes();
    for (const SuiteStep* const step : maker_.shown("certify", maker_.wanted().show)) add(*step);
    return maker_.finish();
  }

 private:
  bool about_edits() const { return maker_.wanted().kind == "edits"; }

  static std::vector<std::string> labels_of(const SuiteStep& step) {
    std::string noise = step.tag("noise");
    if (const std::string variant = step.tag("variant-title"); !variant.empty())
      noise += (noise.empty() ? "" : ", ") + variant;
    return {step.tag("data-title"), step.tag("model-title"), step.tag("method-title"), noise};
  }

  TableRow& row_of(const SuiteStep& step, const std::string& number) {
    TableRow row = {labels_of(step), {}};
    if (!about_edits()) row.labels.push_back(number);
    maker_.table().rows.push_back(std::move(row));
    return maker_.table().rows.back();
  }

  void add(const SuiteStep& step) {
    const auto run = maker_.certification(step);
    const std::vector<const Record*> texts =
        run ? labelled_texts(*run) : std::vector<const Record*>();
    if (run && texts.empty())
      maker_.note(fmt::format("{} is not shown: its texts have no labels", step.name));
    if (texts.empty()) {
      TableRow& row = row_of(step, "proved");
      row.cells.assign(maker_.table().columns.size(), maker_.missing(step));
      return;
    }
    if (about_edits())
      add_proved_edits(step, *run, texts);
    else
      add_both(step, texts);
  }

  // -1: not even that the answer is certain, or it is wrong.
  template <typename RadiusOf>
  void add_row(const SuiteStep& step, const std::string& number,
               const std::vector<const Record*>& texts, const RadiusOf& radius_of) {
    TableRow& row = row_of(step, number);
    const auto share = [&](const auto& is_counted, bool proved) {
      const auto count = std::count_if(texts.begin(), texts.end(), is_counted);
      return maker_.share(step, {static_cast<size_t>(count), texts.size()}, proved);
    };
    row.cells.push_back(maker_.number(step, static_cast<double>(texts.size()), 0));
    row.cells.push_back(
        share([](const Record* record) { return record->label == record->prediction; }, false));
    for (const double radius : radii_)
      row.cells.push_back(share(
          [&](const Record* record) { return record->correct() && radius_of(*record) >= radius; },
          true));
  }

  void add_proved_edits(const SuiteStep& step, const RunFolder& run,
                        const std::vector<const Record*>& texts) {
    const Threat threat = {operation(), ""};
    const std::string noise = run.setting("noise");
    add_row(step, "", texts, [&](const Record& record) {
      const CertifiedSet& sound = record.certification.sound;
      const double radius = credit_against(threat, record, noise).radius;
      return sound.certified && !record.certification.abstained ? std::max(radius, 0.0) : radius;
    });
    std::string why_not, how;
    bool speaks = false;
    for (const Record* const record : texts) {
      const Credit credit = credit_against(threat, *record, noise);
      speaks = speaks || credit.speaks;
      if (why_not.empty()) why_not = credit.why_not;
      if (how.empty()) how = credit.how;
    }
    if (!speaks && !why_not.empty())
      maker_.note(fmt::format("{}: {}", step.tag("method-title"), why_not));
    if (!how.empty()) maker_.note(fmt::format("{}: {}", step.tag("method-title"), how));
  }

  void add_both(const SuiteStep& step, const std::vector<const Record*>& texts) {
    const std::string name = step.tag("operation");
    const Operation asked =
        name == "none" || name.empty() ? Operation::kEdit : parse_operation(name);
    for (const auto& [set, number] :
         {std::pair{&Certification::paper, "paper's formula"}, {&Certification::sound, "proved"}}) {
      const auto states = [&, of = set](const Record* record) {
        return (record->certification.*of).find(asked) != nullptr;
      };
      const auto first = std::find_if(texts.begin(), texts.end(), states);
      if (first == texts.end()) continue;
      add_row(step, number, texts, [&, of = set](const Record& record) {
        const CertifiedSet& certified = record.certification.*of;
        const bool counts = certified.certified && certified.find(asked) != nullptr;
        return counts ? certified.radius(asked) : -1;
      });
    }
  }

  Operation operation() const {
    const std::string& threat = maker_.wanted().threat;
    return threat.empty() ? Operation::kEdit : parse_operation(threat);
  }

  void add_notes() {
    maker_.note(
        "in per cent of the labelled texts. accuracy: an abstention counts by its guess; 0: "
        "answered right and not abstained on");
    if (!about_edits()) {
      maker_.note(
          "larger radii: right, and certified to at least that, by the paper's formula (some do "
          "not hold: docs/certificates.md) and by what is proved, for the operation of the method; "
          "each radius in the unit of its certificate, rounded down");
      return;
    }
    maker_.note(
        fmt::format("larger numbers: right, and proved to stay so under so many {}, rounded down",
                    operation() == Operation::kEdit         ? "edits of any kind"
                    : operation() == Operation::kReordering ? "places that words are moved in all"
                    : operation() == Operation::kDeletion   ? "deleted words"
                    : operation() == Operation::kInsertion  ? "inserted words"
                                                            : "words replaced by any others"));
  }

  TableMaker maker_;
  std::vector<double> radii_;
};

}  // namespace

MadeTable make_radius_table(const TableSource& source, const SuiteTable& table) {
  return RadiusTable(source, table).run();
}

}  // namespace textcrs
