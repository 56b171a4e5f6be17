// The sentences of a text.
#include "fuzz.h"
#include "textcrs/text/sentences.h"
#include "textcrs/text/tokenizer.h"

namespace {

using namespace textcrs;

using Sentences = std::vector<std::string_view>;

// Two marks of which a cut changes the words (sentences.h): quotes and apostrophes, as they are and
// as entities.
bool has_quotes(std::string_view text) {
  return text.find_first_of("'\"`&#") != text.npos || text.find("\xe2\x80") != text.npos ||
         text.find("\xc2") != text.npos || text.find("\xef\xbc") != text.npos ||
         text.find_first_of("\x80\x91\x92\x93\x94") != text.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const Sentences all = sentences(text);
  std::vector<std::string> words;
  const char* at = text.data();
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string_view sentence = all[i];
    fuzz::require(!sentence.empty() && sentence.data() >= at &&
                      sentence.data() + sentence.size() <= text.data() + text.size(),
                  "sentences are parts of the text, one after the other");
    fuzz::require(tokenize({at, static_cast<size_t>(sentence.data() - at)}).empty(),
                  "between sentences there are no words");
    at = sentence.data() + sentence.size();
    fuzz::require(sentences(sentence) == Sentences{sentence}, "a sentence alone is one");
    if (i > 0) {
      const char* begin = all[i - 1].data();
      fuzz::require(
          sentences({begin, static_cast<size_t>(at - begin)}) == Sentences{all[i - 1], sentence},
          "two neighbours are two");
    }
    for (std::string& word : tokenize(sentence)) words.push_back(std::move(word));
  }
  fuzz::require(tokenize({at, static_cast<size_t>(text.data() + text.size() - at)}).empty(),
                "behind the last sentence there are no words");
  if (!has_quotes(text))
    fuzz::require(tokenize(text) == words, "the words of the sentences are those of the text");
  return 0;
}
