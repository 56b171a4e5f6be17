#include "textcrs/report/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

CertifiedSet set_of(std::vector<Guarantee> guarantees) {
  CertifiedSet set;
  set.certified = true;
  set.guarantees = std::move(guarantees);
  return set;
}

Record sampled() {
  Record record;
  record.id = 7;
  record.label = "pos";
  record.prediction = "pos";
  record.words = 8;
  record.certification.prediction = 1;
  record.certification.counts = {12, 2988};
  record.certification.bounds = {0.99, 0.01};
  record.certification.sound = set_of({{Operation::kReordering, kUnitDisplacement, kUnlimited},
                                       {Operation::kDeletion, kUnitWords, 3},
                                       {Operation::kEdit, kUnitWords, 0}});
  record.certification.sound.frontier = {{0, 1}, {3, 0}};
  record.certification.samples = 3050;
  record.seconds = 0.25;
  record.version = "0.2.0";
  return record;
}

// Every shape a record may have, by name.
std::vector<std::pair<std::string, Record>> shapes() {
  std::vector<std::pair<std::string, Record>> all;
  const auto add = [&](const std::string& name, const auto& change) {
    all.emplace_back(name, sampled());
    change(all.back().second);
  };
  add("sampled", [](Record&) {});
  add("wrong", [](Record& r) { r.label = "neg"; });
  add("without a label", [](Record& r) { r.label.reset(); });
  add("with its own id", [](Record& r) { r.key = "review 17, \"caf\xc3\xa9\""; });
  add("with its text", [](Record& r) { r.text = "good film,\n\"very\" good \xf0\x9f\x8e\xac"; });
  add("with an empty text", [](Record& r) { r.text = ""; });
  add("of an older version", [](Record& r) { r.version.clear(); });
  add("with the run's time", [](Record& r) { r.wall_seconds = 0.0625; });
  add("with clusters and stop words", [](Record& r) {
    r.certification.sound.canonical = "WordNet synsets, of at most 8 words";
    r.certification.sound.stop_list = "english";
    r.certification.sound.stop_words = 160;
  });
  add("of sentences", [](Record& r) { r.unit = "sentence"; });
  add("the largest id", [](Record& r) { r.id = 4294967295; });
  add("a class with quotes", [](Record& r) { r.prediction = "a \"class\" \xc3\xa9\n"; });
  add("without words", [](Record& r) {
    r.words = 0;
    r.certification = {};
    r.certification.abstained = true;
    r.certification.counts = {0, 0};
  });
  add("abstained", [](Record& r) {
    r.certification.abstained = true;
    r.certification.bounds = {0.4, 0.6};
    r.certification.sound = {};
  });
  add("about an operation, but not certified",
      [](Record& r) { r.certification.sound.certified = false; });
  add("certified without guarantees", [](Record& r) { r.certification.sound = set_of({}); });
  add("both certificates", [](Record& r) {
    r.certification.paper = set_of({{Operation::kReordering, kUnitDisplacement, 5.88}});
  });
  add("exact, with a window", [](Record& r) {
    r.certification.exact = true;
    r.certification.sound = set_of({{Operation::kReordering, kUnitDisplacement, 14}});
    r.certification.sound.window = 8;
  });
  add("synonyms", [](Record& r) {
    r.certification.sound = set_of({{Operation::kSubstitution, kUnitWords, 2}});
    r.certification.sound.candidates = "synonyms.json";
    r.certification.sound.replaceable = 5;
  });
  for (const std::optional<double> edits :
       {std::optional<double>(), std::optional(0.0), std::optional(3.0), std::optional(kUnlimited)})
    add("candidates of all words", [edits](Record& r) {
      r.certification.sound = set_of({{Operation::kEdit, kUnitWords, 4}});
      r.certification.sound.synonyms = "counter-fitted";
      r.certification.sound.edits_beside_synonyms = edits;
    });
  add("warnings", [](Record& r) { r.warnings = {"most words are unknown", "a \"second\" one"}; });
  add("single edits", [](Record& r) {
    r.certification.sound = set_of({{Operation::kInsertion, kUnitEmbedding, 0.618}});
    r.certification.single_edits = {40, 31, 50, 7, 5, 0};
  });
  add("a witness", [](Record& r) {
    r.certification.exact = true;
    r.certification.witness =
        Witness{"neg", {{0, "good"}, {3, "a \"word\"\n"}}, {"bad", "bad", "zzz"}};
  });
  add("a witness without words", [](Record& r) {
    r.certification.witness = Witness{"neg", {}, {}};
  });
  for (const StopReason reason : {StopReason::kAllDrawn, StopReason::kReached, StopReason::kSettled,
                                  StopReason::kUnreachable, StopReason::kUnlikely})
    add("stopped: " + std::string(to_string(reason)), [&](Record& r) {
      r.stops = true;
      r.certification.stop = reason;
    });
  return all;
}

