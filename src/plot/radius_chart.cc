#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "plot/figure_runs.h"
#include "plot/shares.h"
#include "textcrs/base/error.h"

namespace textcrs::plot {
namespace {

constexpr CertifiedSet Certification::*kSets[] = {&Certification::sound, &Certification::paper};

// What a panel is about.
struct Kind {
  Operation operation = Operation::kEdit;
  std::string unit;
  std::string candidates;  // of a substitution

  auto operator<=>(const Kind&) const = default;
};

// What one run says there.
struct Stated {
  const NamedRun* run = nullptr;
  std::vector<double> sound, paper;  // empty: nothing is stated

  bool operator==(const Stated&) const = default;
};

using Panels = std::map<Kind, std::vector<Stated>>;

// What the radius of a guarantee counts, where the record does not name it.
std::string unit_of(const Guarantee& guarantee, const Record& record, const std::string& kind) {
  if (!guarantee.unit.empty()) return guarantee.unit;
  if (guarantee.operation == Operation::kReordering) return kUnitDisplacement;
  if (record.unit == "sentence") return kUnitSentences;
  return kind == "insert" ? kUnitEmbedding : kUnitWords;
}

Kind kind_of(const Guarantee& guarantee, const CertifiedSet& set, const Record& record,
             const std::string& noise) {
  const bool replaces = guarantee.operation == Operation::kSubstitution;
  return {guarantee.operation, unit_of(guarantee, record, noise), replaces ? set.candidates : ""};
}

// The operation that a noise is made for; none: several.
std::optional<Operation> own_operation(const std::string& noise) {
  static const std::map<std::string, Operation> own = {
      {"reorder", Operation::kReordering},      {"insert", Operation::kInsertion},
      {"gaussian", Operation::kSubstitution},   {"delete", Operation::kDeletion},
      {"substitute", Operation::kSubstitution}, {"mask", Operation::kSubstitution}};
  const auto found = own.find(noise);
  return found == own.end() ? std::nullopt : std::optional(found->second);
}

// Which operations are drawn of a run.
class Wanted {
 public:
  Wanted(const std::vector<NamedRun>& runs, const RunFigureOptions& options)
      : operations_(options.operations) {
    std::set<std::string> kinds;
    for (const NamedRun& named : runs) kinds.insert(noise_kind(named.run));
    own_only_ = kinds.size() > 1;
  }
  bool has(Operation operation, const RunFolder& run) const {
    if (!operations_.empty())
      return std::count(operations_.begin(), operations_.end(), operation) > 0;
    const std::optional<Operation> own = own_operation(noise_kind(run));
    return !own_only_ || !own || *own == operation;
  }

 private:
  const std::vector<Operation>& operations_;
  bool own_only_ = false;
};

// The kinds that the records of a run speak of, whether or not anything is certified.
std::set<Kind> kinds_of(const RunFolder& run) {
  std::set<Kind> kinds;
  const std::string noise = noise_kind(run);
  for (const Record& record : run.records)
    for (const auto set : kSets)
      for (const Guarantee& guarantee : (record.certification.*set).guarantees)
        kinds.insert(kind_of(guarantee, record.certification.*set, record, noise));
  return kinds;
}

// Empty if no record has such a guarantee.
std::vector<double> stated_radii(const RunFolder& run, const Kind& kind,
                                 CertifiedSet Certification::*member) {
  const std::string noise = noise_kind(run);
  bool stated = false;
  std::vector<double> radii = radii_of(run, [&](const Record& record) {
    const CertifiedSet& set = record.certification.*member;
    const Guarantee* found = set.find(kind.operation);
    if (found == nullptr || kind_of(*found, set, record, noise) != kind) return -1.0;
    stated = true;
    return set.certified ? found->radius : -1.0;
  });
  return stated ? radii : std::vector<double>();
}

Panels stated_by(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  const Wanted wanted(runs, options);
  Panels panels;
  for (const NamedRun& named : runs)
    for (const Kind& kind : kinds_of(named.run)) {
      if (!wanted.has(kind.operation, named.run)) continue;
      Stated stated{&named, stated_radii(named.run, kind, &Certification::sound),
                    stated_radii(named.run, kind, &Certification::paper)};
      if (!stated.sound.empty() || !stated.paper.empty()) panels[kind].push_back(std::move(stated));
    }
  return panels;
}

std::string axis_label(const Kind& kind) {
  if (kind.unit == kUnitWords) return words_edited(kind.operation);
  if (kind.unit == kUnitSentences) return "sentences" + words_edited(kind.operation).substr(5);
  if (kind.unit == kUnitDisplacement) return "displacement of all words, l1";
  if (kind.unit == kUnitEmbedding) return "change of the embeddings, l2";
  if (kind.unit == kUnitRanks) return "synonym ranks of all words, l1";
  return kind.unit;
}

Series styled(Series curve, const std::string& label, size_t style, bool proved) {
  curve.label = label;
  curve.style = style;
  curve.proved = proved;
  if (!proved)
    for (Point& point : curve.points) point.low = point.high = std::nullopt;
  return curve;
}

// Whether two curves are one to the eye: what is proved is the formula, rounded down.
bool coincide(const std::vector<double>& a, const std::vector<double>& b, const RadiusAxis& axis) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) {
    return x == y || std::abs(x - y) <= axis.end / 1000;
  });
}

