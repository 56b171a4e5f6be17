// The substitution noise for the oracle: its exact laws around tiny texts, over a small graph.
#pragma once

#include <string>
#include <vector>

#include "certify/oracle.h"
#include "textcrs/noise/substitution_kernel.h"

namespace textcrs::oracle {

// Words 3 .. 9: a clique 3, 4, 5 with 6 and 7 hanging on it, 8 - 9 apart; 10 has no candidates.
inline const SynonymTable& small_graph() {
  static const SynonymTable table(
      "a small graph", {{}, {}, {}, {4, 5, 6}, {5, 3}, {4, 3, 7}, {3, 7}, {5, 6}, {9}, {8}, {}});
  return table;
}

inline std::vector<std::string> substitution_specs() {
  return {"substitute:kernel=uniform",
          "substitute:kernel=uniform,size=3",
          "substitute:kernel=staircase,size=3,eps=0.2",
          "substitute:kernel=staircase,size=50,eps=0.05",
          "substitute:kernel=cluster,size=3",
          "substitute:kernel=cluster,size=5",
          "substitute:kernel=graph",
          "substitute:kernel=graph,eps=0.1,reach=3",
          "substitute:kernel=graph,size=3,eps=0.5,reach=2"};
}

inline SubstitutionRule rule_of(const std::string& spec) {
  return SubstitutionRule::parse(Spec::parse(spec));
}

// The product of the kernels as they are stated; their sums miss 1 by a few 10^-16, which is within
// the error of the draw that the certificate allows for.
inline ExactLaw substitution_law(const SubstitutionKernel& kernel, const ExactText& text) {
  ExactLaw law{{{}, Rational(1)}};
  for (const int word : text) {
    ExactLaw longer;
    for (const auto& [head, mass] : law)
      for (const auto& [other, probability] : kernel.of(word)) {
        ExactText outcome = head;
        outcome.push_back(other);
        longer[outcome] += mass * Rational(probability);
      }
    law = longer;
  }
  return law;
}

}  // namespace textcrs::oracle
