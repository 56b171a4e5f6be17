// Single answers, for people and as one line of JSON. The JSON forms share their parts with the
// records of a run (textcrs/report/record.h). What the paper's formulas say has "proved": false
// behind "certified" or "covered"; what is proved has no such key.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certify/certificate.h"

namespace TEXTCRS_API textcrs {

// One line: "positive (98.7 % of the votes), and stays so in any word order, even with up to 3 of
// its 8 words deleted; certified at 99.9 % confidence", or "no answer: " and why and what would
// help; then "; warning: .." for each that all_warnings() (textcrs/report/warnings.h) has. `words`
// is the number of the text's words, or of its sentences where those are the classifier's units.
std::string answer_in_words(const CertifiedClassifier& classifier, size_t words,
                            const Certification& answer);

// {"prediction": "positive" or null, "abstained", "words", "counts", "pa", "pb", "exact", "alpha",
// "noise", "sound": {..}, "samples", "paper": {..}, "stop", "single_edits", "witness",
// "not_certified", "seed", "warnings":
// [".."], "caveats": [".."], "explanation": {"proved": false, "copies", "share", "words": [{"word",
// "positions", "change"}, ..]}, "in_words"}; an explanation for which all outcomes were counted has
// "counted": true instead of "proved" and "copies". "share" is that of the prediction's votes.
// stop, single_edits, witness, not_certified (why, in words: of a cascade's fallback), warnings,
// caveats, explanation, and seed (if anything was drawn) where they apply. Where the classifier's
// unit is the sentence, "sentences" stands for "words", and "sentence" for "word".
std::string answer_to_json(const CertifiedClassifier& classifier, size_t words,
                           const Certification& answer, const Explanation* explanation = nullptr);

// Lines for people: the class's share of the votes, measured or counted, and what it becomes
// without each word.
std::string explanation_in_words(const CertifiedClassifier& classifier, const Certification& answer,
                                 const Explanation& explanation);

// What a certificate says of bounds and a text of so many words: {"noise", "certificate", "pa",
// "pb", "words", "certified", "operation", "radius" (the edit distance where there is one),
// "guarantees": [{"operation", "radius", "unit"}, ..], "edit_distance", "frontier", "window",
// "candidates", "replaceable", "canonical", "stop_words", "single_edits", "in_words", "assumes":
// [what is taken for granted, in words]}.
std::string certificate_to_json(const Certificate& certificate, Bounds bounds, int words,
                                const CertifiedSet& set, const std::optional<SingleEdits>& edits,
                                const std::vector<std::string>& assumes);

// Whether an edited text is inside it: {"noise", "certificate", "operation", "radius", "pa", "pb",
// "covered", "why", "edit_distance", "frontier", "candidates", "replaceable", "canonical",
// "stop_words", "assumes"}.
std::string coverage_to_json(const Certificate& certificate, Bounds bounds, const CertifiedSet& set,
                             const Coverage& coverage, const std::vector<std::string>& assumes);

// The same of a text that `classifier` certified, so that nothing is assumed; then "original": what
// answer_to_json() says of that text, which has so many words.
std::string coverage_to_json(const CertifiedClassifier& classifier, size_t words,
                             const Certification& answer, const Coverage& coverage);

}  // namespace textcrs
