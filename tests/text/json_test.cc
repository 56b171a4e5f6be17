#include "text/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>

#include "text/json_value.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text, const std::string& name = "a.json") {
  for (const auto& parse :
       {+[](const std::string&t, const std::string&n) { parse_json<json>(t, n); },
        +[](const std::string&t, const std::string&n) { parse_json<ordered_json>(t, n); }}) {
    try {
      parse(text, name);
      ADD_FAILURE() << "not refused: " << text.substr(0, 50);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  return error_of([&] { parse_json<json>(text, name); });
}

std::string nested(size_t levels, const std::string& opened, const std::string& closed) {
  std::string text;
  for (size_t i = 0; i < levels; ++i) text += opened;
  text += "1";
  for (size_t i = 0; i < levels; ++i) text += closed;
  return text;
}

// A random value of at most so many levels.
ordered_json random_value(int levels) {
  switch (*rc::gen::inRange(0, levels > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<int64_t>();
    case 3:
      return *rc::gen::arbitrary<uint64_t>();
    case 4:
      return *rc::gen::arbitrary<double>();
    case 5:
      return *rc::gen::element<std::string>("", "[", "}\"{", "\\", "\\\"", "caf\xc3\xa9\n\t",
                                            "\x01");
    case 6: {
      ordered_json list = ordered_json::array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(random_value(levels - 1));
      return list;
    }
    default: {
      ordered_json object = ordered_json::object();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
        object["k" + std::to_string(*rc::gen::inRange(0, 9)) + "]"] = random_value(levels - 1);
      return object;
    }
  }
}

TEST(Json, ReadsWhatTheLibraryWrites) {
  EXPECT_TRUE(rc::check([] {
    const ordered_json value = random_value(4);
    for (const int indent : {-1, 2}) {
      const std::string text = value.dump(indent);
      RC_ASSERT(parse_json<ordered_json>(text, "").dump(indent) == text);
      RC_ASSERT(parse_json<json>(text, "") == json::parse(text));
    }
  }));
}

TEST(Json, KeepsTheOrderOfMembersWhereItIsAskedFor) {
  const std::string text = R"({"b":1,"a":{"d":[],"c":-2.5}})";
  EXPECT_EQ(parse_json<ordered_json>(text, "").dump(), text);
}

TEST(Json, RefusesWhatIsNone) {
  EXPECT_THAT(refusal(""), StartsWith("a.json: byte 1: not JSON (syntax error"));
  EXPECT_THAT(refusal("{\"a\": nul}"),
              testing::MatchesRegex("a.json: byte 1[0-9]: not JSON \\(syntax error while parsing "
                                    "value - invalid literal\\)"));
  EXPECT_THAT(refusal("[1, 2"), HasSubstr("byte 5: not JSON"));
  EXPECT_THAT(refusal("[1] [2]"), HasSubstr("byte 5: not JSON"));
  EXPECT_THAT(refusal("[1,\n 2,\n x]"), StartsWith("a.json:3: byte "));
  EXPECT_THAT(refusal("x", ""), StartsWith("byte 1: not JSON"));
  EXPECT_THAT(refusal("\"caf\xe9\""), HasSubstr("ill-formed UTF-8 byte"));
  EXPECT_LT(refusal("\"" + std::string(100000, 'a')).size(), 300u);
  for (const char* text : {"NaN", "-Infinity", "[1,]", "{'a': 1}", "{1: 2}", "01", "\"\n\"",
                           "// no", "[1", "{\"a\"", "\x00"})
    refusal(text);
}

TEST(Json, RefusesWhatNestsTooDeeplyAtItsByte) {
  const auto list = [](size_t levels) { return nested(levels, "[", "]"); };
  const auto object = [](size_t levels) { return nested(levels, "{\"]\\\"[\":", "}"); };
  EXPECT_NO_THROW(parse_json<json>(list(kMostJsonLevels), "a.json"));
  EXPECT_NO_THROW(parse_json<ordered_json>(object(kMostJsonLevels), "a.json"));
  EXPECT_EQ(refusal(list(kMostJsonLevels + 1)),
            "a.json: byte 65: found more than 64 lists and objects within each other, expected "
            "fewer");
  EXPECT_THAT(refusal(object(kMostJsonLevels + 1)), StartsWith("a.json: byte 513: found more"));
  EXPECT_THAT(refusal("[[], {}, " + list(kMostJsonLevels) + "]"), HasSubstr("byte 73: found more"));
  for (const size_t levels : {size_t{100000}, size_t{3000000}}) {
    EXPECT_THAT(refusal(std::string(levels, '[')), HasSubstr("byte 65: found more"));
    EXPECT_THAT(refusal(list(levels)), HasSubstr("byte 65: found more"));
    EXPECT_THAT(refusal("{\"dimension\": " + list(levels)), HasSubstr("byte 78: found more"));
  }
}

TEST(Json, RefusesNumbersThatNoDoubleHolds) {
  for (const std::string number : {"1e999", "-1e999", "1e309"})
    EXPECT_THAT(refusal("{\"alpha\": " + number + "}"),
                testing::MatchesRegex("a.json: byte 1[0-9]: found a number that is too large, "
                                      "expected one that a double holds"));
  refusal(std::string(400, '9'));
  EXPECT_EQ(parse_json<json>("1e308", "").get<double>(), 1e308);
  EXPECT_EQ(parse_json<json>("1e-999", "").get<double>(), 0);
}

TEST(Json, RefusesMembersOfTheSameName) {
  EXPECT_EQ(refusal(R"({"a": 1, "b": {"a": 2}, "a": 3})"),
            "a.json: \"a\": appears twice in an object, expected once");
  refusal(R"([{"b": {"c": 1, "c": 1}}])");
  EXPECT_NO_THROW(parse_json<json>(R"([{"a": {"a": 1}}, {"a": 2}])", ""));
}

TEST(Json, FilesAreNamed) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "b.json";
  EXPECT_THAT(error_of([&] { read_json_file<json>(path); }), StartsWith(path.string() + ": "));
  std::ofstream(path) << "{\"a\": 1";
  EXPECT_THAT(error_of([&] { read_json_file<json>(path); }),
              StartsWith(path.string() + ": byte 7: not JSON"));
  std::ofstream(path) << "{\"a\": 1}\n";
  EXPECT_EQ(read_json_file<ordered_json>(path).at("a"), 1);
}

TEST(JsonValue, GivesWhatIsAskedFor) {
  const auto parsed = parse_json<ordered_json>(
      R"({"n": 3, "x": -2.5, "yes": true, "t": "two", "l": ["a", "b"], "o": {"p": [7, 8]}})", "");
  const JsonValue value(parsed, "f.json");
  EXPECT_EQ(value.at("n").whole<int>(), 3);
  EXPECT_EQ(value.at("n").whole<uint8_t>(3, 3), 3);
  EXPECT_EQ(value.at("n").number(), 3);
  EXPECT_EQ(value.at("x").number(), -2.5);
  EXPECT_TRUE(value.at("yes").flag());
  EXPECT_EQ(value.at("t").text(), "two");
  EXPECT_THAT(value.at("l").texts(), testing::ElementsAre("a", "b"));
  EXPECT_EQ(value.at("o").at("p").list(2)[1].whole<int64_t>(), 8);
  EXPECT_FALSE(value.find("none"));
  EXPECT_TRUE(value.flag_or("none", true));
  EXPECT_EQ(value.text_or("t", "other"), "two");
  EXPECT_EQ(value.text_or("none", "other"), "other");
  EXPECT_EQ(value.members().size(), 6u);
  EXPECT_EQ(value.members()[1].first, "x");
}

TEST(JsonValue, NamesThePlaceOfWhatItRefuses) {
  const auto parsed = parse_json<ordered_json>(
      R"({"n": 3, "x": 2.5, "e": 1e2, "yes": true, "t": "2", "minus": -1, "none": null,
          "big": 18446744073709551615, "l": [1, "b"], "o": {"p": [7, {"q": 1}]}})",
      "");
  const JsonValue value(parsed, "f.json");
  const auto error = [&](const auto& ask) { return error_of([&] { ask(value); }); };
  EXPECT_EQ(error([](const JsonValue& v) { v.at("m"); }), "f.json: 'm' is missing");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("o").at("m"); }), "f.json: o: 'm' is missing");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("n").at("m"); }),
            "f.json: n: found 3, expected an object");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("o").at("p").list()[1].at("q").text(); }),
            "f.json: o.p[1].q: found 1, expected a text");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("l").texts(); }),
            "f.json: l[0]: found 1, expected a text");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("l").list(3); }),
            "f.json: l: found array, expected a list of 3");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("n").list(); }),
            "f.json: n: found 3, expected a list");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("yes").number(); }),
            "f.json: yes: found true, expected a number");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("n").flag(); }),
            "f.json: n: found 3, expected true or false");
  EXPECT_EQ(error([](const JsonValue& v) { v.flag_or("n", true); }),
            "f.json: n: found 3, expected true or false");
  EXPECT_EQ(error([](const JsonValue& v) { v.at("n").whole<int>(4, 9); }),
            "f.json: n: found 3, expected a whole number from 4 to 9");
  for (const char* name : {"x", "e", "yes", "t", "minus", "none", "big", "l", "o"})
    EXPECT_THAT(error([&](const JsonValue& v) { v.at(name).whole<int>(); }),
                HasSubstr("expected a whole number from 0 to 2147483647"))
        << name;
  EXPECT_EQ(value.at("big").whole<uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(value.at("minus").whole<int64_t>(-1), -1);
  EXPECT_NE(error([&](const JsonValue& v) { v.at("minus").whole<int64_t>(0); }), "");
  EXPECT_NE(error([&](const JsonValue& v) { v.at("big").whole<int64_t>(-5); }), "");
  EXPECT_EQ(error_of([&] { JsonValue(parsed, "").at("t").number(); }),
            "t: found \"2\", expected a number");
}

}  // namespace
}  // namespace textcrs
