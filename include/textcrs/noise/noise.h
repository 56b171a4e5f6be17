// A smoothing noise: a random kernel from a text to a noisy copy of it.
//
// The noise acts on the whole text; cutting to the model's slots and padding come after it and
// belong to the base classifier. (The noise of insert and gaussian lives on the model's n slots.)
// Each noise is a file of its own, sampled from a Stream, with a spec string that round-trips.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stream.h"
#include "textcrs/noise/copy_plan.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

using Words = std::vector<WordId>;

// The exact distribution of the noisy text: outcome -> probability.
using Law = std::map<Words, double>;

// The spec of the noise that leaves the text as it is.
inline constexpr std::string_view kNoNoise = "none";

class Noise {
 public:
  virtual ~Noise() = default;

  // make_noise(spec()) is this noise again.
  virtual std::string spec() const = 0;

  // Replaces `out` by one noisy copy of `text`, which must not lie in `out`. Thread-safe; depends
  // on the text and the stream alone. Allocates nothing once `out` has room for twice the text and
  // for the model's slots (substitute: and once the kernels of the text's words are made).
  virtual void sample(Text text, Stream& stream, Words& out) const = 0;

  // The words of the copy that sample() draws from a stream of which nothing was drawn yet, in any
  // order: less work where the order does not matter.
  virtual void sample_bag(Text text, const Stream& fresh, Words& out) const;

  // What sample() does to `text`, for devices that draw copies by themselves. Without a plan,
  // copies are drawn by sample() and carried to the device.
  virtual std::optional<CopyPlan> plan(Text) const { return std::nullopt; }

  // The exact law of sample()'s words, for tiny texts; std::logic_error above about 10^6 outcomes.
  virtual Law law(Text text) const = 0;

  // At least the number of outcomes of law(text): whether it is worth running all of them instead
  // of sampling (docs/certificates.md, C). Infinite where the law is not to be enumerated.
  virtual double law_size(Text text) const;

  // The probability that a copy of a text with words holds none of them: it is empty, or masked
  // from end to end.
  virtual double blank_share(Text) const { return 0; }

  // Whether a copy is places of the text in some order, picked without reading the words, and the
  // copy less some places has the law of the copies of the text less these places.
  virtual bool picks_places() const { return false; }

  // Standard deviation of the Gaussian that the classifier adds to every coordinate of every slot
  // of the copy, drawn from lane::kGaussian of the sample's stream; 0 but for insert and gaussian.
  virtual double sigma() const { return 0; }

  // The finite noises (docs/certificates.md, B9) also enumerate: outcomes(text) equally weighted
  // copies, the k-th written to `out`; an empty copy casts no vote.
  virtual std::optional<uint64_t> outcomes(Text) const { return std::nullopt; }
  virtual void outcome(Text text, uint64_t k, Words& out) const;
};

// What some noises need beside their parameters. Both may be null for the others.
struct NoiseContext {
  // hash, reorder sorted: the words' spelling; delete and universal: which are stop words
  const Vocabulary* vocabulary = nullptr;
  const SynonymTable* synonyms = nullptr;  // substitute; symmetric and not empty
  int slots = 256;                         // insert, gaussian: the model's n
};

// Throws a usage Error for an unknown name, parameter or value, and for a missing context. The
// context must outlive the noise.
std::unique_ptr<Noise> make_noise(std::string_view spec, const NoiseContext& context = {});

struct NoiseKind {
  std::string name;     // substitute
  std::string usage;    // delete:p=P[,order=kept|shuffled]
  std::string summary;  // one line in plain words
};
const std::vector<NoiseKind>& noise_kinds();

}  // namespace textcrs
