// textcrs sample: what each noise may do to a text, seen from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kText = "good film of the town with bad music";

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

const Words kWords = words_of(kText);

Words sorted(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}

bool is_subsequence(const Words& copy) {
  auto from = kWords.begin();
  for (const std::string& word : copy) {
    from = std::find(from, kWords.end(), word);
    if (from++ == kWords.end()) return false;
  }
  return true;
}

bool is_part(const Words& copy) {
  const Words all = sorted(kWords), part = sorted(copy);
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

bool is_permutation(const Words& copy) { return sorted(copy) == sorted(kWords); }

bool masks_in_place(const Words& copy) {
  return std::equal(copy.begin(), copy.end(), kWords.begin(), kWords.end(),
                    [](const auto& now, const auto& was) { return now == was || now == "<mask>"; });
}

bool fills_the_slots(const Words& copy) {  // ten slots
  Words padded = kWords;
  padded.resize(10, "<pad>");
  return sorted(copy) == sorted(padded);
}

// good - great, good - fine, bad - poor, film - story; two steps in the graph join great and fine,
// but kWords holds neither.
bool substitutes_in_place(const Words& copy) {
  static const std::map<std::string, std::set<std::string>> may = {
      {"good", {"good", "great", "fine"}}, {"bad", {"bad", "poor"}}, {"film", {"film", "story"}}};
  return std::equal(copy.begin(), copy.end(), kWords.begin(), kWords.end(),
                    [](const auto& now, const auto& was) {
                      return may.count(was) ? may.at(was).count(now) > 0 : now == was;
                    });
}

TEST(Sample, EveryNoiseDoesWhatItsNameSays) {
  const std::vector<std::pair<std::string, bool (*)(const Words&)>> noises = {
      {"none", [](const Words& copy) { return copy == kWords; }},
      {"delete:p=0.5", is_subsequence},
      {"delete:p=0.5,order=shuffled", is_part},
      {"universal:p=0.5", is_part},
      {"reorder:full", is_permutation},
      {"reorder:block=3", is_permutation},
      {"reorder:block=3,order=sorted", is_permutation},
      {"reorder:groups=3", is_permutation},
      {"insert:sigma=0.1", fills_the_slots},
      {"gaussian:sigma=0.1", [](const Words& copy) { return copy == kWords; }},
      {"adapt:keep=2", is_subsequence},
      {"adapt:keep=2,order=shuffled", is_part},
      {"mask:p=0.5", masks_in_place},
      {"hash:buckets=2,functions=3", is_part},
      {"substitute:kernel=uniform", substitutes_in_place},
      {"substitute:kernel=staircase,size=3", substitutes_in_place},
      {"substitute:kernel=cluster,size=3", substitutes_in_place},
      {"substitute:kernel=graph", substitutes_in_place},
  };
  std::vector<Arguments> commands;
  for (const auto& [noise, allows] : noises)
    commands.push_back({"sample", "--noise", noise, "--text", kText, "--count", "30", "--slots",
                        "10", "--vectors", workspace().vectors(), "--synonyms",
                        workspace().synonyms()});
  const auto results = run_all(commands);
  for (size_t i = 0; i < noises.size(); ++i) {
    SCOPED_TRACE(noises[i].first);
    ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
    auto lines = lines_of(results[i].out);
    if (noises[i].first.find("sigma") != std::string::npos) {
      EXPECT_THAT(lines.back(), HasSubstr("N(0, 0.1^2)"));
      lines.pop_back();
    }
    ASSERT_EQ(lines.size(), 30u);
    for (const std::string& line : lines) EXPECT_TRUE(noises[i].second(words_of(line))) << line;
    const size_t different = std::set<std::string>(lines.begin(), lines.end()).size();
    if (noises[i].first == "none" || noises[i].first.starts_with("gaussian"))
      EXPECT_EQ(different, 1u);
    else
      EXPECT_GT(different, 1u);
  }
}

TEST(Sample, FollowsTheSeed) {
  const Arguments command = {"sample", "--noise", "reorder:full", "--text", kText};
  const auto results = run_all({command, command, command + Arguments{"--seed", "2"}});
  EXPECT_EQ(results[0].out, results[1].out);
  EXPECT_NE(results[0].out, results[2].out);
}

TEST(Sample, SubstitutionNeedsSynonyms) {
  const Result result = run({"sample", "--noise", "substitute:kernel=uniform", "--text", kText,
                             "--vectors", workspace().vectors()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--synonyms"));
}

}  // namespace
}  // namespace textcrs::cli_test