void expect_same(const CertifiedSet& found, const CertifiedSet& expected) {
  EXPECT_EQ(found.certified, expected.certified);
  ASSERT_EQ(found.guarantees.size(), expected.guarantees.size());
  for (size_t i = 0; i < found.guarantees.size(); ++i) {
    EXPECT_EQ(found.guarantees[i].operation, expected.guarantees[i].operation);
    EXPECT_EQ(found.guarantees[i].radius, expected.certified ? expected.guarantees[i].radius : 0);
    const bool embedded = expected.guarantees[i].unit == kUnitEmbedding;
    EXPECT_EQ(found.guarantees[i].unit, embedded ? kUnitEmbedding : "");
  }
  EXPECT_EQ(found.frontier, expected.frontier);
  EXPECT_EQ(found.window, expected.window);
  EXPECT_EQ(found.candidates, expected.candidates);
  EXPECT_EQ(found.replaceable, expected.replaceable);
  EXPECT_EQ(found.synonyms, expected.synonyms);
  EXPECT_EQ(found.edits_beside_synonyms, expected.edits_beside_synonyms);
  EXPECT_EQ(found.canonical, expected.canonical);
  EXPECT_EQ(found.stop_list, expected.stop_list);
  EXPECT_EQ(found.stop_words, expected.stop_words);
}

TEST(Record, ComesBackFromItsLine) {
  for (const auto& [name, record] : shapes()) {
    SCOPED_TRACE(name);
    const std::string line = to_json(record);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Record found = parse_record(line);
    EXPECT_EQ(to_json(found), line);
    EXPECT_EQ(found.id, record.id);
    EXPECT_EQ(found.key, record.key);
    EXPECT_EQ(found.label, record.label);
    EXPECT_EQ(found.text, record.text);
    EXPECT_EQ(found.prediction, record.prediction);
    EXPECT_EQ(found.correct(), record.correct());
    EXPECT_EQ(found.words, record.words);
    EXPECT_EQ(found.unit, record.unit);
    EXPECT_EQ(found.stops, record.stops);
    EXPECT_EQ(found.warnings, record.warnings);
    EXPECT_EQ(found.seconds, record.seconds);
    EXPECT_EQ(found.wall_seconds, record.wall_seconds);
    EXPECT_EQ(found.version, record.version);
    const Certification &c = found.certification, &expected = record.certification;
    EXPECT_EQ(c.prediction, -1);
    EXPECT_EQ(c.abstained, expected.abstained);
    EXPECT_EQ(c.counts, expected.counts);
    EXPECT_EQ(c.bounds, expected.bounds);
    expect_same(c.sound, expected.sound);
    expect_same(c.paper, expected.paper);
    EXPECT_EQ(c.samples, expected.samples);
    EXPECT_EQ(c.stop, expected.stop);
    EXPECT_EQ(c.exact, expected.exact);
    EXPECT_EQ(c.by_fallback, expected.by_fallback);
    EXPECT_EQ(c.witness, expected.witness);
    ASSERT_EQ(c.single_edits.has_value(), expected.single_edits.has_value());
    if (c.single_edits) {
      EXPECT_EQ(c.single_edits->in_words(), expected.single_edits->in_words());
    }
  }
}

