#include "textcrs/blackbox/asked_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <map>
#include <thread>

#include "blackbox/rule_box.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

int is_long(const std::string& text) { return text.size() > 2; }

// The texts, and who counts what was asked for them.
struct Asked {
  explicit Asked(AskedOptions options = {}, RuleBox::Rule rule = is_long, size_t batch = 4,
                 int at_once = 1, const std::string& version = "0") {
    if (options.repeat_one_of == AskedOptions().repeat_one_of) options.repeat_one_of = 0;
    auto made = std::make_unique<RuleBox>(std::move(rule), batch, at_once);
    made->set_version(version);
    box = made.get();
    texts = std::make_unique<AskedTexts>(std::move(made), options);
  }
  std::vector<int> of(const std::vector<std::string>& list, StopToken stop = {}) const {
    return texts->classes_of(list, stop);
  }
  RuleBox* box = nullptr;
  std::unique_ptr<AskedTexts> texts;
};

AskedOptions kept_in(const fs::path& folder) {
  AskedOptions options;
  options.folder = folder;
  return options;
}

TEST(AskedTexts, EveryTextHasItsAnswerAndEqualOnesAreAskedOnce) {
  const Asked asked;
  EXPECT_THAT(asked.of({"a", "long", "a", "", "long", "word", "a"}),
              ElementsAre(0, 1, 0, 0, 1, 1, 0));
  EXPECT_THAT(asked.box->texts(), ElementsAre("a", "long", "", "word"));
  EXPECT_THAT(asked.of({"word", "b", "a", "b"}), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(asked.box->texts(), ElementsAre("a", "long", "", "word", "b"));
  const AskedCounts counts = asked.texts->counts();
  EXPECT_EQ(counts.texts, 11u);
  EXPECT_EQ(counts.remembered, 6u);
  EXPECT_EQ(counts.asked, 5u);
  EXPECT_EQ(counts.kept, 0u);
  EXPECT_EQ(counts.texts, counts.remembered + counts.kept + counts.asked);
  EXPECT_THAT(asked.of({}), ElementsAre());
}

TEST(AskedTexts, AreAskedInBatches) {
  const Asked asked({}, is_long, 3);
  asked.of({"a", "b", "c", "d", "e", "f", "g"});
  EXPECT_THAT(asked.box->batches(), ElementsAre(ElementsAre("a", "b", "c"),
                                                ElementsAre("d", "e", "f"), ElementsAre("g")));
}

TEST(AskedTexts, WhatIsForgottenIsAskedAgainAndAnsweredAsBefore) {
  AskedOptions options;
  options.memory = 2000;  // some ten texts
  const Asked asked(options);
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(std::to_string(i * i));
  std::vector<int> expected;
  for (const std::string& text : texts) expected.push_back(is_long(text));
  EXPECT_EQ(asked.of(texts), expected);
  EXPECT_EQ(asked.of(texts), expected);
  const AskedCounts counts = asked.texts->counts();
  EXPECT_EQ(counts.texts, 200u);
  EXPECT_GT(counts.asked, 150u);
  EXPECT_EQ(counts.texts, counts.remembered + counts.asked);
}

TEST(AskedTexts, WhatIsUsedStaysInMemory) {
  AskedOptions options;
  options.memory = 4000;
  const Asked asked(options);
  for (int i = 0; i < 100; ++i) asked.of({"often", std::to_string(i)});
  const std::vector<std::string> texts = asked.box->texts();
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "often"), 1);
}

TEST(AskedTexts, ThreadsShareWhatIsKnown) {
  const Asked asked({}, is_long, 2, 3);
  std::vector<std::string> texts;
  for (int i = 0; i < 50; ++i) texts.push_back(std::to_string(i * 7 % 25 * 10));
  std::vector<std::vector<int>> answers(8);
  parallel_for(8, 8, [&](size_t t) { answers[t] = asked.of(texts); });
  std::vector<int> expected;
  for (const std::string& text : texts) expected.push_back(is_long(text));
  for (const auto& one : answers) EXPECT_EQ(one, expected);
  const AskedCounts counts = asked.texts->counts();
  EXPECT_EQ(counts.texts, 400u);
  EXPECT_EQ(counts.texts, counts.remembered + counts.asked);
  EXPECT_EQ(counts.asked, asked.box->texts().size());
}

