// What textcrs certify says and keeps of its texts: classes, ids, the texts, unlabelled data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Arguments certify(const std::string& data, const std::string& out, const Arguments& extra = {}) {
  return Arguments{"certify", "--model", workspace().model(),   "--data",
                   data,      "--out",   workspace().path(out), "--samples",
                   "300"} +
         extra;
}

json summary_of(const std::string& out) {
  return json_of(read(workspace().path(out) + "/summary.json"));
}

TEST(Summary, CountsPerClassWithAbstentionsApart) {
  const std::string file = workspace().write(
      "mixed.csv", "text,label\n\"\",neg\ngood film,pos\nbad film,neg\ngreat plot,neg\n");
  // Of a text without words no piece votes.
  const Result result = run(certify(file, "mixed", {"--noise", "hash:buckets=2,functions=3"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nclass  texts  precision   recall      F1\n"
                                    "neg        3    100.0 %   33.3 %  50.0 %\n"
                                    "pos        1     50.0 %  100.0 %  66.7 %\n\n"
                                    "label \\ answer  neg  pos  no answer\n"
                                    "neg               1    1          1\n"
                                    "pos               0    1          0\n\nCertified accuracy"));
  const json summary = summary_of("mixed");
  EXPECT_EQ(summary["confusion"], json::parse(R"({"neg":{"neg":1,"pos":1},"pos":{"pos":1}})"));
  EXPECT_EQ(summary["classes"][0]["abstained"], 1);
  EXPECT_EQ(summary["answers"], json::parse(R"({"neg":1,"pos":2})"));
}

TEST(Summary, WithoutLabelsSaysWhatShareIsCertified) {
  const std::string file = workspace().write(
      "unlabelled.txt", "good film with great music\nbad film with poor music\n...\n");
  const Result result = run(certify(file, "unlabelled", {"--exact", "never"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("answers: "));
  EXPECT_THAT(result.out, HasSubstr("\nCertified share: "));
  EXPECT_THAT(result.out, HasSubstr("\ndeletion      radius         0       1"));
  EXPECT_THAT(result.out, Not(HasSubstr("accuracy")));
  const json summary = summary_of("unlabelled");
  EXPECT_FALSE(summary.contains("sound") || summary.contains("classes"));
  const auto all = records("unlabelled");
  for (const auto& [operation, curve] : summary["certified_share"]["sound"].items())
    for (const json& point : curve) {
      const auto reaches = [&, o = operation](const json& record) {
        if (record["abstained"] || !record.contains("sound")) return false;
        const json& radius = record["sound"][o];
        return radius == "unlimited" || (point["radius"] != "unlimited" &&
                                         radius.get<double>() >= point["radius"].get<double>());
      };
      EXPECT_EQ(point["certified_share"],
                static_cast<double>(std::count_if(all.begin(), all.end(), reaches)) /
                    static_cast<double>(all.size()));
    }
}

TEST(Summary, RecordsCarryTheTextsOwnIdsAndOnRequestTheTexts) {
  const std::string file = workspace().write(
      "ids.csv", "id,tweet,text,label\nr-1,t1,good film,pos\nr-2,t2,\"bad, bad film\",neg\n");
  const auto results = run_all({certify(file, "ids"),
                                certify(file, "tweets", {"--id-column", "tweet", "--with-text"}),
                                certify(file, "no-such", {"--id-column", "review"})});
  ASSERT_EQ(results[0].exit_code, 0) << results[0].err;
  ASSERT_EQ(results[1].exit_code, 0) << results[1].err;
  EXPECT_EQ(results[2].exit_code, 3);
  EXPECT_THAT(results[2].err, HasSubstr("review"));
  const auto ids = records("ids"), tweets = records("tweets");
  ASSERT_EQ(ids.size(), 2u);
  ASSERT_EQ(tweets.size(), 2u);
  EXPECT_EQ(ids[0]["id"], 0);
  EXPECT_EQ(ids[0]["key"], "r-1");
  EXPECT_EQ(ids[1]["key"], "r-2");
  EXPECT_FALSE(ids[1].contains("text"));
  EXPECT_EQ(tweets[1]["key"], "t2");
  EXPECT_EQ(tweets[1]["text"], "bad, bad film");
  // Neither changes an answer, and a run goes on only with the same.
  EXPECT_EQ(ids[1]["counts"], tweets[1]["counts"]);
  const auto again = run_all({certify(file, "ids"), certify(file, "ids", {"--with-text"}),
                              certify(file, "ids", {"--id-column", "tweet"})});
  EXPECT_EQ(again[0].exit_code, 0) << again[0].err;
  EXPECT_EQ(again[1].exit_code, 2);
  EXPECT_THAT(again[1].err, HasSubstr("(--with-text was \"no\", now \"yes\")"));
  EXPECT_EQ(again[2].exit_code, 2);
  EXPECT_THAT(again[2].err, HasSubstr("(--id-column was \"id\", now \"tweet\")"));
}

}  // namespace
}  // namespace textcrs::cli_test
