#include "attack/window_similarity.h"

#include <algorithm>

namespace textcrs {
namespace {

using WordList = std::vector<std::string>;

class WindowSimilarity final : public Similarity {
 public:
  WindowSimilarity(const SentenceEncoder& encoder, size_t window, double least)
      : encoder_(encoder), window_(window), least_(least) {}

  std::vector<double> after(const EditedText& text,
                            std::span<const WordEdit> edits) const override {
    // The windows of each edit, before and after it; a swap has two pairs.
    std::vector<WordList> windows;
    std::vector<size_t> edit_of;  // of each pair
    for (size_t i = 0; i < edits.size(); ++i) {
      const WordList edited = words_after(edits[i], text.words);
      const bool swaps = edits[i].kind == WordEdit::Kind::kSwap;
      for (const size_t place : {edits[i].place, swaps ? edits[i].other : edits[i].place}) {
        windows.push_back(around(text.words, place));
        windows.push_back(around(edited, place));
        edit_of.push_back(i);
        if (!swaps) break;
      }
    }
    const Encoded encoded(encoder_, windows);
    std::vector<double> similar(edits.size(), 1);
    for (size_t pair = 0; pair < edit_of.size(); ++pair) {
      double& of = similar[edit_of[pair]];
      of = std::min(of, angular_similarity(encoded.of(2 * pair), encoded.of(2 * pair + 1)));
    }
    for (double& value : similar)
      if (value < least_) value = 0;
    return similar;
  }

  double of(const WordList& a, const WordList& b) const override {
    const WordList texts[] = {a, b};
    const Encoded encoded(encoder_, texts);
    return cosine_similarity(encoded.of(0), encoded.of(1));
  }

 private:
  // The vectors of texts, each different text encoded once.
  class Encoded {
   public:
    Encoded(const SentenceEncoder& encoder, std::span<const WordList> texts)
        : width_(static_cast<size_t>(encoder.width())) {
      std::vector<WordList> different(texts.begin(), texts.end());
      std::sort(different.begin(), different.end());
      different.erase(std::unique(different.begin(), different.end()), different.end());
      for (const WordList& text : texts)
        row_.push_back(static_cast<size_t>(
            std::lower_bound(different.begin(), different.end(), text) - different.begin()));
      vectors_ = encoder.encode(different);
    }

    std::span<const float> of(size_t text) const {
      return std::span(vectors_).subspan(row_[text] * width_, width_);
    }

   private:
    size_t width_;
    std::vector<size_t> row_;  // of each text
    std::vector<float> vectors_;
  };

  WordList around(const WordList& words, size_t place) const {
    const size_t length = std::min(window_, words.size());
    const size_t first = std::min(place - std::min(place, window_ / 2), words.size() - length);
    const auto begin = words.begin() + static_cast<ptrdiff_t>(first);
    return {begin, begin + static_cast<ptrdiff_t>(length)};
  }

  const SentenceEncoder& encoder_;
  size_t window_;
  double least_;
};

}  // namespace

std::unique_ptr<const Similarity> make_window_similarity(const SentenceEncoder& encoder,
                                                         size_t window, double least) {
  return std::make_unique<WindowSimilarity>(encoder, window, least);
}

}  // namespace textcrs