// What is on disk must be readable for ever.
TEST(Record, ItsLineIsFixed) {
  EXPECT_EQ(to_json(sampled()),
            R"({"id":7,"label":"pos","prediction":"pos","abstained":false,"correct":true,)"
            R"("words":8,"counts":[12,2988],"pa":0.99,"pb":0.01,"sound":{"certified":true,)"
            R"("reordering":"unlimited","deletion":3,"edit":0,"frontier":[[0,1],[3,0]]},)"
            R"("samples":3050,"seconds":0.25,"version":"0.2.0"})");
  Record named = sampled();
  named.key = "r17";
  named.text = "good film";
  EXPECT_THAT(to_json(named), testing::StartsWith(R"({"id":7,"key":"r17","label":"pos",)"));
  EXPECT_THAT(to_json(named), testing::EndsWith(R"("version":"0.2.0","text":"good film"})"));
  Record more = sampled();
  more.label.reset();
  more.stops = true;
  more.certification.stop = StopReason::kReached;
  more.certification.exact = true;
  more.certification.sound = set_of({{Operation::kInsertion, kUnitEmbedding, 0.5}});
  more.certification.paper = set_of({});
  more.certification.single_edits = {4, 3, 2, 1, 5, 0};
  more.warnings = {"most words are unknown"};
  more.version.clear();
  EXPECT_EQ(
      to_json(more),
      R"({"id":7,"prediction":"pos","abstained":false,"words":8,"counts":[12,2988],)"
      R"("pa":0.99,"pb":0.01,"sound":{"certified":true,"insertion":0.5,)"
      R"("unit":"l2 embedding change"},)"
      R"("paper":{"certified":true,"proved":false},"exact":true,"samples":3050,"stop":"reached",)"
      R"("single_edits":{"insertions":4,"insertions_covered":3,"substitutions":2,)"
      R"("substitutions_covered":1,"deletions":5,"deletions_covered":0},)"
      R"("warnings":["most words are unknown"],"seconds":0.25})");
}

TEST(Record, ReadsThePapersFormulasWithoutTheirMark) {
  Record record = sampled();
  record.certification.paper = set_of({{Operation::kReordering, kUnitDisplacement, 5.5}});
  const std::string line = to_json(record), mark = R"("proved":false,)";
  const size_t place = line.find(mark);
  ASSERT_NE(place, std::string::npos);
  std::string older = line;
  EXPECT_EQ(to_json(parse_record(older.erase(place, mark.size()))), line);
}

TEST(Record, SaysThatTheFallbackAnswered) {
  Record record = sampled();
  EXPECT_THAT(to_json(record), testing::Not(testing::HasSubstr("not_certified")));
  record.certification.by_fallback = true;
  record.certification.sound.certified = false;
  const std::string line = to_json(record);
  EXPECT_THAT(line,
              testing::HasSubstr(R"("samples":3050,"not_certified":"the votes were not clear: )"
                                 R"(answered by the fallback, nothing is certified",)"));
  EXPECT_THAT(line, testing::HasSubstr(R"("sound":{"certified":false,)"));
  const Record found = parse_record(line);
  EXPECT_TRUE(found.certification.by_fallback);
  EXPECT_EQ(to_json(found), line);
}

TEST(Record, IsCorrectIfAnsweredAndRight) {
  Record record = sampled();
  EXPECT_TRUE(record.correct());
  record.certification.abstained = true;
  EXPECT_FALSE(record.correct());
  record = sampled();
  record.label = "neg";
  EXPECT_FALSE(record.correct());
  record.label.reset();
  EXPECT_FALSE(record.correct());
}

