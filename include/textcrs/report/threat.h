// What an adversary may do to a text, and how much of it a certified text is proved against.
#pragma once

#include <string>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/report/record.h"

namespace TEXTCRS_API textcrs {

// Edits of one kind, counted in words; reorderings in displacement.
struct Threat {
  Operation operation = Operation::kEdit;
  // Of a substitution: the table of the words that may replace each other (CertifiedSet's
  // `candidates` or `synonyms`); empty: any word may replace any.
  std::string candidates;
};

// What is proved of a text. Nothing but a theorem's own words counts: radii in other units, of the
// paper's formulas and for other candidates do not. A guarantee about edits of any kind is one
// about each kind. A reordering that moves words by d places in all changes at most d of them: it
// is at most d substitutions by any words.
struct Credit {
  double radius = -1;   // kUnlimited: any number; -1: not even that the answer is certain
  bool speaks = false;  // the certificate has a guarantee against the threat, whatever its radius
  std::string why_not;  // why it has none, in words; empty where it has, and where nothing is known
  std::string how;      // where the guarantee is about another operation: why it counts
};

// `noise` is the run's spec: records of older versions do not say what their radii count.
Credit credit_against(const Threat& threat, const Record& record, std::string_view noise);

// Whether what is proved about candidates of the table `known` is proved about those of `asked`:
// they are the same, or the second is the first, cut ("T, mutual among the first 8" and "T").
bool includes_table(std::string_view known, std::string_view asked);

}  // namespace textcrs
