// The words of a text that are no stop words: under a noise that always deletes those, all that the
// noisy copies know of it (docs/certificates.md, B2).
#pragma once

#include <vector>

#include "textcrs/certify/certified_set.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

// What remains of texts; all of them where there are no stop words.
class OtherWords {
 public:
  // `stop_words` marks them and must outlive this; null: there are none.
  explicit OtherWords(const Vocabulary* stop_words) : stop_words_(stop_words) {}

  std::vector<WordId> of(Text text) const {
    std::vector<WordId> words(text.begin(), text.end());
    if (stop_words_ != nullptr)
      std::erase_if(words, [&](WordId word) { return stop_words_->is_stop_word(word); });
    return words;
  }

  bool leaves_words_out() const { return stop_words_ != nullptr; }

  // Says in a set that any number of stop words is free.
  void name_in(CertifiedSet& set) const {
    if (stop_words_ == nullptr) return;
    set.stop_list = stop_words_->stop_words().name;
    set.stop_words = static_cast<int>(stop_words_->stop_words().words.size());
  }

 private:
  const Vocabulary* stop_words_;
};

}  // namespace textcrs