Panel draw_panel(const std::string& title, const Kind& kind, const std::vector<Stated>& all,
                 const std::string& share) {
  std::vector<std::vector<double>> proved, claimed;
  for (const Stated& stated : all) {
    proved.push_back(stated.sound);
    claimed.push_back(stated.paper);
  }
  const RadiusAxis axis = radius_axis(proved, claimed);
  Panel panel;
  panel.title = title;
  panel.x = {axis_label(kind), 0, axis.end, false, axis.ticks};
  panel.y = {share, 0, 100};
  bool paper = false, sound = false;
  for (size_t i = 0; i < all.size(); ++i) {
    const Stated& stated = all[i];
    const std::string& name = stated.run->name;
    const bool one = coincide(stated.sound, stated.paper, axis);
    if (!stated.sound.empty())
      panel.series.push_back(styled(curve_through(stated.sound, axis),
                                    one ? name + ", and the paper's formula" : name, i, true));
    if (!stated.paper.empty() && !one)
      panel.series.push_back(
          styled(curve_through(stated.paper, axis), stated.sound.empty() ? name : "", i, false));
    sound = sound || !stated.sound.empty();
    paper = paper || (!stated.paper.empty() && !one);
  }
  if (paper) {
    Series note;
    note.label =
        sound ? "dashed: the paper's formula, not proved" : "the paper's formula, not proved";
    note.form = Series::Form::kCurve;
    note.style = 7;
    note.proved = false;
    panel.series.push_back(note);
  }
  return panel;
}

bool certifies(const std::vector<double>& radii) {
  return std::any_of(radii.begin(), radii.end(), [](double radius) { return radius >= 0; });
}

bool any_certified(const Panels& panels) {
  for (const auto& [kind, all] : panels)
    for (const Stated& stated : all)
      if (certifies(stated.sound) || certifies(stated.paper)) return true;
  return false;
}

// "insertion, substitution"
std::string title_with(const std::string& title, const Kind& kind) {
  return (title.empty() ? "" : title + ", ") + operation_words(kind.operation);
}

}  // namespace

Chart radius_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  check_runs(runs, options.anyway);
  Panels panels = stated_by(runs, options);
  if (!any_certified(panels))
    throw usage_error("there is nothing to draw: the runs certify nothing" +
                      std::string(options.operations.empty() ? "" : " about these operations"));
  Chart chart;
  chart.title = title_of(runs, options);
  const std::string share = share_label(runs);
  while (!panels.empty()) {
    const auto [kind, all] = *panels.begin();
    std::string title;
    // One certificate may state the same of several operations.
    for (auto it = panels.begin(); it != panels.end();) {
      const bool same = it->first.unit == kind.unit && it->first.candidates == kind.candidates &&
                        it->second == all && (it->first == kind || kind.unit == kUnitEmbedding);
      if (same) title = title_with(title, it->first);
      it = same ? panels.erase(it) : std::next(it);
    }
    if (!kind.candidates.empty()) title += fmt::format(" by {}", kind.candidates);
    chart.panels.push_back(draw_panel(title, kind, all, share));
  }
  return chart;
}

}  // namespace textcrs::plot
