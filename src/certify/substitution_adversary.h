// Who replaces words under the substitution noise, and how much each word may suffer from it
// (docs/certificates.md, B6).
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "certify/kernel_pair.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

// Thread-safe. The tables must outlive it.
class SubstitutionAdversary {
 public:
  // `candidates` null: those the noise has itself.
  SubstitutionAdversary(const SubstitutionRule& rule, const SynonymTable& synonyms,
                        const SynonymTable* candidates);

  const SubstitutionKernel& kernel() const { return kernel_; }
  std::string candidates() const;  // where the words that replace others come from

  // One risk for each position of the text whose word has candidates: the worst of them. Valid as
  // long as this object.
  std::vector<const WordRisk*> worst_risks(Text text) const;

 private:
  bool has_candidates(WordId word) const;
  const WordRisk& worst_of(WordId word) const;  // requires mutex_

  SubstitutionKernel kernel_;
  bool inside_clusters_;  // a word may become the other words of its cluster
  const SynonymTable& candidates_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<WordId, std::unique_ptr<const WordRisk>> words_;  // guarded by mutex_
};

}  // namespace textcrs
