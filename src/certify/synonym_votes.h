// Words that vote, of which every one may be replaced by any of its candidates
// (docs/certificates.md, B10, mu).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "textcrs/certify/votes.h"
#include "textcrs/text/synonyms.h"

namespace textcrs {

// The most edits of any kind that are harmless beside the candidates, all at once; none if the
// candidates alone may change the answer. The true number: as many more, and candidates, do.
// `table` has a row of scores for every word.
std::optional<double> edits_beside_candidates(const VoteRule& rule, std::span<const int32_t> table,
                                              const SynonymTable& candidates,
                                              std::span<const WordId> words,
                                              std::optional<int64_t> threshold = std::nullopt);

}  // namespace textcrs
