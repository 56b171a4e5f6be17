// The door to the core: text in, answer and certificate out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/certified/explanation.h"
#include "textcrs/certified/setting.h"
#include "textcrs/certify/certifier.h"

namespace TEXTCRS_API textcrs {

// Description::noise of a model without noise that reads the words of a cluster as one, and of one
// that is certified by interval bounds.
inline constexpr std::string_view kClusters = "clusters";
inline constexpr std::string_view kIntervalBounds = "intervals";

// What a certified classifier is, for records and messages.
struct Description {
  // The spec: "universal:p=0.9"; "none": nothing is certified; "votes", "sentence votes",
  // kIntervalBounds: no noise, the certificate is that of the votes or the bounds; kClusters: no
  // noise, the words of a cluster are one.
  std::string noise;
  std::string trained_noise = {};  // the one the model was trained with; empty: the same
  std::string engine;              // "cpu bf16 amx"
  std::string device;              // "cpu", "cuda"
  std::string precision;           // "bf16", "fp32"
  std::string model;               // Classifier::fingerprint(): which weights and words
  std::string architecture = {};   // "bilstm"; of a cascade both: "votes, else bert"
  std::string synonyms = {};       // Classifier::synonyms_fingerprint()
  std::string unit = "word";       // what it reads as one, and radii count: "word", "sentence"
  std::string fallback = {};  // of a cascade: the same of its other model; empty: there is none
  bool samples = true;        // false: all outcomes are counted, nothing is drawn
  CertifierOptions certifier = {};     // how it samples, if it does; its bounds are resolved
  std::vector<Setting> settings = {};  // whatever else its answers depend on: {"seed", 1}
  // Where what is executed is not quite what the proof is about, in words, a sentence each: always,
  // and for answers that were sampled.
  std::vector<std::string> caveats = {}, caveats_of_samples = {};

  std::optional<uint64_t> seed() const;  // the setting of that name
  bool is_smoothed() const;              // answers by noisy copies
};

// Const members are thread-safe.
class CertifiedClassifier {
 public:
  virtual ~CertifiedClassifier() = default;

  virtual const std::vector<std::string>& classes() const = 0;
  virtual const Description& description() const = 0;
  // What it can prove, in the order of the guarantees.
  virtual std::vector<Operation> operations() const = 0;

  // The words of a text, as the classifier reads it: what certificates count. Where
  // Description::unit is another, read that for "word" here and below.
  virtual std::vector<std::string> words(std::string_view text) const = 0;

  // The answer for a text and what is certified about it. `example` keys the noise: the same words
  // and example give the same result. A text without words is answered, too: a certificate that
  // lets every word go speaks of it. An Error of kind kInterrupted once `stop` asks for it.
  virtual Certification certify(const std::vector<std::string>& words, uint32_t example,
                                StopToken stop = {}) const = 0;

  // The words of a text whose removal moves the votes for a class most: a measurement, which proves
  // nothing. The noise is keyed as in certify(), but drawn on its own. The default asks certify()
  // about the text without each word. Throws as certify() does, and a usage Error for 0 copies.
  virtual Explanation explain(const std::vector<std::string>& words, int prediction,
                              uint32_t example, const ExplainOptions& options = {},
                              StopToken stop = {}) const;

  // Whether `edited` is inside what `certified`, which certify() said of `words`, promises.
  virtual Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                          const std::vector<std::string>& edited) const = 0;

  // Texts to certify at a time, each by a thread of its own, where there are many: one thread
  // leaves the machine idle. 1: certify() itself uses the threads there are.
  virtual int texts_at_once() const { return 1; }
};

}  // namespace textcrs
