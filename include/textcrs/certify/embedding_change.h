// How far an edit moves a text in embedding space: docs/certificates.md, B5.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/certify/embeddings.h"

namespace TEXTCRS_API textcrs {

// The edits of one word by a near word, and how many of them lie within a radius.
struct SingleEdits {
  size_t insertions = 0;  // different words that are near a word of the text, put at any place
  size_t insertions_covered = 0;
  size_t substitutions = 0;  // pairs of a place of the text and a word near the one there
  size_t substitutions_covered = 0;
  size_t deletions = 0;  // places of the text
  size_t deletions_covered = 0;

  // "of the single edits, 31 of 40 insertions, 7 of 50 substitutions and 0 of 5 deletions"
  std::string in_words() const;
};

// The words near a word: its nearest neighbours, a synonym table's list. They have vectors, too.
using NearWords = std::function<std::span<const WordId>(WordId)>;

// Immutable and thread-safe; the rows must outlive it. A word without a vector and a vector that is
// not finite are a std::logic_error.
class EmbeddingChange {
 public:
  // std::logic_error unless slots >= 1 and the rows hold kPad and are whole.
  EmbeddingChange(const Embeddings& embeddings, int slots);

  // Both texts are cut to the slots or filled up with kPad. The root of the smallest sum of squared
  // euclidean distances over all matchings of the slots of one with those of the other, from above:
  // rounding never makes it smaller than the exact value, and 0 means the same vectors. Time
  // O(k n^2) beside the distances, for n slots of which k hold words that the other text lacks.
  double distance(Text text, Text edited) const;

  // Which edits of one word change the text by at most `radius`, as distance() measures them. An
  // inserted word is taken at its worst place: in a text that fills its slots it pushes the last
  // word out. Places beyond the slots are counted; what happens there changes nothing.
  SingleEdits single_edits(Text text, const NearWords& near, double radius) const;

 private:
  std::span<const WordId> seen(Text text) const;  // cut to the slots
  double root_up(double squares) const;

  Embeddings embeddings_;
  size_t slots_;
};

}  // namespace textcrs
