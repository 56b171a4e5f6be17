// Every registered certificate, at least once, with a context that lacks nothing.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {

// Words 3 .. 11 are a .. i; those up to 8 have synonyms and all have vectors. Everything is open:
// texts may have own words, whose vector is the length of their spelling.
class EveryCertificate {
 public:
  static constexpr int kSlots = 12;

  std::unique_ptr<Certificate> make(const std::string& spec, CertificateMode mode) const {
    CertificateContext context;
    context.slots = kSlots;
    context.synonyms = &synonyms_;
    context.vocabulary = &vocabulary_;
    context.embeddings = &embeddings_;
    context.own_vectors = [](std::span<const std::string> own) {
      std::vector<float> rows;
      for (const std::string& word : own)
        rows.insert(rows.end(), {static_cast<float>(word.size()), 0.5f});
      return rows;
    };
    return make_certificate(spec, mode, context);
  }

  const Vocabulary& vocabulary() const { return vocabulary_; }

  static std::vector<std::pair<std::string, CertificateMode>> all() {
    std::vector<std::pair<std::string, CertificateMode>> list;
    for (const char* spec :
         {"delete:p=0.7", "delete:p=0.8,order=shuffled", "universal:p=0.9", "reorder:full",
          "reorder:block=5", "reorder:block=6,order=sorted", "insert:sigma=0.8",
          "gaussian:sigma=0.8", "adapt:keep=3,growth=1.3", "adapt:keep=1,order=shuffled",
          "mask:p=0.9", "hash:buckets=7,functions=3", "substitute:kernel=uniform",
          "substitute:kernel=staircase,size=4", "substitute:kernel=cluster,size=3",
          "substitute:kernel=graph"})
      list.emplace_back(spec, CertificateMode::kSound);
    for (const char* spec :
         {"delete:p=0.3", "universal:p=0.3", "reorder:full", "reorder:block=5", "reorder:groups=6",
          "insert:sigma=0.8", "substitute:kernel=staircase,size=4"})
      list.emplace_back(spec, CertificateMode::kPaper);
    return list;
  }

  // 1 to 20 words, some of them the first `own` own words.
  static std::vector<WordId> text(Stream& stream, uint32_t own) {
    std::vector<WordId> words(1 + stream.below(20));
    for (WordId& word : words) word = kFirstWord + static_cast<WordId>(stream.below(9 + own));
    return words;
  }

  // A few random edits of a text: words replaced, left out, put in, exchanged.
  static std::vector<WordId> edit(std::vector<WordId> text, Stream& stream, uint32_t own) {
    for (uint32_t edits = stream.below(4); edits > 0; --edits) {
      const auto word = kFirstWord + static_cast<WordId>(stream.below(9 + own));
      const uint32_t kind = text.empty() ? 2 : stream.below(4);
      const size_t place = text.empty() ? 0 : stream.below(static_cast<uint32_t>(text.size()));
      const auto at = text.begin() + static_cast<std::ptrdiff_t>(place);
      if (kind == 0) *at = word;
      if (kind == 1) text.erase(at);
      if (kind == 2) text.insert(at, word);
      if (kind == 3) std::swap(*at, text.front());
    }
    return text;
  }

  static Bounds bounds(Stream& stream) {
    const double pa = 0.5 + 0.5 * stream.uniform();
    return {pa, (1 - pa) * (stream.below(2) == 0 ? 1 : stream.uniform())};
  }

 private:
  Vocabulary vocabulary_{{"a", "b", "c", "d", "e", "f", "g", "h", "i"}, Vocabulary::Growth::kOpen};
  SynonymTable synonyms_{"test",
                         {{}, {}, {}, {4, 5, 6}, {5, 3}, {4, 3, 7}, {3}, {5, 8}, {7}, {}, {}, {}}};
  std::vector<float> rows_ = {0, 0,    .1f, .1f, .2f, .2f, .5f, .1f, .6f, .1f, .7f, .3f,
                              1, -.2f, .3f, .3f, .2f, .9f, 3,   3,   -1,  .1f, .4f, .4f};
  Embeddings embeddings_{rows_, 2};
};

}  // namespace textcrs
