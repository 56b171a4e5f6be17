#include "data/json_array.h"

#include <gtest/gtest.h>

#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using Objects = std::vector<std::pair<size_t, std::string>>;  // by line

Objects objects_of(std::string_view text) {
  JsonArray array("a.json", text);
  Objects objects;
  for (std::string_view object; array.next(object);) objects.emplace_back(array.line(), object);
  return objects;
}

std::string refusal(std::string_view text) {
  return error_of([&] { objects_of(text); });
}

TEST(JsonArray, CutsObjectsApart) {
  EXPECT_EQ(objects_of("[]"), Objects{});
  EXPECT_EQ(objects_of(" [\n] \n"), Objects{});
  EXPECT_EQ(objects_of("[{}, {\"a\":\n1}\n,\n{\"b\": [{}, {}]}]"),
            (Objects{{1, "{}"}, {1, "{\"a\":\n1}"}, {4, "{\"b\": [{}, {}]}"}}));
}

TEST(JsonArray, BracesInStringsAreText) {
  EXPECT_EQ(objects_of("[{\"a\": \"}]\\\"}{\\\\\"},{}]"),
            (Objects{{1, "{\"a\": \"}]\\\"}{\\\\\"}"}, {1, "{}"}}));
}

TEST(JsonArray, Malformed) {
  const std::string end = " of a JSON array of objects";
  EXPECT_EQ(refusal("{}"), "a.json:1: found \"{}\", expected '['" + end);
  EXPECT_EQ(refusal("[\n1]"), "a.json:2: found \"1]\", expected an object or ']'" + end);
  EXPECT_EQ(refusal("[{} {}]"), "a.json:1: found \"{}]\", expected ',' or ']'" + end);
  EXPECT_EQ(refusal("[{},]"), "a.json:1: found \"]\", expected an object" + end);
  EXPECT_EQ(refusal("[{}"), "a.json:1: found the end of the file, expected ',' or ']'" + end);
  EXPECT_EQ(refusal("["), "a.json:1: found the end of the file, expected an object or ']'" + end);
  EXPECT_EQ(refusal("[{}]\n[]"), "a.json:2: found \"[]\", expected nothing after the array" + end);
  const std::string open = "found an object that is never closed, expected a '}'";
  EXPECT_EQ(refusal("[{},\n{\"a\": 1,\n"), "a.json:2: " + open);
  EXPECT_EQ(refusal("[{\"a\": \"}]\\"), "a.json:1: " + open);
}

}  // namespace
}  // namespace textcrs
