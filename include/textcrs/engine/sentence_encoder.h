// What a text means, as a vector: a pretrained BERT in the cpu engine's kernels, the mean of its
// last states. Two texts that mean the same have vectors of nearly the same direction.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

// Const and thread-safe: each call runs in its caller's thread.
class SentenceEncoder {
 public:
  // A folder as Hugging Face's library writes it, such as that of all-MiniLM-L6-v2; a bad_input
  // Error for anything else. Of the options, precision and isa count. Longer texts are cut to
  // `longest` pieces, [CLS] and [SEP] included, or to what the encoder has positions for. longest
  // below 3 is a std::logic_error.
  explicit SentenceEncoder(const std::filesystem::path& folder, const EngineOptions& options = {},
                           int longest = 256);
  ~SentenceEncoder();
  SentenceEncoder(const SentenceEncoder&) = delete;
  SentenceEncoder& operator=(const SentenceEncoder&) = delete;

  int width() const;
  // What the vectors depend on beside the texts: a hash of weights and pieces, the precision, and
  // where texts are cut. (The ISA may change their last bits.)
  const std::string& fingerprint() const;

  // The mean of the last states of all pieces, [CLS] and [SEP] among them, scaled to length 1:
  // (texts, width). The words of a text are read joined by spaces, in this encoder's own way. A
  // text's vector depends on the text alone, bit by bit.
  std::vector<float> encode(std::span<const std::vector<std::string>> texts) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

// Of vectors of length 1 and of one width: the cosine of their angle, in [-1, 1], and
// 1 - angle / pi, in [0, 1].
double cosine_similarity(std::span<const float> a, std::span<const float> b);
double angular_similarity(std::span<const float> a, std::span<const float> b);

}  // namespace textcrs
