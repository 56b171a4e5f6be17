// Who may stand for a word, by its spelling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

class WordSynonyms {
 public:
  // A table of the vocabulary's words; of each list the first `count` are used.
  WordSynonyms(Vocabulary vocabulary, SynonymTable table, size_t count);

  const std::string& source() const { return table_.source(); }
  std::vector<std::string> of(std::string_view word) const;  // best first

 private:
  Vocabulary vocabulary_;
  SynonymTable table_;
  size_t count_;
};

}  // namespace textcrs
