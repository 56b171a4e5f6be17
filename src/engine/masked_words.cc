#include "textcrs/engine/masked_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/pretrained_encoder.h"
#include "model/fingerprint.h"
#include "model/masked_lm_head.h"
#include "model/masked_rows.h"
#include "model/tensors.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

PretrainedBert read_with_head(const std::filesystem::path& folder) {
  PretrainedBert source(folder, /*seed=*/1);
  const std::vector<std::string> missing = missing_of_masked_lm(source);
  if (!missing.empty())
    throw bad_input(
        fmt::format("{}: the tensors '{}' are missing, expected a BERT with the head that guesses "
                    "masked words",
                    folder.string(), fmt::join(missing, "', '")));
  check_tied(folder, source, source.vectors());
  return source;
}

// In place, in double precision.
void softmax(std::vector<double>& scores) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (double& x : scores) total += x = std::exp(x - highest);
  for (double& x : scores) x /= total;
}

Weights read_head(const PretrainedBert& source) {
  ModelConfig config;
  source.describe(config);
  Weights head = {{kMaskedLmBias, source.piece_rows(kMaskedLmBias)}};
  for (const TensorSpec& tensor : masked_lm_tensors(config))
    head[tensor.name] = source.tensor(tensor);
  return head;
}

std::string fingerprint_of(const PretrainedEncoder& encoder, const Weights& head,
                           Precision precision, int longest) {
  Fingerprint print;
  print.add(encoder.fingerprint());
  for (const auto& [name, tensor] : head) print.add(name, tensor);
  return fmt::format("{} {} {}", print.text(), to_string(precision), longest);
}

}  // namespace

struct MaskedWords::Parts {
  PretrainedEncoder encoder;
  Dense transform;
  Normalization normalization;
  Dense scores;  // of all pieces
  std::vector<int32_t> guessable;
  int longest;
  std::string fingerprint;

  Parts(const PretrainedBert& source, const Weights& head, Isa isa, Precision precision, int most)
      : encoder(source, isa, precision),
        transform(dense(head.at(kMaskedLmDense + std::string(".weight")).values,
                        head.at(kMaskedLmDense + std::string(".bias")).values, isa, precision)),
        normalization{head.at(kMaskedLmNorm + std::string(".weight")).values,
                      head.at(kMaskedLmNorm + std::string(".bias")).values},
        scores(dense(encoder.vectors().values, head.at(kMaskedLmBias).values, isa, precision)),
        guessable(pieces_that_are_words(encoder.wordpiece())),
        longest(std::min(most, encoder.positions())),
        fingerprint(fingerprint_of(encoder, head, precision, longest)) {}

  static Dense dense(const std::vector<float>& weight, const std::vector<float>& bias, Isa isa,
                     Precision precision) {
    return {isa,
            precision,
            static_cast<int>(bias.size()),
            static_cast<int>(weight.size() / bias.size()),
            weight,
            bias};
  }
};

MaskedWords::MaskedWords(const std::filesystem::path& folder, const EngineOptions& options,
                         int longest) {
  if (longest < 3) throw std::logic_error("MaskedWords: longest is below 3");
  const Isa isa = parse_isa(options.isa, options.precision);
  const PretrainedBert source = read_with_head(folder);
  parts_ =
      std::make_unique<const Parts>(source, read_head(source), isa, options.precision, longest);
}

MaskedWords::~MaskedWords() = default;

const std::string& MaskedWords::fingerprint() const { return parts_->fingerprint; }

std::vector<WordGuess> MaskedWords::fill(const std::vector<std::string>& words, size_t place,
                                         int count) const {
  if (place > words.size())
    throw std::logic_error("MaskedWords::fill: the place is not in the text");
  if (count < 1) throw std::logic_error("MaskedWords::fill: count is below 1");
  const Parts& parts = *parts_;
  const WordPiece& wordpiece = parts.encoder.wordpiece();
  const MaskedPieces around = rows_around(words, place, wordpiece, parts.longest);
  PretrainedEncoder::Work work;
  parts.encoder.add(around.pieces, work);
  parts.encoder.run(work);

  std::vector<float> inner(parts.encoder.width()), scores(static_cast<size_t>(wordpiece.size()));
  parts.transform.run({.rows = 1,
                       .input = work.states.data() + around.place * inner.size(),
                       .output = inner.data(),
                       .gelu = true},
                      work.scratch);
  parts.encoder.normalize(parts.normalization, 1, inner.data());
  parts.scores.run({.rows = 1, .input = inner.data(), .output = scores.data()}, work.scratch);
  std::vector<double> probabilities(scores.begin(), scores.end());
  softmax(probabilities);
  return best_guesses(probabilities, parts.guessable, wordpiece, count);
}

}  // namespace textcrs
