#include "textcrs/report/attack_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/expect_error.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

DefenceRecord defence() {
  return {.name = "votes",
          .clean = "pos",
          .edited = "neg",
          .clean_abstained = false,
          .edited_abstained = false,
          .certified = true,
          .covered = false,
          .why = "1 word lost; up to 0 may"};
}

AttackRecord attacked() {
  AttackRecord record;
  record.id = 7;
  record.key = "review-17";
  record.label = "pos";
  record.status = AttackStatus::kSucceeded;
  record.before = "pos";
  record.after = "neg";
  record.share_before = 0.75;
  record.share_after = 0.25;
  record.queries = 812;
  record.words = 3;
  record.words_after = 3;
  record.differences = {{0, "good", "decent"}, {1, "film", std::nullopt}, {3, std::nullopt, "it"}};
  record.similarity = 0.5;
  record.original = "good film is";
  record.adversarial = "decent is it";
  record.models = {defence()};
  record.seconds = 0.25;
  record.version = "0.2.0";
  return record;
}

void expect_same(const DefenceRecord& found, const DefenceRecord& expected) {
  EXPECT_EQ(found.name, expected.name);
  EXPECT_EQ(found.clean, expected.clean);
  EXPECT_EQ(found.edited, expected.edited);
  EXPECT_EQ(found.clean_abstained, expected.clean_abstained);
  EXPECT_EQ(found.edited_abstained, expected.edited_abstained);
  EXPECT_EQ(found.certified, expected.certified);
  EXPECT_EQ(found.covered, expected.covered);
  EXPECT_EQ(found.why, expected.why);
}

void expect_same(const AttackRecord& found, const AttackRecord& expected) {
  EXPECT_EQ(found.id, expected.id);
  EXPECT_EQ(found.key, expected.key);
  EXPECT_EQ(found.label, expected.label);
  EXPECT_EQ(found.status, expected.status);
  EXPECT_EQ(found.before, expected.before);
  EXPECT_EQ(found.after, expected.after);
  EXPECT_EQ(found.share_before, expected.share_before);
  EXPECT_EQ(found.share_after, expected.share_after);
  EXPECT_EQ(found.queries, expected.queries);
  EXPECT_EQ(found.words, expected.words);
  EXPECT_EQ(found.words_after, expected.words_after);
  EXPECT_EQ(found.differences, expected.differences);
  EXPECT_EQ(found.similarity, expected.similarity);
  EXPECT_EQ(found.original, expected.original);
  EXPECT_EQ(found.adversarial, expected.adversarial);
  ASSERT_EQ(found.models.size(), expected.models.size());
  for (size_t i = 0; i < found.models.size(); ++i) expect_same(found.models[i], expected.models[i]);
  EXPECT_EQ(found.seconds, expected.seconds);
  EXPECT_EQ(found.wall_seconds, expected.wall_seconds);
  EXPECT_EQ(found.version, expected.version);
}

// A text of characters that some format or terminal could stumble over.
std::string odd_text() {
  static const std::vector<std::string> kParts = {"a",
                                                  "good",
                                                  " ",
                                                  "\"",
                                                  "\\",
                                                  "\n",
                                                  "\r",
                                                  "\t",
                                                  "\x01",
                                                  "\x1f",
                                                  "\x7f",
                                                  "{\"id\": 1}",
                                                  "\\u",
                                                  "/",
                                                  "\xc3\xa9",
                                                  "'",
                                                  "\u2028",
                                                  "\u00ad",
                                                  "\xf0\x9f\x8e\xac"};
  std::string text;
  for (const auto& part : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kParts)))
    text += part;
  return text;
}

template <typename Make>
auto maybe(const Make& make) -> std::optional<decltype(make())> {
  if (!*rc::gen::arbitrary<bool>()) return std::nullopt;
  return make();
}

double some_number() {
  const double number = *rc::gen::arbitrary<double>();
  return std::isfinite(number) ? number : 0.1;
}

WordDifference some_difference() {
  WordDifference difference = {*rc::gen::arbitrary<size_t>(), maybe(odd_text), maybe(odd_text)};
  if (!difference.before && !difference.after) difference.before = "";
  return difference;
}

DefenceRecord some_defence() {
  const auto flag = [] { return *rc::gen::arbitrary<bool>(); };
  return {.name = odd_text(),
          .clean = odd_text(),
          .edited = odd_text(),
          .clean_abstained = flag(),
          .edited_abstained = flag(),
          .certified = flag(),
          .covered = flag(),
          .why = odd_text()};
}

AttackRecord some_record() {
  AttackRecord record;
  record.id = *rc::gen::arbitrary<uint32_t>();
  record.key = maybe(odd_text);
  record.label = odd_text();
  record.status = *rc::gen::element(AttackStatus::kSucceeded, AttackStatus::kFailed,
                                    AttackStatus::kSpent, AttackStatus::kSkipped);
  record.before = odd_text();
  record.after = odd_text();
  record.share_before = some_number();
  record.share_after = some_number();
  record.queries = *rc::gen::arbitrary<uint64_t>();
  record.words = *rc::gen::arbitrary<size_t>();
  record.words_after = *rc::gen::arbitrary<size_t>();
  record.original = odd_text();
  if (record.attempted()) {
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
      record.differences.push_back(some_difference());
    record.similarity = maybe(some_number);
    record.adversarial = odd_text();
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) record.models.push_back(some_defence());
  }
  record.seconds = some_number();
  record.wall_seconds = maybe(some_number);
  record.version = odd_text();
  return record;
}