TEST(Record, RefusesWhatIsNone) {
  const std::string line = to_json(sampled());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string copy = line;
    const size_t place = copy.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return copy.replace(place, from.size(), to);
  };
  for (const std::string& wrong :
       {std::string(),
        std::string("[]"),
        std::string("{}"),
        line.substr(0, line.size() - 1),
        changed("\"id\":7", "\"id\":-7"),
        changed("\"id\":7", "\"id\":\"7\""),
        changed("\"id\":7", "\"id\":4294967296"),
        changed("\"words\":8", "\"wards\":8"),
        changed("\"words\":8", "\"words\":\"8\""),
        changed("[12,2988]", "12"),
        changed("\"samples\":3050", "\"samples\":3050,\"warnings\":\"one\""),
        changed("\"deletion\"", "\"translation\""),
        changed("\"unlimited\"", "\"endless\""),
        changed("\"samples\":3050", "\"samples\":3050,\"stop\":\"tired\""),
        changed("\"prediction\":\"pos\",", ""),
        changed("\"prediction\":\"pos\"", "\"prediction\":1"),
        changed("\"prediction\":\"pos\"", "\"prediction\":null"),
        changed("\"label\":\"pos\"", "\"label\":null"),
        changed("\"label\":\"pos\"", "\"label\":[\"pos\"]"),
        changed("\"abstained\":false", "\"abstained\":0"),
        changed("\"counts\"", "\"count\""),
        changed("[12,2988]", "[12,-1]"),
        changed("[12,2988]", "[12,2988.5]"),
        changed("[12,2988]", "[true,2988]"),
        changed("[12,2988]", "[12,1e30]"),
        changed("\"pa\":0.99", "\"pa\":1e999"),
        changed("\"pa\":0.99", "\"pa\":\"0.99\""),
        changed("\"pa\":0.99", "\"pa\":null"),
        changed("\"words\":8", "\"words\":8.5"),
        changed("\"words\":8", "\"words\":-8"),
        changed("\"words\":8", "\"words\":true"),
        changed("\"samples\":3050", "\"samples\":4294967296"),
        changed("\"deletion\":3", "\"deletion\":-3"),
        changed("\"deletion\":3", "\"deletion\":true"),
        changed("[[0,1],[3,0]]", "[[0,1],[3]]"),
        changed("[[0,1],[3,0]]", "[[0,1],[3,0,0]]"),
        changed("[[0,1],[3,0]]", "[[0,1],[3,-1]]"),
        changed("[[0,1],[3,0]]", "{\"0\":1}"),
        changed("\"certified\":true", "\"certified\":1"),
        changed("\"id\":7", "\"id\":7,\"id\":7"),
        changed("\"id\":7", "\"id\":7.5"),
        changed("\"id\":7", "\"id\":true"),
        changed("\"id\":7",
                "\"id\":7,\"witness\":{\"prediction\":\"neg\",\"lost\":[[0]],\"gained\":[]}"),
        changed("\"id\":7", "\"id\":7,\"single_edits\":{\"insertions\":1}"),
        changed("\"id\":7", "\"id\":7,\"more\":" + std::string(100000, '[')),
        changed("\"id\":7",
                "\"id\":7,\"more\":" + std::string(100000, '[') + std::string(100000, ']'))}) {
    SCOPED_TRACE(wrong);
    try {
      parse_record(wrong);
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << error.what();
    }
  }
  EXPECT_EQ(error_of([&] { parse_record(changed("\"prediction\":\"pos\",", "")); }),
            "not the record of a text ('prediction' is missing)");
  EXPECT_EQ(error_of([&] { parse_record(changed("[12,2988]", "[12,-1]")); }),
            "not the record of a text (counts[1]: found -1, expected a whole number from 0 to "
            "9223372036854775807)");
  EXPECT_THAT(error_of([&] { parse_record(changed("\"deletion\"", "\"translation\"")); }),
              HasSubstr("translation"));
}

}  // namespace
}  // namespace textcrs