TEST(AskedTexts, ReportsWhatWasAsked) {
  std::vector<uint64_t> said;
  AskedOptions options;
  options.report = [&](const AskedCounts& counts) { said.push_back(counts.asked); };
  const Asked asked(options, is_long, 2);
  asked.of({"a", "b", "c", "d", "e", "a"});
  EXPECT_THAT(said, ElementsAre(2, 4, 5));
}

// What is asked twice shows whether the box answers a text the same way each time.
TEST(AskedTexts, TheFirstTextsAndSomeOthersAreAskedTwice) {
  AskedOptions options;
  options.repeat_one_of = 10;
  const Asked asked(options, is_long, 64);
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) texts.push_back(std::to_string(i));
  asked.of(texts);
  const AskedCounts counts = asked.texts->counts();
  EXPECT_EQ(counts.asked, 3000u);
  EXPECT_GT(counts.repeated, 16u + 200);
  EXPECT_LT(counts.repeated, 16u + 400);
  EXPECT_EQ(counts.changed, 0u);
  EXPECT_EQ(asked.box->texts().size(), counts.asked + counts.repeated);
  asked.of(texts);
  EXPECT_EQ(asked.texts->counts().repeated, counts.repeated);
}

// The answer is the first one, and stays it.
TEST(AskedTexts, AnswersThatChangeAreCounted) {
  AskedOptions options;
  options.repeat_one_of = 1;
  std::map<std::string, int> times;
  const Asked asked(options, [&](const std::string& text) { return times[text]++ % 2; });
  EXPECT_THAT(asked.of({"a", "b", "c"}), ElementsAre(0, 0, 0));
  EXPECT_EQ(asked.texts->counts().repeated, 3u);
  EXPECT_EQ(asked.texts->counts().changed, 3u);
  EXPECT_THAT(asked.of({"a", "b", "c"}), ElementsAre(0, 0, 0));
}

// Asks for a text once more before it gives its own answer: as another thread may.
class Overtaken : public RuleBox {
 public:
  using RuleBox::RuleBox;
  std::vector<int> ask(std::span<const std::string> texts, StopToken stop) override {
    if (between) std::exchange(between, nullptr)();
    return RuleBox::ask(texts, stop);
  }
  std::function<void()> between;
};

TEST(AskedTexts, OfAnswersToTwoThreadsTheFirstCountsForBoth) {
  const TemporaryFolder work;
  for (const AskedOptions& options : {AskedOptions(), kept_in(work.path())}) {
    int times = 0;
    auto made = std::make_unique<Overtaken>([&](const std::string&) { return times++; });
    Overtaken* box = made.get();
    AskedOptions without_repeats = options;
    without_repeats.repeat_one_of = 0;
    AskedTexts asked(std::move(made), without_repeats);
    const std::vector<std::string> texts = {"a"};
    std::vector<int> overtaking;
    box->between = [&] { overtaking = asked.classes_of(texts, {}); };
    EXPECT_THAT(asked.classes_of(texts, {}), ElementsAre(0));
    EXPECT_THAT(overtaking, ElementsAre(0));
    EXPECT_THAT(asked.classes_of(texts, {}), ElementsAre(0));
    EXPECT_EQ(times, 2);
    EXPECT_EQ(asked.counts().asked, 2u);
    EXPECT_EQ(asked.counts().repeated, 1u);
    EXPECT_EQ(asked.counts().changed, 1u);
  }
}

TEST(AskedTexts, RepeatsAreAskedInBatches) {
  AskedOptions options;
  options.repeat_one_of = 1;
  const Asked asked(options, is_long, 2);
  asked.of({"a", "b", "c"});
  EXPECT_THAT(asked.box->batches(), ElementsAre(ElementsAre("a", "b"), ElementsAre("c"),
                                                ElementsAre("c", "b"), ElementsAre("a")));
}