TEST(AttackRecord, ComesBackFromItsLine) {
  EXPECT_TRUE(rc::check([] {
    const AttackRecord record = some_record();
    const std::string line = to_json(record);
    RC_ASSERT(line.find('\n') == std::string::npos);
    const AttackRecord found = parse_attack_record(line);
    RC_ASSERT(to_json(found) == line);
    expect_same(found, record);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

// What is on disk must be readable for ever.
TEST(AttackRecord, ItsLineIsFixed) {
  EXPECT_EQ(to_json(attacked()),
            R"({"id":7,"key":"review-17","label":"pos","status":"succeeded","before":"pos",)"
            R"("after":"neg","share_before":0.75,"share_after":0.25,"queries":812,"words":3,)"
            R"("words_after":3,"differences":[{"place":0,"before":"good","after":"decent"},)"
            R"({"place":1,"before":"film"},{"place":3,"after":"it"}],"similarity":0.5,)"
            R"("original":"good film is","adversarial":"decent is it","models":[{"name":"votes",)"
            R"("clean":"pos","clean_abstained":false,"certified":true,"edited":"neg",)"
            R"("edited_abstained":false,"covered":false,"why":"1 word lost; up to 0 may"}],)"
            R"("seconds":0.25,"version":"0.2.0"})");
}

TEST(AttackRecord, ASkippedTextHasNothingOfAnAttack) {
  AttackRecord record = attacked();
  record.status = AttackStatus::kSkipped;
  record.key.reset();
  record.wall_seconds = 0.5;
  const std::string line = to_json(record);
  EXPECT_EQ(line,
            R"({"id":7,"label":"pos","status":"skipped","before":"pos","after":"neg",)"
            R"("share_before":0.75,"share_after":0.25,"queries":812,"words":3,"words_after":3,)"
            R"("original":"good film is","seconds":0.25,"wall_seconds":0.5,"version":"0.2.0"})");
  const AttackRecord found = parse_attack_record(line);
  EXPECT_FALSE(found.attempted());
  EXPECT_TRUE(found.differences.empty());
  EXPECT_TRUE(found.models.empty());
  EXPECT_EQ(found.adversarial, "");
  EXPECT_FALSE(found.similarity);
}

// A copy of the line with one part replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string line = to_json(attacked());
  const size_t place = line.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return line.replace(place, from.size(), to);
}

TEST(AttackRecord, RefusesWhatIsNoneWithTheReason) {
  const std::string whole = to_json(attacked());
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "JSON"},
      {whole.substr(0, whole.size() - 1), "JSON"},
      {"[]", "an object"},
      {"{}", "'id' is missing"},
      {changed("\"id\":7", "\"id\":-7"), "id: found -7"},
      {changed("\"id\":7", "\"id\":4294967296"), "id: found 4294967296"},
      {changed("\"id\":7", "\"id\":7.5"), "id: found 7.5"},
      {changed("\"review-17\"", "17"), "key: found 17, expected a text"},
      {changed("\"label\":\"pos\",", ""), "'label' is missing"},
      {changed("succeeded", "given up"),
       "status: found \"given up\", expected succeeded, failed, spent or skipped"},
      {changed("\"share_before\":0.75", "\"share_before\":\"0.75\""), "share_before: found"},
      {changed("\"queries\":812", "\"queries\":-1"), "queries: found -1"},
      {changed("\"words_after\":3", "\"words_afterwards\":3"), "'words_after' is missing"},
      {changed("{\"place\":1,\"before\":\"film\"}", "{\"before\":\"film\"}"),
       "differences[1]: 'place' is missing"},
      {changed("{\"place\":1,\"before\":\"film\"}", "{\"place\":1}"),
       "differences[1]: found object, expected 'before', 'after' or both"},
      {changed("\"similarity\":0.5", "\"similarity\":null"), "similarity: found null"},
      {changed("\"covered\":false", "\"covered\":0"), "models[0].covered: found 0"},
      {changed("\"why\"", "\"because\""), "models[0]: 'why' is missing"},
      {changed(",\"version\":\"0.2.0\"", ""), "'version' is missing"},
      {changed("\"version\":\"0.2.0\"", "\"version\":\"0.2.0\",\"wall_seconds\":\"long\""),
       "wall_seconds: found \"long\""}};
  for (const auto& [line, reason] : cases) {
    SCOPED_TRACE(line);
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&line = line] { parse_attack_record(line); });
    EXPECT_THAT(message, StartsWith("not the record of an attack ("));
    EXPECT_THAT(message, HasSubstr(reason));
  }
}

TEST(AttackRecord, ACertificateIsContradictedByAnotherAnswerForWhatItCovers) {
  for (const bool covered : {false, true})
    for (const bool abstained : {false, true})
      for (const char* edited : {"pos", "neg"}) {
        DefenceRecord record = defence();
        record.covered = covered;
        record.edited_abstained = abstained;
        record.edited = edited;
        const bool other = std::string(edited) == "neg";
        EXPECT_EQ(record.flipped(), !abstained && other);
        EXPECT_EQ(record.contradicted(), covered && !abstained && other);
      }
}

}  // namespace
}  // namespace textcrs
