// The flags that several verbs share: which texts, which words, which synonyms.
#pragma once

#include <string>
#include <vector>

#include "cli11.h"
#include "textcrs/data/dataset.h"
#include "textcrs/data/sources.h"

namespace textcrs::cli {

struct DataFlags {
  std::string data = "imdb", format = "auto", split, text_column = "text", label_column = "label",
              id_column = "id";
  bool header = false, no_header = false;  // neither: judged
  size_t limit = 0;
  std::string flag = "--data";  // what the messages call it

  void add(CLI::App& app, const std::string& default_split);
  // The texts; labels are looked up in `classes` if any are given. `seed` chooses for --limit. How
  // they were read is printed on stderr.
  Dataset load(const std::vector<std::string>& classes, uint64_t seed) const;
};

// --synonyms and its companions.
struct SynonymFlags : SynonymSource {
  void add(CLI::App& app);
  void require() const;  // a usage Error if there is no source
};

}  // namespace textcrs::cli