TEST(AskedTexts, KeptAnswersAreNotAskedForAgain) {
  const TemporaryFolder work;
  const fs::path folder = work.path() / "deep" / "cache";
  EXPECT_THAT(Asked(kept_in(folder)).of({"a", "long"}), ElementsAre(0, 1));
  const Asked again(kept_in(folder), [](const auto&) { return 0; });
  EXPECT_THAT(again.of({"a", "long", "other"}), ElementsAre(0, 1, 0));
  EXPECT_THAT(again.box->texts(), ElementsAre("other"));
  EXPECT_EQ(again.texts->counts().kept, 2u);
  EXPECT_EQ(again.texts->counts().asked, 1u);
  again.of({"long"});
  EXPECT_EQ(again.texts->counts().remembered, 1u);
}

TEST(AskedTexts, AnotherBlackBoxHasAFileOfItsOwn) {
  const TemporaryFolder work;
  Asked(kept_in(work.path())).of({"a", "long"});
  const Asked other(kept_in(work.path()), is_long, 4, 1, "1");
  other.of({"a", "long"});
  EXPECT_EQ(other.texts->counts().asked, 2u);
}

TEST(AskedTexts, WhatWasAnsweredBeforeAnErrorIsKept) {
  const TemporaryFolder work;
  const Asked asked(
      kept_in(work.path()),
      [](const std::string& text) {
        if (text == "e") throw failed("no more");
        return is_long(text);
      },
      2);
  EXPECT_EQ(error_of([&] { asked.of({"a", "b", "c", "d", "e", "f"}); }), "no more");
  EXPECT_EQ(asked.texts->counts().asked, 4u);
  asked.of({"a", "b", "c", "d"});
  EXPECT_EQ(asked.texts->counts().asked, 4u);
}

TEST(AskedTexts, StopsWhenAskedTo) {
  std::atomic<bool> stop = false;
  const Asked asked(
      {},
      [&](const std::string& text) {
        stop = true;
        return is_long(text);
      },
      1);
  EXPECT_THAT(error_of([&] { asked.of({"a", "b"}, StopToken(stop)); }), HasSubstr("interrupted"));
  EXPECT_THAT(asked.box->texts(), ElementsAre("a"));
}

TEST(AskedTexts, DamagedFilesAreRefusedByName) {
  const TemporaryFolder work;
  Asked(kept_in(work.path())).of({"a", "long"});
  const fs::path file = work.path() / (std::string(32, '0') + ".jsonl");
  ASSERT_TRUE(fs::exists(file));
  std::string content = read_file(file);
  const auto refused_with = [&](const std::string& text) {
    std::ofstream(file) << text;
    return error_of([&] { Asked(kept_in(work.path())).of({"a", "long"}); });
  };
  EXPECT_THAT(refused_with("x\n" + content), HasSubstr(file.string() + ":1: "));
  EXPECT_THAT(refused_with(content + "{}\n"), HasSubstr(file.string() + ":3: "));
  std::string other = content;
  other.replace(other.find("yes"), 3, "Yes");
  EXPECT_THAT(refused_with(other),
              testing::AllOf(HasSubstr(file.string()), HasSubstr("found the label \"Yes\"")));
  // Half a line is what a killed process leaves.
  EXPECT_EQ(refused_with(content + "{\"key\":\"01"), "");
  EXPECT_EQ(read_file(file), content);
}

TEST(AskedTexts, NothingIsWrittenThroughALink) {
  const TemporaryFolder work;
  const fs::path own = work.path() / "own", file = work.path() / (std::string(32, '0') + ".jsonl");
  std::ofstream(own) << "";
  fs::create_symlink(own, file);
  EXPECT_THAT(error_of([&] {
                Asked(kept_in(work.path())).of({"a", "long"});
              }),
              HasSubstr(file.string() + ": cannot be written"));
  EXPECT_EQ(read_file(own), "");
}

TEST(AskedTexts, OneProcessKeepsAnswersInAFile) {
  const TemporaryFolder work;
  const Asked first(kept_in(work.path()));
  EXPECT_THAT(error_of([&] { Asked(kept_in(work.path())); }), HasSubstr(work.path().string()));
}

}  // namespace
}  // namespace textcrs
