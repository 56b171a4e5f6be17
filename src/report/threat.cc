#include "textcrs/report/threat.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

namespace textcrs {
namespace {

constexpr std::string_view kCut = ", mutual among the first ";  // keep_mutual()'s tables

struct CutTable {
  std::string_view whole;
  int first = std::numeric_limits<int>::max();  // how many candidates per word are left
};

CutTable parse_table(std::string_view name) {
  const size_t cut = name.rfind(kCut);
  if (cut == std::string_view::npos) return {name};
  const std::string_view number = name.substr(cut + kCut.size());
  CutTable table{name.substr(0, cut), 0};
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), table.first);
  if (error != std::errc() || end != number.data() + number.size()) return {name};
  return table;
}

// What the radius of a guarantee counts. Records name a unit that is neither words nor places;
// those of older versions do not, and of their noises only `insert` has such a one.
std::string unit_of(const Guarantee& guarantee, std::string_view noise) {
  if (!guarantee.unit.empty()) return guarantee.unit;
  if (guarantee.operation == Operation::kReordering) return kUnitDisplacement;
  return noise.starts_with("insert") ? kUnitEmbedding : kUnitWords;
}

std::string why_no_words(const std::string& unit) {
  if (unit == kUnitEmbedding)
    return "its radius is an l2 change of embeddings, and one word may be arbitrarily far from "
           "another: no number of words is proved";
  return fmt::format("its radius is in {}: no number of words is proved", unit);
}

class Proofs {
 public:
  Proofs(const Threat& threat, const Record& record, std::string_view noise)
      : threat_(threat), record_(record), set_(record.certification.sound), noise_(noise) {
    const Operation operation = threat.operation;
    if (record.unit != "word") {
      credit_.why_not =
          "its radii count sentences, and the edit of one word may split a sentence or join two: "
          "no number of words is proved";
      return;
    }
    add_own();
    if (operation == Operation::kSubstitution) add_synonyms();
    if (operation == Operation::kReordering)
      add_changed_places();
    else if (operation != Operation::kEdit)
      add(Operation::kEdit);
    if (credit_.speaks) credit_.why_not.clear();
    if (!set_.certified || record.certification.abstained) credit_.radius = -1;
  }

  const Credit& credit() const { return credit_; }

 private:
  void take(double radius) {
    credit_.speaks = true;
    credit_.radius = std::max(credit_.radius, radius);
  }

  // The radius of a guarantee; unlimited where it is about all words there are to delete or
  // replace.
  double reach(const Guarantee& guarantee) const {
    const bool replaces = threat_.operation == Operation::kReordering &&
                          guarantee.operation != Operation::kReordering;
    const bool of_its_words = replaces || threat_.operation == Operation::kDeletion ||
                              threat_.operation == Operation::kSubstitution;
    const bool all = guarantee.radius >= static_cast<double>(record_.words);
    return of_its_words && all ? kUnlimited : guarantee.radius;
  }

  bool says_nothing() const { return !set_.certified && set_.guarantees.empty(); }

  void add_own() {
    const Guarantee* own = set_.find(threat_.operation);
    if (own == nullptr) {
      if (!says_nothing())
        credit_.why_not =
            fmt::format("its certificate says nothing about {}",
                        threat_.operation == Operation::kEdit ? "mixtures of edits"
                                                              : to_string(threat_.operation));
      return;
    }
    const std::string unit = unit_of(*own, noise_);
    if (unit != kUnitWords && unit != kUnitDisplacement)
      credit_.why_not = why_no_words(unit);
    else if (own->operation == Operation::kSubstitution && !set_.candidates.empty())
      add_candidates(*own);
    else
      take(reach(*own));
  }

  void add_candidates(const Guarantee& own) {
    if (threat_.candidates.empty())
      credit_.why_not = fmt::format(
          "it proves substitutions by candidates ({}) only, not by any word", set_.candidates);
    else if (!includes_table(set_.candidates, threat_.candidates))
      credit_.why_not = fmt::format("it proves substitutions by candidates of another table ({})",
                                    set_.candidates);
    else
      take(reach(own));
  }

  // Every word may become any of its candidates at once.
  void add_synonyms() {
    if (threat_.candidates.empty() || set_.synonyms.empty()) return;
    if (includes_table(set_.synonyms, threat_.candidates))
      take(set_.edits_beside_synonyms ? kUnlimited : -1);
  }

  // What a guarantee about another operation, used by any words, implies.
  bool add(Operation other) {
    const Guarantee* guarantee = set_.find(other);
    if (guarantee == nullptr || unit_of(*guarantee, noise_) != kUnitWords) return false;
    if (other == Operation::kSubstitution && !set_.candidates.empty()) return false;
    take(reach(*guarantee));
    return true;
  }

  void add_changed_places() {
    const bool own = credit_.speaks;
    const bool by_substitution = add(Operation::kSubstitution), by_edit = add(Operation::kEdit);
    if (!own && (by_substitution || by_edit))
      credit_.how =
          "proved by its radius in substitutions: a reordering by d places in all changes at most "
          "d words";
  }

  const Threat& threat_;
  const Record& record_;
  const CertifiedSet& set_;
  std::string_view noise_;
  Credit credit_;
};

}  // namespace

Credit credit_against(const Threat& threat, const Record& record, std::string_view noise) {
  return Proofs(threat, record, noise).credit();
}

bool includes_table(std::string_view known, std::string_view asked) {
  const CutTable a = parse_table(known), b = parse_table(asked);
  return a.whole == b.whole && a.first >= b.first;
}

}  // namespace textcrs
