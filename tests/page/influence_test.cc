// The colours of words, against the votes of the text without each word.
#include "page/influence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "certified/named_votes.h"
#include "page/html.h"
#include "page/made_run.h"
#include "page/parsed_page.h"
#include "page/run_words.h"
#include "text/temporary_folder.h"
#include "textcrs/certified/load.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kTexts = {"good film good but bad", "bad", "fine good good",
                                         "unknown words only", ""};

class Influences : public testing::Test {
 protected:
  Influences() {
    named_votes({"neg", "pos"},
                {{"good", {0, 3}}, {"fine", {0, 1}}, {"bad", {5, 0}}, {"but", {1, 0}}}, {1, 2})
        ->save(model());
    classifier_ = load_certified(model());
    std::vector<Record> records;
    for (const std::string& text : kTexts) {
      Record record;
      record.id = static_cast<uint32_t>(records.size());
      const auto words = classifier_->words(text);
      record.certification = classifier_->certify(words, record.id);
      record.prediction = classifier_->classes()[record.certification.prediction];
      record.label = "pos";
      record.words = words.size();
      record.text = text;
      record.version = std::string(version());
      records.push_back(std::move(record));
    }
    write_run(run(), records, classifier_->classes(),
              {{"model", classifier_->description().model},
               {"noise", std::string("votes")},
               {"split", std::string("test")},
               {"architecture", std::string("votes")},
               {"data", std::string("films 0123")}});
  }
  std::filesystem::path model() const { return work_.path() / "model"; }
  std::filesystem::path run() const { return work_.path() / "run"; }

  // Why there are no colours; the groups are filled in.
  std::string colour(const std::vector<ModelFolders>& models, const ReportOptions& options = {}) {
    const RunView view = view_of("run", run());
    groups_ = choose_examples(view, 9);
    return colour_examples({"run", run(), models}, view, options, groups_, {}, {});
  }

  // The share of the votes that the class has.
  double share(const std::vector<std::string>& words, int prediction) const {
    const Votes votes = classifier_->certify(words, 0).counts;
    return static_cast<double>(votes[static_cast<size_t>(prediction)]) /
           static_cast<double>(std::accumulate(votes.begin(), votes.end(), int64_t{0}));
  }

  TemporaryFolder work_;
  std::unique_ptr<CertifiedClassifier> classifier_;
  std::vector<ExampleGroup> groups_;
};

TEST_F(Influences, OfVotesAreThoseOfTheTextWithoutTheWord) {
  EXPECT_EQ(colour({{model(), {}}}), "");
  size_t coloured = 0;
  for (const ExampleGroup& group : groups_)
    for (const ShownText& example : group.examples) {
      const auto words = classifier_->words(kTexts[example.record]);
      EXPECT_EQ(example.words, words);
      if (words.empty()) continue;
      ASSERT_TRUE(example.explanation);
      ++coloured;
      const int prediction = classifier_->certify(words, 0).prediction;
      std::map<std::string, double> changes;
      for (const Influence& word : example.explanation->words) changes[word.word] = word.change;
      EXPECT_NEAR(example.explanation->share, share(words, prediction), 1e-9);
      EXPECT_EQ(example.explanation->copies, 0u);
      for (const std::string& word : words) {
        auto rest = words;
        std::erase(rest, word);
        EXPECT_NEAR(changes[word], share(rest, prediction) - share(words, prediction), 1e-9)
            << kTexts[example.record] << ": " << word;
      }
    }
  EXPECT_EQ(coloured, 4u);
}

TEST_F(Influences, OfThePageSaySo) {
  ReportOptions options;
  write_report({{"run", run(), {{model(), {}}}}}, options, work_.path() / "page.html");
  const ParsedPage page(read_file(work_.path() / "page.html"));
  const auto words = classifier_->words(kTexts[0]);
  const int prediction = classifier_->certify(words, 0).prediction;
  const std::string said =
      prose(percent(share(words, prediction)) + " of the votes are for the answer; without ");
  EXPECT_THAT(page.text(), HasSubstr(said));
  std::set<std::string> said_of, coloured;
  for (const PageElement& word : page.all("span"))
    if (word.attributes.contains("title")) said_of.insert(word.text);
  for (const char* direction : {"for", "against"})
    for (const PageElement& word : page.all("span", direction))
      if (word.attributes.contains("title")) coloured.insert(word.text);
  EXPECT_THAT(said_of, ElementsAre("bad", "but", "fine", "good"));
  EXPECT_THAT(coloured, ElementsAre("bad", "good"));  // the others are little beside them
}

TEST_F(Influences, FindTheirModelAmongOthers) {
  const auto other = work_.path() / "other";
  named_votes({"neg", "pos"}, {{"good", {0, 4}}})->save(other);
  EXPECT_EQ(colour({{other, {}}, {model(), {}}}), "");
  EXPECT_THAT(colour({{other, {}}}), HasSubstr("other holds another model"));
  EXPECT_EQ(colour({}), "the run's model was not named");
  EXPECT_EQ(colour({{work_.path() / "gone", {}}}), "its model is not where it was");
  ReportOptions none;
  none.coloured = 0;
  EXPECT_EQ(colour({{model(), {}}}, none), "nobody asked the model about them");
  for (const ExampleGroup& group : groups_)
    for (const ShownText& example : group.examples) EXPECT_FALSE(example.explanation);
}

TEST_F(Influences, RefuseATextThatTheModelReadsOtherwise) {
  std::vector<Record> records = view_of("run", run()).run.records;
  ++records[0].words;
  std::filesystem::remove_all(run());
  write_run(run(), records, {"neg", "pos"},
            {{"model", classifier_->description().model},
             {"noise", std::string("votes")},
             {"data", std::string("films 0123")}});
  EXPECT_THAT(error_of([&] {
                colour({{model(), {}}});
              }),
              HasSubstr("the text 0: found 5 words, expected 6 as the record says"));
}

TEST_F(Influences, RefuseSettingsThatNoRunHas) {
  const std::vector<Record> records = view_of("run", run()).run.records;
  std::filesystem::remove_all(run());
  std::vector<Setting> settings = smoothed_settings();
  settings = with(settings, {"model", classifier_->description().model});
  write_run(run(), records, {"neg", "pos"}, with(settings, {"noise", std::string("rain:p=1")}));
  ReportOptions options;
  options.coloured = 1;
  EXPECT_THAT(error_of([&] {
                colour({{model(), {}}}, options);
              }),
              HasSubstr("run.json: 'rain:p=1': unknown noise 'rain'"));
}

TEST_F(Influences, EndWhenTheyAreAskedTo) {
  const std::atomic<bool> stop{true};
  EXPECT_EQ(error_of([&] {
              write_report({{"run", run(), {{model(), {}}}}}, {}, work_.path() / "page.html", {},
                           StopToken(stop));
            }),
            "interrupted");
  EXPECT_FALSE(std::filesystem::exists(work_.path() / "page.html"));
}

}  // namespace
}  // namespace textcrs
