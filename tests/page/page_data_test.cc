#include "page/page_data.h"

#include <gtest/gtest.h>

#include "page/html.h"
#include "page/made_run.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

class PageData : public testing::Test {
 protected:
  PageRun made(const std::string& name, const std::vector<Record>& records,
               const std::vector<Setting>& settings = smoothed_settings()) const {
    return {
        view_of(name, write_run(work_.path() / name, records, {"neg", "pos"}, settings)), {}, ""};
  }
  TemporaryFolder work_;
};

TEST_F(PageData, SaysWhatTheRecordsSay) {
  const ordered_json data = page_data({made(
      "first", made_records({{.edits = 3, .text = "a fine film", .key = "x1"},
                             {.label = "neg", .edits = 1, .votes = 700, .pa = 0.66666},
                             {.label = std::nullopt, .prediction = "neg", .abstained = true}}))});
  ASSERT_EQ(data["runs"].size(), 1u);
  const ordered_json& run = data["runs"][0];
  EXPECT_EQ(run["name"], "first");
  EXPECT_EQ(run["unit"], "word");
  EXPECT_EQ(run["classes"], (ordered_json{"neg", "pos"}));
  EXPECT_EQ(run["labelled"], true);
  EXPECT_EQ(run["curves"]["sound"],
            ordered_json::parse(R"([{"operation":"edit","unit":"words","of":2,"radii":[0,3],
                                     "texts":[1,1]},
                                    {"operation":"deletion","unit":"words","of":2,"radii":[0,6],
                                     "texts":[1,1]}])"));
  EXPECT_EQ(run["curves"]["paper"], ordered_json::array());
  EXPECT_EQ(run["calibration"],
            ordered_json::parse(R"([{"from":0.6,"to":0.7,"texts":1,"right":0,"pa":0.66666},
                                    {"from":0.8,"to":0.9,"texts":1,"right":1,"pa":0.875}])"));
  const ordered_json& texts = run["texts"];
  EXPECT_EQ(texts["id"], (ordered_json{0, 1, 2}));
  EXPECT_EQ(texts["key"], (ordered_json{"x1", "", ""}));
  EXPECT_EQ(texts["label"], (ordered_json{1, 0, -1}));
  EXPECT_EQ(texts["answer"], (ordered_json{1, 1, 0}));
  EXPECT_EQ(texts["state"], (ordered_json{0, 0, 1}));
  EXPECT_EQ(texts["words"], (ordered_json{10, 10, 10}));
  EXPECT_EQ(texts["pa"], (ordered_json{0.875, 0.6666, 0.875}));
  EXPECT_EQ(texts["votes"], ordered_json::parse("[[100,900],[300,700],[900,100]]"));
  EXPECT_EQ(texts["radii"],
            ordered_json::parse(R"([{"operation":"edit","unit":"words","values":[3,1,-1]},
                                    {"operation":"deletion","unit":"words","values":[6,2,-1]}])"));
  EXPECT_EQ(texts["text"], (ordered_json{"a fine film", "", ""}));
  ASSERT_EQ(texts["said"].size(), 3u);
  EXPECT_TRUE(texts["said"][0].get<std::string>().starts_with("pos (90\u00A0% of the votes)"))
      << texts["said"][0];
  EXPECT_TRUE(texts["said"][2].get<std::string>().starts_with("no answer")) << texts["said"][2];
}

TEST_F(PageData, LeavesOutWhatNoTextHas) {
  std::vector<Setting> exact = smoothed_settings();
  std::erase_if(exact, [](const Setting& setting) { return setting.name == "alpha"; });
  const ordered_json data = page_data({made("votes", made_records({{.label = std::nullopt}}),
                                            with(exact, {"noise", std::string("votes")}))});
  const ordered_json& run = data["runs"][0];
  EXPECT_EQ(run["labelled"], false);
  EXPECT_TRUE(run["calibration"].empty());
  for (const char* column : {"key", "label", "pa", "votes", "text"})
    EXPECT_FALSE(run["texts"].contains(column)) << column;
}

TEST_F(PageData, ARadiusWithoutALimitIsNull) {
  std::vector<Record> records = made_records({{.edits = 1}});
  records[0].certification.sound.guarantees[0].radius = kUnlimited;
  records[0].certification.sound.guarantees[1] = {Operation::kInsertion, kUnitEmbedding,
                                                  0.12345678};
  const ordered_json data = page_data({made("any", records)});
  const ordered_json& run = data["runs"][0];
  EXPECT_EQ(run["texts"]["radii"][0]["values"], ordered_json::parse("[null]"));
  EXPECT_EQ(run["texts"]["radii"][1]["values"], (ordered_json{0.123456}));  // rounded down
  EXPECT_EQ(run["curves"]["sound"][0]["radii"], ordered_json::parse("[0,null]"));
}

// What the columns take is counted; the texts of all runs share what is left.
TEST_F(PageData, CutsTextsSoThatTenThousandFit) {
  std::vector<MadeText> texts;
  for (int i = 0; i < 5000; ++i)
    texts.push_back(
        {.edits = static_cast<double>(i % 7), .text = std::string(1200, i % 2 == 0 ? 'a' : 'b')});
  const std::vector<PageRun> runs = {made("one", made_records(texts)),
                                     made("two", made_records(texts))};
  const ordered_json data = page_data(runs);
  EXPECT_LT(script_json(data).size(), kMostBytes);
  const auto cut = data["runs"][0]["cut"].get<size_t>();
  EXPECT_GE(cut, 300u);
  EXPECT_LT(cut, 1200u);
  EXPECT_EQ(data["runs"][1]["cut"], cut);
  EXPECT_EQ(data["runs"][0]["texts"]["text"][0], std::string(cut, 'a') + " …");
  constexpr size_t kTaken = 3'000'000;  // by the rest of the page
  const ordered_json less = page_data(runs, kTaken);
  EXPECT_LT(script_json(less).size(), kMostBytes - kTaken);
  EXPECT_LT(less["runs"][0]["cut"].get<size_t>(), cut);
}

TEST_F(PageData, CutsBetweenCharacters) {
  std::string text;
  while (text.size() < 2 * kLongestText) text += "映";
  const ordered_json data = page_data({made("one", made_records({{.text = text}, {.text = "å"}}))});
  const std::string found = data["runs"][0]["texts"]["text"][0];
  EXPECT_EQ(found, text.substr(0, kLongestText / 3 * 3) + " …");
  EXPECT_EQ(data["runs"][0]["texts"]["text"][1], "å");
  EXPECT_EQ(data["runs"][0]["cut"], kLongestText);
}

TEST_F(PageData, WhereAllTextsFitNothingIsCut) {
  const ordered_json data =
      page_data({made("one", made_records({{.text = std::string(kLongestText, 'a')}}))});
  EXPECT_EQ(data["runs"][0]["texts"]["text"][0], std::string(kLongestText, 'a'));
  EXPECT_FALSE(data["runs"][0].contains("cut"));
}

}  // namespace
}  // namespace textcrs
