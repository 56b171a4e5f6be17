// Whatever a file or a flag says, the page shows it and obeys none of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "page/assets.h"
#include "page/content_policy.h"
#include "page/made_run.h"
#include "page/parsed_page.h"
#include "text/temporary_folder.h"
#include "textcrs/page/report_page.h"
#include "textcrs/report/attack_record.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using testing::Not;

// One of each that could end an element, a script, a comment, an attribute or a line of a script.
const std::vector<std::string> kHostile = {
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "<!--<script>",
    "]]>--><!DOCTYPE x>",
    "javascript:alert(1)",
    "</style><style>*{display:none}",
    "&lt;b&gt;&amp;#60;",
    "line\u2028separators\u2029",
    "${alert(1)}`\\u003cb\\u003e",
};

class HostilePage : public testing::Test {
 protected:
  // A run in which everything that has a name is called that.
  std::filesystem::path run_of(const std::string& bad) const {
    std::vector<Record> records = made_records({{.edits = 2, .text = bad, .key = bad},
                                                {.label = "neg", .edits = 1, .text = bad + bad},
                                                {.abstained = true}});
    for (Record& record : records) {
      record.label = *record.label == "neg" ? bad + " neg" : bad;
      record.prediction = bad;
      record.warnings = {bad};
      record.certification.sound.canonical = bad;
    }
    std::vector<Setting> settings = smoothed_settings();
    for (const char* name : {"data", "split", "architecture", "engine", "caveats", "no such"})
      settings = with(settings, {name, bad + " 0123"});
    return write_run(fresh(), records, {bad + " neg", bad}, settings);
  }

  std::filesystem::path attack_of(const std::string& bad) const {
    const auto folder = fresh();
    std::filesystem::create_directories(folder);
    write_run_file(folder / kRunFile, {{"recipe", bad}, {"data", bad + " 0123"}},
                   std::string(version()));
    AttackRecord record;
    record.status = AttackStatus::kSucceeded;
    record.label = record.before = bad;
    record.after = bad + " other";
    record.key = bad;
    record.words = record.words_after = 3;
    record.differences = {{0, bad, bad + "x"}, {1, bad, std::nullopt}, {2, std::nullopt, bad}};
    record.original = record.adversarial = bad;
    record.version = std::string(version());
    record.models = {
        {.name = bad, .clean = bad, .edited = "x", .certified = true, .covered = true, .why = bad}};
    write_file_atomically(folder / kResultsFile, to_json(record) + "\n");
    return folder;
  }

  std::string page_of(const std::vector<ReportedRun>& runs,
                      const ReportOptions& options = {}) const {
    write_report(runs, options, work_.path() / "page.html");
    return read_file(work_.path() / "page.html");
  }

  std::filesystem::path fresh() const { return work_.path() / std::to_string(++folders_); }

  TemporaryFolder work_;
  mutable int folders_ = 0;
};

TEST_F(HostilePage, NothingBreaksOut) {
  for (const std::string& bad : kHostile) {
    SCOPED_TRACE(bad);
    ReportOptions options;
    options.title = options.how_to_colour = options.how_to_keep_texts = bad;
    const ParsedPage page(
        page_of({{bad, run_of(bad), {}}, {bad + "2", attack_of(bad), {}}, {"c", run_of("x"), {}}},
                options));
    EXPECT_EQ(page.all("script").size(), 2u);
    EXPECT_EQ(page.all("style").size(), 1u);
    EXPECT_EQ(page.style(), page_style());
    EXPECT_EQ(page.script(), page_script());
    EXPECT_EQ(page.all("title")[0].text, bad);
    EXPECT_EQ(page.all("h1")[0].text, bad);
    const auto data = page.data();
    EXPECT_EQ(data["runs"][0]["classes"][1], bad);
    EXPECT_EQ(data["runs"][0]["texts"]["text"][0], bad);
    EXPECT_EQ(data["runs"][0]["texts"]["key"][0], bad);
    std::vector<std::string> shown;
    for (const PageElement& text : page.all("p", "example-text")) shown.push_back(text.text);
    EXPECT_NE(std::find(shown.begin(), shown.end(), bad), shown.end());
    for (const PageElement& element : page.elements())
      for (const auto& [name, value] : element.attributes) {
        EXPECT_FALSE(name.starts_with("on")) << name;
        EXPECT_TRUE(name != "href" || value.starts_with("#")) << value;
      }
  }
}

