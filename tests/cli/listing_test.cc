// textcrs list and textcrs data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Listing, NamesWhatIsBuiltIn) {
  const auto results = run_all({{"list", "noises"},
                                {"list", "certificates"},
                                {"list", "formats"},
                                {"list", "models"},
                                {"data", "list"}});
  const std::vector<std::vector<std::string>> expected = {
      {"substitute:", "reorder:", "insert:", "delete:", "universal:", "mask:", "hash:"},
      {"sound: ", "paper: ", "universal"},
      {"csv ", "tsv ", "jsonl ", "imdb-json ", "acl-imdb ", "ag-news ", "lines "},
      {"bilstm ", "cnn "},
      {"imdb ", "glove ", "not fetched"}};
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 0);
    EXPECT_EQ(results[i].err, "");
    for (const std::string& name : expected[i]) EXPECT_THAT(results[i].out, HasSubstr(name));
  }
}

TEST(Listing, DataShowPrintsTextsWithTheirLabels) {
  const std::string file =
      workspace().write("two.csv", "text,label\ngood film,pos\n\"bad, it is\",neg\n");
  const Result result = run({"data", "show", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "0\tpos\t2 words\tgood film\n1\tneg\t4 words\tbad, it is\n");
}

TEST(Listing, UnknownDataIsAUsageErrorThatNamesTheKnown) {
  const auto results = run_all({{"data", "fetch", "imbd"}, {"data", "show", "imbd"}});
  for (const Result& result : results) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("imbd"));
  }
  EXPECT_THAT(results[0].err, HasSubstr("glove"));
}

TEST(Listing, DataThatIsNotFetchedSaysHowToFetchIt) {
  const Result result = run({"data", "show", "imdb"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("textcrs data fetch imdb"));
}

}  // namespace
}  // namespace textcrs::cli_test
