// The part of a page that is about an attack.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "page/attack_view.h"
#include "page/made_run.h"
#include "page/parsed_page.h"
#include "text/temporary_folder.h"
#include "textcrs/page/report_page.h"

namespace textcrs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class AttackPage : public testing::Test {
 protected:
  AttackPage() { std::filesystem::create_directories(folder()); }
  std::filesystem::path folder() const { return work_.path() / "attack"; }

  void write(const std::vector<AttackRecord>& records, bool complete = true) const {
    write_run_file(
        folder() / kRunFile,
        {{"recipe", std::string("textfooler:candidates=50")}, {"data", std::string("films 0123")}},
        std::string(version()));
    std::string lines;
    for (const AttackRecord& record : records) lines += to_json(record) + "\n";
    write_file_atomically(folder() / kResultsFile, lines);
    if (complete) write_file_atomically(folder() / kSummaryFile, to_json(summarize(records)));
  }

  // So many words of ten were replaced.
  AttackRecord record(uint32_t id, AttackStatus status, size_t changed) const {
    AttackRecord made;
    made.id = id;
    made.status = status;
    made.label = "pos";
    made.before = status == AttackStatus::kSkipped ? "neg" : "pos";
    made.after = status == AttackStatus::kSucceeded ? "neg" : made.before;
    made.queries = 100;
    made.words = made.words_after = 10;
    for (size_t place = 0; place < changed; ++place)
      made.differences.push_back({place, "old" + std::to_string(id), "new" + std::to_string(id)});
    made.original = "the original " + std::to_string(id);
    made.adversarial = "the edited " + std::to_string(id);
    made.version = std::string(version());
    return made;
  }

  ParsedPage page() const {
    write_report({{"fooled", folder(), {}}}, {}, work_.path() / "page.html");
    return ParsedPage(read_file(work_.path() / "page.html"));
  }

  TemporaryFolder work_;
};

TEST_F(AttackPage, CountsByHand) {
  write({record(0, AttackStatus::kSucceeded, 4), record(1, AttackStatus::kSucceeded, 1),
         record(2, AttackStatus::kFailed, 2), record(3, AttackStatus::kSkipped, 0)});
  const ParsedPage found = page();
  EXPECT_THAT(found.text(),
              AllOf(HasSubstr("Recipe textfooler:candidates=50, on films."),
                    HasSubstr("3 of 4 texts were answered right and attacked, 2 with success: "
                              "accuracy 75.0\u00A0% before, 25.0\u00A0% after. A success changed "
                              "2.5 words (25.0\u00A0%). 100 questions to the model per text."),
                    Not(HasSubstr("not complete"))));
  const auto shown = found.all("article", "example");
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_THAT(shown[0].text, AllOf(HasSubstr("Text 1"), HasSubstr("1 of 10 words changed"),
                                   HasSubstr("the edited 1")));
  EXPECT_EQ(found.all("del")[0].text, "old1");
  EXPECT_EQ(found.all("ins")[0].text, "new1");
  EXPECT_TRUE(found.data()["runs"].empty());
}

TEST_F(AttackPage, SaysWhatCertifiedModelsSay) {
  AttackRecord covered = record(0, AttackStatus::kSucceeded, 1);
  covered.models = {{.name = "votes",
                     .clean = "pos",
                     .edited = "pos",
                     .certified = true,
                     .covered = true,
                     .why = "because"},
                    {.name = "other",
                     .clean = "pos",
                     .edited = "neg",
                     .certified = true,
                     .covered = true,
                     .why = "of a bug"}};
  write({covered});
  const ParsedPage found = page();
  EXPECT_THAT(found.text(), AllOf(HasSubstr("What certified models say of the edited texts"),
                                  HasSubstr("A certificate did not hold: ")));
  EXPECT_EQ(found.all("ul", "remarks").size(), 1u);
}

TEST_F(AttackPage, SortsSharesByWhatTheyAre) {
  AttackRecord failed = record(0, AttackStatus::kFailed, 1);
  AttackRecord fooled = record(1, AttackStatus::kSucceeded, 1);
  failed.models = {{.name = "votes", .clean = "pos", .edited = "pos"}};
  fooled.models = {{.name = "votes", .clean = "pos", .edited = "neg"}};
  write({failed, fooled});
  std::vector<std::string> flipped;  // of all edited texts, of the successes
  const ParsedPage found = page();
  for (const PageElement& cell : found.all("td"))
    if (cell.attributes.contains("title") && cell.attributes.at("title").starts_with("1 of"))
      flipped.push_back(cell.attributes.at("title") + ": " + cell.attributes.at("data-sort"));
  EXPECT_THAT(flipped, testing::IsSupersetOf({"1 of 2 texts: 0.5", "1 of 1 texts: 1"}));
}

TEST_F(AttackPage, AnInterruptedOneIsShownAsFarAsItCame) {
  write({record(0, AttackStatus::kFailed, 0)}, false);
  EXPECT_THAT(page().text(), HasSubstr("The run was not complete when this was written"));
}

TEST_F(AttackPage, RefusesWhatIsNone) {
  write({});
  EXPECT_THAT(error_of([&] { page(); }), HasSubstr("attack: the run has no results yet"));
  write_file_atomically(folder() / kResultsFile, "{\"id\":1}\n");
  EXPECT_THAT(error_of([&] { page(); }), HasSubstr("results.jsonl:1"));
  EXPECT_THAT(error_of([&] { is_attack(work_.path() / "none"); }), HasSubstr("no such folder"));
  EXPECT_THAT(error_of([&] {
                write_texts_csv({{"fooled", folder(), {}}}, work_.path() / "texts.csv");
              }),
              HasSubstr("found the run of an attack, expected one of a certification"));
}

}  // namespace
}  // namespace textcrs