TEST_F(HostilePage, WhatIsNoTextIsReplaced) {
  const std::string bytes("n\0\x1B[31m\xFF\xC0\xBC", 10);
  ReportOptions options;
  options.title = bytes;
  const ParsedPage page(page_of({{bytes, run_of("x"), {}}}, options));
  EXPECT_EQ(page.all("h1")[0].text, "n\uFFFD\uFFFD[31m\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(page.text().find('\0'), std::string::npos);
  EXPECT_EQ(page.text().find('\x1B'), std::string::npos);
  const std::string nul("a\0b", 3);
  const ParsedPage other(page_of({{"x", run_of(nul), {}}}));
  EXPECT_EQ(other.data()["runs"][0]["texts"]["text"][0], nul);  // as data it is what it was
  EXPECT_EQ(other.text().find('\0'), std::string::npos);
}

// A right-to-left override in a name turns none of the sentences around it.
TEST_F(HostilePage, TurnsNoSentence) {
  const std::string turned = "\u202Eevil";
  const ParsedPage page(page_of({{"x", run_of(turned), {}}, {"y", attack_of(turned), {}}}));
  for (const PageElement& item : page.all("li")) EXPECT_THAT(item.text, Not(HasSubstr("\u202E")));
  for (const char* of_class : {"how", "said"}) {
    EXPECT_FALSE(page.all("p", of_class).empty());
    for (const PageElement& sentence : page.all("p", of_class))
      EXPECT_THAT(sentence.text, Not(HasSubstr("\u202E")));
  }
  const auto data = page.data();
  const auto& texts = data["runs"][0]["texts"];
  for (const auto& said : texts["said"])
    EXPECT_THAT(said.get<std::string>(), Not(HasSubstr("\u202E")));
  EXPECT_EQ(texts["text"][0], turned);
}

TEST_F(HostilePage, AsksTheNetworkForNothing) {
  const std::string html = page_of({{"a", run_of("x"), {}}, {"b", attack_of("y"), {}}});
  const ParsedPage page(html);
  for (const PageElement& element : page.elements())
    for (const char* name : {"src", "srcset", "action", "data", "poster", "background", "style"})
      EXPECT_FALSE(element.attributes.contains(name)) << element.name;
  for (const char* name : {"link", "img", "iframe", "object", "embed", "base", "video", "audio"})
    EXPECT_TRUE(page.all(name).empty()) << name;
  for (const char* part : {"url(", "@import", "image-set", "http", "//"})
    EXPECT_THAT(page.style(), Not(HasSubstr(part)));
  // The one address is the name of a namespace.
  const std::string script =
      std::regex_replace(page.script(), std::regex("'http://www\\.w3\\.org/2000/svg'"), "");
  for (const char* part :
       {"http:", "https:", "'//", "\"//", "`//", "fetch(", "XMLHttpRequest", "WebSocket",
        "sendBeacon", "EventSource", "import(", "eval(", "innerHTML", "outerHTML",
        "insertAdjacentHTML", "document.write", "Function("})
    EXPECT_THAT(script, Not(HasSubstr(part)));
}

// The SHA-512 of nothing, as FIPS 180 tests it, in base64.
TEST(ContentPolicy, NamesWhatItAllowsByItsHash) {
  const std::string nothing =
      "'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6"
      "+SfaPg=='";
  EXPECT_EQ(content_policy("", ""), "default-src 'none'; script-src " + nothing + "; style-src " +
                                        nothing + "; base-uri 'none'; form-action 'none'");
}

TEST_F(HostilePage, ItsPolicyAllowsItsOwnScriptAndStyle) {
  const ParsedPage page(page_of({{"a", run_of("x"), {}}}));
  std::string policy;
  for (const PageElement& meta : page.all("meta"))
    if (meta.attributes.contains("http-equiv")) policy = meta.attributes.at("content");
  EXPECT_EQ(policy, content_policy(page.script(), page.style()));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
}

}  // namespace
}  // namespace textcrs
