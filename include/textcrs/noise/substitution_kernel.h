// The law by which the substitution noise replaces one word (docs/certificates.md, B6). The noise
// samples from it and the certificate reads it: what is proved is what is drawn.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/spec.h"
#include "textcrs/base/stream.h"
#include "textcrs/kernels/copy_steps.h"
#include "textcrs/noise/synonym_graph.h"
#include "textcrs/text/synonyms.h"

namespace TEXTCRS_API textcrs {

enum class KernelShape { kUniform, kStaircase, kCluster, kGraph };

// The parameters of `substitute:kernel=...`. What `size` = S counts depends on the kernel; the
// adversary is not bound by it (docs/certificates.md, B6).
//   uniform    the word and its candidates, all equally likely (SAFER). S, if given, first cuts the
//              table to the pairs that are among each other's S - 1 first candidates (keep_mutual),
//              so a kernel holds at most S words and v in k_w iff w in k_v.
//   staircase  rank 0 (the word itself) .. S - 1 of the list, P(rank k) ~ exp(-eps k). S is
//              required, eps is 5 / S unless given (the paper's).
//   cluster    the word's cluster (cluster_synonyms with at most S words), all equally likely: the
//              same law for every word of a cluster. S is required.
//   graph      P(v) ~ exp(-eps d), d the distance in the synonym graph, cut at d <= reach (eps 1,
//              reach 2 unless given). S, if given, first cuts the graph as in uniform.
struct SubstitutionRule {
  KernelShape shape = KernelShape::kStaircase;
  int size = 0;  // 0: not given
  double eps = 0;
  int reach = 0;

  // A usage Error for a parameter that the kernel does not have, lacks, or that is out of range.
  static SubstitutionRule parse(const Spec& spec);
  std::string spec() const;  // parameters at their defaults are left out
};

class SubstitutionKernel {
 public:
  struct Entry {
    WordId word;
    double probability;
  };

  // The table must be symmetric (std::logic_error) and outlive the kernel.
  SubstitutionKernel(const SubstitutionRule& rule, const SynonymTable& table);
  ~SubstitutionKernel();
  SubstitutionKernel(const SubstitutionKernel&) = delete;
  SubstitutionKernel& operator=(const SubstitutionKernel&) = delete;

  const SubstitutionRule& rule() const { return rule_; }
  const SynonymTable& table() const { return table_; }  // the adversary's candidates, uncut

  // The words that `word` may become, the word itself first, with their probabilities: all
  // positive, summing to 1 within 1e-12. Special words, words without candidates and words beyond
  // the table become themselves. Made at the first call for each word; thread-safe; valid as long
  // as the kernel.
  std::span<const Entry> of(WordId word) const;

  // One draw from of(word): a single 53-bit uniform number into an alias table, an error of the
  // probability of any set of the n words below n 2^-50. A word that stays takes nothing from the
  // stream.
  WordId draw(WordId word, Stream& stream) const;

  // The alias table that draw() reads; empty for a word that stays. Valid as long as the kernel.
  std::span<const AliasColumn> columns(WordId word) const;

 private:
  struct Row {
    std::vector<Entry> entries;
    std::vector<AliasColumn> columns;
  };

  const Row& row(WordId word) const;
  const Row& row_beyond(WordId word) const;
  std::unique_ptr<const Row> make_row(WordId word) const;
  static std::vector<AliasColumn> make_columns(std::span<const Entry> entries);

  SubstitutionRule rule_;
  const SynonymTable& table_;
  SynonymTable cut_;           // uniform and graph with a size
  const SynonymTable* graph_;  // cut_ or table_
  std::vector<WordId> cluster_;
  std::vector<std::vector<WordId>> members_;  // of the cluster with this smallest id, ascending
  mutable std::vector<std::atomic<const Row*>> rows_;  // by id; owned
  mutable std::mutex mutex_;
  mutable std::unordered_map<WordId, std::unique_ptr<const Row>> beyond_;  // guarded by mutex_
};

}  // namespace textcrs
